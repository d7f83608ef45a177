/** Clients place orders on a separate stack while a part of it fails. Tests the guarantees afterwards. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { newClient, type OwnClient } from './clients';
import { ops } from './operator';
import { orderOf, ordersPath } from './orders';
import { kill, ready, type OwnStack } from './own-stack';
import { boughtFor, entriesOf, unsoundWallets } from './records';
import { apiWithoutToken, type ErrorBody, type Json } from './stack';
import { until } from '../../dev/testbed/waiting';

export interface Service {
  stack: OwnStack;
  database: Database;
}

/** Whether a worker takes orders, as the API reports it. */
export const orderWorkers = async () => (await apiWithoutToken().get('/ready')).body['order_workers'];

/** Waits until the API admits order requests: a killed worker is back. */
export const admitted = () =>
  until('order requests to be admitted', async () => ((await orderWorkers()) ? true : undefined), 60);

/** An order request and its response; no status if the connection broke. */
interface Attempt {
  reference: string;
  status: number | undefined;
  code: string | undefined;
  retryAfter: string | null | undefined;
}

export interface OrderRow {
  id: number;
  reference: string;
  status: string;
  quantity: number;
  vouchers: number;
}

export const FUNDS = 10_000_000;

/** An order: a scenario and its overrides. */
type Kind = [scenario: string, special: Json];

const small: Kind = ['voucher_instant', {}];
/** Large orders, by link, after supplier errors, in parts, and later. */
const assortment: Kind[] = [
  ['voucher_bulk', { quantity: 600 }],
  ['voucher_url', { quantity: 3 }],
  ['voucher_partial', {}],
  ['voucher_flaky', {}],
  ['voucher_instant', { quantity: 40, denomination: 5 }],
  ['voucher_delayed', {}],
];
/** The orders of each caller, in sequence. Most callers place small orders. */
const callers: Kind[][] = [...Array<Kind[]>(4).fill([small]), assortment, [...assortment].reverse()];
/** A caller's pause after an accepted order, and after a rejected one, in milliseconds. */
const PAUSES = { accepted: 50, rejected: 200 };

/** Every caller places orders in sequence, from before `disturb` until after it. */
async function ordersDuring(stack: OwnStack, client: OwnClient, disturb: () => Promise<void>): Promise<Attempt[]> {
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
      await sleep(answer?.status === 200 ? PAUSES.accepted : PAUSES.rejected);
    }
  }
  const moreAccepted = (count: number) => {
    const enough = accepted().length + count;
    return until('orders accepted', async () => accepted().length >= enough, 60);
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

/** Every order of the client, once all have ended. PostgreSQL may still be recovering. */
export async function allEnded(database: Database, client: OwnClient): Promise<OrderRow[]> {
  return until(
    'the end of every order',
    async () => {
      const orders = await ordersOf(database, client).catch(() => undefined);
      return orders?.every(({ status }) => !['PENDING', 'PARTIALLY_DELIVERED'].includes(status)) ? orders : undefined;
    },
    120,
  );
}

export async function ordersOf(database: Database, client: OwnClient): Promise<OrderRow[]> {
  return sql(database)<OrderRow>`SELECT o.id, o.client_reference AS reference, o.status, o.quantity,
            (SELECT count(DISTINCT code_hash) + count(DISTINCT claim_hash) FROM vouchers v
              WHERE v.order_id = o.id) AS vouchers
       FROM orders o WHERE o.client_id = ${client.id} ORDER BY o.id`;
}

export async function wealthyClient(database: Database): Promise<OwnClient> {
  const client = await newClient(database, { USD: FUNDS });
  await ops`clients set ${client.id} --bulk-limit 5000`;
  await client.api.accessToken();
  return client;
}

/** Kills a process, and kills it again shortly after its restart. */
export async function killTwice(stack: OwnStack, name: string): Promise<void> {
  await kill(stack, name);
  await sleep(1_500);
  await kill(stack, name);
}

/** Tests the guarantees while `disturb` runs during orders. Adds references of requests answered 503 to `noOrder`. */
export function testOrdersDuring(
  service: () => Service,
  disturb: (client: OwnClient) => Promise<void>,
  noOrder: string[] = [],
): void {
  let stack: OwnStack;
  let database: Database;
  let client: OwnClient;
  let attempts: Attempt[];
  let orders: OrderRow[];
  beforeAll(async () => {
    ({ stack, database } = service());
    client = await wealthyClient(database);
    attempts = await ordersDuring(stack, client, () => disturb(client));
    orders = await allEnded(database, client);
    noOrder.push(...answered(503));
  });

  const answered = (status: number | undefined) =>
    attempts.filter((attempt) => attempt.status === status).map(({ reference }) => reference);
  const exists = (reference: string) => orders.some((order) => order.reference === reference);

  test('then every answer was a documented one', () => {
    const answers = attempts.filter(({ status }) => status !== undefined && status !== 200);
    for (const answer of answers) {
      expect([
        { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: expect.stringMatching(/^[1-9]\d*$/) },
        { status: 504, code: 'OUTCOME_UNKNOWN', retryAfter: null },
      ]).toContainEqual({ status: answer.status, code: answer.code, retryAfter: answer.retryAfter });
    }
  });

  test('then every accepted order exists', () => {
    expect(answered(200).filter((reference) => !exists(reference))).toEqual([]);
  });

  test('then no request answered 503 has an order', () => {
    expect(answered(503).filter(exists)).toEqual([]);
  });

  test('then an unanswered order request can be looked up by its reference', async () => {
    for (const reference of [...answered(undefined), ...answered(504)]) {
      const { status, body } = await client.api.get<Json[]>(`${ordersPath}?client_reference=${reference}`);
      expect({ reference, status }).toEqual({ reference, status: exists(reference) ? 200 : 404 });
      if (status === 200) expect(body).toHaveLength(1);
    }
  });

  test('then every order is fully delivered, and no voucher is in two orders', () => {
    const whole = orders.map(({ id, quantity }) => ({ id, status: 'DELIVERED', quantity, vouchers: quantity }));
    expect(orders.map(({ reference: _, ...order }) => order)).toEqual(whole);
  });

  test('then every order was bought once and debited once', async () => {
    for (const { id, quantity } of orders) {
      const bought = await boughtFor(id);
      const units = bought.reduce((sum, purchase) => sum + purchase.units, 0);
      const references = new Set(bought.map(({ reference }) => reference));
      expect({ id, units, references: references.size }).toEqual({ id, units: quantity, references: bought.length });
      expect(await entriesOf(database, id)).toMatchObject([{ kind: 'ORDER', type: 'DEBIT' }]);
    }
  });

  test('then every wallet adds up', async () => {
    expect(await unsoundWallets(database)).toEqual([]);
  });
}
