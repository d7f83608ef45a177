/**
 * The responses to order requests whose API loses the database: 503 if no order can exist, and 504 if one may.
 * docs/decisions/0003-fence-every-order-request.md.
 */
import type { Client as TemporalClient, WorkflowClientInterceptor } from '@temporalio/client';
import { TcpProxy } from '../../dev/faults/stack/tcp-proxy';
import { openDatabase, ping, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { connectTemporal } from '../../src/temporal/connection';
import { Downloads } from '../../src/api/guides/downloads';
import { capturedLog } from '../support/captured-log';
import { newClient, useDatabase, type OwnClient } from '../support/clients';
import { stackKeyRing } from '../../dev/testbed/stack-keys';
import { orderOf, ordersPath } from '../support/orders';
import { orderCreation, ownApi } from '../support/own-api';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { refusal, type Answer, type Json } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

const noOrder = refusal('SERVICE_UNAVAILABLE', 'Service temporarily unavailable');
const unknown = refusal('OUTCOME_UNKNOWN', 'Outcome unknown. Look the order up by client_reference');

/** This process cancels a statement 5 s later if the database does not. */
const SHORT_LIMIT = { statementMs: 2_000 };

const database = useDatabase();
let client: OwnClient;
let proxy: TcpProxy;
/** The database of the API under test, behind the proxy. */
let ofApi: Database;
/** What happens to the call that starts a workflow. */
let start: WorkflowClientInterceptor['start'];
let temporal: TemporalClient;

beforeAll(async () => {
  const { temporal_address: address, temporal_namespace: namespace } = loadStack();
  const interceptor: WorkflowClientInterceptor = { start: (input, next) => start?.(input, next) ?? next(input) };
  temporal = await connectTemporal({ temporal: { address, namespace } }, await stackKeyRing(), {
    interceptors: [interceptor],
  });
});
afterAll(() => temporal.connection.close());

beforeEach(async () => {
  client = await newClient(database, { USD: 100 });
  const url = new URL(loadStack().database_url);
  proxy = await TcpProxy.before(Number(url.port));
  url.host = `127.0.0.1:${proxy.port}`;
  ofApi = openDatabase(url.href, 2, SHORT_LIMIT);
  await ping(ofApi);
});
afterEach(async () => {
  start = undefined;
  proxy.close();
  await ofApi.close();
});

/** Sends an order request to an API whose order requests use the lost database. Their sessions are checked in the stack's. */
async function order(): Promise<Answer<Json>> {
  const creation = await orderCreation({ database: ofApi, temporal });
  const { api, close } = await ownApi(client, { database, creation }, { mode: 'sandbox' });
  return api.post(ordersPath, orderOf('voucher_instant')).finally(close);
}

const reservations = () =>
  sql(database)<{ state: string }>`SELECT state FROM order_reservations WHERE client_id = ${client.id}`;

const placedOrder = () => sql.first(database)<{ id: number }>`SELECT id FROM orders WHERE client_id = ${client.id}`;

test('When Temporal does not start the workflow, then the fence excludes an order, and the response is 503', async () => {
  start = () => Promise.reject(new Error('Temporal is lost'));
  expect(await order()).toMatchObject(noOrder);
  expect(await reservations()).toEqual([{ state: 'ABANDONED' }]);
});

describe.each([
  ['refuses connections', () => proxy.refuse()],
  ['does not answer', () => proxy.silence()],
])('When the database %s', (_how, lose) => {
  test('before the order is reserved, then no order exists, and the response is 503', async () => {
    lose();
    expect(await order()).toMatchObject(noOrder);
    expect(await reservations()).toEqual([]);
  });

  test('and the workflow was not started, then its start may still arrive, and the response is 504', async () => {
    start = () => {
      lose();
      return Promise.reject(new Error('Temporal is lost'));
    };
    expect(await order()).toMatchObject(unknown);
    expect(await reservations()).toEqual([{ state: 'RESERVED' }]);
  });

  test('after the order was placed, then the order exists, and the response is 504', async () => {
    start = async (input, next) => {
      lose();
      await next(input);
      await until('the order', placedOrder);
      throw new Error('The response of Temporal is lost');
    };
    expect(await order()).toMatchObject(unknown);
    expect(await reservations()).toEqual([{ state: 'PLACED' }]);
  });
});

test.each(['/downloads/library.tgz', '/api/v1/wallets'])(
  'When %s is answered with 503, then a line of the log has the id of the request',
  async (path) => {
    proxy.refuse();
    const { log, written } = capturedLog();
    const downloads = new Downloads('/nowhere', new AbortController().signal, 0);
    const own = { database: ofApi, temporal, log, downloads, stopping: new AbortController().signal };
    const { api, close } = await ownApi(client, own, { mode: 'sandbox', sessions: database });
    const { status, headers } = await api.get(path).finally(close);
    expect(status).toBe(503);
    const line = () =>
      Promise.resolve(
        written()
          .split('\n')
          .find((each) => each.includes('"msg":"request"')),
      );
    expect(JSON.parse(await until('the line', line))).toMatchObject({
      requestId: headers.get('x-request-id'),
      path,
      status: 503,
    });
  },
);

test('When a page is served, then the log has no line about it', async () => {
  const { log, written } = capturedLog();
  const { api, close } = await ownApi(client, { database, log }, { mode: 'sandbox' });
  expect((await api.get('/openapi.json').finally(close)).status).toBe(200);
  expect(written()).toBe('');
});

// Not an error of a connection, so the service takes it for a fault of its own.
describe('When the pool is closed', () => {
  beforeEach(() => ofApi.close());

  test('then the response to an order request is 504', async () => {
    expect(await order()).toMatchObject(unknown);
  });

  test('then the response to any other request is 500', async () => {
    const { api, close } = await ownApi(client, { database: ofApi }, { mode: 'sandbox', sessions: database });
    const wallet = await api.get(`/api/v1/wallets/${client.wallets['USD']}`).finally(close);
    expect(wallet).toMatchObject(refusal('INTERNAL_ERROR', 'Internal server error'));
  });
});
