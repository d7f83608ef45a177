/**
 * The latency of webhooks, and their cost for orders: 10 orders a second, without an endpoint, with one, and with a
 * second, dead endpoint for which 10,000 events wait. The three take turns under the same conditions.
 * `npm run bench:webhooks -- [seconds of each turn]`, on the running stack or on a new one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, rows, type Database } from '../../src/data/database/database';
import { eventTypes } from '../../src/domain/webhooks/webhook-events';
import { withStack } from '../stack/launch';
import type { StackFile } from '../stack/stack-file';
import { quantile, timed } from './figures';
import { OrderClient } from './order-client';
import { Receiver } from './receiver';

const ORDERS_A_SECOND = 10;
const ROUNDS = 3;
const BACKLOG = 10_000;
/** The highest allowed median from commit to arrival, in milliseconds. */
const FLOOR = 250;

/** The measurements of one turn, in milliseconds. */
interface Turn {
  /** The time of each order request, from request to answer. */
  creates: number[];
  /** The time of each event, from the start of its transaction to its arrival. */
  lags: number[];
}

const situations = ['without endpoint', 'with an endpoint', `with a dead one (${BACKLOG} waiting)`] as const;
type Situation = (typeof situations)[number];

/** A receiver that records the latency of each event. */
function receive(lags: number[]): Promise<Receiver> {
  return Receiver.listen((body, arrivedAt) => {
    const event = JSON.parse(body) as { created_at: string };
    lags.push(arrivedAt - Date.parse(event.created_at));
  });
}

/** Creates orders at a steady rate, whether earlier ones are answered or not. */
async function placeOrders(client: OrderClient, seconds: number): Promise<number[]> {
  const creates: number[] = [];
  const place = async () => {
    creates.push(await timed(() => client.orderOne()));
  };
  const placed: Promise<void>[] = [];
  for (let order = 0; order < seconds * ORDERS_A_SECOND; order++) {
    placed.push(place());
    await sleep(1_000 / ORDERS_A_SECOND);
  }
  await Promise.all(placed);
  return creates;
}

async function takeTurn(
  situation: Situation,
  client: OrderClient,
  stack: StackFile,
  database: Database,
  seconds: number,
): Promise<Turn> {
  const lags: number[] = [];
  const receiver = await receive(lags);
  const endpoints: number[] = [];
  try {
    if (situation !== situations[0]) endpoints.push(await client.register(receiver.url, eventTypes));
    if (situation === situations[2]) endpoints.push(await registerDead(client, stack, database));
    const creates = await placeOrders(client, seconds);
    await sleep(3_000);
    return { creates, lags };
  } finally {
    for (const id of endpoints) await client.unregister(id);
    receiver.close();
  }
}

/** A dead endpoint, for which all events wait. */
async function registerDead(client: OrderClient, stack: StackFile, database: Database): Promise<number> {
  const endpointId = await client.register('http://127.0.0.1:9/', eventTypes);
  await rows(
    database,
    `WITH written AS (
       INSERT INTO events (client_id, type, data)
       SELECT $clientId, 'webhook.test', '{}' FROM generate_series(1, $BACKLOG) RETURNING sequence)
     INSERT INTO webhook_deliveries (endpoint_id, event_sequence) SELECT $endpointId, sequence FROM written`,
    { clientId: stack.clients['load']?.client_id, endpointId, BACKLOG },
  );
  await sleep(8_000);
  return endpointId;
}

function report(situation: Situation, { creates, lags }: Turn): string {
  const of = (values: number[]) =>
    [0.5, 0.95, 0.99].map((share) => quantile(values, share).toFixed(0).padStart(5)).join('');
  return `${situation.padEnd(38)}${of(creates)}   ${lags.length === 0 ? '    -' : of(lags)}`;
}

async function measure(stack: StackFile): Promise<void> {
  const seconds = Number(process.argv[2] ?? 20);
  const database = openDatabase(stack.database_url, 2);
  const client = await OrderClient.login(stack);
  await placeOrders(client, 5);

  const turns = new Map<Situation, Turn>(
    situations.map((situation) => [situation, { creates: [], lags: [] }]),
  );
  for (let round = 0; round < ROUNDS; round++) {
    for (const [situation, all] of turns) {
      const turn = await takeTurn(situation, client, stack, database, seconds);
      all.creates.push(...turn.creates);
      all.lags.push(...turn.lags);
    }
  }
  await database.close();
  await client.close();

  console.log(`${ORDERS_A_SECOND} orders/s, ${ROUNDS} x ${seconds} s each; p50, p95, p99 in ms`);
  console.log(`${''.padEnd(38)}create            event, commit to arrival`);
  for (const [situation, turn] of turns) console.log(report(situation, turn));
  const median = quantile(turns.get(situations[1])?.lags ?? [], 0.5);
  if (!(median <= FLOOR))
    throw new Error(`Median from commit to arrival: ${median} ms, allowed are ${FLOOR}`);
}

void withStack(measure);
