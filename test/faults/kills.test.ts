/**
 * What survives when processes are killed and suppliers fail while orders are made. On a stack of its own:
 * nothing acknowledged is lost, nothing is bought twice, no money is unaccounted for.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstRow, rows, type Database } from '../../src/data/database/database';
import { orderMessages } from '../../src/domain/orders/order-flow';
import { restartOrders } from '../../src/ordering/maintenance/order-restarts';
import { fund, newClient, stackDatabase, type OwnClient } from '../support/clients';
import { ops } from '../support/operator';
import { ended, orderOf, ordersPath, place, read } from '../support/orders';
import { freeze, kill, outage, ready, startOwnStack, type OwnStack } from '../support/own-stack';
import { boughtFor, entriesOf, unsoundWallets } from '../support/records';
import type { ErrorBody, Json, Resource } from '../support/stack';
import { until } from '../support/waiting';
import { serviceTemporalClient, workflowOf } from '../support/workflows';

jest.setTimeout(240_000);

/** A create and how it was answered; no answer where the connection broke. */
interface Attempt {
  reference: string;
  status: number | undefined;
  code: string | undefined;
  retryAfter: string | null | undefined;
}

interface OrderRow {
  id: number;
  reference: string;
  status: string;
  quantity: number;
  vouchers: number;
}

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

const FUNDS = 10_000_000;

/** What is ordered, as a scenario and what is different about it. */
type Kind = [scenario: string, special: Json];

const small: Kind = ['voucher_instant', {}];
/** Large, by link, after errors of the supplier, in parts, later. */
const assortment: Kind[] = [
  ['voucher_bulk', { quantity: 1_200 }],
  ['voucher_url', { quantity: 3 }],
  ['voucher_partial', {}],
  ['voucher_flaky', {}],
  ['voucher_instant', { quantity: 40, denomination: 5 }],
  ['voucher_delayed', {}],
];
/** What each caller orders in turn: most of them one small order after the other. */
const callers: Kind[][] = [...Array<Kind[]>(8).fill([small]), assortment, [...assortment].reverse()];

/** All callers order one thing after the other, from before `disturb` until after it. */
async function ordersDuring(client: OwnClient, disturb: () => Promise<void>): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  let isOver = false;
  async function call(kinds: Kind[]): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      const [scenario, special] = kinds[turn % kinds.length] as Kind;
      const reference = randomUUID();
      const body = orderOf(scenario, { ...special, client_reference: reference });
      const answer = await client.api.post<Partial<ErrorBody>>(ordersPath, body).catch(() => undefined);
      const { status, headers, body: { error } = {} } = answer ?? {};
      attempts.push({ reference, status, code: error?.code, retryAfter: headers?.get('retry-after') });
      // A caller that is refused does not storm.
      if (answer?.status !== 200) await sleep(200);
    }
  }
  const moreAccepted = (count: number) => {
    const enough = accepted().length + count;
    return until('orders accepted', async () => accepted().length >= enough || undefined, 60);
  };
  const accepted = () => attempts.filter(({ status }) => status === 200);
  const calls = callers.map(call);
  await moreAccepted(20);
  await disturb();
  await ready(stack);
  await moreAccepted(20);
  isOver = true;
  await Promise.all(calls);
  return attempts;
}

/** Every order of the client once all have ended. PostgreSQL may just be coming back. */
async function allEnded(client: OwnClient): Promise<OrderRow[]> {
  return until(
    'the end of every order',
    async () => {
      const orders = await ordersOf(client).catch(() => undefined);
      return orders?.every(({ status }) => !['PENDING', 'PARTIALLY_DELIVERED'].includes(status))
        ? orders
        : undefined;
    },
    120,
  );
}

async function ordersOf(client: OwnClient): Promise<OrderRow[]> {
  return rows<OrderRow>(
    database,
    `SELECT o.id, o.client_reference AS reference, o.status, o.quantity,
            (SELECT count(DISTINCT card_number) + count(DISTINCT claim_url) FROM vouchers v
              WHERE v.order_id = o.id) AS vouchers
       FROM orders o WHERE o.client_id = $id ORDER BY o.id`,
    { id: client.id },
  );
}

async function wealthyClient(): Promise<OwnClient> {
  const client = await newClient(database, { USD: FUNDS });
  await ops('clients', 'set', client.id, '--bulk-limit', 5_000);
  await client.api.accessToken();
  return client;
}

/** References of creates answered 503: no order ever comes of them. */
const given503: string[] = [];

/** A process is killed, and once more when it has hardly begun to work again. */
async function killTwice(name: string): Promise<void> {
  await kill(stack, name);
  await sleep(1_500);
  await kill(stack, name);
}

/** Longer than a create waits to be placed. */
const TOO_LONG = 12;

/** Somebody else holds the wallet of the client, so that no debit of it gets through. */
async function lockWallet({ wallets }: OwnClient): Promise<void> {
  await database.transaction(async (transaction) => {
    const sql = 'SELECT FROM wallets WHERE id = $id FOR UPDATE';
    await rows(database, sql, { id: wallets['USD'] }, transaction);
    await sleep(TOO_LONG * 1_000);
  });
}

describe.each<[what: string, disturb: (client: OwnClient) => Promise<void>]>([
  ['the worker is killed', () => killTwice('worker')],
  ['the API is killed', () => killTwice('api')],
  ['the supplier is killed', () => killTwice('simulator')],
  ['the supplier is out of order', () => outage(stack, 4).then(() => sleep(4_000))],
  ['PostgreSQL is killed', () => killTwice('postgres')],
  ['Temporal is killed', () => killTwice('temporal')],
  ['the worker hangs', () => freeze(stack, 'worker', TOO_LONG)],
  ['Temporal hangs', () => freeze(stack, 'temporal', TOO_LONG)],
  ['the wallet is locked', lockWallet],
])('When %s while orders are made', (_what, disturb) => {
  let client: OwnClient;
  let attempts: Attempt[];
  let orders: OrderRow[];
  beforeAll(async () => {
    client = await wealthyClient();
    attempts = await ordersDuring(client, () => disturb(client));
    orders = await allEnded(client);
    given503.push(...answered(503));
  });

  const answered = (status: number | undefined) =>
    attempts.filter((attempt) => attempt.status === status).map(({ reference }) => reference);
  const exists = (reference: string) => orders.some((order) => order.reference === reference);

  test('then no create was answered as none may be', () => {
    const answers = attempts.filter(({ status }) => status !== undefined && status !== 200);
    for (const answer of answers) {
      expect([
        { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: expect.stringMatching(/^[1-9]\d*$/) },
        { status: 504, code: 'OUTCOME_UNKNOWN', retryAfter: null },
      ]).toContainEqual({ status: answer.status, code: answer.code, retryAfter: answer.retryAfter });
    }
  });

  test('then every accepted order is there', () => {
    expect(answered(200).filter((reference) => !exists(reference))).toEqual([]);
  });

  test('then no order came of a create answered 503', () => {
    expect(answered(503).filter(exists)).toEqual([]);
  });

  test('then a create without an answer can be looked up by its reference', async () => {
    for (const reference of [...answered(undefined), ...answered(504)]) {
      const { status, body } = await client.api.get<Json[]>(`${ordersPath}?client_reference=${reference}`);
      expect({ reference, status }).toEqual({ reference, status: exists(reference) ? 200 : 404 });
      if (status === 200) expect(body).toHaveLength(1);
    }
  });

  test('then every order is delivered whole, with vouchers of its own', () => {
    const whole = orders.map(({ id, quantity }) => ({
      id,
      status: 'DELIVERED',
      quantity,
      vouchers: quantity,
    }));
    expect(orders.map(({ reference: _, ...order }) => order)).toEqual(whole);
  });

  test('then every order was bought once and debited once', async () => {
    for (const { id, quantity } of orders) {
      const bought = await boughtFor(id);
      const units = bought.reduce((sum, purchase) => sum + purchase.units, 0);
      const references = new Set(bought.map(({ reference }) => reference));
      expect({ id, units, references: references.size }).toEqual({
        id,
        units: quantity,
        references: bought.length,
      });
      expect(await entriesOf(database, id)).toMatchObject([{ kind: 'ORDER', type: 'DEBIT' }]);
    }
  });

  test('then every wallet adds up', async () => {
    expect(await unsoundWallets(database)).toEqual([]);
  });
});

describe('When the supplier cannot be reached', () => {
  let client: OwnClient;
  beforeAll(async () => {
    client = await wealthyClient();
  });
  afterEach(() => outage(stack, 0));

  test('then an order waits, and is delivered when the supplier is back', async () => {
    await outage(stack, 60);
    const order = await place(client.api, orderOf('voucher_instant', { quantity: 6 }));
    await sleep(3_000);
    expect((await read(client.api, order.id)).status).toBe('PENDING');
    await outage(stack, 0);
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
  });

  test('then an order that is called off buys nothing more, and is CANCELLED once the supplier knows of no purchase', async () => {
    const temporal = await serviceTemporalClient();
    await outage(stack, 60);
    const order = await place(client.api, orderOf('voucher_instant', { quantity: 6 }));
    await (
      await workflowOf(temporal, database, order.id)
    ).startUpdate(orderMessages.cancel, {
      args: ['Nobody wants it'],
      waitForStage: 'ACCEPTED',
    });
    await outage(stack, 0);
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'CANCELLED' });
    await temporal.connection.close();
    expect(await entriesOf(database, order.id)).toMatchObject([{ kind: 'ORDER' }, { kind: 'REFUND' }]);
    expect(await boughtFor(order.id)).toEqual([]);
  });
});

test('When a create was not placed in time and the money is gone by then, then it is told that, not to try again', async () => {
  const client = await wealthyClient();
  const hang = freeze(stack, 'worker', TOO_LONG);
  const create = client.api.post(ordersPath, orderOf('voucher_instant'));
  await until('the intake', () => intakeOf(client));
  await fund(database, client.wallets['USD'] as number, -FUNDS);
  expect(await create).toMatchObject({ status: 400, body: { error: { code: 'INSUFFICIENT_BALANCE' } } });
  await hang;
  expect(await ordersOf(client)).toEqual([]);
});

test('When Temporal loses the workflow of an order, then the order is found without it and delivered', async () => {
  const client = await wealthyClient();
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
  // An order of the last minute may still be on its way to its workflow.
  await rows(database, "UPDATE orders SET placed_at = now() - interval '2 minutes' WHERE id = $id", {
    id: order.id,
  });
  await restartOrders({ database, temporal });
  await temporal.connection.close();
  expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
  expect(await boughtFor(order.id)).toMatchObject([{ units: 6 }]);
  expect(await entriesOf(database, order.id)).toHaveLength(1);
});

async function intakeOf({ id }: OwnClient): Promise<object | undefined> {
  return firstRow(database, 'SELECT order_id FROM order_intakes WHERE client_id = $id', { id });
}

test.each(['api', 'worker', 'postgres'])(
  'When the %s is killed while creates with an Idempotency-Key are under way, then each key makes one order, however often it is sent again',
  async (name) => {
    const client = await wealthyClient();
    const body = orderOf('voucher_instant');
    const send = (key: string) =>
      client.api.post<Resource>(ordersPath, body, { 'idempotency-key': key }).catch(() => undefined);
    const keys = Array.from({ length: 60 }, () => randomUUID());
    const sent = Promise.all(keys.map(send));
    await until('the first orders', async () => (await ordersOf(client)).length > 5 || undefined);
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
    const orders = await allEnded(client);
    expect(made.sort((a, b) => a - b)).toEqual(orders.map(({ id }) => id));
    expect(new Set(made).size).toBe(keys.length);
  },
);

test('When all of this is over, then still no order has come of a create answered 503, and every wallet adds up', async () => {
  const late = await firstRow<{ count: number }>(
    database,
    'SELECT count(*) AS count FROM orders WHERE client_reference = ANY ($given503)',
    { given503 },
  );
  expect(late).toEqual({ count: 0 });
  expect(await unsoundWallets(database)).toEqual([]);
});
