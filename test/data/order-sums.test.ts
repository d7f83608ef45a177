/** The sums of ended orders, from which the reports of operators are read: always those of the orders themselves. */
import { oneRow, rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { verifyLedger } from '../../src/data/ledger-verification';
import { listDeliveryTimes, readResults } from '../../src/data/attention/today';
import { marginDimensions, marginsBetween } from '../../src/data/orders/margin-report';
import { recordSupplierCredit } from '../../src/data/orders/operated-claims';
import { refundOrder, type RequestedRefund } from '../../src/data/orders/stored-refunds';
import { hasUnsummedOrders, rollUpOrderSums } from '../../src/data/orders/order-sums';
import { reportSales, salesIntervals } from '../../src/data/orders/sales-report';
import { recordLateCost } from '../../src/data/purchases/costs';
import { findPurchase } from '../../src/data/purchases/purchase-reads';
import { raiseReversal } from '../../src/data/purchases/purchase-polls';
import { quarantineGoods } from '../../src/data/purchases/quarantined-goods';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import { Exact } from '../../src/domain/prices/money';
import { storeUnits } from '../support/fulfilment';
import { createOrder, deliver, endOrder, houseBrand, type OrderWish } from '../support/ledger-orders';
import { newHolder, type Holder } from '../../dev/testbed/ledger-rows';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { timeAt } from '../../src/domain/time';
import { goodwill, newClaim, replaceClaim } from '../support/claims';

const { database } = scratchDatabase();
const tables = ['order_sums', 'orders_summed', 'outdated_order_sums'];
const DAY_MS = 86_400_000;
let holder: Holder;
let now: number;
beforeEach(async () => {
  await forgetSums();
  holder = await newHolder(database, 10_000);
  now = Date.now();
});

async function forgetSums(): Promise<void> {
  await sql(database)`TRUNCATE order_sums, outdated_order_sums`;
  await sql(database)`UPDATE orders_summed SET through = '-infinity'`;
}

/** An order whose first `units` units were delivered, at this cost, and that ended some days ago. */
async function ended(wish: OrderWish & { units?: number; cost?: string; daysAgo?: number } = {}): Promise<OrderKey> {
  const { units = wish.quantity ?? 1, cost, daysAgo = 0 } = wish;
  const order = await createOrder(database, holder, wish);
  await storeUnits(database, order.orderId, units);
  if (cost !== undefined)
    await sql(database)`UPDATE supplier_purchases SET cost = ${cost}::numeric, cost_currency = 'USD'
         WHERE order_id = ${order.orderId} AND stored > 0`;
  await endOrder(database, order.orderId, { failureCode: 'PRODUCT_OUT_OF_STOCK' });
  await rows(
    database,
    `UPDATE orders SET placed_at = placed_at - $days * interval '1 day', completed_at = completed_at - $days * interval '1 day'
      WHERE id = $orderId`,
    { orderId: order.orderId, days: daysAgo },
  );
  return order;
}

/** Delivered, partially delivered by two suppliers, failed, and of unknown cost, on three days. */
async function severalOrders(): Promise<OrderKey[]> {
  const two = await ended({ quantity: 4, maxUnits: 2, units: 3, price: '10.03', cost: '2.345', daysAgo: 2 });
  await sql(database)`UPDATE supplier_purchases SET supplier = 'second' WHERE order_id = ${two.orderId}
       AND batch = 2`;
  return [
    two,
    await ended({ cost: '8.4', daysAgo: 2 }),
    await ended({ units: 0, daysAgo: 2 }),
    await ended({ family: 'TOPUP', cost: '7.77', daysAgo: 1 }),
    await ended({ productId: 7, daysAgo: 1 }),
    await ended({ cost: '9.99' }),
  ];
}

async function rollUp(ageMs = 0): Promise<void> {
  await rollUpOrderSums(database, ageMs);
  expect(await hasUnsummedOrders(database, ageMs)).toBe(false);
}
const purchaseOf = ({ orderId, nonce }: OrderKey) => ({ reference: purchaseReference(orderId, nonce, 1) });

/** A period from and to so many days before now, or until after the end of the test. */
const period = (from: number, to?: number) => ({
  from: new Date(Math.round(now - from * DAY_MS)),
  to: timeAt(to === undefined ? now + DAY_MS : Math.round(now - to * DAY_MS)),
});

/** All that operators read from the sums. */
async function figures(of = period(40)) {
  const sales = { ...of, by: 'day', family: undefined, clientId: undefined } as const;
  return {
    margins: [
      await marginsBetween(database, of),
      ...(await Promise.all(marginDimensions.map((by) => marginsBetween(database, of, by)))),
    ],
    sales: await Promise.all(salesIntervals.map((by) => reportSales(database, { ...sales, by }))),
    filtered: await reportSales(database, { ...sales, family: 'VOUCHER', clientId: holder.clientId }),
    results: await readResults(database, of),
    times: await listDeliveryTimes(database, of),
  };
}

/** What the figures are when no order has been summed. */
async function figuresOfOrders(of = period(40)) {
  for (const table of tables) await rows(database, `CREATE TABLE kept_${table} AS TABLE ${table}`);
  await forgetSums();
  const found = await figures(of);
  for (const table of tables) {
    await rows(database, `DELETE FROM ${table}`);
    await rows(database, `INSERT INTO ${table} TABLE kept_${table}`);
    await rows(database, `DROP TABLE kept_${table}`);
  }
  return found;
}

const summedRows = async () => {
  return (
    await sql.one(database)<{ summed: number }>`
    SELECT count(*)::integer AS summed FROM order_sums`
  ).summed;
};

/** Expects the figures of the orders now, and after the next roll-up. */
async function expectExact(): Promise<void> {
  const expected = await figuresOfOrders();
  expect(await figures()).toEqual(expected);
  await rollUp();
  expect(await figures()).toEqual(expected);
}

const costOfClient = async () => {
  const [sold] = await marginsOfClient();
  return sold?.cost;
};

const marginsOfClient = async () => {
  const { name } = await sql.one(database)<{ name: string }>`SELECT name FROM clients
       WHERE id = ${holder.clientId}`;
  return (await marginsBetween(database, period(40), 'client')).filter(({ client }) => client === name);
};

describe('When reports are added up, then', () => {
  /** Orders of two clients with every kind of entry, on several days: refunds and redemptions of days on which no order ended, too. */
  async function everyKind(): Promise<void> {
    await severalOrders();
    const [mixed] = await severalOrders();
    const typedIn = await ended({ quantity: 3, maxUnits: 1, price: '10', daysAgo: 3 });
    await sql(database)`UPDATE supplier_purchases
         SET stored = CASE batch WHEN 3 THEN 0 ELSE stored END, supplier = 'supplier ' || batch
         WHERE order_id = ${typedIn.orderId}`;
    // No other order is of this product.
    const house = 1_000;
    await sql(database)`UPDATE voucher_products SET id = ${house} WHERE id = ${await houseBrand(database)}`;
    const card = await ended({ productId: house, faceValue: '25', daysAgo: 33 });
    await ended({ family: 'TOPUP', price: '20', redeems: { orderId: card.orderId, unit: 1 }, cost: '19' });
    const second = await ended({ productId: house, faceValue: '30', daysAgo: 4 });
    const failed = await createOrder(database, holder, {
      family: 'TOPUP',
      price: '30',
      redeems: { orderId: second.orderId, unit: 1 },
    });
    await endOrder(database, failed.orderId, { failureCode: 'PRODUCT_OUT_OF_STOCK' });
    await refund(typedIn, { units: 1 });
    await refund(typedIn, { units: 1 });
    if (mixed) await refund(mixed, { amount: new Exact('0.01') });
    const replacement = await replaced(await ended({ quantity: 2, cost: '8', daysAgo: 33 }));
    await deliver(database, replacement);
    const { id } = await sql.one(database)<{ id: number }>`SELECT id FROM claims
         WHERE replacement_order_id = ${replacement}`;
    await recordSupplierCredit(database, { id, credit: ['USD', '3.21'], force: false });
    await moveEntries([typedIn.orderId, card.orderId], 5);
  }

  const refund = ({ orderId }: OrderKey, extent: RequestedRefund['extent']) =>
    refundOrder(database, goodwill(orderId, extent));

  async function moveEntries(orderIds: number[], daysAgo: number): Promise<void> {
    await sql(database)`ALTER TABLE transactions DISABLE TRIGGER transactions_keep_history`;
    await sql(database)`UPDATE transactions SET created_at = created_at - ${daysAgo} * interval '1 day'
         WHERE order_id = ANY (${orderIds})`;
    await sql(database)`ALTER TABLE transactions ENABLE TRIGGER transactions_keep_history`;
  }

  /** What the entries of the ledger, and the credits of suppliers, add up to. */
  const ledgerOf = async ({ from, to }: { from: Date; to: Date }, clientId: number | null = null) =>
    oneRow<Record<(typeof amounts)[number], string>>(
      database,
      `SELECT round(coalesce(sum(CASE e.kind WHEN 'ORDER' THEN e.amount WHEN 'REFUND' THEN -e.amount END)
                       FILTER (WHERE o.completed_at >= $from AND o.completed_at < $to), 0), 2)::text AS sold,
              round(coalesce(sum(e.amount) FILTER (WHERE e.kind = 'REFUND_AFTER' AND e.created_at >= $from AND e.created_at < $to), 0), 2)::text AS refunded,
              round(coalesce(sum(e.amount) FILTER (WHERE e.kind = 'REDEMPTION' AND e.created_at >= $from AND e.created_at < $to), 0), 2)::text AS redeemed,
              (SELECT round(coalesce(sum(supplier_credit_value), 0), 2)::text FROM claims
                WHERE ($clientId::integer IS NULL OR client_id = $clientId)
                  AND supplier_credited_at >= $from AND supplier_credited_at < $to) AS supplier_credits
         FROM transactions e JOIN orders o ON o.id = e.order_id WHERE $clientId::integer IS NULL OR o.client_id = $clientId`,
      { from, to, clientId },
    );

  const amounts = ['sold', 'refunded', 'redeemed', 'supplier_credits'] as const;
  const sumsOf = (lines: readonly Record<(typeof amounts)[number], string>[]) =>
    Object.fromEntries(
      amounts.map((name) => [name, lines.reduce((sum, line) => sum.plus(line[name]), new Exact(0)).toFixed(2)]),
    );

  const startOf = (unit: 'day' | 'month', before: number) =>
    oneRow<{ from: Date; to: Date }>(
      database,
      `SELECT start - $before * one AS "from", start - $before * one + one AS "to"
         FROM (SELECT date_trunc($unit, now(), 'UTC') AS start, ('1 ' || $unit)::interval AS one) present`,
      { unit, before },
    );

  test('they are the entries of the ledger: of a day, a month and a client, with each way to group them', async () => {
    await everyKind();
    holder = await newHolder(database, 10_000);
    await everyKind();
    await rollUp();
    const days = await Promise.all([0, 1, 2, 3, 4, 5].map((before) => startOf('day', before)));
    const months = await Promise.all([0, 1, 2].map((before) => startOf('month', before)));
    for (const each of [...days, ...months, period(40)]) {
      const [all, own] = [await ledgerOf(each), await ledgerOf(each, holder.clientId)];
      for (const by of [undefined, ...marginDimensions])
        expect(sumsOf(await marginsBetween(database, each, by))).toEqual(all);
      for (const by of salesIntervals) {
        const sales = { ...each, by, family: undefined } as const;
        expect(sumsOf(await reportSales(database, { ...sales, clientId: undefined }))).toEqual(all);
        expect(sumsOf(await reportSales(database, { ...sales, clientId: holder.clientId }))).toEqual(own);
      }
    }
    expect(await ledgerOf(period(40), holder.clientId)).toEqual({
      sold: '200.04',
      refunded: '6.68',
      redeemed: '55.00',
      supplier_credits: '3.21',
    });
    const { findings } = await verifyLedger(database, 10);
    expect(findings.filter(({ check }) => ['report-ledger', 'order-sums'].includes(check))).toEqual([]);
  });
});

test('When orders are summed, then every report has the figures of the orders, also of parts of days', async () => {
  await severalOrders();
  const today = (now % DAY_MS) / DAY_MS;
  const periods = [period(40), period(1.5), period(1.5, 0.5), period(2, 1), period(0.5, 0.5), period(-0.5)].concat([
    period(today),
    period(today + 1, today),
    period(today + 1, 0.5),
    period(today + 1 / 24),
  ]);
  const expected = [];
  for (const each of periods) expected.push(await figuresOfOrders(each));
  await rollUp();
  expect(await summedRows()).toBeGreaterThan(0);
  for (const [index, each] of periods.entries()) expect(await figures(each)).toEqual(expected[index]);
  expect(await marginsOfClient()).toMatchObject([
    { orders: 5, sold: '47.52', cost: '30.85', orders_with_unknown_cost: 1, sold_at_unknown_cost: '10.00' },
  ]);
});

test('When the sums are rolled up again, at once several times, then nothing is counted twice', async () => {
  await severalOrders();
  await Promise.all(Array.from({ length: 5 }, () => rollUp()));
  const summed = await summedRows();
  await rollUp();
  expect(await summedRows()).toBe(summed);
  await expectExact();
});

test('When orders end after a roll-up, then reports have them at once', async () => {
  await severalOrders();
  await rollUp();
  await ended({ cost: '1.11' });
  expect(await hasUnsummedOrders(database, 0)).toBe(true);
  await expectExact();
});

test("When the server's clock was set back, then the next roll-up sums the orders that ended since", async () => {
  await severalOrders();
  await rollUp();
  await sql(database)`UPDATE orders_summed SET through = through + interval '30 hours'`;
  await ended({ cost: '1.11' });
  await rollUp();
  await expectExact();
  expect(await marginsOfClient()).toMatchObject([{ orders: 6, cost: '31.96' }]);
});

test('When a day is over, then its sums become one for each product and supplier', async () => {
  const orders = [await ended({ cost: '8', daysAgo: 2 }), await ended({ cost: '7', daysAgo: 2 })];
  for (const [index, { orderId }] of orders.entries())
    await sql(database)`UPDATE orders
         SET completed_at = start_of(day_of(completed_at)) + ${8 + 8 * index} * interval '1 hour'
         WHERE id = ${orderId}`;
  const { noon } = await sql.one(database)<{ noon: number }>`SELECT extract(epoch
       FROM now() - start_of(day_of(now()) - 2))::float8 * 1000 - 12 * 3600000 AS noon`;
  await rollUp(noon);
  await expectExact();
  const ofDay = await sql(database)`SELECT sales, sold::float8 AS sold FROM order_sums WHERE kind = 'ORDER'
       AND client_id = ${holder.clientId}`;
  expect(ofDay).toEqual([{ sales: 2, sold: 20 }]);
});

describe('When a summed order changes later', () => {
  let order: OrderKey;
  let reference: string;
  beforeEach(async () => {
    order = await ended({ quantity: 2, cost: '8.4', daysAgo: 1 });
    reference = purchaseReference(order.orderId, order.nonce, 1);
    await rollUp();
    expect(await costOfClient()).toBe('8.40');
  });

  test('and the supplier reports another cost, then reports have it at once', async () => {
    await recordLateCost(database, { reference }, { amount: '9.5', currency: 'USD' });
    expect(await costOfClient()).toBe('9.50');
    expect(await hasUnsummedOrders(database, 0)).toBe(true);
    await expectExact();
    expect(await costOfClient()).toBe('9.50');
  });

  test('and the supplier reverses the purchase, then it costs nothing', async () => {
    await raiseReversal(database, reference);
    expect(await costOfClient()).toBe('0.00');
    await expectExact();
  });

  test('and a unit is refunded, then the refund counts once, and the sale stays', async () => {
    await refundOrder(database, goodwill(order.orderId, { units: 1 }));
    expect(await marginsOfClient()).toMatchObject([{ sold: '20.00', refunded: '10.00', margin: '11.60' }]);
    await expectExact();
  });

  test('and a unit is replaced, then its cost stands with the old order, without a sale', async () => {
    const other = await replaced(order);
    await deliver(database, other);
    await sql(database)`UPDATE supplier_purchases SET cost = 4, cost_currency = 'USD'
         WHERE order_id = ${other}`;
    expect(await marginsOfClient()).toMatchObject([{ orders: 1, sold: '20.00', cost: '12.40' }]);
    await expectExact();
  });

  test('and goods of a failed order come late, then reports have their cost', async () => {
    const failed = await ended({ units: 0, daysAgo: 1 });
    await forgetSums();
    await rollUp();
    const purchase = await findPurchase(database, purchaseReference(failed.orderId, failed.nonce, 1));
    if (!purchase) throw new Error('The order has no purchase');
    await recordLateCost(database, purchase, { amount: '5', currency: 'USD' });
    const late = { position: 1, sealed: Buffer.from('sealed'), defect: null, hashes: [] };
    await quarantineGoods(database, purchase, 'LATE', [late]);
    expect(await costOfClient()).toBe('13.40');
    await expectExact();
  });

  test('and the change is committed during a roll-up, then the next one has it', async () => {
    const change = await database.transaction();
    await sql(database, change)`UPDATE supplier_purchases SET cost = 6 WHERE reference = ${reference}`;
    await recordLateCost(database, purchaseOf(await ended({ cost: '1', daysAgo: 1 })), {
      amount: '2',
      currency: 'USD',
    });
    await rollUp();
    await change.commit();
    expect(await costOfClient()).toBe('8.00');
    await expectExact();
  });
});

test('When a roll-up is interrupted midway, then it has changed nothing, and the next one sums the same', async () => {
  await severalOrders();
  await rollUp();
  await ended({ cost: '3' });
  const expected = await figures();
  for (const outdated of [false, true]) {
    if (outdated) await sql(database)`INSERT INTO outdated_order_sums SELECT DISTINCT day FROM order_sums`;
    const roll = await database.transaction();
    await sql(database, roll)`SELECT roll_up_order_sums('0 s')`;
    await roll.rollback();
    expect(await figures()).toEqual(expected);
  }
  await expectExact();
});

/** The id of the order that replaces a unit. */
async function replaced({ orderId }: OrderKey): Promise<number> {
  const claimId = await newClaim(database, { clientId: holder.clientId, orderId });
  return replaceClaim(database, claimId, { nonce: `${orderId}`.padStart(12, '0') });
}
