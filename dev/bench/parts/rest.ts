/** CPU, memory and transactions of the stack without orders: at first, and after orders of all families. */
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../../stack/postgres';
import type { StackFile } from '../../stack/stack-file';
import type { Bench } from '../bench';
import { treesCpuMs, treesMemory } from '../cpu';
import { timesFor } from '../figures';
import { OrderClient } from '../order-client';
import { alone, atMost, type Line, type Target } from '../report';

/** A whole minute, because some maintenance runs once a minute. */
const WATCH_MS = 60_000;
/** The time for the remaining work of orders: mails, events, the first poll of an eSIM. */
const SETTLE_MS = 30_000;
const LOAD_SECONDS = 10;
const CLIENTS = 8;
const MB = 1024 * 1024;
const CPU_TARGET = atMost(2);
/** Of the stack before its first order. */
const MEMORY_TARGET = atMost(800);
/** A minute. */
const TRANSACTIONS_TARGET = atMost(300);

export async function measureRest({ stack, say }: Bench): Promise<Line[]> {
  await sleep(SETTLE_MS);
  const before = await linesOf('at rest', stack, MEMORY_TARGET);
  say('  orders of all families ...');
  await load(stack);
  await sleep(SETTLE_MS);
  return [...before, ...(await linesOf('at rest after orders', stack))];
}

async function linesOf(when: string, stack: StackFile, memoryTarget?: Target): Promise<Line[]> {
  const roots = Object.entries(stack.pids);
  const before = await transactionsOf(stack);
  const cpu = await cpuShares(roots);
  const transactions = (await transactionsOf(stack)) - before;
  const memory = new Map(roots.map(([name, root]) => [name, treesMemory([root]) / MB]));
  return [
    ...withSum(`the stack ${when}: CPU`, '% of a core', cpu, CPU_TARGET),
    ...withSum(`the stack ${when}: memory`, 'MB', memory, memoryTarget),
    alone(`the stack ${when}: transactions of the service's database a minute`, '', transactions, TRANSACTIONS_TARGET),
  ];
}

async function transactionsOf({ database_url: url }: StackFile): Promise<number> {
  const statement =
    'SELECT xact_commit::float8 AS transactions FROM pg_stat_database WHERE datname = current_database()';
  const [counted] = await query<{ transactions: number }>(url, statement);
  return counted?.transactions ?? NaN;
}

function withSum(work: string, unit: string, parts: Map<string, number>, target?: Target): Line[] {
  const sum = [...parts.values()].reduce((total, figure) => total + figure, 0);
  const lines = [...parts].map(([name, figure]) => alone(`  of these, ${name}`, unit, figure));
  return [alone(work, unit, sum, target), ...lines];
}

async function load(stack: StackFile): Promise<void> {
  const client = await OrderClient.login(stack);
  const scenarios = ['voucher_instant', 'topup_instant', 'esim_instant'];
  for (const scenario of scenarios)
    await timesFor(LOAD_SECONDS / scenarios.length, CLIENTS, () => client.orderInstantly(scenario));
  await client.close();
}

/** Of each program with its children, in per cent of one core. */
async function cpuShares(roots: [string, number][]): Promise<Map<string, number>> {
  const used = () => roots.map(([name, root]) => [name, treesCpuMs([root])] as const);
  const before = new Map(used());
  await sleep(WATCH_MS);
  return new Map(used().map(([name, ms]) => [name, ((ms - (before.get(name) ?? NaN)) / WATCH_MS) * 100] as const));
}
