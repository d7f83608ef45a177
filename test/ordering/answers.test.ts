/** How an order request learns its progress. docs/decisions/0055-start-orders-plainly-and-notify-requests.md. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import { pino } from 'pino';
import { voucherOrderRequest } from '../../src/api/vouchers/order-routes';
import { findClient } from '../../src/data/clients/clients';
import { TcpProxy } from '../../dev/faults/stack/tcp-proxy';
import { ChangeFeed } from '../../src/data/database/change-feed';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { ORDER_PROGRESSED, progressNotifier } from '../../src/data/orders/progress-notifications';
import { ApiError } from '../../src/domain/errors';
import type { DecidedProgress } from '../../src/domain/orders/request-progress';
import type { OrderCreation } from '../../src/ordering/placement/order-creation';
import { stackDatabase } from '../../dev/testbed/clients';
import { useClient, useDatabase } from '../support/clients';
import { beginSession, newKey } from '../../dev/testbed/ledger-rows';
import { orderOf, place, read, scenarioNamed } from '../support/orders';
import { orderCreation } from '../support/own-api';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { Resource } from '../support/stack';
import { accepted, topupOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';

const log = pino({ level: 'silent' });
const database = useDatabase();
const stopping = new AbortController();
/** The notified progress by nonce. */
const heard = new Map<string, DecidedProgress[]>();
let feed: ChangeFeed;
let temporal: TemporalClient;
const client = useClient(database, { USD: 1_000 });

beforeAll(async () => {
  feed = await ChangeFeed.open(loadStack().database_url, log, stopping.signal);
  feed.onProgress(({ nonce, progress }) => heard.set(nonce, [...(heard.get(nonce) ?? []), progress]));
  temporal = await serviceTemporalClient();
});
afterAll(async () => {
  stopping.abort();
  await temporal.connection.close();
});

test('When an order of any family ends immediately, then every process is notified', async () => {
  for (const scenario of ['voucher_instant', 'topup_instant', 'esim_instant']) {
    const { path, body } = scenarioNamed(scenario);
    const { id } = (await client.api.post<Resource>(path, body)).body;
    expect(await lastHeardOf(await nonceOf(id), 'ENDED')).toBe('ENDED');
  }
});

test('When an order is asynchronous, then the service notifies the request once the order is placed', async () => {
  const placed = await place(client.api, orderOf('voucher_delayed'));
  expect(placed.status).toBe('PENDING');
  expect(await lastHeardOf(await nonceOf(placed.id), 'PLACED')).toBe('PLACED');
});

test('When the supplier needs longer than the request waits, then the service notifies the hand-over, the pending order, and its end', async () => {
  const { body } = scenarioNamed('topup_flaky');
  const { id } = await accepted(client.api, topupOrders, body);
  const nonce = await nonceOf(id);
  await lastHeardOf(nonce, 'ENDED');
  expect(heard.get(nonce)).toEqual(['HANDED_OVER', 'TOLD_PENDING', 'ENDED']);
});

test('When an order ends right after its hand-over, then only its end is notified', async () => {
  const notify = progressNotifier(database);
  notify({ nonce: 'quick' }, 'HANDED_OVER');
  notify({ nonce: 'quick' }, 'ENDED');
  notify({ nonce: 'slow' }, 'HANDED_OVER');
  await lastHeardOf('slow', 'HANDED_OVER');
  expect(heard.get('quick')).toEqual(['ENDED']);
});

test('When an order is rejected at its placement, then the service notifies the rejection', async () => {
  const same = orderOf('voucher_instant', { client_reference: randomUUID() });
  await Promise.all(Array.from({ length: 6 }, () => client.api.post('/api/v1/orders', same)));
  const refused = await sql(database)<{ nonce: string }>`SELECT nonce FROM order_reservations
       WHERE client_id = ${client.id} AND state = 'REFUSED'`;
  expect(refused.length).toBeGreaterThan(0);
  for (const { nonce } of refused) await lastHeardOf(nonce, 'DUPLICATE_CLIENT_REFERENCE');
});

test('When thousands of order requests are decided concurrently, then the service notifies each of them', async () => {
  const notify = progressNotifier(database);
  const nonces = Array.from({ length: 2_500 }, () => randomUUID().slice(-12));
  for (const nonce of nonces) notify({ nonce }, 'DUPLICATE_CLIENT_REFERENCE');
  for (const nonce of nonces) await lastHeardOf(nonce, 'DUPLICATE_CLIENT_REFERENCE');
});

test('When one notification fails, then the service still sends the next one', async () => {
  const closed = stackDatabase();
  await closed.close();
  progressNotifier(closed)({ nonce: 'unheard' }, 'ENDED');
  progressNotifier(database)({ nonce: 'next' }, 'ENDED');
  await lastHeardOf('next', 'ENDED');
});

test('When another session notifies an end without the nonce, then the order request still waits for its goods', async () => {
  const placing = client.api.post<Resource>('/api/v1/orders', orderOf('voucher_flaky'));
  const { id } = await until(
    'the order',
    () =>
      sql.first(database)<{ id: number }>`SELECT id FROM orders WHERE client_id = ${client.id}
         AND status = 'PENDING' AND completed_at IS NULL`,
  );
  // Any role that can log in may send the notification, because PostgreSQL has no privilege for NOTIFY.
  await rows(database, 'SELECT pg_notify($channel, $id)', { channel: ORDER_PROGRESSED, id: `${id}:ENDED` });
  expect((await placing).body).toMatchObject({ id, status: 'DELIVERED' });
});

describe('When every notification is lost', () => {
  test('then the order request is answered within 1.5 s of the end of its order', async () => {
    const creation = await orderCreation({ database, temporal });
    const orderId = await orderThrough(creation);
    expect(await msSinceEnd(orderId)).toBeLessThan(1_500);
    expect(await read(client.api, orderId)).toMatchObject({ status: 'DELIVERED' });
  });

  test('then a rejected order request is answered within 1.5 s of its rejection', async () => {
    const creation = await orderCreation({ database, temporal });
    const client_reference = randomUUID();
    const both = await Promise.allSettled([
      orderThrough(creation, { client_reference }),
      orderThrough(creation, { client_reference }),
    ]);
    const [winner] = both.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    expect(await msSinceEnd(winner ?? 0)).toBeLessThan(1_500);
    const rejections = both.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    expect(rejections).toEqual([expect.any(ApiError)]);
    expect(rejections).toMatchObject([{ code: 'DUPLICATE_CLIENT_REFERENCE' }]);
  });
});

test('When the connection for notifications is cut while an order request waits, then the request is answered within 0.5 s of the end of its order', async () => {
  const url = new URL(loadStack().database_url);
  const proxy = await TcpProxy.before(Number(url.port));
  url.host = `127.0.0.1:${proxy.port}`;
  const cut = await ChangeFeed.open(String(url), log, stopping.signal);
  try {
    const ordered = orderThrough(
      await orderCreation({ database, temporal, notifications: cut }),
      orderOf('voucher_flaky'),
    );
    await sleep(300);
    proxy.refuse();
    expect(await msSinceEnd(await ordered)).toBeLessThan(500);
  } finally {
    proxy.close();
  }
});

/** Waits until the order request with this nonce is notified of the progress. Returns the progress of its newest notification. */
function lastHeardOf(nonce: string, progress: DecidedProgress): Promise<DecidedProgress> {
  return until('the notification', async () =>
    heard
      .get(nonce)
      ?.slice(-1)
      .find((last) => last === progress),
  );
}

/** Places an order through `creation`. Returns its id once the response can be sent. */
async function orderThrough(creation: OrderCreation, body: Record<string, unknown> = {}): Promise<number> {
  const caller = await findClient(database, client.id);
  if (!caller) throw new Error('The client is gone');
  const draft = await voucherOrderRequest(database, caller, orderOf('voucher_instant', body)).draft();
  const key = await newKey(database, client.id);
  const { sessionId } = await beginSession(database, key);
  const request = {
    ...draft,
    key: undefined,
    caller: { clientId: client.id, apiKeyId: key.id, memberId: null, sessionId },
    address: null,
  };
  return (await creation.createOrder(caller, request, performance.now())).orderId;
}

/** Milliseconds since the order has ended. */
async function msSinceEnd(orderId: number): Promise<number> {
  return (
    (
      await sql.first(database)<{ ms: number }>`SELECT extract(epoch
       FROM clock_timestamp() - completed_at)::float8 * 1000 AS ms FROM orders WHERE id = ${orderId}`
    )?.ms ?? Infinity
  );
}

async function nonceOf(orderId: number): Promise<string> {
  return (
    (
      await sql.first(database)<{ nonce: string }>`
    SELECT nonce FROM orders WHERE id = ${orderId}`
    )?.nonce ?? ''
  );
}
