/**
 * Processes are killed and suppliers fail while orders are placed. No acknowledged order is lost, no purchase is
 * made twice, and the ledger accounts for all money. Runs on a separate stack.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { ROOT } from '../../dev/stack/run-directory';
import { rows, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { fenceOff } from '../../src/data/orders/order-reservations';
import { placeOrder } from '../../src/data/orders/place-order';
import { orderMessages, type OrderKey } from '../../src/domain/orders/order-messages';
import { restartOrders } from '../../src/ordering/maintenance/order-restarts';
import { fund, stackDatabase } from '../../dev/testbed/clients';
import type { OwnClient } from '../support/clients';
import { ended, orderOf, ordersPath, place, read } from '../support/orders';
import { FUNDS, allEnded, killTwice, ordersOf, testOrdersDuring, wealthyClient } from '../support/orders-under-faults';
import { freeze, kill, outage, ready, startOwnStack, type OwnStack } from '../support/own-stack';
import { boughtFor, entriesOf, unsoundWallets } from '../support/records';
import type { Resource } from '../support/stack';
import { until } from '../../dev/testbed/waiting';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';
import { workflowOf } from '../support/workflows';

jest.setTimeout(240_000);

let stack: OwnStack;
let database: Database;
beforeAll(async () => {
  stack = await startOwnStack('kills');
  database = stackDatabase();
});
afterAll(async () => {
  await database.close();
  await stack.stop();
});

/** References of order requests that were answered 503. They never become orders. */
const given503: string[] = [];

/** Longer than an order request waits for its placement. */
const TOO_LONG = 12;

/** Another transaction locks the client's wallet and blocks every debit. */
async function lockWallet({ wallets }: OwnClient): Promise<void> {
  await database.transaction(async (transaction) => {
    await sql(database, transaction)`SELECT FROM wallets WHERE id = ${wallets['USD']} FOR UPDATE`;
    await sleep(TOO_LONG * 1_000);
  });
}

/** The bulk worker gets the CPU for moments that are further apart than the lease of a purchase. */
async function starveBulkWorker(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    await freeze(stack, 'bulk-worker', 4);
    await sleep(250);
  }
  await kill(stack, 'bulk-worker');
}

describe.each<[what: string, disturb: (client: OwnClient) => Promise<void>]>([
  ['the API is killed', () => killTwice(stack, 'api')],
  ['the worker is killed', () => killTwice(stack, 'worker')],
  ['the supplier is killed', () => killTwice(stack, 'simulator')],
  ['the supplier is out of order', () => outage(stack, 4).then(() => sleep(4_000))],
  ['PostgreSQL is killed', () => killTwice(stack, 'postgres')],
  ['Temporal is killed', () => killTwice(stack, 'temporal')],
  ['the worker hangs', () => freeze(stack, 'worker', TOO_LONG)],
  ['the bulk worker rarely gets the CPU, and is killed', starveBulkWorker],
  ['Temporal hangs', () => freeze(stack, 'temporal', TOO_LONG)],
  ['the wallet is locked', lockWallet],
])('When %s while orders are placed', (_what, disturb) => {
  testOrdersDuring(() => ({ stack, database }), disturb, given503);
});

/** The number of failed calls that the alert TemporalOutOfReach counts, from the worker's metrics. */
async function failedCalls(): Promise<number> {
  const { groups } = parse(readFileSync(join(ROOT, 'deploy/monitoring/alerts.yml'), 'utf8')) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  const rule = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === 'TemporalOutOfReach');
  const selectors = [...(rule?.expr ?? '').matchAll(/(\w+)\{status_code=~"([^"]+)"\}/g)];
  const scrape = await (await fetch(stack.now().metrics_url)).text();
  const counts = selectors.flatMap(([, name, codes]) => [
    ...scrape.matchAll(new RegExp(`^${name}\\{.*status_code="(?:${codes})".*\\} (\\d+)$`, 'gm')),
  ]);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

test('When Temporal is killed, then the worker counts failed calls for the alert TemporalOutOfReach', async () => {
  const before = await failedCalls();
  await kill(stack, 'temporal');
  await until('failed calls', async () => (await failedCalls()) > before);
  await ready(stack);
});

describe('When the supplier cannot be reached', () => {
  let client: OwnClient;
  beforeAll(async () => {
    client = await wealthyClient(database);
  });
  afterEach(() => outage(stack, 0));

  test('then an order waits and is delivered once the supplier is reachable', async () => {
    await outage(stack, 60);
    const order = await place(client.api, orderOf('voucher_instant', { quantity: 6 }));
    await sleep(3_000);
    expect((await read(client.api, order.id)).status).toBe('PENDING');
    await outage(stack, 0);
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
  });

  test('then six orders a second of one client are each accepted for 20 seconds', async () => {
    await client.api.accessToken();
    await outage(stack, 20);
    const answers: Promise<number>[] = [];
    for (let sent = 0; sent < 6 * 20; sent++) {
      answers.push(client.api.post(ordersPath, orderOf('voucher_instant')).then(({ status }) => status));
      await sleep(1_000 / 6);
    }
    const statuses = await Promise.all(answers);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  test('then a cancelled order buys nothing more and is CANCELLED once the supplier reports no purchase', async () => {
    const temporal = await serviceTemporalClient();
    await outage(stack, 60);
    const order = await place(client.api, orderOf('voucher_instant', { quantity: 6 }));
    await (
      await workflowOf(temporal, database, order.id)
    ).startUpdate(orderMessages.cancel, { args: ['The customer changed their mind'], waitForStage: 'ACCEPTED' });
    await outage(stack, 0);
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'CANCELLED' });
    await temporal.connection.close();
    expect(await entriesOf(database, order.id)).toMatchObject([{ kind: 'ORDER' }, { kind: 'REFUND' }]);
    expect(await boughtFor(order.id)).toEqual([]);
  });
});

test('When an order request misses its time limit and the wallet is empty by then, then the response is the missing funds, not a retry', async () => {
  const client = await wealthyClient(database);
  const hang = freeze(stack, 'worker', TOO_LONG);
  const create = client.api.post(ordersPath, orderOf('voucher_instant'));
  await until('the reservation', () => reservationOf(client));
  await fund(database, client.wallets['USD'] as number, -FUNDS);
  expect(await create).toMatchObject({ status: 400, body: { error: { code: 'INSUFFICIENT_BALANCE' } } });
  await hang;
  expect(await ordersOf(database, client)).toEqual([]);
});

test('When Temporal loses the workflow of an order, then maintenance finds the order and it is delivered', async () => {
  const client = await wealthyClient(database);
  const temporal = await serviceTemporalClient();
  const order = await place(client.api, orderOf('voucher_delayed', { quantity: 6 }));
  const workflow = await workflowOf(temporal, database, order.id);
  const { namespace } = temporal.options;
  const { workflowId } = workflow;
  await temporal.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
  await until('the loss', () =>
    workflow.describe().then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
  // An order of the last minute may not have its workflow yet.
  await sql(database)`UPDATE orders SET placed_at = now() - interval '2 minutes' WHERE id = ${order.id}`;
  await restartOrders({ database, temporal });
  await temporal.connection.close();
  expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
  expect(await boughtFor(order.id)).toMatchObject([{ units: 6 }]);
  expect(await entriesOf(database, order.id)).toHaveLength(1);
});

async function reservationOf({ id }: OwnClient): Promise<object | undefined> {
  return sql.first(database)`SELECT order_id FROM order_reservations WHERE client_id = ${id}`;
}

test.each(['api', 'worker', 'postgres'])(
  'When the %s is killed during order requests with an Idempotency-Key, then each key makes one order, even if the request is repeated',
  async (name) => {
    const client = await wealthyClient(database);
    const body = orderOf('voucher_instant');
    const send = (key: string) =>
      client.api.post<Resource>(ordersPath, body, { 'idempotency-key': key }).catch(() => undefined);
    const keys = Array.from({ length: 60 }, () => randomUUID());
    const sent = Promise.all(keys.map(send));
    await until('the first orders', async () => (await ordersOf(database, client)).length > 5);
    await kill(stack, name);
    await sent;
    await ready(stack);
    const made = await Promise.all(
      keys.map((key) =>
        until(
          `the order of key ${key}`,
          async () => {
            const answer = await send(key);
            return answer?.status === 200 ? answer.body.id : undefined;
          },
          60,
        ),
      ),
    );
    const orders = await allEnded(database, client);
    expect(made.sort((a, b) => a - b)).toEqual(orders.map(({ id }) => id));
    expect(new Set(made).size).toBe(keys.length);
  },
);

describe('When PostgreSQL loses a reservation', () => {
  const setWriterDelay = async (change: string) => {
    await rows(database, `ALTER SYSTEM ${change}`);
    await sql(database)`SELECT pg_reload_conf()`;
  };
  // Makes what no commit has waited for durable. By default, it does so five times a second.
  beforeAll(() => setWriterDelay("SET wal_writer_delay = '10s'"));
  afterAll(() => setWriterDelay('RESET wal_writer_delay'));

  test('then its request gets 503 and buys nothing, and another order gets its id', async () => {
    const client = await wealthyClient(database);
    let repeated = 0;
    for (let time = 0; time < 8 && repeated < 3; time++) {
      const body = orderOf('voucher_instant', { client_reference: randomUUID() });
      const key = { 'idempotency-key': randomUUID() };
      const send = () => client.api.post<Resource>(ordersPath, body, key);
      const worker = stack.now().pids['worker'] as number;
      process.kill(worker, 'SIGSTOP');
      // After a checkpoint, the next number of a sequence is written to the log, and is lost with it.
      await sql(database)`CHECKPOINT`;
      const answer = send();
      const lost = await until('the reservation', () => undecided(client));
      await kill(stack, 'postgres');
      process.kill(worker, 'SIGCONT');
      const { status } = await answer;
      await ready(stack);
      const next = await until(
        'an order',
        () => send().then((again) => (again.status === 200 ? again.body.id : undefined)),
        60,
      );
      if (status !== 200 && next === lost.orderId) {
        repeated++;
        expect(status).toBe(503);
        expect(await fenceOff(database, lost)).toBeUndefined();
        expect(await placeOrder(database, lost)).toEqual({ outcome: 'ABANDONED' });
      }
      expect(await ended(client.api, next)).toMatchObject({ status: 'DELIVERED' });
      expect(await boughtFor(next)).toHaveLength(1);
      expect(await entriesOf(database, next)).toMatchObject([{ kind: 'ORDER' }]);
    }
    expect(repeated).toBe(3);
  });
});

/** The client's newest order request that is not decided. */
function undecided({ id }: OwnClient): Promise<OrderKey | undefined> {
  return sql.first(database)<OrderKey>`SELECT order_id AS "orderId", nonce FROM order_reservations
       WHERE client_id = ${id} AND state = 'RESERVED'`;
}

test('When all faults are over, then no request answered 503 has an order, and every wallet adds up', async () => {
  const late = await sql.first(database)<{ count: number }>`SELECT count(*) AS count FROM orders
       WHERE client_reference = ANY (${given503})`;
  expect(late).toEqual({ count: 0 });
  expect(await unsoundWallets(database)).toEqual([]);
});
