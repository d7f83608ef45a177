/** House-brand vouchers that pay for orders, and a model of their owners and values. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { placeOrder } from '../../src/data/orders/place-order';
import { findRedeemable, type VoucherKey } from '../../src/data/purchases/redeemable-vouchers';
import { Exact } from '../../src/domain/prices/money';
import type { Family } from '../../src/domain/orders/families';
import { newHolder, post, type Holder } from '../../dev/testbed/ledger-rows';
import { storeUnits } from '../support/fulfilment';
import { createOrder, endOrder, houseBrand, reserveOrder } from '../support/ledger-orders';
import { decimalOf, expectToFollow, pick, walletState, type Step } from '../support/model-runs';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();

type Currency = 'USD' | 'EUR';

interface VoucherModel {
  currency: Currency;
  /** In cents. */
  worth: number;
  /** Whether the order of the voucher is still PENDING, so that the client has not seen the code. */
  isHidden: boolean;
  isExpired: boolean;
  isRedeemed: boolean;
}

interface Model {
  balances: Record<Currency, number>;
  vouchers: VoucherModel[];
  /** Orders that vouchers paid for. */
  orders: { currency: Currency; price: number; isOpen: boolean }[];
}

interface Real {
  database: Database;
  wallets: Record<Currency, Holder>;
  stranger: Holder;
  productId: number;
  codes: { key: VoucherKey; hash: Buffer }[];
  orderIds: number[];
}

type RedemptionStep = Step<Model, Real>;

const START = 1_000_000;
const currencies = fc.constantFrom<Currency>('USD', 'EUR');
const otherThan = (currency: Currency): Currency => (currency === 'USD' ? 'EUR' : 'USD');
const index = fc.nat(20);

const delivering = fc
  .record({
    currency: currencies,
    worth: fc.integer({ min: 100, max: 5_000 }),
    quantity: fc.integer({ min: 1, max: 3 }),
    units: fc.integer({ min: 1, max: 3 }),
    end: fc.constantFrom('ended', 'ended', 'pending'),
    expires: fc.constantFrom('never', 'later', 'before'),
  })
  .map(({ currency, worth, quantity, units, end, expires }): RedemptionStep => {
    const stored = Math.min(units, quantity);
    return {
      name: `${stored} of ${quantity} vouchers of ${worth} ${currency}, ${end}, expire ${expires}`,
      run: async (model, { database, wallets, productId, codes }) => {
        const wish = { productId, currency, quantity, faceValue: decimalOf(worth, 2) };
        const { orderId } = await createOrder(database, wallets[currency], wish);
        const codeHashes = Array.from({ length: stored }, () => randomBytes(32));
        const expiresAt = new Date(Date.now() + (expires === 'before' ? -60_000 : 60_000));
        await storeUnits(database, orderId, stored, { codeHashes, ...(expires !== 'never' && { expiresAt }) });
        if (end === 'ended') await endOrder(database, orderId);
        model.balances[currency] -= worth * (end === 'ended' ? stored : quantity);
        codeHashes.forEach((hash, place) => codes.push({ key: { orderId, unit: place + 1 }, hash }));
        const isHidden = end === 'pending';
        const isExpired = expires === 'before';
        for (let unit = 0; unit < stored; unit++) {
          model.vouchers.push({ currency, worth, isHidden, isExpired, isRedeemed: false });
        }
      },
    };
  });

const families = fc.constantFrom<Family>('TOPUP', 'ESIM');

/** Looks up the code like an order request. If the code exists, it pays for several orders concurrently. */
const redeeming = fc
  .record({
    which: index,
    isOtherCurrency: fc.constantFrom(false, false, true),
    isStranger: fc.constantFrom(false, false, false, true),
    share: fc.integer({ min: 1, max: 110 }),
    family: families,
    times: fc.constantFrom(1, 1, 4),
  })
  .map(({ which, isOtherCurrency, isStranger, share, family, times }): RedemptionStep => ({
    name: `voucher ${which} pays ${share} % of its worth for ${times} ${family} concurrently${isStranger ? ', of another client' : ''}${isOtherCurrency ? ' in another currency' : ''}`,
    isReady: ({ vouchers }) => vouchers.length > 0,
    run: async (model, real) => {
      const voucher = pick(model.vouchers, which) as VoucherModel;
      const { hash, key } = pick(real.codes, which) as Real['codes'][number];
      const currency = isOtherCurrency ? otherThan(voucher.currency) : voucher.currency;
      const price = Math.max(1, Math.floor((voucher.worth * share) / 100));
      const found = await findRedeemable(real.database, {
        clientId: isStranger ? real.stranger.clientId : real.wallets.USD.clientId,
        codeHashes: [hash],
        currencyCode: currency,
        now: new Date(),
        price: new Exact(decimalOf(price, 2)),
      });
      const isGood =
        !isStranger &&
        !isOtherCurrency &&
        price <= voucher.worth &&
        !voucher.isHidden &&
        !voucher.isExpired &&
        !voucher.isRedeemed;
      expect(found ?? null).toEqual(isGood ? key : null);
      if (isGood) await payWith(model, real, { voucher, key, price, family, times });
    },
  }));

interface Payment {
  voucher: VoucherModel;
  key: VoucherKey;
  price: number;
  family: Family;
  times: number;
}

async function payWith(model: Model, real: Real, { voucher, key, price, family, times }: Payment): Promise<void> {
  const { currency } = voucher;
  const wish = { family, currency, price: decimalOf(price, 2), redeems: key };
  const creates = Array.from({ length: times }, () => createOrder(real.database, real.wallets[currency], wish));
  const placed = (await Promise.all(creates)).filter(({ placement }) => placement.outcome === 'PLACED');
  expect(placed).toHaveLength(1);
  voucher.isRedeemed = true;
  model.balances[currency] += voucher.worth - price;
  model.orders.push({ currency, price, isOpen: true });
  placed.forEach(({ orderId }) => real.orderIds.push(orderId));
}

/** The code was found earlier, and was redeemed or expired before the order is placed. */
const redeemingTooLate = index.map((which): RedemptionStep => ({
  name: `voucher ${which} is used up when the order is placed`,
  isReady: ({ vouchers }) => vouchers.length > 0,
  run: async (model, { database, wallets, codes }) => {
    const voucher = pick(model.vouchers, which) as VoucherModel;
    if (!voucher.isRedeemed && !voucher.isExpired) return;
    const { key: redeems } = pick(codes, which) as Real['codes'][number];
    const wish = { family: 'TOPUP', currency: voucher.currency, price: '0.01', redeems } as const;
    const order = await reserveOrder(database, wallets[voucher.currency], wish);
    const refused = { outcome: 'REFUSED', refusal: 'VOUCHER_NOT_REDEEMABLE' };
    expect(await placeOrder(database, order)).toEqual(refused);
  },
}));

const expiring = index.map((which): RedemptionStep => ({
  name: `voucher ${which} expires`,
  isReady: ({ vouchers }) => vouchers.length > 0,
  run: async (model, { database, codes }) => {
    const voucher = pick(model.vouchers, which) as VoucherModel;
    if (voucher.isRedeemed) return;
    const { key } = pick(codes, which) as Real['codes'][number];
    await sql(database)`UPDATE vouchers SET expires_at = now() - interval '1 second'
         WHERE order_id = ${key.orderId} AND unit = ${key.unit}`;
    voucher.isExpired = true;
  },
}));

const ending = fc.record({ which: index, isDelivered: fc.boolean() }).map(({ which, isDelivered }): RedemptionStep => ({
  name: `paid order ${which} is ${isDelivered ? 'delivered' : 'failed'}`,
  isReady: ({ orders }) => orders.length > 0,
  run: async (model, { database, orderIds }) => {
    const order = pick(model.orders, which) as Model['orders'][number];
    const orderId = pick(orderIds, which) as number;
    if (order.isOpen && !isDelivered) model.balances[order.currency] += order.price;
    if (isDelivered) await storeUnits(database, orderId, 1);
    const { status } = await endOrder(database, orderId);
    if (order.isOpen) expect(status).toBe(isDelivered ? 'DELIVERED' : 'FAILED');
    order.isOpen = false;
  },
}));

async function start(database: Database): Promise<{ model: Model; real: Real }> {
  const usd = await newHolder(database, START / 100);
  const [eur] = (await sql(database)<Holder>`INSERT INTO wallets (client_id, currency_code)
       VALUES (${usd.clientId}, 'EUR') RETURNING client_id AS "clientId", id AS "walletId"`) as [Holder];
  await post(database, eur, START / 100);
  const stranger = await newHolder(database);
  return {
    model: { balances: { USD: START, EUR: START }, vouchers: [], orders: [] },
    real: {
      database,
      wallets: { USD: usd, EUR: eur },
      stranger,
      productId: await houseBrand(database),
      codes: [],
      orderIds: [],
    },
  };
}

async function compare({ balances, vouchers }: Model, { database, wallets, codes }: Real): Promise<void> {
  for (const currency of ['USD', 'EUR'] as const) {
    const { balance } = await walletState(database, wallets[currency].walletId, 2);
    expect([currency, balance]).toEqual([currency, balances[currency]]);
  }
  const marked = await sql(database)<VoucherKey>`SELECT order_id AS "orderId", unit FROM vouchers
       JOIN orders ON orders.id = order_id
      WHERE client_id = ${wallets.USD.clientId} AND redeemed_at IS NOT NULL ORDER BY 1, 2`;
  const expected = codes.filter((_, place) => vouchers[place]?.isRedeemed).map(({ key }) => key);
  expect(marked).toEqual(expected);
}

test('When vouchers pay in any sequence, then each pays once, to its client, in its currency, and balances follow the model', async () => {
  const steps = [delivering, delivering, redeeming, redeeming, redeemingTooLate, expiring, ending];
  await expectToFollow(database, { start, compare }, steps);
});
