/**
 * The CPU of an eSIM monitor's polls: of one poll after a wait, whose workflow no worker has cached, and of whole lives by it. A signal
 * ends each wait, which costs as much as a timer that fires.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, rows, type Database } from '../../../src/data/database/database';
import { monitoredEsim, type DeliveredEsim, type EsimTimes } from '../../../src/domain/esims/esim-lifecycle';
import { isInBurst, nextPollDelayMs, pollStep, runLimits } from '../../../src/domain/esims/esim-polling';
import { orderMessages } from '../../../src/domain/orders/order-messages';
import { esimWorkflowId } from '../../../src/domain/orders/order-ids';
import { serviceWord } from '../../../src/domain/operators/operator-messages';
import { day, hour, second, timeAt } from '../../../src/domain/time';
import { createClient } from '../../testbed/clients';
import { until } from '../../testbed/waiting';
import { serviceTemporalClient } from '../../testbed/temporal-clients';
import type { StackFile } from '../../stack/stack-file';
import type { Bench } from '../bench';
import { treesCpuMs } from '../cpu';
import { latencies } from '../figures';
import { OrderClient } from '../order-client';
import { alone, type Line } from '../report';

/** Three times as many as the worker caches. */
const MONITORS = 300;
const CLIENTS = 4;
/** Steps of one run. */
const STEPS = 8;
/** The time for the remaining work of orders: mails, events, the first polls. */
const SETTLE_MS = 30 * second;
const IDLE_MS = 30 * second;
/** A poll by a retry, without a timer: docs/decisions/0012-poll-by-retries-of-one-activity.md. */
const RETRY_MS = 21;
const CHANCE = 0.5;

export async function measureEsimPolls({ stack, say }: Bench): Promise<Line[]> {
  const database = openDatabase(stack.database_url, 1);
  const temporal = await serviceTemporalClient();
  try {
    say(`  ${MONITORS} eSIMs ...`);
    const monitors = await deliveredEsims(stack, database);
    await sleep(SETTLE_MS);
    const spent: Spent[] = [];
    for (let step = 1; step <= STEPS; step++) {
      say(`  poll ${step} after a wait ...`);
      const signal = (id: string) =>
        temporal.workflow.getHandle(id).signal(orderMessages.retryNow, serviceWord);
      spent.push(await spentByPolls(stack, monitors, signal));
    }
    const idle = cpuOf(stack);
    await sleep(IDLE_MS);
    const idleShare = (cpuOf(stack) - idle) / IDLE_MS;
    return linesOf(spent.map(({ cpuMs, lastedMs, polls }) => (cpuMs - idleShare * lastedMs) / polls));
  } finally {
    await Promise.all([database.close(), temporal.connection.close()]);
  }
}

/** Orders eSIMs of a new client. Returns the ids of their monitors. */
async function deliveredEsims(stack: StackFile, database: Database): Promise<string[]> {
  const owner = await createClient(database, { USD: 1_000_000 });
  const client = await OrderClient.login(stack, owner.credentials);
  const order = () => latencies(() => client.orderInstantly('esim_instant'), MONITORS / CLIENTS);
  await Promise.all(Array.from({ length: CLIENTS }, order));
  await client.close();
  const orders = await rows<{ id: number; nonce: string }>(
    database,
    'SELECT id, nonce FROM orders WHERE client_id = $id ORDER BY id',
    { id: owner.id },
  );
  return orders.map(({ id, nonce }) => esimWorkflowId(id, nonce));
}

interface Spent {
  cpuMs: number;
  lastedMs: number;
  polls: number;
}

/** What the whole stack spends on one poll of each monitor. */
async function spentByPolls(
  stack: StackFile,
  monitors: readonly string[],
  signal: (id: string) => Promise<unknown>,
): Promise<Spent> {
  const before = { cpu: cpuOf(stack), polls: await pollsOf(stack), at: performance.now() };
  const waiting = [...monitors];
  const client = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await signal(id);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const isPolled = async () => ((await pollsOf(stack)) >= before.polls + monitors.length ? true : undefined);
  await until('the polls', isPolled, 120);
  // The last results.
  await sleep(2 * second);
  return {
    cpuMs: cpuOf(stack) - before.cpu,
    lastedMs: performance.now() - before.at,
    polls: (await pollsOf(stack)) - before.polls,
  };
}

const cpuOf = ({ pids }: StackFile) => treesCpuMs(Object.values(pids));

/** The worker's calls to suppliers for the status of an eSIM. */
async function pollsOf({ metrics_url: url }: StackFile): Promise<number> {
  const text = await (await fetch(url)).text();
  const counts = text.matchAll(
    /^digital_goods_supplier_call_seconds_count\{[^}]*"esim-status"[^}]*\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

function linesOf(costs: readonly number[]): Line[] {
  const [first = NaN, last = NaN] = [costs[0], costs.at(-1)];
  const replayMs = (last - first) / (STEPS - 1);
  /** Of a poll after this many earlier ones in its run. */
  const cost = (earlier: number) => first + replayMs * (earlier - 1);
  const daily = Array.from({ length: runLimits.ms / day }, (_, earlier) => cost(earlier));
  const average = daily.reduce((sum, ms) => sum + ms, 0) / daily.length;
  return [
    ...costs.map((ms, step) => alone(`a poll after ${step + 1} others in its run, uncached: CPU`, 'ms', ms)),
    ...[true, false].map((pushed) => {
      const name = pushed ? 'with callbacks' : 'without callbacks';
      return alone(`the life of an eSIM ${name}, used for 30 days: CPU`, 's', lifeMs(pushed, cost) / second);
    }),
    alone('100,000 eSIMs polled daily: CPU', '% of a core', (100_000 * average * 100) / day),
  ];
}

/** Milliseconds of CPU of the monitor of an eSIM that is installed after an hour and used from the second one on. */
function lifeMs(pushed: boolean, cost: (earlier: number) => number): number {
  const times: EsimTimes = { installedAt: timeAt(hour), activatedAt: timeAt(2 * hour), depletedAt: null };
  const stateAt = (now: number) => monitoredEsim(esimAt(now, times), pushed);
  const endsAt = monitoredEsim(esimAt(Infinity, times), pushed).endsAt;
  let spentMs = 0;
  let run = { startedAt: 0, steps: 0 };
  for (let now = 5 * second; now <= endsAt; now += nextPollDelayMs(stateAt(now), now, CHANCE)) {
    if (run.steps === runLimits.steps || now - run.startedAt >= runLimits.ms)
      run = { startedAt: now, steps: 0 };
    spentMs += cost(run.steps++);
    const state = stateAt(now);
    if (!isInBurst(state, now)) continue;
    const everyMs = pollStep(state, now, CHANCE).retry.initialInterval;
    for (; isInBurst(state, now); now += everyMs) spentMs += RETRY_MS;
  }
  return spentMs;
}

function esimAt(now: number, { installedAt, activatedAt }: EsimTimes): DeliveredEsim {
  const past = (time: Date | null) => (time && time.getTime() <= now ? time : null);
  return {
    activationStatus: past(installedAt) ? 'ACTIVE' : 'NOT_INSTALLED',
    deliveredAt: new Date(0),
    validityDays: 30,
    installedAt: past(installedAt),
    activatedAt: past(activatedAt),
    depletedAt: null,
  };
}
