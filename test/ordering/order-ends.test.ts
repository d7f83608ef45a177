/** A create hears from the database that its order has ended. docs/decisions/0041-a-create-hears-of-its-orders-end.md. */
import type { Client as TemporalClient } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { voucherOrderRequest } from '../../src/api/vouchers/order-request';
import { ChangeFeed } from '../../src/data/change-feed';
import { findClient } from '../../src/data/clients';
import { endTeller } from '../../src/data/orders/told-ends';
import { OrderCreation } from '../../src/ordering/order-creation';
import { families } from '../../src/domain/families';
import { OrderEnds } from '../../src/ordering/order-ends';
import { OrderWorkers } from '../../src/ordering/order-workers';
import { TemporalStorage } from '../../src/ordering/temporal-storage';
import { Sealer } from '../../src/security/sealing';
import { createSimulatorSupplier } from '../../src/suppliers/simulator';
import { newClient, stackDatabase, type OwnClient } from '../support/clients';
import { stackKeyRing } from '../support/keys';
import { orderOf, read, scenarioNamed } from '../support/orders';
import { loadStack, type Resource } from '../support/stack';
import { until } from '../support/waiting';
import { serviceTemporalClient } from '../support/workflows';

const log = pino({ level: 'silent' });
const database = stackDatabase();
const stopping = new AbortController();
const heard = new Set<number>();
let feed: ChangeFeed;
let temporal: TemporalClient;
let client: OwnClient;

beforeAll(async () => {
  feed = await ChangeFeed.open(loadStack().database_url, log, stopping.signal);
  feed.onOrderEnd((orderId) => heard.add(orderId));
  temporal = await serviceTemporalClient();
  client = await newClient(database, { USD: 1_000 });
});
afterAll(async () => {
  stopping.abort();
  await temporal.connection.close();
  await database.close();
});

test('When an order of any family ends at once, then every process is told of it', async () => {
  for (const scenario of ['voucher_instant', 'topup_instant', 'esim_instant']) {
    const { path, body } = scenarioNamed(scenario);
    const { id } = (await client.api.post<Resource>(path, body)).body;
    await until('the end to be told', async () => heard.has(id) || undefined);
  }
});

test('When thousands of orders end at the same moment, then each of them is told of', async () => {
  const tell = endTeller(database);
  const ids = Array.from({ length: 2_500 }, (_, index) => 2_000_000_000 + index);
  ids.forEach(tell);
  await until('all ends to be told', async () => ids.every((id) => heard.has(id)) || undefined);
});

test('When an end cannot be told, then the next one is', async () => {
  const closed = stackDatabase();
  await closed.close();
  endTeller(closed)(1);
  const tell = endTeller(database);
  tell(1_999_999_999);
  await until('the end to be told', async () => heard.has(1_999_999_999) || undefined);
});

test('When Temporal keeps its answer to itself, then the create is answered as its order ends', async () => {
  const caller = await findClient(database, client.id);
  if (!caller) throw new Error('The client is gone');
  const draft = await voucherOrderRequest(database, caller, orderOf('voucher_instant')).draft();
  const creating = (await creationThatTemporalNeverAnswers()).createOrder(caller, draft, performance.now());
  // Without being told it would wait for the answer as long as a voucher's create may.
  const orderId = await Promise.race([
    creating,
    sleep(families.VOUCHER.timing.responseDeadlineMs, 'too late'),
  ]);
  expect(heard).toContain(orderId);
  expect(await read(client.api, Number(orderId))).toMatchObject({ status: 'DELIVERED' });
});

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
    ...{ database, log, temporal: deaf, stopping: signal, closing: signal },
    sealer: new Sealer(await stackKeyRing()),
    suppliers: new Map([
      ['simulator', createSimulatorSupplier({ url: 'http://127.0.0.1:1', secret: 'unused', maxUnits: 500 })],
    ]),
    limits: { maxInFlight: 10, maxConcurrent: 10 },
    workers: new OrderWorkers({ database, temporal, log }),
    storage: new TemporalStorage({ temporal, log }),
    ends: new OrderEnds(feed),
  });
}
