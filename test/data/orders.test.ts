/** The rules for orders that the database enforces: placed once, fenced permanently, ended once, refunded once. */
import type { Transaction } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { clearAttention, raiseAttention } from '../../src/data/attention/attention';
import { abandonExpiredReservations, fenceOff } from '../../src/data/orders/order-reservations';
import { markPartiallyDelivered, settleOrder } from '../../src/data/orders/settle-order';
import { placeOrder } from '../../src/data/orders/place-order';
import { acceptByReplacement } from '../../src/data/orders/replacement-orders';
import { familyStorage } from '../../src/data/purchases/families';
import { claimNextPurchase, type ClaimedPurchase } from '../../src/data/purchases/purchases';
import type { VoucherKey } from '../../src/data/purchases/redeemable-vouchers';
import { randomBytes } from 'node:crypto';
import type { OrderKey, OrderRejection, Placement } from '../../src/domain/orders/order-messages';
import { Sealer } from '../../src/security/sealing';
import { balanceOf, entriesOf, eventsOf, orderCount, unsoundWallets } from '../support/records';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { deliveredOrder, houseBrand, reserveOrder } from '../support/ledger-orders';
import { newHolder, rejectionOf, reserve, sourceOf, type Holder } from '../../dev/testbed/ledger-rows';
import { lockWaits } from '../support/lock-waits';
import { newKeyRing } from '../support/keys';
import { newClaim } from '../support/claims';

const { database } = scratchDatabase();
const sealer = new Sealer(newKeyRing());
let holder: Holder;
beforeEach(async () => {
  holder = await newHolder(database, 100);
});
afterEach(async () => {
  expect(await unsoundWallets(database)).toEqual([]);
});

/** The timers that stay real. Only `Date` is faked. */
const timers = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;
const balance = () => balanceOf(database, holder.walletId);
const many = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 10 }, work));

async function placed(quantity = 1, clientReference?: string): Promise<OrderKey> {
  const order = await reserve(database, holder, quantity, { clientReference });
  expect(await placeOrder(database, order)).toMatchObject({ outcome: 'PLACED' });
  return order;
}

/** Runs the work while the wall clock of this process is ahead by this many seconds. Timers are unchanged. */
async function withClockOff(seconds: number, work: () => Promise<void>): Promise<void> {
  jest.useFakeTimers({ now: Date.now() + seconds * 1_000, advanceTimers: true, doNotFake: [...timers] });
  await work().finally(() => jest.useRealTimers());
}

/** Buys the order's only purchase. The supplier delivers `count` vouchers and rejects the rest. */
async function deliver(order: OrderKey, count: number): Promise<void> {
  const purchase = (await claimNextPurchase(database, order)) as ClaimedPurchase;
  const isWhole = count === purchase.units;
  const outcome = {
    state: isWhole ? 'DELIVERED' : 'REJECTED',
    supplierOrderId: 'P',
    cost: null,
    failureCode: isWhole ? null : 'UNKNOWN',
    detail: null,
  } as const;
  const voucher = (position: number) => ({
    position,
    goods: { kind: 'voucher' as const, cardNumber: randomBytes(8).toString('hex') },
  });
  const vouchers = Array.from({ length: count }, (_, index) => voucher(index + 1));
  await familyStorage.VOUCHER.storeUnits({ database, sealer }, purchase, outcome, vouchers);
}

describe('placing', () => {
  test('When a placement is repeated in sequence and concurrently, then one order and one debit exist', async () => {
    const order = await reserve(database, holder);
    const outcomes = [await placeOrder(database, order), ...(await many(() => placeOrder(database, order)))];
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['PLACED']));
    expect(await entriesOf(database, order.orderId)).toEqual([{ kind: 'ORDER', type: 'DEBIT', amount: '10' }]);
    expect(await balance()).toBe('90');
  });

  test('When a placement is repeated for an order with an unknown outcome, then it returns the reason from the attention list', async () => {
    const order = await placed();
    const { orderId } = order;
    const { transactionId } = await sql.one(database)<{ transactionId: number }>`
      SELECT transaction_id AS "transactionId" FROM orders WHERE id = ${orderId}`;
    const known = { outcome: 'PLACED', units: 1, toBuy: 1, transactionId };
    await raiseAttention(database, { orderId }, 'SUPPLIER_BLOCKED', 'Blocked');
    expect(await placeOrder(database, order)).toEqual(known);
    await raiseAttention(database, { orderId }, 'OUTCOME_UNKNOWN', 'Unknown');
    expect(await placeOrder(database, order)).toEqual({ ...known, outcomeUnknown: 'Unknown' });
    await clearAttention(database, { orderId }, ['OUTCOME_UNKNOWN']);
    expect(await placeOrder(database, order)).toEqual(known);
  });

  test('When the balance is too low, then it is rejected permanently, also after the balance is sufficient', async () => {
    const poor = await newHolder(database, 9.99);
    const order = await reserve(database, poor);
    const refused = { outcome: 'REFUSED', refusal: 'INSUFFICIENT_BALANCE' };
    expect(await placeOrder(database, order)).toEqual(refused);
    await sql(database)`SELECT
         FROM post_entry(${poor.walletId}, 'FUNDING', 'CREDIT', 50, NULL, 'r', 'r', NULL, NULL, NULL, NULL)`;
    expect(await placeOrder(database, order)).toEqual(refused);
    expect(await orderCount(database, poor.clientId)).toBe(0);
  });

  test('When another order has its reference, then it is rejected and nothing is debited', async () => {
    await placed(1, 'taken');
    const second = await reserve(database, holder, 1, { clientReference: 'taken' });
    expect(await placeOrder(database, second)).toEqual({ outcome: 'REFUSED', refusal: 'DUPLICATE_CLIENT_REFERENCE' });
    expect(await balance()).toBe('90');
  });

  test('When the nonce is wrong, then no order is placed from the reservation', async () => {
    const order = await reserve(database, holder);
    const another = { ...order, nonce: 'another00000' };
    expect(await placeOrder(database, another)).toEqual({ outcome: 'ABANDONED' });
    expect(await orderCount(database, holder.clientId)).toBe(0);
    expect(await placeOrder(database, order)).toMatchObject({ outcome: 'PLACED' });
    expect(await placeOrder(database, another)).toEqual({ outcome: 'ABANDONED' });
  });
});

describe('A recharge that waits for its wallet', () => {
  const nonce = () => randomBytes(6).toString('hex');

  /** A delivered eSIM order whose profile is installed. */
  async function installed(): Promise<number> {
    const orderId = await deliveredOrder(database, holder, { family: 'ESIM' });
    await sql(database)`UPDATE esim_orders SET installed_at = now() WHERE order_id = ${orderId}`;
    return orderId;
  }

  /** A delivered voucher of 10 dollars that can pay. */
  async function payingVoucher(): Promise<VoucherKey> {
    const productId = await houseBrand(database);
    return { orderId: await deliveredOrder(database, holder, { productId }), unit: 1 };
  }

  const claimed = (orderId: number) =>
    newClaim(database, { clientId: holder.clientId, orderId, unit: null, kind: 'NOT_WORKING' });

  async function replaced(orderId: number, transaction: Transaction): Promise<unknown> {
    const old = { claimId: await claimed(orderId), sealedEmail: null, sealedInput: null };
    return acceptByReplacement(database, { ...old, nonce: nonce(), sources: [sourceOf(1)] }, transaction);
  }

  function refunded(orderId: number, transaction: Transaction): Promise<unknown> {
    return sql(database, transaction)`SELECT
         FROM refund_order(${orderId}, 'R', NULL, NULL, 1, 'GOODWILL', NULL, false)`;
  }

  /** Places the orders while a transaction has the lock of the wallet. Each waits until that transaction has made the change. */
  async function placedAfter(
    orders: readonly OrderKey[],
    change: (transaction: Transaction) => Promise<unknown>,
  ): Promise<Placement[]> {
    const placings = await database.transaction(async (transaction) => {
      await sql(database, transaction)`SELECT FROM wallets WHERE id = ${holder.walletId} FOR NO KEY UPDATE`;
      const placing = orders.map((order) => placeOrder(database, order));
      await lockWaits(database, orders.length, 'WITH reservation');
      await change(transaction);
      return { placing };
    });
    return Promise.all(placings.placing);
  }

  const rechargesOf = async (esim: number, redeems: VoucherKey): Promise<OrderKey[]> => {
    const recharge = { family: 'ESIM', recharges: esim } as const;
    return [
      await reserveOrder(database, holder, recharge),
      await reserveOrder(database, holder, { ...recharge, redeems }),
    ];
  };
  const isRedeemed = async ({ orderId }: VoucherKey) =>
    (
      await sql.one(database)<{ at: Date | null }>`SELECT redeemed_at AS at FROM vouchers
           WHERE order_id = ${orderId}`
    ).at !== null;
  const refusals = (...refusal: OrderRejection[]) => refusal.map((each) => ({ outcome: 'REFUSED', refusal: each }));

  test.each([
    ['refunded', refunded],
    ['claimed', claimed],
    ['replaced', replaced],
  ])(
    'When its eSIM is %s meanwhile, then that is the reason of its refusal, and no voucher is redeemed',
    async (_what, change) => {
      const [esim, voucher] = [await installed(), await payingVoucher()];
      const orders = await rechargesOf(esim, voucher);
      const placements = await placedAfter(orders, (transaction) => change(esim, transaction));
      expect(placements).toEqual(refusals('ESIM_NOT_RECHARGEABLE', 'ESIM_NOT_RECHARGEABLE'));
      expect(await isRedeemed(voucher)).toBe(false);
      for (const { orderId } of orders) expect(await entriesOf(database, orderId)).toEqual([]);
    },
  );

  test('When the claim about its eSIM is rejected meanwhile, and wallet and voucher are used up, then the payment is the reason', async () => {
    const [esim, voucher] = [await installed(), await payingVoucher()];
    const orders = await rechargesOf(esim, voucher);
    const id = await claimed(esim);
    const placements = await placedAfter(orders, async (transaction) => {
      await sql(database, transaction)`SELECT reject_claim(${id})`;
      await sql(database, transaction)`SELECT
           FROM post_entry(${holder.walletId}, 'ADJUSTMENT', 'DEBIT', 80, NULL, 'r', 'r', NULL, NULL, NULL, NULL)`;
      await sql(database, transaction)`UPDATE vouchers SET voided_at = now()
           WHERE order_id = ${voucher.orderId}`;
    });
    expect(placements).toEqual(refusals('INSUFFICIENT_BALANCE', 'VOUCHER_NOT_REDEEMABLE'));
  });
});

describe('the fence', () => {
  test('When an order request was abandoned, then it never becomes an order', async () => {
    const order = await reserve(database, holder);
    expect(await fenceOff(database, order)).toMatchObject({ state: 'ABANDONED' });
    expect(await placeOrder(database, order)).toEqual({ outcome: 'ABANDONED' });
    expect(await balance()).toBe('100');
  });

  test('When the order is placed, then its order request can no longer be abandoned', async () => {
    const order = await placed();
    expect(await fenceOff(database, order)).toMatchObject({ state: 'PLACED' });
    expect(await orderCount(database, holder.clientId)).toBe(1);
  });

  test('When the placement deadline has passed, then the order is not placed', async () => {
    const order = await reserve(database, holder, 1, { placementDeadlineMs: -1 });
    await placeOrder(database, order);
    expect(await orderCount(database, holder.clientId)).toBe(0);
    await abandonExpiredReservations(database);
    expect(await placeOrder(database, order)).toEqual({ outcome: 'ABANDONED' });
  });

  test('When the clock of the database is set back after the deadline, then the order is still not placed', async () => {
    const order = await reserve(database, holder, 1, { placementDeadlineMs: -1 });
    expect(await placeOrder(database, order)).toEqual({ outcome: 'ABANDONED' });
    await sql(database)`UPDATE order_reservations SET accept_by = now() + interval '1 minute'
         WHERE order_id = ${order.orderId}`;
    expect(await placeOrder(database, order)).toEqual({ outcome: 'ABANDONED' });
    expect(await orderCount(database, holder.clientId)).toBe(0);
  });

  test.each([-30, 12, 30])(
    'When the clock of the process is %i s off, then orders before their deadline are placed, and expired orders are not',
    async (seconds) => {
      const waitedFor = await reserve(database, holder, 1, { placementDeadlineMs: 5_000 });
      const expired = await reserve(database, holder, 1, { placementDeadlineMs: -1 });
      await withClockOff(seconds, async () => {
        const late = await reserve(database, holder, 1, { placementDeadlineMs: 5_000 });
        expect(await placeOrder(database, expired)).toEqual({ outcome: 'ABANDONED' });
        await abandonExpiredReservations(database);
        expect(await placeOrder(database, waitedFor)).toMatchObject({ outcome: 'PLACED' });
        expect(await placeOrder(database, late)).toMatchObject({ outcome: 'PLACED' });
      });
    },
  );

  test('When placement and abandonment run concurrently, then exactly one of them succeeds', async () => {
    const rich = await newHolder(database, 1_000);
    const races = Array.from({ length: 40 }, async () => {
      const order = await reserve(database, rich);
      const [placement, decided] = await Promise.all([placeOrder(database, order), fenceOff(database, order)]);
      expect(decided?.state).toBe(placement.outcome);
      return placement.outcome;
    });
    const wins = (await Promise.all(races)).filter((outcome) => outcome === 'PLACED').length;
    expect(await orderCount(database, rich.clientId)).toBe(wins);
    expect(await balanceOf(database, rich.walletId)).toBe(String(1_000 - 10 * wins));
  });
});

describe('the end', () => {
  const refund = (amount: string) => ({ kind: 'REFUND', type: 'CREDIT', amount });
  const orderEvents = async ({ orderId }: OrderKey) =>
    (await eventsOf(database, orderId)).map(({ type }) => type).filter((type) => type.startsWith('order.'));

  test('When a failed order is settled repeatedly and concurrently, then it has one refund and one event', async () => {
    const order = await placed(3);
    await deliver(order, 1);
    const settle = () => settleOrder(database, order.orderId, { failureCode: 'UNKNOWN' });
    // A concurrent settlement may fail. An activity would retry it.
    await Promise.allSettled(Array.from({ length: 10 }, settle));
    expect(await settle()).toMatchObject({ status: 'FAILED', delivered: 1 });
    expect((await entriesOf(database, order.orderId)).slice(1)).toEqual([refund('20')]);
    expect(await orderEvents(order)).toEqual(['order.failed']);
  });

  test('When an order has failed, then a late delivery or cancellation changes nothing', async () => {
    const order = await placed();
    await settleOrder(database, order.orderId, { failureCode: 'UNKNOWN' });
    await settleOrder(database, order.orderId, { cancelled: true });
    await markPartiallyDelivered(database, order.orderId);
    expect(await orderEvents(order)).toEqual(['order.failed']);
    expect(await balance()).toBe('100');
  });

  test('When all units are delivered, then a settlement that fails or cancels the order still delivers it', async () => {
    for (const wish of [{ cancelled: true }, { failureCode: 'UNKNOWN' } as const]) {
      const order = await placed();
      await deliver(order, 1);
      expect(await settleOrder(database, order.orderId, wish)).toMatchObject({ status: 'DELIVERED' });
      expect(await entriesOf(database, order.orderId)).toHaveLength(1);
    }
  });

  test('When the wallet is closed, then the order fails without a refund and is on the attention list', async () => {
    const order = await placed(10);
    await sql(database)`UPDATE wallets SET closed_at = now() WHERE id = ${holder.walletId}`;
    expect(await settleOrder(database, order.orderId, { failureCode: 'UNKNOWN' })).toMatchObject({ status: 'FAILED' });
    const [row] = await sql(database)`SELECT reason AS attention FROM attention
         WHERE order_id = ${order.orderId}`;
    expect(row).toEqual({ attention: expect.stringContaining('Refund of 100 USD') });
    expect(await entriesOf(database, order.orderId)).toHaveLength(1);
  });
});

describe('the rows', () => {
  test.each([
    ['an unknown status', `status = 'LOST'`],
    ['DELIVERED without its vouchers', `status = 'DELIVERED', completed_at = now()`],
    ['a final status without its time', `status = 'FAILED'`],
    ['a completion time while it is open', 'completed_at = now()'],
    ['more vouchers than were ordered', 'delivered_quantity = 2'],
    ['a negative number of vouchers', 'delivered_quantity = -1'],
    ['more than 5,000 vouchers', 'quantity = 5001'],
    ['an empty reference', `client_reference = ''`],
  ])('When a statement gives an order %s, then the database rejects it', async (_what, change) => {
    const { orderId } = await placed();
    const statement = `UPDATE orders SET ${change} WHERE id = $orderId`;
    expect(await rejectionOf(database, statement, { orderId })).toMatch(/violates check constraint/);
  });

  test('When two orders of one client, not of two clients, have the same reference, then the database rejects the second', async () => {
    const first = await placed(1, 'mine');
    const second = await placed(1);
    const copy = 'UPDATE orders SET client_reference = $clientReference WHERE id = $orderId';
    expect(await rejectionOf(database, copy, { orderId: second.orderId, clientReference: 'mine' })).toMatch(
      /duplicate key/,
    );
    holder = await newHolder(database, 100);
    expect((await placed(1, 'mine')).orderId).not.toBe(first.orderId);
  });

  test('When an order is debited or refunded twice, then the database rejects the second entry', async () => {
    const { orderId } = await placed();
    await settleOrder(database, orderId, { failureCode: 'UNKNOWN' });
    for (const [kind, type] of [
      ['ORDER', 'DEBIT'],
      ['REFUND', 'CREDIT'],
    ]) {
      const statement =
        'SELECT FROM post_entry($walletId, $kind, $type, 1, $orderId, $reference, $reference, NULL, NULL, NULL, NULL)';
      expect(
        await rejectionOf(database, statement, { walletId: holder.walletId, kind, type, orderId, reference: 'again' }),
      ).toMatch(/duplicate key/);
    }
  });
});
