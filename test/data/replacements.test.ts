/** Orders that replace claimed units, as the database decides them. docs/specification.md#replacements. */
import { randomBytes, randomUUID } from 'node:crypto';
import { oneRow, rows } from '../../src/data/database/database';
import { verifyLedger } from '../../src/data/ledger-verification';
import { findClaim, insertClaim } from '../../src/data/orders/claims';
import { marginsBetween } from '../../src/data/orders/margin-report';
import { acceptByRefund, rejectClaim } from '../../src/data/orders/operated-claims';
import { findOrder } from '../../src/data/orders/order-reads';
import { findRefundable, refundOrder, type RequestedRefund } from '../../src/data/orders/order-refunds';
import { acceptByReplacement, findReplacedPrice } from '../../src/data/orders/replacements';
import { erasePending, eraseRecipient } from '../../src/data/privacy/erasures';
import { storeSpendRule } from '../../src/data/orders/spend-rules';
import { Exact } from '../../src/domain/prices/money';
import { storeUnits } from '../support/fulfilment';
import { createOrder, endOrder, houseBrand, type OrderWish } from '../support/ledger-orders';
import { newHolder, sourceOf, type Holder } from '../support/ledger-rows';
import { balanceOf } from '../support/records';
import { lockWaits } from '../support/lock-waits';
import { scratchDatabase } from '../support/scratch-database';

const { database } = scratchDatabase();
let holder: Holder;
beforeEach(async () => {
  holder = await newHolder(database, 1_000);
});
/** A product whose gift cards do not pay. */
const PRODUCT = 999;

async function delivered(wish: OrderWish = {}): Promise<number> {
  const { orderId } = await createOrder(database, holder, { productId: PRODUCT, ...wish });
  await storeUnits(database, orderId, wish.quantity ?? 1);
  await endOrder(database, orderId);
  return orderId;
}

async function claimed(orderId: number, unit: number | null = 1): Promise<number> {
  const claim = { clientId: holder.clientId, orderId, unit, kind: 'INVALID_CODE', dueDays: 5 } as const;
  const id = await insertClaim(database, { ...claim, sealedText: Buffer.from('text') });
  if (id === undefined) throw new Error('There is an open claim');
  return id;
}

const nonce = () => randomUUID().slice(-12);
const noRecipient: Record<'sealedEmail' | 'sealedInput', Buffer | null> = {
  sealedEmail: null,
  sealedInput: null,
};
const replace = (claimId: number, recipient: Partial<typeof noRecipient> = {}) =>
  database.transaction((transaction) =>
    acceptByReplacement(
      database,
      { claimId, nonce: nonce(), sources: [sourceOf(1)], ...noRecipient, ...recipient },
      transaction,
    ),
  );
const refundClaim = (id: number) =>
  database.transaction((transaction) =>
    acceptByRefund(
      database,
      { id, reasonCode: 'INVALID_GOODS', amount: undefined, mail: false },
      transaction,
    ),
  );
const refund = (orderId: number, extent: RequestedRefund['extent']) =>
  refundOrder(database, {
    ...{ orderId, extent, reference: randomUUID(), reasonCode: 'GOODWILL', note: undefined, mail: false },
  });
const claim = (id: number) => findClaim(database, holder.clientId, id);
const order = (id: number) => findOrder(database, 'VOUCHER', holder.clientId, id);
const balance = () => balanceOf(database, holder.walletId);
const voidUnits = (orderId: number) =>
  rows<{ unit: number }>(
    database,
    'SELECT unit FROM vouchers WHERE order_id = $orderId AND voided_at IS NOT NULL ORDER BY unit',
    { orderId },
  );
const faults = async () => (await verifyLedger(database, 10)).findings;

async function conclude(orderId: number, units: number): Promise<void> {
  await storeUnits(database, orderId, units);
  await endOrder(database, orderId);
}

test('When a unit is replaced, then a new order of one unit is charged nothing, and both orders name each other', async () => {
  const old = await delivered({ quantity: 3 });
  const id = await claimed(old, 2);
  const before = await balance();
  const other = await replace(id);
  expect(await claim(id)).toMatchObject({ state: 'ACCEPTED', outcome: null, replacementOrderId: other });
  expect(await order(other)).toMatchObject({
    ...{ status: 'PENDING', quantity: 1, price: '0.0000', transactionId: null, clientReference: null },
    ...{ replacesOrderId: old, replacesUnit: 2, replacements: null },
  });
  expect(await order(old)).toMatchObject({
    replacements: [{ unit: 2, order_id: other, replaced_at: null }],
  });
  await conclude(other, 1);
  expect(await claim(id)).toMatchObject({
    state: 'ACCEPTED',
    outcome: 'REPLACED',
    closedAt: expect.any(Date),
  });
  expect(await order(old)).toMatchObject({
    ...{ status: 'DELIVERED', deliveredQuantity: 3, replacements: [{ replaced_at: expect.any(String) }] },
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
  const counted = await database.transaction((transaction) =>
    findReplacedPrice(database, other, transaction),
  );
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
  await conclude(failed, 0);
  expect(await claim(id)).toMatchObject({ state: 'OPEN', replacementOrderId: null, closedAt: null });
  expect(await voidUnits(old)).toEqual([]);
  expect(await order(old)).toMatchObject({ replacements: null });
  const second = await replace(id);
  await conclude(second, 1);
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
  await rows(
    database,
    'UPDATE vouchers SET redeemed_at = NULL, redeemed_by_order_id = NULL WHERE order_id = $orderId',
    {
      orderId: old,
    },
  );
  const { orderId: open } = await createOrder(database, holder, {
    productId: PRODUCT,
    quantity: 2,
    maxUnits: 1,
  });
  await storeUnits(database, open, 1);
  await expect(replace(await claimed(open))).rejects.toThrow(
    'only a unit of an order that has ended can be replaced',
  );
});

test('When the outcome of a purchase of the old unit is unknown, then it is not replaced', async () => {
  const old = await delivered({ quantity: 1 });
  const id = await claimed(old);
  await rows(database, `UPDATE supplier_purchases SET state = 'SENT' WHERE order_id = $old`, { old });
  await expect(replace(id)).rejects.toThrow('the outcome of a purchase is open');
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
    await expect(refund(old, { units: 1 })).rejects.toThrow(
      '1 delivered units, of which 1 are refunded or replaced',
    );
  },
);

test('When the unit of an order that replaces another one is claimed, then it is not refunded, because nothing was charged', async () => {
  const other = await replace(await claimed(await delivered()));
  await conclude(other, 1);
  await expect(refundClaim(await claimed(other))).rejects.toThrow(
    `Order ${other} replaces a unit and was charged nothing, so nothing can be refunded: replace the unit again`,
  );
});

test.each([
  ['is refunded', false, refundClaim],
  ['is replaced', false, (id: number) => replace(id)],
  ['is rejected', false, (id: number) => rejectClaim(database, id)],
  ['was replaced, and the replacement ends,', true, (other: number) => conclude(other, 1)],
])('When a claim %s during an erasure of its order, then both succeed', async (_what, isReplaced, decide) => {
  const old = await delivered();
  const id = await claimed(old);
  const subject = isReplaced ? await replace(id) : id;
  const erasure = await database.transaction();
  await rows(database, 'SELECT FROM orders WHERE id = $old FOR UPDATE', { old }, erasure);
  const decided = decide(subject);
  await lockWaits(database);
  await rows(database, 'UPDATE claims SET sealed_text = NULL WHERE order_id = $old', { old }, erasure);
  await erasure.commit();
  await decided;
  expect(await claim(id)).not.toMatchObject({ state: 'OPEN' });
});

test('When units are replaced, then they count against no daily cap, and the margin report has their cost without a sale', async () => {
  const old = await delivered({ quantity: 2 });
  const { clientId } = holder;
  const counted = () =>
    oneRow<{ ordered: string; debited: string }>(
      database,
      'SELECT sum(ordered) AS ordered, trim_scale(sum(debited)) AS debited FROM daily_orders WHERE client_id = $clientId',
      { clientId },
    );
  const before = await counted();
  const other = await replace(await claimed(old));
  await conclude(other, 1);
  expect(await counted()).toEqual(before);
  await rows(
    database,
    `UPDATE supplier_purchases SET cost = 4, cost_currency = 'USD' WHERE order_id IN ($old, $other)`,
    { old, other },
  );
  const { name } = await oneRow<{ name: string }>(database, 'SELECT name FROM clients WHERE id = $clientId', {
    clientId,
  });
  const period = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
  const report = (await marginsBetween(database, period, 'client')).find(({ client }) => client === name);
  expect(report).toMatchObject({ orders: 1, sold: '20.00', cost: '8.00', margin: '12.00' });
  const earned = 'SELECT trim_scale(cost)::text AS cost FROM orders o, order_margin(o) WHERE o.id = $old';
  expect(await oneRow(database, earned, { old })).toEqual({ cost: '8' });
});

test('When a rule limits the orders of an hour, then it neither holds nor counts the order that replaces a unit', async () => {
  await storeSpendRule(database, {
    ...{ kind: 'PER_HOUR', clientId: holder.clientId, maxOrders: 2, reviewHours: 24 },
    ...{ maxAmount: null, currency: null, family: null, productId: null, denomination: null },
  });
  const isHeld = async (orderId: number) =>
    (
      await oneRow<{ held: boolean }>(
        database,
        'SELECT held IS NOT NULL AS held FROM orders WHERE id = $orderId',
        {
          orderId,
        },
      )
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
  const mail = (orderId: number) =>
    rows(database, 'UPDATE orders SET mailed_at = now() WHERE id = $orderId', { orderId });
  const old = await delivered();
  const address = `UPDATE orders SET sealed_email = 'sealed', email_hash = $hash WHERE id = $old`;
  await rows(database, address, { hash, old });
  if (isMailed) await mail(old);
  const id = await claimed(old);
  if (isBefore) await erase();
  const other = await replace(id, { sealedEmail: Buffer.from('resealed') });
  if (!isBefore) await erase();
  await conclude(other, 1);
  for (const orderId of [old, other]) await mail(orderId);
  await erasePending(database);
  const left =
    'SELECT id FROM orders WHERE id IN ($old, $other) AND num_nonnulls(sealed_email, email_hash) > 0';
  expect(await rows(database, left, { old, other })).toEqual([]);
});
