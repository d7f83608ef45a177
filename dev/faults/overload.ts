/**
 * `npm run test:faults -- --floods`: the effect of an expensive client on another one. Each load runs alone on an
 * otherwise undisturbed stack. Prints the p95 of the other client's reads and order requests, their quiet values, and the
 * memory of the API. The figures depend on the machine, so compare the ratios.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { separateEnvironment, launchStack, readStackFile } from '../stack/launch';
import { RunDirectory } from '../stack/run-directory';
import { readSettings } from '../stack/settings';
import { ApiUser } from './actors/client';
import { ExpensiveClient } from './actors/expensive-client';
import { Operators } from './actors/operators';
import { SupplierControls } from './actors/supplier';
import { loads, type Load } from './plan/disturbance';
import { collections } from './plan/orders';

const RUN_DIR = '.run/floods';
/** The highest quantity of one order. */
const LARGE_ORDER = 5_000;
const READ_EVERY_MS = 100;
const ORDER_EVERY_MS = 500;
const MEMORY_EVERY_MS = 250;

const TARGETS = { ratio: 3, memoryMb: 300 };

/** The response times of another client during a load or in quiet times, in milliseconds. */
interface Seen {
  reads: number;
  orders: number;
  failed: number;
  memoryMb: number;
}

/** Measures every load for this many seconds. Returns whether all targets were met. */
export async function floods(seconds: number): Promise<boolean> {
  const env = { ...(await separateEnvironment(RUN_DIR)), LOG_LEVEL: 'warn' };
  const launched = await launchStack(env, ['--fresh']);
  try {
    return await measureAll(env, launched.file, seconds);
  } finally {
    await launched.stop();
  }
}

async function measureAll(env: NodeJS.ProcessEnv, stackFile: string, seconds: number): Promise<boolean> {
  const file = readStackFile(stackFile);
  const { environment } = readSettings(new RunDirectory(RUN_DIR), env);
  const supplier = new SupplierControls(file.simulator_url, true, '', file.api_url);
  const operators = await Operators.open(environment, supplier);
  const other = await ApiUser.open('other', 'EUR', operators, file);
  const floodedBy: ApiUser[] = [];
  try {
    const pid = (): number => readStackFile(stackFile).pids['api'] ?? 0;
    // The first requests of a process are slow.
    await observe(other, 'warm-up', 5, pid);
    console.log(`${'load'.padEnd(18)} reads p95                 order requests p95        memory`);
    let isMet = true;
    for (const load of loads) {
      // Each has its own client, whose limits no earlier load has used up, and its own quiet time just before.
      const user = await ApiUser.open(load, 'USD', operators, file, { isLimited: true });
      floodedBy.push(user);
      const expensive = await ExpensiveClient.open(user, file.api_url, LARGE_ORDER);
      await expensive.delivered();
      const quiet = await observe(other, `quiet-${load}`, seconds, pid);
      console.log(rowOf('none', quiet, quiet));
      const seen = await flooded(expensive, load, () => observe(other, load, seconds, pid));
      console.log(rowOf(load, seen, quiet));
      isMet = isMet && meets(seen, quiet);
    }
    console.log(`Targets: at most ${TARGETS.ratio} x, ${TARGETS.memoryMb} MB: ${isMet ? 'met' : 'MISSED'}`);
    return isMet;
  } finally {
    for (const { receiver } of [other, ...floodedBy]) receiver.close();
    await operators.close();
  }
}

async function flooded(client: ExpensiveClient, load: Load, observed: () => Promise<Seen>): Promise<Seen> {
  const end = client.begin(load);
  try {
    return await observed();
  } finally {
    await end();
  }
}

/** Reads and orders at a fixed rate, whether earlier requests were answered or not. */
async function observe(client: ApiUser, name: string, seconds: number, pid: () => number): Promise<Seen> {
  const [scenario] = client.scenarios.filter((each) => each.name === 'voucher_instant');
  let failed = 0;
  let placed = 0;
  const count = (status: number): void => void (failed += status === 200 ? 0 : 1);
  const read = async () => count((await client.api.call('GET', `${collections.VOUCHER}?limit=10`)).status);
  const order = async () => {
    const reference = `floods-${name}-${(placed += 1)}`;
    const body = { ...scenario?.body, wallet_id: client.wallet.id, client_reference: reference };
    count((await client.api.call('POST', collections.VOUCHER, body)).status);
  };
  const until = performance.now() + seconds * 1_000;
  const [orders, reads, memory] = await Promise.all([
    timesEvery(ORDER_EVERY_MS, until, order),
    timesEvery(READ_EVERY_MS, until, read),
    highestMemory(pid, until),
  ]);
  return { reads: p95(reads), orders: p95(orders), failed, memoryMb: memory };
}

/** The time of each run of the work, fastest first. A run starts every `everyMs`. */
async function timesEvery(everyMs: number, until: number, work: () => Promise<void>): Promise<number[]> {
  const times: Promise<number>[] = [];
  while (performance.now() < until) {
    const began = performance.now();
    times.push(work().then(() => performance.now() - began));
    await sleep(everyMs);
  }
  return (await Promise.all(times)).sort((one, other) => one - other);
}

function p95(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
}

async function highestMemory(pid: () => number, until: number): Promise<number> {
  let highest = 0;
  while (performance.now() < until) {
    highest = Math.max(highest, residentMb(pid()));
    await sleep(MEMORY_EVERY_MS);
  }
  return highest;
}

/** The resident memory of a process; 0 during its restart. */
function residentMb(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

function meets(seen: Seen, quiet: Seen): boolean {
  const ratios = [seen.reads / quiet.reads, seen.orders / quiet.orders];
  return Math.max(...ratios) <= TARGETS.ratio && seen.memoryMb < TARGETS.memoryMb && seen.failed === 0;
}

function rowOf(name: string, seen: Seen, quiet: Seen): string {
  const time = (now: number, before: number): string =>
    `${now.toFixed(0).padStart(6)} ms (${(now / before).toFixed(2)} x)`.padEnd(25);
  const failures = seen.failed > 0 ? `, ${seen.failed} failed` : '';
  return `${name.padEnd(18)}${time(seen.reads, quiet.reads)} ${time(seen.orders, quiet.orders)} ${seen.memoryMb.toFixed(0)} MB${failures}`;
}
