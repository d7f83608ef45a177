/** How an order request gets its answer. docs/decisions/0055-start-orders-plainly-and-notify-the-answer.md. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import { pino } from 'pino';
import { voucherOrderRequest } from '../../src/api/vouchers/order-routes';
import { findClient } from '../../src/data/clients/clients';
import { ChangeFeed } from '../../src/data/database/change-feed';
import { firstRow, rows } from '../../src/data/database/database';
import { answerNotifier, ORDER_ANSWERED } from '../../src/data/orders/answer-notifications';
import { families } from '../../src/domain/orders/families';
import type { Answer } from '../../src/domain/orders/order-messages';
import { second } from '../../src/domain/time';
import { NotifiedAnswers } from '../../src/ordering/placement/notified-answers';
import { OrderCreation, type OrderCreationDependencies } from '../../src/ordering/placement/order-creation';
import { OrderWorkers } from '../../src/ordering/placement/order-workers';
import { TemporalStorage } from '../../src/ordering/placement/temporal-storage';
import { Sealer } from '../../src/security/sealing';
import { createSimulatorSupplier } from '../../src/suppliers/simulator';
import { newClient, stackDatabase, type OwnClient } from '../support/clients';
import { stackKeyRing } from '../support/keys';
import { beginSession, newKey } from '../support/ledger-rows';
import { orderOf, place, read, scenarioNamed } from '../support/orders';
import { loadStack, type Resource } from '../support/stack';
import { accepted, topupOrders } from '../support/variant-orders';
import { until } from '../support/waiting';
import { serviceTemporalClient } from '../support/workflows';

const log = pino({ level: 'silent' });
const database = stackDatabase();
const stopping = new AbortController();
/** The notified answers by nonce. */
const heard = new Map<string, Answer>();
let feed: ChangeFeed;
let temporal: TemporalClient;
let client: OwnClient;

beforeAll(async () => {
  feed = await ChangeFeed.open(loadStack().database_url, log, stopping.signal);
  feed.onAnswer(({ nonce, answer }) => heard.set(nonce, answer));
  temporal = await serviceTemporalClient();
  client = await newClient(database, { USD: 1_000 });
});
afterAll(async () => {
  stopping.abort();
  await temporal.connection.close();
  await database.close();
});

test('When an order of any family ends immediately, then every process is notified', async () => {
  for (const scenario of ['voucher_instant', 'topup_instant', 'esim_instant']) {
    const { path, body } = scenarioNamed(scenario);
    const { id } = (await client.api.post<Resource>(path, body)).body;
    const nonce = await nonceOf(id);
    expect(await heardOf(nonce)).toEqual({ outcome: 'PLACED' });
  }
});

test('When an order is asynchronous, then the service notifies its answer once the order is placed', async () => {
  const placed = await place(client.api, orderOf('voucher_delayed'));
  expect(placed.status).toBe('PENDING');
  expect(await heardOf(await nonceOf(placed.id))).toEqual({ outcome: 'PLACED' });
});

test('When the supplier needs seconds, then the service notifies the answer when the order ends', async () => {
  const { body } = scenarioNamed('topup_flaky');
  const { id } = await accepted(client.api, topupOrders, body);
  expect(await heardOf(await nonceOf(id))).toEqual({ outcome: 'PLACED' });
});

test('When an order is rejected at its placement, then the service notifies the rejection', async () => {
  const same = orderOf('voucher_instant', { client_reference: randomUUID() });
  await Promise.all(Array.from({ length: 6 }, () => client.api.post('/api/v1/orders', same)));
  const refused = await rows<{ nonce: string }>(
    database,
    `SELECT nonce FROM order_reservations WHERE client_id = $id AND state = 'REFUSED'`,
    { id: client.id },
  );
  expect(refused.length).toBeGreaterThan(0);
  for (const { nonce } of refused)
    expect(await heardOf(nonce)).toEqual({ outcome: 'REFUSED', refusal: 'DUPLICATE_CLIENT_REFERENCE' });
});

test('When thousands of order requests are answered concurrently, then the service notifies each answer', async () => {
  const notify = answerNotifier(database);
  const refused = { outcome: 'REFUSED', refusal: 'DUPLICATE_CLIENT_REFERENCE' } as const;
  const nonces = Array.from({ length: 2_500 }, () => randomUUID().slice(-12));
  for (const nonce of nonces) notify({ nonce }, refused);
  for (const nonce of nonces) expect(await heardOf(nonce)).toEqual(refused);
});

test('When one answer cannot be notified, then the service still notifies the next answer', async () => {
  const closed = stackDatabase();
  await closed.close();
  answerNotifier(closed)({ nonce: 'unheard' }, { outcome: 'PLACED' });
  const notify = answerNotifier(database);
  notify({ nonce: 'next' }, { outcome: 'PLACED' });
  expect(await heardOf('next')).toEqual({ outcome: 'PLACED' });
});

test('When another session notifies an answer without the nonce, then the order request still waits for its goods', async () => {
  const placing = client.api.post<Resource>('/api/v1/orders', orderOf('voucher_flaky'));
  const { id } = await until('the order', () =>
    firstRow<{ id: number }>(
      database,
      `SELECT id FROM orders WHERE client_id = $client AND status = 'PENDING' AND completed_at IS NULL`,
      { client: client.id },
    ),
  );
  // Any role that can log in may send the notification, because PostgreSQL has no privilege for NOTIFY.
  await rows(database, 'SELECT pg_notify($channel, $id)', { channel: ORDER_ANSWERED, id: `${id}:PLACED` });
  expect((await placing).body).toMatchObject({ id, status: 'DELIVERED' });
});

test('When the workflow does not answer, then the notification answers the order request', async () => {
  const creation = await creationWith({ temporal: withoutAnswers(), answers: new NotifiedAnswers(feed) });
  const orderId = await orderThrough(creation);
  expect(heard.get(await nonceOf(orderId))).toEqual({ outcome: 'PLACED' });
  expect(await read(client.api, orderId)).toMatchObject({ status: 'DELIVERED' });
});

test.each([
  ['is lost', true],
  ['cannot arrive, because the connection is cut', false],
])('When the notification %s, then the workflow answers the order request', async (_, isConnected) => {
  const silent = new NotifiedAnswers({ isConnected, onAnswer: () => undefined });
  const orderId = await orderThrough(await creationWith({ temporal, answers: silent }));
  expect(await read(client.api, orderId)).toMatchObject({ status: 'DELIVERED' });
});

/** The notified answer to the order request with this nonce. */
function heardOf(nonce: string): Promise<Answer> {
  return until('the notification', async () => heard.get(nonce));
}

/** Places an order through `creation`. Throws if the answer comes later than a second before the deadline. */
async function orderThrough(creation: OrderCreation): Promise<number> {
  const caller = await findClient(database, client.id);
  if (!caller) throw new Error('The client is gone');
  const draft = await voucherOrderRequest(database, caller, orderOf('voucher_instant')).draft();
  const key = await newKey(database, client.id);
  const { sessionId } = await beginSession(database, key);
  const request = { ...draft, key: undefined, caller: { clientId: client.id, apiKeyId: key.id, sessionId } };
  const late = new AbortController();
  const orderId = await Promise.race([
    creation.createOrder(caller, request, performance.now()),
    sleep(families.VOUCHER.timing.responseDeadlineMs - second, undefined, late),
  ]);
  late.abort();
  if (orderId === undefined) throw new Error('Answered too late');
  return orderId;
}

async function nonceOf(orderId: number): Promise<string> {
  const sql = 'SELECT nonce FROM orders WHERE id = $orderId';
  return (await firstRow<{ nonce: string }>(database, sql, { orderId }))?.nonce ?? '';
}

/** A Temporal client. No update of a workflow that it starts returns. */
function withoutAnswers(): TemporalClient {
  const changed = <Real extends object>(real: Real, changes: Partial<Real>): Real =>
    new Proxy(real, { get: (_, name) => Reflect.get(name in changes ? changes : real, name) as unknown });
  const start: TemporalClient['workflow']['start'] = async (...args) =>
    changed(await temporal.workflow.start(...args), { executeUpdate: () => new Promise(() => undefined) });
  return changed(temporal, { workflow: changed(temporal.workflow, { start }) });
}

/** Creates orders as the API does. */
async function creationWith(parts: Pick<OrderCreationDependencies, 'temporal' | 'answers'>) {
  const { signal } = new AbortController();
  return new OrderCreation({
    ...parts,
    database,
    log,
    stopping: signal,
    closing: signal,
    sealer: new Sealer(await stackKeyRing()),
    suppliers: new Map([
      ['simulator', createSimulatorSupplier({ url: 'http://127.0.0.1:1', secret: 'unused', maxUnits: 500 })],
    ]),
    limits: { maxInFlight: 10, maxConcurrent: 10 },
    workers: new OrderWorkers({ database, temporal, log }),
    storage: new TemporalStorage({ temporal, log }),
  });
}
