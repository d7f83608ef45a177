/**
 * The cost of orders, webhooks, reads and maintenance, and the memory of each process, with few and with many of something,
 * on two stacks that run at once. docs/performance.md.
 */
import { statfs } from 'node:fs/promises';
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
    await demandDisk(pair.large, counts.large);
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

/** Disk of one of what is many, in bytes, at most: that of an order with all that belongs to it, and PostgreSQL's log of the fill. */
const BYTES_EACH = 5_000;

/** Throws unless the disk has room. Both stacks delete their data at the end. */
async function demandDisk({ database }: Side, count: number): Promise<void> {
  const gigabytes = (bytes: number) => Math.ceil(bytes / 1e9);
  const { rows } = await database.query<{ data_directory: string }>('SHOW data_directory');
  const { bavail, bsize } = await statfs(rows[0]?.data_directory ?? '.');
  const needed = count * BYTES_EACH;
  if (bavail * bsize < needed) {
    throw new Error(
      `This needs ${gigabytes(needed)} GB of disk for a while, and only ${gigabytes(bavail * bsize)} GB are free.`,
    );
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
