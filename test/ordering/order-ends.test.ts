/** A create hears from the database that its order has ended. docs/decisions/0041-wake-waiting-requests-with-listen-notify.md. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import { pino } from 'pino';
import { voucherOrderRequest } from '../../src/api/vouchers/order-routes';
import { findClient } from '../../src/data/clients/clients';
import { ChangeFeed } from '../../src/data/database/change-feed';
import { firstRow, rows } from '../../src/data/database/database';
import { completionNotifier, ORDER_ENDED } from '../../src/data/orders/completion-notifications';
import { families } from '../../src/domain/orders/families';
import { CompletionNotifier } from '../../src/ordering/placement/completion-notifier';
import { OrderCreation } from '../../src/ordering/placement/order-creation';
import { OrderWorkers } from '../../src/ordering/placement/order-workers';
import { TemporalStorage } from '../../src/ordering/placement/temporal-storage';
import { Sealer } from '../../src/security/sealing';
import { createSimulatorSupplier } from '../../src/suppliers/simulator';
import { newClient, stackDatabase, type OwnClient } from '../support/clients';
import { stackKeyRing } from '../support/keys';
import { beginSession, newKey } from '../support/ledger-rows';
import { orderOf, read, scenarioNamed } from '../support/orders';
import { loadStack, type Resource } from '../support/stack';
import { until } from '../support/waiting';
import { serviceTemporalClient } from '../support/workflows';

const log = pino({ level: 'silent' });
const database = stackDatabase();
const stopping = new AbortController();
const heard = new Set<string>();
let feed: ChangeFeed;
let temporal: TemporalClient;
let client: OwnClient;

beforeAll(async () => {
  feed = await ChangeFeed.open(loadStack().database_url, log, stopping.signal);
  feed.onOrderEnd((nonce) => heard.add(nonce));
  temporal = await serviceTemporalClient();
  client = await newClient(database, { USD: 1_000 });
});
afterAll(async () => {
  stopping.abort();
  await temporal.connection.close();
  await database.close();
});

test('When an order of any family ends at once, then every process is notified', async () => {
  for (const scenario of ['voucher_instant', 'topup_instant', 'esim_instant']) {
    const { path, body } = scenarioNamed(scenario);
    const { id } = (await client.api.post<Resource>(path, body)).body;
    const nonce = await nonceOf(id);
    await until('the end to be told', async () => heard.has(nonce) || undefined);
  }
});

test('When thousands of orders end at the same moment, then each end is notified', async () => {
  const tell = completionNotifier(database);
  const nonces = Array.from({ length: 2_500 }, () => randomUUID().slice(-12));
  for (const nonce of nonces) tell({ nonce });
  await until('all ends to be told', async () => nonces.every((nonce) => heard.has(nonce)) || undefined);
});

test('When one end cannot be notified, then the next one is', async () => {
  const closed = stackDatabase();
  await closed.close();
  completionNotifier(closed)({ nonce: 'untold' });
  const tell = completionNotifier(database);
  tell({ nonce: 'told' });
  await until('the end to be told', async () => heard.has('told') || undefined);
});

test('When another session says that an order has ended, then the order request still waits for its goods', async () => {
  const placing = client.api.post<Resource>('/api/v1/orders', orderOf('voucher_flaky'));
  const { id } = await until('the order', () =>
    firstRow<{ id: number }>(
      database,
      `SELECT id FROM orders WHERE client_id = $client AND status = 'PENDING' AND completed_at IS NULL`,
      { client: client.id },
    ),
  );
  // Any role that can log in may send it: PostgreSQL has no right to take away.
  await rows(database, 'SELECT pg_notify($channel, $id)', { channel: ORDER_ENDED, id: String(id) });
  expect((await placing).body).toMatchObject({ id, status: 'DELIVERED' });
});

test('When Temporal keeps its answer to itself, then the create is answered as its order ends', async () => {
  const caller = await findClient(database, client.id);
  if (!caller) throw new Error('The client is gone');
  const draft = await voucherOrderRequest(database, caller, orderOf('voucher_instant')).draft();
  const key = await newKey(database, client.id);
  const { sessionId } = await beginSession(database, key);
  const request = { ...draft, key: undefined, caller: { clientId: client.id, apiKeyId: key.id, sessionId } };
  const creating = (await creationThatTemporalNeverAnswers()).createOrder(caller, request, performance.now());
  // Without being told it would wait for the answer as long as a voucher's create may.
  const orderId = await Promise.race([
    creating,
    sleep(families.VOUCHER.timing.responseDeadlineMs, 'too late'),
  ]);
  expect(heard).toContain(await nonceOf(Number(orderId)));
  expect(await read(client.api, Number(orderId))).toMatchObject({ status: 'DELIVERED' });
});

async function nonceOf(orderId: number): Promise<string> {
  const sql = 'SELECT nonce FROM orders WHERE id = $orderId';
  return (await firstRow<{ nonce: string }>(database, sql, { orderId }))?.nonce ?? '';
}

/** Creates orders as the API does, but the answers of their workflows are lost. */
async function creationThatTemporalNeverAnswers(): Promise<OrderCreation> {
  const workflow = new Proxy(temporal.workflow, {
    get(real, name) {
      if (name !== 'executeUpdateWithStart') return Reflect.get(real, name) as unknown;
      return (...args: Parameters<typeof real.executeUpdateWithStart>) =>
        real.executeUpdateWithStart(...args).then(() => new Promise(() => undefined));
    },
  });
  const deaf = new Proxy(temporal, {
    get: (real, name) => (name === 'workflow' ? workflow : (Reflect.get(real, name) as unknown)),
  });
  const { signal } = new AbortController();
  return new OrderCreation({
    database,
    log,
    temporal: deaf,
    stopping: signal,
    closing: signal,
    sealer: new Sealer(await stackKeyRing()),
    suppliers: new Map([
      ['simulator', createSimulatorSupplier({ url: 'http://127.0.0.1:1', secret: 'unused', maxUnits: 500 })],
    ]),
    limits: { maxInFlight: 10, maxConcurrent: 10 },
    workers: new OrderWorkers({ database, temporal, log }),
    storage: new TemporalStorage({ temporal, log }),
    completions: new CompletionNotifier(feed),
  });
}
