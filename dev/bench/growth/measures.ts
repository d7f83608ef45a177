/** The costs that may grow, each measured on both stacks in turns, so that both meet the same conditions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { maintenanceSchedules } from '../../../src/domain/maintenance';
import { minute } from '../../../src/domain/time';
import { treesCpuMs, treesMemory } from '../cpu';
import { byTurns, latencies, median, timesFor } from '../figures';
import { Inspector } from '../inspector';
import type { Receiver } from '../receiver';
import { alone, atMost, timesFloor, type Line } from '../report';
import { readsOf, typedBeginnings, type pageCallsOf } from './calls';
import type { Side, SideName } from './side';

export type Pair = Record<SideName, Side>;

/** The highest allowed ratio of a cost with many and with few. */
const MOST_GROWTH = atMost(1.25);
const CLIENTS = 4;
const READ_SECONDS = 0.7;
/** Long enough for every schedule that runs each minute. */
const REST_MS = 60_000;
/** Pages of the greatest size that are read. */
const PAGES = 10;
const MB = 1024 * 1024;
/** Seconds of a start. */
const MAX_START = atMost(10);
/** Milliseconds of a call of the back office. */
const MAX_PAGE_MS = atMost(1_000);
/** Milliseconds of CPU of a keystroke in its search field. */
const MAX_KEYSTROKE_MS = atMost(100);

/** Compares a cost of both stacks in milliseconds: the median of this many turns. */
async function comparedLine(
  { small, large }: Pair,
  rounds: number,
  work: string,
  cost: (side: Side) => Promise<number>,
): Promise<Line> {
  const of = (side: Side) => async () => ({ cost: await cost(side) });
  const costs = await byTurns(rounds, { small: of(small), large: of(large) });
  return timesFloor(work, 'ms', costs.large.cost, costs.small.cost, MOST_GROWTH);
}

/** Milliseconds of CPU of one run of the work, by these programs of the stack or all, when some clients repeat it. */
async function cpuOf(
  { stack }: Side,
  seconds: number,
  work: () => Promise<unknown>,
  {
    programs = Object.keys(stack.pids),
    after,
  }: { programs?: readonly string[]; after?: (runs: number) => Promise<void> } = {},
): Promise<number> {
  const pids = programs.flatMap((name) => stack.pids[name] ?? []);
  const before = treesCpuMs(pids);
  const { times } = await timesFor(seconds, CLIENTS, work);
  await after?.(times.length);
  return (treesCpuMs(pids) - before) / times.length;
}

/** An order of one voucher, without an endpoint and with its webhook. */
export async function measureOrders(
  pair: Pair,
  { rounds, seconds, receiver }: { rounds: number; seconds: number; receiver: Receiver },
): Promise<Line[]> {
  const order = (side: Side) => cpuOf(side, seconds, () => side.client.orderOne());
  const bare = await comparedLine(pair, rounds, 'an order: CPU', order);
  const endpoints = await Promise.all(
    [pair.small, pair.large].map(async (side) => ({
      side,
      id: await side.client.register(receiver.url, ['order.delivered']),
    })),
  );
  const withWebhook = (side: Side) => {
    const received = receiver.count;
    return cpuOf(side, seconds, () => side.client.orderOne(), {
      after: (orders) => receiver.reached(received + orders),
    });
  };
  const told = await comparedLine(pair, rounds, 'an order with its webhook: CPU', withWebhook);
  await Promise.all(endpoints.map(({ side, id }) => side.client.unregister(id)));
  return [bare, told];
}

/** CPU of API and PostgreSQL for each read. */
export async function measureReads(pair: Pair, rounds: number): Promise<Line[]> {
  const paths = new Map([
    [pair.small, await readsOf(pair.small)],
    [pair.large, await readsOf(pair.large)],
  ]);
  const lines: Line[] = [];
  for (const name of paths.get(pair.small)?.keys() ?? []) {
    const read = (side: Side) =>
      cpuOf(side, READ_SECONDS, () => side.client.text(`/api/v1/${paths.get(side)?.get(name)}`), {
        programs: ['api', 'postgres'],
      });
    lines.push(await comparedLine(pair, rounds, `GET ${name}: CPU`, read));
  }
  return lines;
}

/** The longest turn of the API's event loop while it sends a page of 10,000 rows. */
export async function measurePage({ client, stack }: Side, path: string): Promise<Line> {
  const inspector = await Inspector.attach(stack.pids['api'] ?? NaN);
  try {
    const turn = await inspector.longestTurn(() => latencies(() => client.text(`/api/v1/${path}`), PAGES));
    return alone(`GET ${path}: longest turn of the event loop`, 'ms', turn, atMost(20));
  } finally {
    await inspector.close();
  }
}

/** CPU of the whole stack for one run of each schedule that runs at least every hour, and for a minute at rest. */
export async function measureMaintenance(pair: Pair, rounds: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { id, everyMs } of maintenanceSchedules.filter((schedule) => schedule.everyMs <= 60 * minute)) {
    const run = async (side: Side) => {
      const before = cpuOfAll(side);
      await side.runSchedule(id);
      return cpuOfAll(side) - before;
    };
    lines.push(await comparedLine(pair, rounds, `a run of ${id} (every ${everyMs / minute} min): CPU`, run));
  }
  const sides = [pair.small, pair.large];
  const before = sides.map(cpuOfAll);
  await sleep(REST_MS);
  const [small = NaN, large = NaN] = sides.map((side, index) => cpuOfAll(side) - (before[index] ?? NaN));
  return [...lines, timesFloor('a minute at rest: CPU', 'ms', large, small, MOST_GROWTH)];
}

const cpuOfAll = ({ stack }: Side) => treesCpuMs(Object.values(stack.pids));

/** The memory (PSS) of each process. */
export function measureMemory({ small, large }: Pair): Line[] {
  return Object.keys(small.stack.pids).map((program) => {
    const [floor, ours] = [small, large].map(({ stack }) => treesMemory([stack.pids[program] ?? NaN]) / MB);
    return timesFloor(`memory: ${program}`, 'MB', ours ?? NaN, floor ?? NaN, MOST_GROWTH);
  });
}

/** The median time of each call of the back office with many rows. */
export async function measurePageCalls(
  large: Side,
  calls: Awaited<ReturnType<typeof pageCallsOf>>,
  runs: number,
): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [operation, args] of calls) {
    const times = await latencies(() => large.operate(operation, args), runs);
    lines.push(alone(`page call ${operation} ${JSON.stringify(args)}`, 'ms', median(times), MAX_PAGE_MS));
  }
  return lines;
}

/** CPU of the operators' process and PostgreSQL for the suggestions of each beginning, with many rows. */
export async function measureKeystrokes(large: Side): Promise<Line[]> {
  const lines: Line[] = [];
  for (const value of typedBeginnings) {
    const suggested = () => large.operate('search', { value, suggest: true });
    const cpu = await cpuOf(large, READ_SECONDS, suggested, { programs: ['operators', 'postgres'] });
    lines.push(alone(`keystroke search ${JSON.stringify(value)}: CPU`, 'ms', cpu, MAX_KEYSTROKE_MS));
  }
  return lines;
}

/** Starts both stacks again with their data. Each of them replaces itself in the pair. */
export async function restart(pair: Pair): Promise<Line> {
  const floor = await restartSide(pair, 'small');
  return { ...alone('a start with its data', 's', await restartSide(pair, 'large'), MAX_START), floor };
}

async function restartSide(pair: Pair, name: SideName): Promise<number> {
  const { side, seconds } = await pair[name].restarted();
  pair[name] = side;
  return seconds;
}
