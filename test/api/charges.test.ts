import fc from 'fast-check';
import { sql } from '../../dev/testbed/sql';
import { chargesBounds, type CachedCharges, type VoucherCharges } from '../../src/api/vouchers/catalogue-routes';
import { VersionedCache } from '../../src/data/database/versioned-cache';
import { pricingVersion } from '../../src/data/prices/pricing-settings';
import { importProducts, newMark, topupProduct, voucherProduct } from '../support/catalogue';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { orderOf } from '../support/orders';
import { validation } from '../support/stack';
import { esimOrders, topupOrders } from '../support/variant-orders';

const mark = newMark();
const bounds = { min: '0.01', max: '999999.99' };
const voucher = voucherProduct(`Voucher ${mark}`, { denominations: [{ ...bounds, discount: '3.25' }], gstRate: '7' });
const topup = topupProduct(`Top-up ${mark}`, [{ minAmount: bounds.min, maxAmount: bounds.max }]);

/** Rates with 5 decimals, as whole numbers, and the minor unit of each currency. */
const wallets = {
  USD: { rate: null, minorUnit: 2 },
  CHF: { rate: 87_654n, minorUnit: 2 },
  TND: { rate: 312_345n, minorUnit: 3 },
  KRW: { rate: 138_012_345n, minorUnit: 0 },
} as const;
type WalletCurrency = keyof typeof wallets;

interface Charges {
  non_discounted_total: number;
  discount_amount: number;
  total_amount: number;
  discount: number;
  net_amount?: number | null;
  handling_fee_amount?: number | null;
  total_payable: number;
  charges_details: { forex_rate?: number | null; conversion_fee?: number | null };
}

const database = useDatabase();
const client = useClient(database, { USD: 1, CHF: 1, TND: 1, KRW: 1 });
let ids: ReadonlyMap<string, number>;

beforeAll(async () => {
  ids = await importProducts(database, { voucherProducts: [voucher], topupProducts: [topup] });
  await ops`discounts set ${client.id} topups ${ids.get(topup.sku)} 3.25`;
  for (const [currency, { rate }] of Object.entries(wallets)) {
    if (rate === null) continue;
    await ops`rates set USD ${currency} ${rate / 100_000n}.${String(rate % 100_000n).padStart(5, '0')}
      --reason Test --force`;
    await ops`fees set USD ${currency} 1.75 --reason Test --force`;
  }
});

const chargeVoucher = (denomination: number, quantity: number, currency: WalletCurrency) =>
  client.api.post<Charges>(`/api/v1/products/${ids.get(voucher.sku)}/charges`, {
    denomination,
    quantity,
    wallet_id: client.wallets[currency],
  });

const chargeTopup = (amount: number, currency: WalletCurrency) =>
  client.api.post<Charges>('/api/v1/topups/charges', {
    product_id: ids.get(topup.sku),
    amount,
    wallet_id: client.wallets[currency],
  });

/** The formulas of the contract, in cents, with the fee in hundredths of a percent. */
function expected(cents: bigint, quantity: bigint, currency: WalletCurrency, fee: bigint) {
  const gross = cents * quantity;
  const discount = divideHalfUp(gross * 325n, 10_000n);
  const total = gross - discount;
  const { rate, minorUnit } = wallets[currency];
  if (rate === null) return { gross, discount, total, payable: total, minorUnit };
  const net = divideHalfUp(total * rate * 10n ** BigInt(minorUnit), 100n * 100_000n);
  return { gross, discount, total, payable: net + divideHalfUp(net * fee, 10_000n), minorUnit };
}

function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/** The number that JSON shows for an amount in minor units. */
function shown(minor: bigint, minorUnit: number): number {
  const digits = String(minor).padStart(minorUnit + 1, '0');
  const point = digits.length - minorUnit;
  return Number(`${digits.slice(0, point)}.${digits.slice(point)}`);
}

const orders = fc.record({
  cents: fc.integer({ min: 1, max: 99_999_999 }),
  quantity: fc.integer({ min: 1, max: 100 }),
  currency: fc.constantFrom(...(Object.keys(wallets) as WalletCurrency[])),
});

test('When any voucher order is priced, then every amount is exact', async () => {
  await fc.assert(
    fc.asyncProperty(orders, async ({ cents, quantity, currency }) => {
      const { body } = await chargeVoucher(cents / 100, quantity, currency);
      const { gross, discount, total, payable, minorUnit } = expected(BigInt(cents), BigInt(quantity), currency, 175n);
      expect(body).toMatchObject({
        non_discounted_total: shown(gross, 2),
        discount_amount: shown(discount, 2),
        total_amount: shown(total, 2),
        total_payable: shown(payable, minorUnit),
      });
    }),
    { numRuns: 100 },
  );
});

test('When any top-up is priced, then its amounts are those of a one-voucher order without the fee', async () => {
  await fc.assert(
    fc.asyncProperty(orders, async ({ cents, currency }) => {
      const { body } = await chargeTopup(cents / 100, currency);
      const { gross, discount, total, payable, minorUnit } = expected(BigInt(cents), 1n, currency, 0n);
      expect(body).toMatchObject({
        non_discounted_total: shown(gross, 2),
        discount_amount: shown(discount, 2),
        total_amount: shown(total, 2),
        total_payable: shown(payable, minorUnit),
      });
    }),
    { numRuns: 100 },
  );
});

test('When currencies are equal or differ, then each family shows the conversion fields of its contract', async () => {
  const conversion = (charges: Charges) => [
    charges.net_amount,
    charges.handling_fee_amount,
    charges.charges_details.forex_rate,
    charges.charges_details.conversion_fee,
  ];
  expect(conversion((await chargeVoucher(10, 1, 'USD')).body)).toEqual([null, null, null, null]);
  expect(conversion((await chargeTopup(10, 'USD')).body)).toEqual([undefined, undefined, undefined, undefined]);
  expect(conversion((await chargeVoucher(10, 1, 'CHF')).body)).toEqual([8.48, 0, 0.87654, 1.75]);
  expect(conversion((await chargeTopup(10, 'CHF')).body)).toEqual([8.48, 0, 0.87654, 0]);
});

test('When a price rounds to zero, then the service rejects the amount as unavailable and sells nothing', async () => {
  const tiny = { min: '0.01', max: '0.01', discount: '60' };
  const cheap = voucherProduct(`Cheap ${newMark()}`, { denominations: [tiny] });
  const productId = (await importProducts(database, { voucherProducts: [cheap] })).get(cheap.sku);
  const wanted = { denomination: 0.01, quantity: 1 };
  const refused = validation('Invalid denomination: not available for this product');
  expect(await client.api.post(`/api/v1/products/${productId}/charges`, wanted)).toMatchObject(refused);
  const order = { product_id: productId, ...wanted };
  expect(await client.api.post('/api/v1/orders', order)).toMatchObject(refused);

  await ops`discounts set ${client.id} topups ${ids.get(topup.sku)} 60 --reason Test --force`;
  const ofTopup = validation('Amount is not available for this product');
  expect(await chargeTopup(0.01, 'USD')).toMatchObject(ofTopup);

  // 4.50 minus 99.9999 % is 0.0000045.
  const plan = orderOf('esim_instant');
  await ops`discounts set ${client.id} esim ${plan['product_id']} 99.9999 --force`;
  for (const path of ['charges', 'orders'])
    expect(await client.api.post(`/api/v1/esim/${path}`, plan)).toMatchObject(ofTopup);
});

test('When a discount is 100 %, then charges and orders of the three families come to 0', async () => {
  const other = await newClient(database, { USD: 1 });
  const families = {
    vouchers: ['voucher_instant', (id: unknown) => `/api/v1/products/${String(id)}/charges`, '/api/v1/orders'],
    topups: ['topup_instant', () => '/api/v1/topups/charges', topupOrders],
    esim: ['esim_instant', () => '/api/v1/esim/charges', esimOrders],
  } as const;
  for (const [family, [scenario, chargesOf, orders]] of Object.entries(families)) {
    const body = orderOf(scenario);
    const product = body['product_id'] as number;
    await ops`discounts set ${other.id} ${family} ${product} 100 --reason "A gift" --force`;
    const charged = await other.api.post(chargesOf(body['product_id']), body);
    expect(charged).toMatchObject({ status: 200, body: { total_payable: 0 } });
    const order = (await other.api.post(orders, body)).body;
    expect(order).toMatchObject({ status: 'DELIVERED', charged_amount: 0 });
    expect(order).not.toHaveProperty('transaction_id');
  }
});

describe('charges cached for 5 minutes', () => {
  const charges: CachedCharges = { charges: {} as VoucherCharges, rateEndsInMs: null };
  // A separate database: on the stack's database other tests change prices concurrently.
  const { database: own } = scratchDatabase();
  const changePrice = () => sql(own)`UPDATE pricing_version SET version = version + 1`;
  const compute = jest.fn(async () => charges);
  const newCache = () => new VersionedCache(() => pricingVersion(own), chargesBounds);

  beforeEach(() => compute.mockClear());

  test('When clients request the same charges again, then the service computes the charges once for each key', async () => {
    const cache = newCache();
    await cache.get('a', compute);
    expect(await cache.get('a', compute)).toBe(charges);
    expect(compute).toHaveBeenCalledTimes(1);
    await cache.get('b', compute);
    expect(compute).toHaveBeenCalledTimes(2);
  });

  test('When a price changes, then the service computes the charges again', async () => {
    const cache = newCache();
    await cache.get('a', compute);
    await changePrice();
    await cache.get('a', compute);
    expect(compute).toHaveBeenCalledTimes(2);
  });

  test('When a price changes during the computation, then the service computes the charges again', async () => {
    const cache = newCache();
    await cache.get('a', async () => {
      await changePrice();
      return charges;
    });
    await cache.get('a', compute);
    expect(compute).toHaveBeenCalledTimes(1);
  });
});
