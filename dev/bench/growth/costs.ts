/**
 * The same work with few and with many orders: its blocks, rows and statements in PostgreSQL, which do not depend on what else the
 * machine does, and the CPU of the stack.
 */
import { readInProgress } from '../../../src/data/books/order-lines';
import { openDatabase } from '../../../src/data/database/database';
import { maintenanceSchedules } from '../../../src/domain/maintenance';
import { monthOf, startOfMonth } from '../../../src/domain/books/calendar-months';
import type { Settings } from '../bench';
import { treesCpuMs } from '../cpu';
import { byTurns, timed, timesFor } from '../figures';
import { atMost, timesFloor, type Line } from '../report';
import { pageCallsOf, readsOf } from './calls';
import type { Pair } from './measures';
import type { Side, SideName } from './side';

/** The same output with ten times the orders costs at most so much more. */
const MOST_GROWTH = atMost(1.5);
const CLIENTS = 4;
const SECONDS = 0.7;

/** SQL: makes PostgreSQL count statements from its next start on. */
export const countsStatements = [
  `ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`,
  'CREATE EXTENSION pg_stat_statements',
];

const countStatement = `
SELECT sum(shared_blks_hit + shared_blks_read)::float8 AS blocks, sum(rows)::float8 AS rows, sum(calls)::float8 AS statements
  FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`;

interface Cost {
  blocks: number;
  rows: number;
  statements: number;
  cpu: number;
}

/** A smaller figure counts as this one: one more level of an index, or a cache that is filled again, is no growth. */
const few: Cost = { blocks: 20, rows: 5, statements: 2, cpu: 5 };

const units = { blocks: 'blocks', rows: 'rows', statements: 'statements', cpu: 'ms of CPU' } as const;
const figures = ['blocks', 'rows', 'statements', 'cpu'] as const;

async function spentBy({ database, stack }: Side): Promise<Cost> {
  const { rows } = await database.query<Omit<Cost, 'cpu'>>(countStatement);
  const [counted = { blocks: NaN, rows: NaN, statements: NaN }] = rows;
  return { ...counted, cpu: treesCpuMs(Object.values(stack.pids)) };
}

interface Work {
  name: string;
  /** Runs it once. */
  run: (side: Side) => Promise<unknown>;
  /** How many clients run it, for so many seconds. By default one, once. */
  clients?: number;
  seconds?: number;
}

async function costOf(side: Side, { run, clients = 1, seconds }: Work): Promise<Cost> {
  const before = await spentBy(side);
  const work = () => run(side);
  const times = seconds === undefined ? [await timed(work)] : (await timesFor(seconds, clients, work)).times;
  const after = await spentBy(side);
  const ofOne = (figure: keyof Cost) => (after[figure] - before[figure]) / times.length;
  return { blocks: ofOne('blocks'), rows: ofOne('rows'), statements: ofOne('statements'), cpu: ofOne('cpu') };
}

/**
 * Compares reads, calls of the back office, each maintenance schedule, and orders of each family. The schedules are paused, so that
 * nothing else runs meanwhile. Orders come last, because maintenance and reports have more to do after them.
 */
export async function measureCosts(pair: Pair, { rounds, say }: Pick<Settings, 'rounds' | 'say'>): Promise<Line[]> {
  const lines: Line[] = [];
  await Promise.all([pair.small.quieten(), pair.large.quieten()]);
  for (const work of await worksOf(pair)) {
    const cost = await byTurns(rounds, {
      small: () => costOf(pair.small, work),
      large: () => costOf(pair.large, work),
    });
    lines.push(...figures.map((figure) => compared(`${work.name}: ${figure}`, figure, cost)));
    const shown = (figure: keyof Cost) => `${Math.round(cost.small[figure])} -> ${Math.round(cost.large[figure])}`;
    say(`  ${work.name}: ${figures.map((figure) => `${shown(figure)} ${units[figure]}`).join(', ')}`);
  }
  return lines;
}

function compared(work: string, figure: keyof Cost, { small, large }: Record<SideName, Cost>): Line {
  const line = timesFloor(work, units[figure], large[figure], small[figure], MOST_GROWTH);
  return { ...line, compared: Math.max(large[figure], few[figure]) / Math.max(small[figure], few[figure]) };
}

async function worksOf(pair: Pair): Promise<Work[]> {
  const often = { clients: CLIENTS, seconds: SECONDS };
  const orders = ['voucher_instant', 'topup_instant', 'esim_instant'].map((scenario): Work => {
    // Counts do not depend on when the goods come, which may be late on a busy machine.
    const run = (side: Side) => side.client.order(scenario);
    return { name: `order of ${scenario}`, run, seconds: 8 * SECONDS };
  });
  const ofEach = async <Each>(of: (side: Side) => Promise<Each>) =>
    new Map([
      [pair.small, await of(pair.small)],
      [pair.large, await of(pair.large)],
    ]);
  const paths = await ofEach(readsOf);
  const reads = [...(paths.get(pair.small) ?? new Map<string, string>()).keys()].map((name): Work => {
    const run = (side: Side) => side.client.text(`/api/v1/${paths.get(side)?.get(name)}`);
    return { name: `GET ${name}`, run, ...often };
  });
  const calls = await ofEach(pageCallsOf);
  const pages = (calls.get(pair.small) ?? []).map(([operation, args], index): Work => {
    const run = (side: Side) => side.operate(operation, calls.get(side)?.[index]?.[1] ?? args);
    return { name: `page call ${operation} ${JSON.stringify(args)}`, run, ...often, clients: 1 };
  });
  const tasks = maintenanceSchedules.map(({ id }): Work => {
    return { name: `a run of ${id}`, run: (side) => side.runSchedule(id) };
  });
  return [...reads, ...pages, closeOfMonth, ...tasks, ...orders];
}

/** The part of a month's close that once read the whole ledger. The other parts read the month. */
const closeOfMonth: Work = {
  name: 'orders in progress at the end of a month',
  async run({ stack }) {
    const database = openDatabase(stack.database_url, 1);
    await readInProgress(database, startOfMonth(monthOf(new Date())));
    await database.close();
  },
};
