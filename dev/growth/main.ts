/**
 * `npm run bench:growth`: the cost of orders, webhooks, reads and maintenance, and the memory of each process, with few
 * and with many of something, on two stacks that run at once. docs/performance.md.
 */
import { parseArgs } from 'node:util';
import { Receiver } from '../bench/receiver';
import { keep, table, type Line } from '../bench/report';
import { messageOf } from '../stack/problem';
import { commandsOf, dimensions, readsOf, type Dimension, type DimensionName } from './dimensions';
import * as measure from './measures';
import type { Pair } from './measures';
import { Side } from './side';

const sideNames = ['small', 'large'] as const;
const names = Object.keys(dimensions) as DimensionName[];

const USAGE = `npm run bench:growth -- [dimensions] [options]

  --share <share>  of the large number (1): less shows less, in less time
  --rounds <n>     counted turns (5): each figure is their median

Dimensions; without any, all of them:
${names.map((name) => `  ${name.padEnd(14)}${dimensions[name].about}: ${dimensions[name].small} and ${dimensions[name].large}`).join('\n')}`;

interface Options {
  chosen: DimensionName[];
  share: number;
  rounds: number;
}

function readOptions(args: string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      share: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '5' },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.find((name) => !(name in dimensions));
  if (unknown !== undefined) throw new Error(`Unknown dimension: "${unknown}".\n\n${USAGE}`);
  if (values.help) return undefined;
  const [share, rounds] = [Number(values.share), Number(values.rounds)];
  if (!(share > 0 && share <= 1)) throw new Error('--share must be above 0 and at most 1.');
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds must be a whole number above 0.');
  const chosen = names.filter((name) => positionals.length === 0 || positionals.includes(name));
  return { chosen, share, rounds };
}

/** Measures one dimension on two new stacks. */
async function measureDimension(name: DimensionName, { share, rounds }: Options): Promise<Line[]> {
  const { small, large, add, greatestPage, settings }: Dimension = dimensions[name];
  const counts = { small, large: Math.max(small, Math.round(large * share)) };
  const receiver = await Receiver.listen();
  const pair = await startBoth(settings);
  try {
    for (const side of sideNames) {
      say(`  ${counts[side]} ...`);
      await add(pair[side], counts[side], receiver);
    }
    say('  starting again ...');
    const lines = [await measure.restart(pair)];
    say('  orders ...');
    lines.push(...(await measure.measureOrders(pair, rounds, receiver)));
    say('  reads ...');
    lines.push(...(await measure.measureReads(pair, rounds, readsOf)));
    if (greatestPage !== undefined) lines.push(await measure.measurePage(pair.large, greatestPage));
    say('  maintenance ...');
    lines.push(...(await measure.measureMaintenance(pair, rounds)), ...measure.measureMemory(pair));
    say('  commands ...');
    lines.push(...(await measure.measureCommands(pair.large, await commandsOf(pair.large))));
    return lines;
  } finally {
    for (const side of sideNames) await pair[side].discard();
    receiver.close();
  }
}

async function startBoth(settings?: NodeJS.ProcessEnv): Promise<Pair> {
  const small = await Side.start('small', settings);
  try {
    return { small, large: await Side.start('large', settings) };
  } catch (error) {
    await small.discard();
    throw error;
  }
}

function say(line: string): void {
  console.error(line);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) return console.log(USAGE);
  for (const name of options.chosen) {
    say(`${name}: ${dimensions[name].about}`);
    const lines = await measureDimension(name, options);
    const report = keep(`growth of ${name}`, 'sqlite', lines);
    console.log(table([report]));
  }
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
