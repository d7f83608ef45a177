/**
 * The effect of three times the capacity of order requests on the service and on another, small client: first vouchers,
 * then eSIMs. This process sends all requests at a fixed rate, whether earlier ones are answered or not.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench';
import { quantile, throughput } from '../figures';
import { OrderClient, type Attempt } from '../order-client';
import { alone, atLeast, atMost, timesFloor, type Line } from '../report';

/** The scenarios that flood the service in sequence. Orders of both show whether the service has recovered. */
const FLOODS = ['voucher_instant', 'esim_instant'] as const;
type Flood = (typeof FLOODS)[number];
const OVERLOAD_FACTOR = 3;
/** Enough concurrent order requests to saturate the machine. */
const CAPACITY_CLIENTS = 8;
const CAPACITY_RUNS = 25;
/** Order requests a second of the small client. */
const SMALL_RATE = 1;
const QUIET_SECONDS = 20;
/** The service has recovered after this many consecutive orders of each scenario that are as fast as in quiet times. */
const RECOVERED_AFTER = 3;
/** Until then the overload only fills the queue. */
const FILLING_MS = 5_000;
const RECOVERY_LIMIT_MS = 30_000;

/** The response to an order request, and its time in milliseconds after the first request. */
interface CreateAnswer extends Attempt {
  answeredAfter: number;
}

/** The highest ratio of an order's time during or after the overload and in quiet times. */
const SMALL_RATIO = 2;
const RECOVERY = atMost(10);

/** The 95th percentile of each scenario's times without overload, in milliseconds. */
type Quiet = Readonly<Record<Flood, number>>;

export async function measureOverload({ stack, seconds }: Bench): Promise<Line[]> {
  const flood = await OrderClient.login(stack);
  const small = await OrderClient.login(stack, stack.clients['demo']);
  const quietOf = async (scenario: Flood) =>
    quantile(times(await createsAt(SMALL_RATE, QUIET_SECONDS, small, scenario)), 0.95);
  try {
    for (const scenario of FLOODS) await throughput(() => flood.orderInstantly(scenario), 4, 10);
    const quiet: Quiet = {
      voucher_instant: await quietOf('voucher_instant'),
      esim_instant: await quietOf('esim_instant'),
    };
    const lines: Line[] = [];
    for (const scenario of FLOODS) lines.push(alone(`${scenario}, quiet: p95`, 'ms', quiet[scenario]));
    for (const scenario of FLOODS)
      lines.push(...(await overload(scenario, { flood, small, quiet, seconds })));
    return lines;
  } finally {
    await Promise.all([flood.close(), small.close()]);
  }
}

interface Overload {
  flood: OrderClient;
  /** Orders vouchers during the flood. */
  small: OrderClient;
  quiet: Quiet;
  seconds: number;
}

async function overload(scenario: Flood, { flood, small, quiet, seconds }: Overload): Promise<Line[]> {
  const capacity = await throughput(() => flood.orderInstantly(scenario), CAPACITY_CLIENTS, CAPACITY_RUNS);
  const rate = OVERLOAD_FACTOR * capacity;
  const [flooded, ofSmall, recovered] = await Promise.all([
    createsAt(rate, seconds, flood, scenario),
    createsAt(SMALL_RATE, seconds, small, 'voucher_instant'),
    sleep(seconds * 1_000).then(() => recovery(flood, quiet)),
  ]);
  const lastAnswer = Math.max(...flooded.map(({ answeredAfter }) => answeredAfter));
  const smallP95 = quantile(times(ofSmall), 0.95);
  return [
    alone(`${scenario}: capacity (${CAPACITY_CLIENTS} clients)`, '/s', capacity),
    ...floodLines(flooded, rate, capacity, seconds),
    timesFloor(
      '  small client during it: p95, vs. quiet',
      'ms',
      smallP95,
      quiet.voucher_instant,
      atMost(SMALL_RATIO),
    ),
    alone(`  small client during it: ${statuses(ofSmall)}`, '', ofSmall.length),
    alone('  last response after', 's', Math.max(0, lastAnswer / 1_000 - seconds), RECOVERY),
    alone('  recovered after', 's', recovered / 1_000, RECOVERY),
  ];
}

/** The responses to this many order requests a second, once all have arrived. */
async function createsAt(
  rate: number,
  seconds: number,
  client: OrderClient,
  scenario: Flood,
): Promise<CreateAnswer[]> {
  const began = performance.now();
  const answers: Promise<CreateAnswer>[] = [];
  const create = async () => ({
    ...(await client.tryScenario(scenario)),
    answeredAfter: performance.now() - began,
  });
  for (let sent = 0; sent < rate * seconds; sent++) {
    await sleep(Math.max(0, began + (sent * 1_000) / rate - performance.now()));
    answers.push(create());
  }
  return Promise.all(answers);
}

/** Milliseconds until consecutive orders of both scenarios are as fast as in quiet times. */
async function recovery(client: OrderClient, quiet: Quiet): Promise<number> {
  const began = performance.now();
  const isQuick = async (scenario: Flood) => {
    const answer = await client.tryScenario(scenario);
    return isDelivered(answer) && answer.ms <= SMALL_RATIO * quiet[scenario];
  };
  for (let inARow = 0, since = 0; performance.now() - began < RECOVERY_LIMIT_MS;) {
    const areQuick = [];
    for (const scenario of FLOODS) areQuick.push(await isQuick(scenario));
    const isBack = areQuick.every(Boolean);
    if (!isBack) since = performance.now() - began;
    inARow = isBack ? inARow + 1 : 0;
    if (inARow === RECOVERED_AFTER) return since;
  }
  return Infinity;
}

function floodLines(answers: CreateAnswer[], rate: number, capacity: number, seconds: number): Line[] {
  const accepted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 503);
  // From the full queue until the end of the overload. Later deliveries are not counted.
  const steady = accepted.filter(
    ({ answeredAfter }) => answeredAfter > FILLING_MS && answeredAfter <= seconds * 1_000,
  );
  const share = steady.length / (seconds - FILLING_MS / 1_000) / capacity;
  return [
    alone(`  overload for ${seconds} s: ${statuses(answers)}`, '/s', rate),
    alone('  delivered, of the capacity', '', share, atLeast(0.75)),
    alone('  accepted after: p50', 'ms', quantile(times(accepted), 0.5)),
    alone('  accepted after: p99', 'ms', quantile(times(accepted), 0.99)),
    alone('  refused after: p50', 'ms', quantile(times(refused), 0.5)),
    alone('  refused after: p99', 'ms', quantile(times(refused), 0.99), atMost(500)),
  ];
}

/** `200: 31, 503: 2` */
function statuses(answers: CreateAnswer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status}: ${count}`).join(', ');
}

const isDelivered = ({ status, orderStatus }: Attempt) => status === 200 && orderStatus === 'DELIVERED';
const times = (answers: CreateAnswer[]) => answers.map((answer) => answer.ms);
