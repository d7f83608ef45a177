/**
 * `npm run test:faults`: places orders during random faults, and proves afterwards that nothing was lost, bought twice
 * or reported wrongly. docs/developers/reliability.md.
 */
import { messageOf } from '../stack/problem';
import { floods } from './overload';
import { readOptions } from './options';
import { makePlan } from './plan/plan';
import { run } from './run';
import { commandFor, failureOf, summaryOf } from './summary';

/** The duration of each load. */
const FLOOD_SECONDS = 20;

async function main(): Promise<boolean> {
  const { seeds, ...options } = readOptions(process.argv.slice(2));
  if (options.floods) return floods(FLOOD_SECONDS);
  const failed: number[] = [];
  for (const seed of seeds) {
    const plan = makePlan(seed, options);
    console.log(`Seed ${seed}: ${commandFor({ plan })}`);
    const result = await run(plan);
    console.log(`\nSeed ${seed}\n${summaryOf(result)}`);
    if (result.broken.length > 0) {
      failed.push(seed);
      console.log(failureOf(result));
    } else console.log('  Every guarantee held.\n');
  }
  const kept = seeds.length - failed.length;
  console.log(
    `${kept} of ${seeds.length} runs kept every guarantee.${failed.length > 0 ? ` Not: ${failed.join(', ')}` : ''}`,
  );
  return failed.length === 0;
}

main().then(
  (isSound) => process.exit(isSound ? 0 : 1),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  },
);
