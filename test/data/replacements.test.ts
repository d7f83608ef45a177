/** Orders that replace claimed units, as the database decides them. docs/specification.md#replacements. */
import { randomBytes } from 'node:crypto';
import { oneRow, rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { verifyLedger } from '../../src/data/ledger-verification';
import { findClaim } from '../../src/data/orders/client-claims';
import { marginsBetween } from '../../src/data/orders/margin-report';
import { rejectClaim } from '../../src/data/orders/operated-claims';
import { findOrder } from '../../src/data/orders/order-reads';
import { findRefundable, listOrderRefunds, refundOrder } from '../../src/data/orders/stored-refunds';
import { findReplacedItem, findReplacedValue } from '../../src/data/orders/replacement-orders';
import { findRedeemable } from '../../src/data/purchases/redeemable-vouchers';
import { reopenWallet } from '../../src/data/wallets/operated-wallets';
import { erasePending, eraseRecipient } from '../../src/data/privacy/erasures';
import { storeSpendRule } from '../../src/data/orders/stored-spend-rules';
import { Exact } from '../../src/domain/prices/money';
import { storeUnits } from '../support/fulfilment';
import { createOrder, deliver, deliveredOrder, houseBrand, type OrderWish } from '../support/ledger-orders';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { balanceOf, eventsOf } from '../support/records';
import { lockWaits } from '../support/lock-waits';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { useNew } from '../support/made';
import { goodwill, newClaim, refundClaim as acceptRefund, replaceClaim } from '../support/claims';

const { database } = scratchDatabase();
const holder = useNew(() => newHolder(database, 1_000));
/** A product whose gift cards do not pay. */
const PRODUCT = 999;

const delivered = (wish: OrderWish = {}) => deliveredOrder(database, holder, { productId: PRODUCT, ...wish });

const claimed = (orderId: number, unit: number | null = 1) =>
  newClaim(database, { clientId: holder.clientId, orderId, unit });
const replace = (claimId: number, recipient?: { sealedEmail?: Buffer; sealedInput?: Buffer | null }) =>
  replaceClaim(database, claimId, recipient);
const refundClaim = (id: number, amount?: string) => acceptRefund(database, id, amount);
const refund = (...given: Parameters<typeof goodwill>) => refundOrder(database, goodwill(...given));
const claim = (id: number) => findClaim(database, holder.clientId, id);
const order = (id: number) => findOrder(database, 'VOUCHER', holder.clientId, id);
const balance = () => balanceOf(database, holder.walletId);
const voidUnits = (orderId: number) =>
  sql(database)<{ unit: number }>`SELECT unit FROM vouchers WHERE order_id = ${orderId}
       AND voided_at IS NOT NULL ORDER BY unit`;
const faults = async () => (await verifyLedger(database, 10)).findings;

test('When a unit is replaced, then a new order of one unit is charged nothing, and both orders name each other', async () => {
  const old = await delivered({ quantity: 3 });
  const id = await claimed(old, 2);
  const before = await balance();
  const other = await replace(id);
  expect(await claim(id)).toMatchObject({ state: 'ACCEPTED', outcome: null, replacementOrderId: other });
  expect(await order(other)).toMatchObject({
    status: 'PENDING',
    quantity: 1,
    price: '0.0000',
    transactionId: null,
    clientReference: null,
    replacesOrderId: old,
    replacesUnit: 2,
    replacements: null,
  });
  expect(await order(old)).toMatchObject({ replacements: [{ unit: 2, order_id: other, replaced_at: null }] });
  await deliver(database, other, 1);
  expect(await claim(id)).toMatchObject({ state: 'ACCEPTED', outcome: 'REPLACED', closedAt: expect.any(Date) });
  expect(await order(old)).toMatchObject({
    status: 'DELIVERED',
    deliveredQuantity: 3,
    replacements: [{ replaced_at: expect.any(String) }],
  });
  expect(await balance()).toBe(before);
  expect(await faults()).toEqual([]);
});

test('When a unit is refunded and replaced at once, 20 times, then it gets one of them', async () => {
  for (let round = 0; round < 20; round++) {
    const old = await delivered({ quantity: 2 });
    const before = Number(await balance());
    const id = await claimed(old);
    const outcomes = await Promise.allSettled([refundClaim(id), replace(id), refund(old, { unit: 1 })]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const isReplaced = outcomes[1].status === 'fulfilled';
    expect(Number(await balance()) - before).toBe(isReplaced ? 0 : 10);
    expect(await voidUnits(old)).toEqual([{ unit: 1 }]);
  }
});

test('When the price of the unit is not left to refund, then it is not replaced, and the claim stays open', async () => {
  const old = await delivered({ quantity: 2 });
  const id = await claimed(old);
  await refund(old, { amount: new Exact(15) });
  await expect(replace(id)).rejects.toThrow('the price of the unit, 10, is not left');
  expect(await claim(id)).toMatchObject({ state: 'OPEN', replacementOrderId: null });
  expect(await voidUnits(old)).toEqual([]);
});

test('When a unit is replaced, then its price counts as refunded', async () => {
  const old = await delivered({ quantity: 3, price: '100', faceValue: '40' });
  const other = await replace(await claimed(old, 1));
  const counted = await database.transaction((transaction) => findReplacedValue(database, other, transaction));
  expect(counted).toEqual({ clientId: holder.clientId, currency: 'USD', amount: '33.33' });
  const left = { kept: '100', settled: '33.33', settledUnits: 1, left: '66.67', delivered: 3 };
  expect(await findRefundable(database, old)).toMatchObject(left);
  await expect(refund(old, { amount: new Exact('66.68') })).rejects.toThrow('66.68 more are not left');
  expect((await refund(old, { units: 1 })).amount).toBe('33.34');
  expect((await refund(old, { units: 1 })).amount).toBe('33.33');
  await expect(refund(old, { units: 1 })).rejects.toThrow('3 are refunded or replaced: 1 cannot be refunded');
  expect(await faults()).toEqual([]);
});

test('When the order that replaces a unit fails, then the claim is open again, the code is valid, and another decision counts', async () => {
  const productId = await houseBrand(database);
  const old = await delivered({ productId, quantity: 2 });
  const id = await claimed(old, 2);
  const failed = await replace(id);
  expect(await voidUnits(old)).toEqual([{ unit: 2 }]);
  await deliver(database, failed, 0);
  expect(await claim(id)).toMatchObject({ state: 'OPEN', replacementOrderId: null, closedAt: null });
  expect(await voidUnits(old)).toEqual([]);
  expect(await order(old)).toMatchObject({ replacements: null });
  const second = await replace(id);
  await deliver(database, second, 1);
  expect(await claim(id)).toMatchObject({ outcome: 'REPLACED', replacementOrderId: second });
  expect(await faults()).toEqual([]);
});

test('When the code of the unit was redeemed, or its order has not ended, then it is not replaced', async () => {
  const productId = await houseBrand(database);
  const old = await delivered({ productId, quantity: 1 });
  const id = await claimed(old);
  await rows(
    database,
    'UPDATE vouchers SET redeemed_at = now(), redeemed_by_order_id = $orderId WHERE order_id = $orderId',
    { orderId: old },
  );
  await expect(replace(id)).rejects.toThrow(`Unit 1 of order ${old} is no gift card that can be replaced`);
  await sql(database)`UPDATE vouchers SET redeemed_at = NULL, redeemed_by_order_id = NULL
       WHERE order_id = ${old}`;
  const { orderId: open } = await createOrder(database, holder, { productId: PRODUCT, quantity: 2, maxUnits: 1 });
  await storeUnits(database, open, 1);
  await expect(replace(await claimed(open))).rejects.toThrow('only a unit of an order that has ended can be replaced');
});

test('When the outcome of a purchase of the old unit is unknown, then it is not replaced', async () => {
  const old = await delivered({ quantity: 1 });
  const id = await claimed(old);
  const become = (state: string) =>
    sql(database)`UPDATE supplier_purchases SET state = ${state} WHERE order_id = ${old}`;
  await become('SENT');
  await expect(replace(id)).rejects.toThrow('the outcome of a purchase is open');
  await become('DELIVERED');
});

test.each(['TOPUP', 'ESIM'] as const)(
  'When a %s is replaced, then its order has the same item and recipient',
  async (family) => {
    const old = await delivered({ family });
    const id = await claimed(old, null);
    const other = await replace(id, { sealedInput: family === 'TOPUP' ? Buffer.from('resealed') : null });
    const table = family === 'TOPUP' ? 'topup_orders' : 'esim_orders';
    const item = (orderId: number) =>
      oneRow(database, `SELECT variant_id FROM ${table} WHERE order_id = $orderId`, { orderId });
    expect(await item(other)).toEqual(await item(old));
    await expect(refund(old, { units: 1 })).rejects.toThrow('1 delivered units, of which 1 are refunded or replaced');
  },
);

/** Replaces the unit of the order, and then the unit of each replacement in turn. Returns the orders. */
async function replacedInTurn(old: number, unit: number | null, times: number): Promise<number[]> {
  const orders: number[] = [];
  for (let last = old; orders.length < times; last = orders.at(-1) as number) {
    const claimId = await claimed(last, last === old || unit === null ? unit : 1);
    const other = await replace(claimId, unit === null ? { sealedInput: Buffer.from('resealed') } : {});
    await deliver(database, other, 1);
    orders.push(other);
  }
  return orders;
}

test('When a replacement is bad, then its claim refunds the unit that was paid, once for the unit and all its replacements', async () => {
  const old = await delivered({ quantity: 3, price: '100', faceValue: '40' });
  const [first = 0, second = 0, third = 0] = await replacedInTurn(old, 2, 3);
  const before = Number(await balance());
  const id = await claimed(third);
  await refundClaim(id);
  expect(await claim(id)).toMatchObject({ state: 'ACCEPTED', outcome: 'REFUNDED', replacementOrderId: null });
  expect(Number(await balance()) - before).toBeCloseTo(33.33);
  expect(await order(old)).toMatchObject({ refund: '33.3300', replacements: [{ order_id: first }] });
  expect(await listOrderRefunds(database, old)).toMatchObject([
    { number: 1, reference: `claim-${id}`, unit: 2, units: 1, amount: '33.33', for_unit: 2 },
  ]);
  expect((await eventsOf(database, old)).filter(({ type }) => type === 'order.refunded')).toHaveLength(1);
  expect(await findRefundable(database, old)).toMatchObject({ settled: '33.33', settledUnits: 1 });
  for (const orderId of [first, second, third]) expect(await voidUnits(orderId)).toEqual([{ unit: 1 }]);
  await expect(refund(old, { unit: 2 })).rejects.toThrow('is no gift card that can be refunded');
  await expect(refundClaim(await claimed(third))).rejects.toThrow('is no gift card that can be refunded');
  await expect(replace(await claimed(second))).rejects.toThrow('is no gift card that can be replaced');
  expect((await refund(old, { units: 2 })).amount).toBe('66.67');
  expect(await faults()).toEqual([]);
});

test.each(['TOPUP', 'ESIM'] as const)(
  'When the replacement of a %s is bad, then the paid order is refunded once',
  async (family) => {
    const old = await delivered({ family });
    const [, last = 0] = await replacedInTurn(old, null, 2);
    const id = await claimed(last, null);
    await refundClaim(id);
    expect(await claim(id)).toMatchObject({ outcome: 'REFUNDED' });
    expect(await listOrderRefunds(database, old)).toMatchObject([{ units: 1, unit: null, amount: '10' }]);
    const again = await claimed(last, null);
    await expect(refundClaim(again)).rejects.toThrow(`Of unit 1 of order ${old}, 10 USD are refunded`);
    await expect(replace(again)).rejects.toThrow(`Unit 1 of order ${old} was refunded`);
    await expect(refund(old, { amount: new Exact(1) })).rejects.toThrow('1 more are not left');
    expect(await faults()).toEqual([]);
  },
);

test('When an order that replaces a unit is refunded by itself, or a claim is not about the last replacement, then nothing moves', async () => {
  const old = await delivered({ quantity: 2 });
  const stale = await claimed(old, 2);
  const [first = 0] = await replacedInTurn(old, 1, 1);
  await expect(refund(first, { unit: 1 })).rejects.toThrow(
    `Order ${first} replaces a unit and was charged nothing: accept a claim about it by a refund of order ${old}, which was paid`,
  );
  await expect(refund(old, { unit: 1, amount: new Exact(1) })).rejects.toThrow(
    `Unit 1 of order ${old} is replaced by order ${first}: accept a claim about that order by a refund`,
  );
  const second = await replace(await claimed(first));
  const pending = await sql(database)<{ id: number }>`
    INSERT INTO claims (client_id, order_id, unit, kind, due_at)
     SELECT client_id, id, 1, 'NOT_WORKING', now() FROM orders WHERE id = ${second} RETURNING id`;
  await expect(refundClaim(Number(pending[0]?.id))).rejects.toThrow('is no gift card that can be refunded');
  await refundClaim(stale);
  expect(await listOrderRefunds(database, old)).toMatchObject([{ unit: 2 }]);
});

test('When a bad replacement is refunded and replaced at once, 3 times, then the unit gets one of them', async () => {
  for (let round = 0; round < 3; round++) {
    const old = await delivered();
    const [first = 0] = await replacedInTurn(old, 1, 1);
    const id = await claimed(first);
    const outcomes = await Promise.allSettled([refundClaim(id), replace(id), refund(old, { unit: 1 })]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes[2].status).toBe('rejected');
  }
  expect(await faults()).toEqual([]);
});

test('When the wallet is closed, then the refund for a bad replacement waits, and the reopening closes its claim', async () => {
  const old = await delivered();
  const [first = 0] = await replacedInTurn(old, 1, 1);
  const id = await claimed(first);
  const { walletId } = holder;
  await sql(database)`UPDATE wallets SET closed_at = now() WHERE id = ${walletId}`;
  await refundClaim(id);
  expect(await claim(id)).toMatchObject({ state: 'ACCEPTED', outcome: null });
  await reopenWallet(database, walletId);
  expect(await claim(id)).toMatchObject({ outcome: 'REFUNDED' });
});

test('When a claim is refunded by an amount, then its unit gets at most the rest by amounts, and is neither refunded whole nor replaced', async () => {
  const old = await delivered({ quantity: 3 });
  const id = await claimed(old, 1);
  await refundClaim(id, '4');
  await expect(refund(old, { unit: 1 })).rejects.toThrow(
    `Of unit 1 of order ${old}, 4 USD are refunded: it is not refunded whole. Refund the rest by an amount`,
  );
  await expect(refund(old, { units: 3 })).rejects.toThrow(
    '3 delivered units, of which 1 are refunded or replaced: 3 cannot be refunded',
  );
  const again = await claimed(old, 1);
  await expect(refundClaim(again)).rejects.toThrow('it is not refunded whole');
  await expect(replace(again)).rejects.toThrow(`Unit 1 of order ${old} was refunded, at least in part`);
  await expect(refundClaim(again, '6.01')).rejects.toThrow(
    `Unit 1 of order ${old} is worth 10 USD, of which 4 are refunded: 6.01 more are not left`,
  );
  await expect(refund(old, { unit: 1, amount: new Exact('6.01') })).rejects.toThrow('6.01 more are not left');
  await expect(refund(old, { unit: 4, amount: new Exact(1) })).rejects.toThrow(
    `Unit 4 of order ${old} was not delivered`,
  );
  await refund(old, { unit: 1, amount: new Exact('5.99') });
  await refundClaim(again, '0.01');
  expect((await refund(old, { units: 2 })).amount).toBe('20');
  expect(await findRefundable(database, old)).toMatchObject({ left: '0', settledUnits: 2 });
  expect(await faults()).toEqual([]);
});

test('When a bad replacement is refunded by an amount, then the rest of the paid unit can be refunded by amounts only', async () => {
  const old = await delivered({ quantity: 2 });
  const [first = 0] = await replacedInTurn(old, 1, 1);
  await refundClaim(await claimed(first), '4');
  expect(await voidUnits(first)).toEqual([]);
  const again = await claimed(first);
  await expect(replace(again)).rejects.toThrow(`Unit 1 of order ${old} was refunded, at least in part`);
  await expect(refundClaim(again)).rejects.toThrow('it is not refunded whole');
  await refund(old, { unit: 1, amount: new Exact(6) });
  await expect(refund(old, { unit: 1, amount: new Exact('0.01') })).rejects.toThrow('10 are refunded: 0.01 more');
  expect((await refund(old, { units: 1 })).amount).toBe('10');
  expect(await findRefundable(database, old)).toMatchObject({ left: '0', settledUnits: 2 });
  expect(await faults()).toEqual([]);
});

test('When a replacement of a replacement is planned, then it is judged and counted at the value of the paid unit', async () => {
  const old = await delivered({ quantity: 3, price: '100', faceValue: '40' });
  const orders = await replacedInTurn(old, 1, 2);
  const id = await claimed(orders[1] as number);
  expect(await findReplacedItem(database, id)).toMatchObject({ unitPrice: '33.3300' });
  const third = await replace(id);
  const value = await database.transaction((transaction) => findReplacedValue(database, third, transaction));
  expect(value).toEqual({ clientId: holder.clientId, currency: 'USD', amount: '33.33' });
});

test('When a card that was bought at a discount is replaced and becomes redeemable, then it pays what was paid for it', async () => {
  const productId = await houseBrand(database);
  const redeemable = (flag: boolean) =>
    sql(database)`UPDATE voucher_products SET redeemable = ${flag} WHERE id = ${productId}`;
  await redeemable(false);
  const old = await delivered({ productId, faceValue: '25', price: '23.75' });
  const [first = 0] = await replacedInTurn(old, 1, 2).then((orders) => orders.slice(-1));
  await redeemable(true);
  const code = randomBytes(32);
  await sql(database)`UPDATE vouchers SET code_hash = ${code} WHERE order_id = ${first}`;
  const wish = { clientId: holder.clientId, codeHashes: [code], currencyCode: 'USD', now: new Date() };
  const canPay = (price: string) => findRedeemable(database, { ...wish, price: new Exact(price) });
  expect(await canPay('23.76')).toBeUndefined();
  expect(await canPay('23.75')).toEqual({ orderId: first, unit: 1 });
  const before = Number(await balance());
  const paying = { family: 'TOPUP', price: '20', redeems: { orderId: first, unit: 1 } } as const;
  const { orderId } = await createOrder(database, holder, paying);
  expect(Number(await balance()) - before).toBe(3.75);
  await deliver(database, orderId, 1);
  await expect(refundClaim(await claimed(first))).rejects.toThrow('is no gift card that can be refunded');
  expect(await faults()).toEqual([]);
});

test.each([
  ['is refunded', false, refundClaim],
  ['is replaced', false, (id: number) => replace(id)],
  ['is rejected', false, (id: number) => rejectClaim(database, id)],
  ['was replaced, and the replacement ends,', true, (other: number) => deliver(database, other, 1)],
])('When a claim %s during an erasure of its order, then both succeed', async (_what, isReplaced, decide) => {
  const old = await delivered();
  const id = await claimed(old);
  const subject = isReplaced ? await replace(id) : id;
  const erasure = await database.transaction();
  await sql(database, erasure)`SELECT FROM orders WHERE id = ${old} FOR UPDATE`;
  const decided = decide(subject);
  await lockWaits(database);
  await sql(database, erasure)`UPDATE claims SET sealed_text = NULL WHERE order_id = ${old}`;
  await erasure.commit();
  await decided;
  expect(await claim(id)).not.toMatchObject({ state: 'OPEN' });
});

test('When units are replaced, then they count against no daily cap, and the margin report has their cost without a sale', async () => {
  const old = await delivered({ quantity: 2 });
  const { clientId } = holder;
  const counted = () =>
    sql.one(database)<{ ordered: string; debited: string }>`
      SELECT sum(ordered) AS ordered, trim_scale(sum(debited)) AS debited FROM daily_orders
       WHERE client_id = ${clientId}`;
  const before = await counted();
  const other = await replace(await claimed(old));
  await deliver(database, other, 1);
  expect(await counted()).toEqual(before);
  await sql(database)`UPDATE supplier_purchases SET cost = 4, cost_currency = 'USD'
       WHERE order_id IN (${old}, ${other})`;
  const { name } = await sql.one(database)<{ name: string }>`SELECT name FROM clients WHERE id = ${clientId}`;
  const period = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
  const report = (await marginsBetween(database, period, 'client')).find(({ client }) => client === name);
  expect(report).toMatchObject({ orders: 1, sold: '20.00', cost: '8.00', margin: '12.00' });
  expect(
    await sql.one(database)`SELECT trim_scale(cost)::text AS cost FROM orders o, order_margin(o)
       WHERE o.id = ${old}`,
  ).toEqual({ cost: '8' });
});

test('When a rule limits the orders of an hour, then it neither holds nor counts the order that replaces a unit', async () => {
  await storeSpendRule(database, {
    kind: 'PER_HOUR',
    clientId: holder.clientId,
    maxOrders: 2,
    reviewHours: 24,
    maxAmount: null,
    currency: null,
    family: null,
    productId: null,
    denomination: null,
  });
  const isHeld = async (orderId: number) =>
    (
      await sql.one(database)<{ held: boolean }>`SELECT held IS NOT NULL AS held FROM orders
           WHERE id = ${orderId}`
    ).held;
  const place = async () => (await createOrder(database, holder, { productId: PRODUCT })).orderId;
  const old = await delivered({ quantity: 2 });
  expect(await isHeld(await replace(await claimed(old, 1)))).toBe(false);
  expect(await isHeld(await place())).toBe(false);
  expect(await isHeld(await replace(await claimed(old, 2)))).toBe(false);
  expect(await isHeld(await place())).toBe(true);
});

test.each([
  ['while its mail is due, before the replacement', false, true],
  ['after its recipient was read for the replacement', true, true],
  ['while the replacement is open', false, false],
])('When the old order is erased %s, then the replacement is, too', async (_when, isMailed, isBefore) => {
  const hash = randomBytes(32);
  const recipient = { kind: 'email', hashes: [hash], requestHash: hash, earlierHashes: [] } as const;
  const erase = () => eraseRecipient(database, { recipient, clientId: holder.clientId, limit: 10 });
  const mail = (orderId: number) => sql(database)`UPDATE orders SET mailed_at = now() WHERE id = ${orderId}`;
  const old = await delivered();
  await sql(database)`UPDATE orders SET sealed_email = 'sealed', email_hash = ${hash} WHERE id = ${old}`;
  if (isMailed) await mail(old);
  const id = await claimed(old);
  if (isBefore) await erase();
  const other = await replace(id, { sealedEmail: Buffer.from('resealed') });
  if (!isBefore) await erase();
  await deliver(database, other, 1);
  for (const orderId of [old, other]) await mail(orderId);
  await erasePending(database);
  expect(
    await sql(database)`SELECT id FROM orders WHERE id IN (${old}, ${other})
       AND num_nonnulls(sealed_email, email_hash) > 0`,
  ).toEqual([]);
});
