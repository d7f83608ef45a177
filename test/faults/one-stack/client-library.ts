/**
 * The client library places orders while the network fails in every way and the API is killed repeatedly. Each order is
 * placed, bought and charged exactly once. CLIENT_FAULT_ORDERS sets the number of orders (`npm run test:more -- client-faults`:
 * 1,000).
 */
import { ConnectionError, DigitalGoods, OutcomeUnknownError, RateLimitError, ServerError } from '@digital-goods/client';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callControl } from '../../../dev/stack/controls';
import { Random } from '../../../dev/faults/random';
import type { Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { newClient, type OwnClient } from '../../support/clients';
import { HostileProxy, type Fault } from '../../support/hostile-proxy';
import { orderOf } from '../../support/orders';
import type { Service } from '../../support/orders-under-faults';
import { kill, ready, type OwnStack } from '../../support/own-stack';
import { unsoundWallets, type Bought } from '../../support/records';

const ORDERS = Number(process.env['CLIENT_FAULT_ORDERS'] ?? 40);
const CALLERS = 12;
/** The share of calls with a fault. */
const SHARE_SPOILT = 0.3;
/** The number of orders between two kills of the API. */
const ORDERS_BETWEEN_KILLS = Math.min(100, Math.ceil(ORDERS / 3));
/** The highest average time of an order in milliseconds, so that a hanging run ends. */
const MS_EACH = 1_500;
const TIME_LIMIT_MS = 180_000 + ORDERS * MS_EACH;

interface Placed {
  reference: string;
  family: 'vouchers' | 'topups' | 'esim';
  id: number;
}

interface OrderRow {
  id: number;
  reference: string;
  units: number;
  entries: number;
}

let stack: OwnStack;
let database: Database;
let proxy: HostileProxy;
let client: OwnClient;
const random = new Random(Number(process.env['CLIENT_FAULT_SEED'] ?? 1));

const refusal = (status: number): Fault => ({
  do: 'answer-instead',
  answer: { status, headers: { 'retry-after': '1', 'content-type': 'application/json' }, body: '{}' },
});

const faults: readonly ((ms: number) => Fault)[] = [
  () => ({ do: 'lose-request' }),
  () => ({ do: 'lose-answer' }),
  () => ({ do: 'cut-answer' }),
  (ms) => ({ do: 'late-request', ms }),
  (ms) => ({ do: 'hold-answer', ms }),
  () => refusal(429),
  () => refusal(503),
  () => ({ do: 'answer-over', answer: { status: 502, body: '<html>Bad gateway</html>' } }),
  () => ({ do: 'answer-over', answer: { status: 504, body: '' } }),
];

/** The count of each fault. */
const done = new Map<string, number>();

function spoil(): Fault | undefined {
  if (!random.chance(SHARE_SPOILT)) return undefined;
  const fault = random.pick(faults)(random.whole(0, 2_000));
  const name = 'answer' in fault ? `${fault.do} ${fault.answer.status}` : fault.do;
  done.set(name, (done.get(name) ?? 0) + 1);
  return fault;
}

/** The library as in a client's process. */
function library(): DigitalGoods {
  const { api_key: apiKey, api_secret: apiSecret } = client.credentials;
  return new DigitalGoods({ baseUrl: proxy.url, apiKey, apiSecret });
}

function orders(goods: DigitalGoods, family: Placed['family']): Orders {
  return goods[family].orders;
}

/** The shared part of the families' order calls. */
interface Orders {
  create(body: object, options: { idempotencyKey: string }): Promise<{ id: number }>;
}

const kinds: readonly (readonly [Placed['family'], string])[] = [
  ['vouchers', 'voucher_instant'],
  ['topups', 'topup_instant'],
  ['esim', 'esim_instant'],
];

/** How many calls of `create` threw `OutcomeUnknownError` and were repeated. */
let unknowns = 0;

/** Places the order, and repeats the call under the same key while its outcome is unknown. */
async function place(goods: DigitalGoods, number: number): Promise<Placed> {
  const [family, scenario] = kinds[number % kinds.length] as (typeof kinds)[number];
  const reference = randomUUID();
  const body = orderOf(scenario, { client_reference: reference });
  const idempotencyKey = randomUUID();
  for (;;) {
    try {
      const { id } = await orders(goods, family).create(body, { idempotencyKey });
      return { reference, family, id };
    } catch (error) {
      if (error instanceof OutcomeUnknownError) unknowns++;
      // The library has given up on a temporary error, so the client retries later.
      else if (![ConnectionError, RateLimitError, ServerError].some((type) => error instanceof type)) throw error;
      await sleep(1_000);
    }
  }
}

async function placeAll(): Promise<Placed[]> {
  const placed: Placed[] = [];
  let next = 0;
  const call = async () => {
    const goods = library();
    while (next < ORDERS) placed.push(await place(goods, next++));
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, call));
  let isOver = false;
  const over = callers.finally(() => (isOver = true));
  // A failed caller throws where it is awaited.
  over.catch(() => undefined);
  for (let due = ORDERS_BETWEEN_KILLS; due < ORDERS && !isOver; due += ORDERS_BETWEEN_KILLS) {
    while (placed.length < due && !isOver) await sleep(50);
    await kill(stack, 'api');
    kills++;
    await ready(stack);
  }
  await over;
  return placed;
}

let kills = 0;
let placed: Placed[];
let made: OrderRow[];
let bought: Bought[];
let began: number;

/** Registers the tests of this subject, on a started stack that other subjects share. */
export function testClientLibrary(started: () => Service): void {
  beforeAll(async () => {
    ({ stack, database } = started());
    client = await newClient(database, { USD: 10_000_000 });
    proxy = await HostileProxy.before(() => stack.now().api_url);
    began = performance.now();
    proxy.meddle = spoil;
    placed = await placeAll();
    proxy.meddle = () => undefined;
    made = await sql(database)<OrderRow>`SELECT o.id, o.client_reference AS reference, o.quantity AS units,
              (SELECT count(*)::int FROM transactions t WHERE t.order_id = o.id) AS entries
         FROM orders o WHERE o.client_id = ${client.id} ORDER BY o.id`;
    bought = await callControl<Bought[]>(stack.now().simulator_url, 'GET', 'purchases');
  }, TIME_LIMIT_MS);
  afterAll(() => {
    proxy.close();
    const figures = {
      orders: made.length,
      calls: proxy.requests.length,
      kills,
      unknowns,
      seconds: Math.round((performance.now() - began) / 1_000),
      ...Object.fromEntries([...done].sort()),
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
  });

  test('then every order was placed and returned', () => {
    expect(placed).toHaveLength(ORDERS);
    const returned = placed.map(({ id, reference }) => ({ id, reference }));
    const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
    expect(made.map(({ id, reference }) => ({ id, reference }))).toEqual(returned.sort(byId));
  });

  test('then each order was charged once', async () => {
    expect(made.filter(({ entries }) => entries !== 1)).toEqual([]);
    expect(await unsoundWallets(database)).toEqual([]);
  });

  test('then each order was bought once', () => {
    const sold = new Map<number, number>();
    for (const { reference, units } of bought) {
      const id = Number(/^order-(\d+)/.exec(reference)?.[1]);
      sold.set(id, (sold.get(id) ?? 0) + units);
    }
    expect(made.filter(({ id, units }) => sold.get(id) !== units)).toEqual([]);
  });

  test('then every fault occurred', () => {
    expect([...done.keys()].sort()).toEqual(
      [
        'answer-instead 429',
        'answer-instead 503',
        'answer-over 502',
        'answer-over 504',
        'cut-answer',
        'hold-answer',
        'late-request',
        'lose-answer',
        'lose-request',
      ].sort(),
    );
    expect(kills).toBeGreaterThanOrEqual(2);
  });
}
