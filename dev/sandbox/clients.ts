/** The demo clients, their wallets, and the exchange rates between them. */
import { loginCalls, rateClasses, refreshCalls } from '../../src/domain/clients/rate-classes';
import type { DemoClient, DemoForexRate } from './types';

const everything = { vouchers: true, topups: true, esim: true };

/** Limits for load and concurrency tests, higher than the calls of any machine in a minute. */
const unlimited = Object.fromEntries(rateClasses.map(({ name }): [string, number] => [name, 1_000_000]));

/** Limits that a person can exhaust by hand after a login. */
const few = Object.fromEntries(
  rateClasses
    .filter((rateClass) => rateClass !== loginCalls && rateClass !== refreshCalls)
    .map(({ name }): [string, number] => [name, 5]),
);

const ordinary = {
  features: everything,
  allowedCidrs: [],
  bulkLimit: 1_000,
  rateLimits: {},
  voucherDiscounts: [],
  blacklistedSkus: [],
} satisfies Partial<DemoClient>;

export const clients: readonly DemoClient[] = [
  {
    ...ordinary,
    key: 'demo',
    name: 'Demo Client',
    wallets: [
      { currencyCode: 'USD', isDefault: true, funds: '1000000.00' },
      { currencyCode: 'EUR', isDefault: false, funds: '1000000.00' },
      { currencyCode: 'INR', isDefault: false, funds: '10000000.00' },
      { currencyCode: 'JPY', isDefault: false, funds: '10000000' },
    ],
    voucherDiscounts: [{ sku: 'SIM-GC-COFFEE-US', percent: '5' }],
  },
  {
    ...ordinary,
    key: 'other',
    name: 'Other Client',
    wallets: [
      { currencyCode: 'USD', isDefault: true, funds: '10000.00' },
      { currencyCode: 'EUR', isDefault: false, funds: '10000.00' },
    ],
    blacklistedSkus: ['SIM-GC-STREAM-US'],
  },
  {
    ...ordinary,
    key: 'load',
    name: 'Load Test Client',
    bulkLimit: 5_000,
    rateLimits: unlimited,
    wallets: [{ currencyCode: 'USD', isDefault: true, funds: '100000000000.00' }],
  },
  {
    ...ordinary,
    key: 'restricted',
    name: 'Restricted Client',
    features: { ...everything, vouchers: false },
    // Reserved for documentation (RFC 5737, RFC 3849): no request ever comes from there.
    allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'],
    wallets: [{ currencyCode: 'USD', isDefault: true, funds: '1000.00' }],
  },
  {
    ...ordinary,
    key: 'poor',
    name: 'Poor Client',
    rateLimits: unlimited,
    wallets: [{ currencyCode: 'USD', isDefault: true, funds: '10.00' }],
  },
  {
    ...ordinary,
    key: 'limited',
    name: 'Limited Client',
    rateLimits: few,
    wallets: [{ currencyCode: 'USD', isDefault: true, funds: '1000.00' }],
  },
];

/** Rates between USD and EUR or INR in both directions, and from NGN, in which a fake supplier sells bills; none for JPY. */
export const forexRates: readonly DemoForexRate[] = [
  { from: 'USD', to: 'EUR', rate: '0.92', voucherFeePercent: '1.5' },
  { from: 'EUR', to: 'USD', rate: '1.09', voucherFeePercent: '1.5' },
  { from: 'USD', to: 'INR', rate: '83.25', voucherFeePercent: '2' },
  { from: 'INR', to: 'USD', rate: '0.01202', voucherFeePercent: '2' },
  { from: 'NGN', to: 'USD', rate: '0.000658', voucherFeePercent: '2' },
];
