/**
 * What three times as many creates as can be placed do to the service, and to a small client beside them.
 * `npm run bench:overload -- [seconds of overload]`, on the stack that runs or on one of its own. Everything is
 * sent from this process, at a fixed rate, whether earlier creates are answered or not.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { withStack } from '../stack/launch';
import type { StackFile } from '../stack/stack-file';
import { quantile, throughput, verdict } from './figures';
import { OrderClient, type Attempt } from './order-client';

const OVERLOAD_FACTOR = 3;
/** Enough concurrent creates to use what the machine has. */
const CAPACITY_CLIENTS = 8;
const CAPACITY_RUNS = 25;
/** Creates a second of the small client. */
const SMALL_RATE = 1;
const QUIET_SECONDS = 20;
/** Creates in a row that must be as fast as in quiet times before the service counts as recovered. */
const RECOVERED_AFTER = 3;
/** Until then the overload only fills the queue. */
const FILLING_MS = 5_000;
const RECOVERY_LIMIT_MS = 30_000;

/** How a create was answered, and so many milliseconds after the first was sent. */
interface CreateAnswer extends Attempt {
  answeredAfter: number;
}

const TARGETS = { deliveredShare: 0.75, refusalMs: 500, smallRatio: 2, recoveryMs: 10_000 };

async function measure(stack: StackFile): Promise<void> {
  const seconds = Number(process.argv[2] ?? 30);
  const flood = await OrderClient.login(stack);
  const small = await OrderClient.login(stack, stack.clients['demo']);
  try {
    await throughput(() => flood.orderOne(), 4, 10);
    const capacity = await throughput(() => flood.orderOne(), CAPACITY_CLIENTS, CAPACITY_RUNS);
    console.log(`capacity                  ${capacity.toFixed(1)} creates/s (${CAPACITY_CLIENTS} clients)`);

    const quiet = quantile(times(await createsAt(SMALL_RATE, QUIET_SECONDS, small)), 0.95);
    console.log(`small client, quiet       p95 ${ms(quiet)}`);

    const rate = OVERLOAD_FACTOR * capacity;
    const [flooded, beside, recovered] = await Promise.all([
      createsAt(rate, seconds, flood),
      createsAt(SMALL_RATE, seconds, small),
      sleep(seconds * 1_000).then(() => recovery(flood, quiet)),
    ]);
    reportFlood(flooded, rate, capacity, seconds);
    reportSmall(beside, quiet);
    reportRecovery(recovered);
  } finally {
    await Promise.all([flood.close(), small.close()]);
  }
}

/** The answers to so many creates a second, once all have come. */
async function createsAt(rate: number, seconds: number, client: OrderClient): Promise<CreateAnswer[]> {
  const began = performance.now();
  const answers: Promise<CreateAnswer>[] = [];
  const create = async () => ({ ...(await client.tryOrder()), answeredAfter: performance.now() - began });
  for (let sent = 0; sent < rate * seconds; sent++) {
    await sleep(Math.max(0, began + (sent * 1_000) / rate - performance.now()));
    answers.push(create());
  }
  return Promise.all(answers);
}

/** Milliseconds until creates, one after the other, are delivered as fast as in quiet times again. */
async function recovery(client: OrderClient, quiet: number): Promise<number> {
  const began = performance.now();
  for (let inARow = 0, since = 0; performance.now() - began < RECOVERY_LIMIT_MS;) {
    const answer = await client.tryOrder();
    const isQuick = isDelivered(answer) && answer.ms <= TARGETS.smallRatio * quiet;
    if (!isQuick) since = performance.now() - began;
    inARow = isQuick ? inARow + 1 : 0;
    if (inARow === RECOVERED_AFTER) return since;
  }
  return Infinity;
}

function reportFlood(answers: CreateAnswer[], rate: number, capacity: number, seconds: number): void {
  const accepted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 503);
  // From when the queue has filled until the overload ends; what is delivered in its wake is not counted.
  const steady = accepted.filter(
    ({ answeredAfter }) => answeredAfter > FILLING_MS && answeredAfter <= seconds * 1_000,
  );
  const share = steady.length / (seconds - FILLING_MS / 1_000) / capacity;
  const slowest = quantile(times(refused), 0.99);
  console.log(
    `overload                  ${rate.toFixed(0)} creates/s for ${seconds} s: ${statuses(answers)}`,
  );
  console.log(`  delivered               ${verdict(share, TARGETS.deliveredShare, 'above')} of capacity`);
  console.log(
    `  accepted after          p50 ${ms(quantile(times(accepted), 0.5))}, p99 ${ms(quantile(times(accepted), 0.99))}`,
  );
  console.log(
    `  refused after           p50 ${ms(quantile(times(refused), 0.5))}, p99 ${ms(slowest)} (target below ${TARGETS.refusalMs}): ${slowest < TARGETS.refusalMs ? 'met' : 'MISSED'}`,
  );
}

function reportSmall(answers: CreateAnswer[], quiet: number): void {
  const beside = quantile(times(answers), 0.95);
  console.log(`small client, beside it   p95 ${ms(beside)}: ${statuses(answers)}`);
  console.log(`  of its quiet p95        ${verdict(beside / quiet, TARGETS.smallRatio, 'below')}`);
}

function reportRecovery(time: number): void {
  const isMet = time < TARGETS.recoveryMs;
  console.log(
    `recovered after           ${ms(time)} (target below ${TARGETS.recoveryMs}): ${isMet ? 'met' : 'MISSED'}`,
  );
}

/** `200: 31, 503: 2` */
function statuses(answers: CreateAnswer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status}: ${count}`).join(', ');
}

const isDelivered = ({ status, orderStatus }: Attempt) => status === 200 && orderStatus === 'DELIVERED';
const times = (answers: CreateAnswer[]) => answers.map((answer) => answer.ms);
const ms = (time: number) => `${time.toFixed(0)} ms`;

void withStack(measure);
