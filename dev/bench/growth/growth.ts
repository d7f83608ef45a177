/**
 * The cost of orders, webhooks, reads and maintenance, and the memory of each process, with few and with many of something,
 * on two stacks that run at once. docs/performance.md.
 */
import type { Settings } from '../bench';
import { Receiver } from '../receiver';
import type { Line } from '../report';
import { pageCallsOf } from './calls';
import { dimensions, type DimensionName } from './dimensions';
import { fills } from './fills';
import * as measure from './measures';
import type { Pair } from './measures';
import { Side } from './side';

const sideNames = ['small', 'large'] as const;

/** Measures one dimension on two new stacks. */
export async function measureGrowth(
  name: DimensionName,
  { share, rounds, seconds, release, say }: Settings,
): Promise<Line[]> {
  const { small, large } = dimensions[name];
  const { add, greatestPage, settings, measure: measureOwn } = fills[name];
  const counts = { small, large: Math.max(small, Math.round(large * share)) };
  const receiver = await new Receiver().listen();
  const pair = await startBoth(settings);
  try {
    for (const side of sideNames) {
      say(`  ${counts[side]} ...`);
      await add(pair[side], counts[side], receiver);
    }
    say('  starting again ...');
    const started = await measure.restart(pair);
    if (measureOwn) return [started, ...(await measureOwn(pair, { rounds, release, say }))];
    return [started, ...(await measureAll(pair, { rounds, seconds, say, receiver, greatestPage }))];
  } finally {
    for (const side of sideNames) await pair[side].discard();
    receiver.close();
  }
}

interface Measuring extends Pick<Settings, 'rounds' | 'seconds' | 'say'> {
  receiver: Receiver;
  greatestPage: string | undefined;
}

async function measureAll(pair: Pair, { rounds, seconds, say, receiver, greatestPage }: Measuring): Promise<Line[]> {
  say('  orders ...');
  const lines = await measure.measureOrders(pair, { rounds, seconds, receiver });
  say('  reads ...');
  lines.push(...(await measure.measureReads(pair, rounds)));
  if (greatestPage !== undefined) lines.push(await measure.measurePage(pair.large, greatestPage));
  say('  maintenance ...');
  lines.push(...(await measure.measureMaintenance(pair, rounds)), ...measure.measureMemory(pair));
  say('  pages ...');
  lines.push(...(await measure.measurePageCalls(pair.large, await pageCallsOf(pair.large), rounds)));
  lines.push(...(await measure.measureKeystrokes(pair.large)));
  return lines;
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
