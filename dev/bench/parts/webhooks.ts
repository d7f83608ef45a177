/**
 * The latency of webhooks, and their cost for orders: 10 orders a second, without an endpoint, with one, and with a
 * second, dead endpoint for which 10,000 events wait. The three take turns under the same conditions.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, rows, type Database } from '../../../src/data/database/database';
import { eventTypes } from '../../../src/domain/webhooks/webhook-events';
import type { StackFile } from '../../stack/stack-file';
import type { Bench } from '../bench';
import { quantile, timed } from '../figures';
import { OrderClient } from '../order-client';
import { Receiver } from '../receiver';
import { alone, atMost, type Line, type Target } from '../report';

const ORDERS_A_SECOND = 10;
const BACKLOG = 10_000;
/** The highest allowed median from commit to arrival, in milliseconds. */
const LATENCY = atMost(250);

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

/** Quantiles of the times, the median first. */
function linesOf(work: string, times: readonly number[], target?: Target): Line[] {
  return [0.5, 0.95, 0.99].map((share) =>
    alone(`${work}: p${share * 100}`, 'ms', quantile(times, share), share === 0.5 ? target : undefined),
  );
}

export async function measureWebhooks({ stack, seconds, rounds }: Bench): Promise<Line[]> {
  const database = openDatabase(stack.database_url, 2);
  const client = await OrderClient.login(stack);
  const turns = new Map<Situation, Turn>(
    situations.map((situation) => [situation, { creates: [], lags: [] }]),
  );
  try {
    await placeOrders(client, 5);
    for (let round = 0; round < rounds; round++) {
      for (const [situation, all] of turns) {
        const turn = await takeTurn(situation, client, stack, database, seconds);
        all.creates.push(...turn.creates);
        all.lags.push(...turn.lags);
      }
    }
  } finally {
    await Promise.all([client.close(), database.close()]);
  }
  return [...turns].flatMap(([situation, { creates, lags }]) => [
    ...linesOf(`${ORDERS_A_SECOND} orders/s ${situation}: response`, creates),
    ...(lags.length > 0
      ? linesOf('the same: event, commit to arrival', lags, situation === situations[1] ? LATENCY : undefined)
      : []),
  ]);
}
