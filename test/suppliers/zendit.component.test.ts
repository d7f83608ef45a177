/** The adapter of Zendit against its fake, which was written from the same facts without the adapter. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sale } from '../../fakes/kit/ledger';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import { PUSH_HEADER } from '../../src/suppliers/zendit';
import type { PurchaseReport, Supplier } from '../../src/domain/suppliers/port';
import { SupplierOutcomeUnknown } from '../../src/domain/suppliers/supplier-errors';
import { lifeAt, usageAt } from '../support/esim-status';
import { adapterAt, buysFrom, instead, key, secret as webhookSecret } from '../support/fake-suppliers';
import type { Fault, PassedRequest } from '../support/hostile-proxy';
import { supplierContract, type Situation } from './contract';
import { withstandsFaults } from './faults';

/** Purchases end and can be looked up immediately, so that tests do not wait. */
const shop = buysFrom('zendit', { usual: { takes_ms: 0, lookup_after_ms: 0 } });
const { misbehave, fund, requestOf, buy, concluded } = shop;

/** The sales of the reference, once each of them has ended. */
async function salesOf(reference: string): Promise<Sale[]> {
  const sales = await shop.salesOf(reference);
  if (sales.every(({ state }) => state !== 'open')) return sales;
  await sleep(5);
  return salesOf(reference);
}

const esim = { family: 'ESIM', sku: 'plan:ESIM-WORLD-1GB-7D', units: 1, unitValue: '9', currency: 'USD' } as const;
const voucher = { ...esim, family: 'VOUCHER', sku: 'fixed:COFFEE-US-010:USD:10', unitValue: '10' } as const;
const bharat = { ...esim, family: 'TOPUP', currency: 'INR', input: { phone_number: '+919820000555' } } as const;
const topup = { ...bharat, sku: 'fixed:BHARAT-IN-199:INR:199', unitValue: '199' };
/** Below the least amount of its offer. */
const tooSmall = { ...bharat, sku: 'range:BHARAT-IN-OPEN:INR:100', unitValue: '1' };

/** The adapter with the lookups that the service makes: Zendit accepts first, and the contract expects the end. */
const untilConcluded = (): Supplier => ({
  ...shop.supplier,
  find: (lookup) => concluded(lookup),
  purchase: async (request, mayBeSent) => {
    const report = await shop.supplier.purchase(request, mayBeSent);
    return report.state === 'PENDING' ? ((await concluded(request)) as PurchaseReport) : report;
  },
});

const isPurchase = ({ method }: PassedRequest) => method === 'POST';
const isLookup = ({ method, path }: PassedRequest) => method === 'GET' && path.includes('/purchases/');
const refusal = (errorCode: string, message: string, fields?: object) =>
  JSON.stringify({ errorCode, message, ...(fields && { fields }) });

/** A completed purchase of a profile without its code. */
function withoutCode({ path }: PassedRequest): string {
  const transactionId = path.split('/').at(-1);
  return JSON.stringify({ transactionId, status: 'DONE', confirmation: { iccid: '8944000000000000019' } });
}

const faults: Partial<Record<Situation, (request: PassedRequest) => Fault | undefined>> = {
  'answer-lost-before-buying': (call) => (isPurchase(call) ? { do: 'lose-request' } : undefined),
  'answer-lost-after-buying': (call) => (isPurchase(call) ? { do: 'lose-answer' } : undefined),
  'refusing-with-an-echo': ({ body }) => instead(400, refusal('INVALID_REQUEST', body, { value: body })),
  'failing-with-an-echo': ({ body }) => instead(503, refusal('SYSTEM_UNAVAILABLE', body)),
  'broken-with-an-echo': ({ body }) => instead(502, `<p>${body}</p>`),
  'first-unit-unreadable': (call) => (isLookup(call) ? instead(200, withoutCode(call)) : undefined),
};

supplierContract('Zendit', async () => ({
  supplier: untilConcluded(),
  unreachable: adapterAt('zendit', 'http://127.0.0.1:1'),
  arrange: async (situation) => {
    shop.proxy.meddle = (request) => faults[situation]?.(request);
    await misbehave(situation === 'account-blocked' ? { rejects: { code: 'FORBIDDEN', count: 1 } } : {});
  },
  // Zendit documents no rate limit, and a lookup by reference shows one purchase.
  impossible: ['rate-limited', 'two-rows-for-a-reference'],
  soldUnits: async (reference) => (await salesOf(reference)).filter(({ state }) => state === 'sold').length,
  delivered: [esim, voucher, topup],
  refused: tooSmall,
  secretWords: ['919820000555'],
  reverse: async (reference) => {
    const headers = { authorization: `Bearer ${key}` };
    await fetch(`${shop.fake.url}/v1/esim/purchases/${reference}/refund`, { method: 'POST', headers });
  },
  esimProduct: 'brand:ROAMEUROPE',
  push: () => {
    const reference = purchaseReference(7, 'nonce1234567', 1);
    const rawBody = Buffer.from(JSON.stringify({ transactionId: reference, status: 'DONE' }));
    const pushWith = (secret: string | undefined) => ({
      headers: { [PUSH_HEADER]: secret },
      rawBody,
      pathSecret: undefined,
    });
    return {
      push: pushWith(webhookSecret),
      hint: { kind: 'purchase', reference },
      forged: [undefined, '', webhookSecret.slice(0, -1), `${webhookSecret}x`].map(pushWith),
    };
  },
}));

describe('The codes of Zendit', () => {
  test.each([
    ['FORBIDDEN', { name: 'SupplierAccountBlocked' }],
    ['NOT_FOUND', { state: 'NOT_BOUGHT', because: 'not-here', failureCode: 'PRODUCT_UNAVAILABLE' }],
    ['INVALID_REQUEST', { name: 'SupplierOutcomeUnknown' }],
  ])('When a purchase gets %s, then nothing was sold', async (code, expected) => {
    await misbehave({ rejects: { code, count: 1 } });
    const request = requestOf(voucher);
    expect(await buy(request).catch((error: unknown) => error)).toMatchObject(expected);
    expect(await salesOf(request.reference)).toEqual([]);
  });

  test('When a purchase gets SYSTEM_UNAVAILABLE, then its outcome is unknown, and a lookup finds it', async () => {
    await misbehave({ rejects: { code: 'SYSTEM_UNAVAILABLE', count: 1 } });
    const request = requestOf(voucher);
    await expect(buy(request)).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
    expect(await concluded(request)).toMatchObject({ state: 'DELIVERED' });
  });

  test.each([
    ['INSUFFICIENT_FUNDS', { state: 'NOT_BOUGHT', because: 'our-account' }],
    ['NOT_FOUND', { state: 'REJECTED', failureCode: 'PRODUCT_UNAVAILABLE' }],
    ['ANYTHING', { state: 'REJECTED', failureCode: 'UNKNOWN' }],
  ])('When an accepted purchase ends with %s, then a lookup reports the reason', async (code, expected) => {
    await misbehave({ fails_later: { code, count: 1 } });
    const request = requestOf(voucher);
    expect(await buy(request)).toMatchObject({ state: 'PENDING' });
    expect(await concluded(request)).toMatchObject(expected);
  });

  test('When the wallet is empty, then nothing is bought until it is funded', async () => {
    await fund('9.59');
    const [first, next] = [requestOf(voucher), requestOf(voucher)];
    await buy(first);
    expect(await concluded(first)).toMatchObject({ state: 'NOT_BOUGHT', because: 'our-account' });
    await fund('9.60');
    await buy(next);
    expect(await concluded(next)).toMatchObject({ state: 'DELIVERED', cost: { amount: '9.6', currency: 'USD' } });
    expect(await shop.supplier.balances?.()).toEqual([{ amount: '0', currency: 'USD' }]);
  });
});

describe('Responses of Zendit', () => {
  test('When numbers are JSON numbers, then an ICCID arrives exactly', async () => {
    await misbehave({ numbers: true });
    const request = requestOf(esim);
    await buy(request);
    const exact = await concluded(request);
    await misbehave();
    expect(await concluded(request)).toEqual(exact);
  });

  withstandsFaults(shop, [voucher]);

  test.each([
    ['a gift card with a code', voucher, { kind: 'voucher', cardNumber: /^0\d{15}$/, referenceNumber: /^00\d{10}$/ }],
    [
      'a gift card with an address',
      { ...voucher, sku: 'fixed:MODEHAUS-DE-050:EUR:50', unitValue: '50', currency: 'EUR' },
      { kind: 'voucher', claimUrl: /^https:/ },
    ],
    ['a profile with its LPA string', esim, { kind: 'esim', activationCode: /^LPA:1\$[a-z.-]+\$[0-9A-F]{20}$/ }],
    [
      'a profile with its matching id',
      { ...esim, sku: 'plan:ESIM-JP-500MB-3D' },
      { kind: 'esim', activationCode: /^LPA:1\$[a-z.-]+\$[0-9A-F]{20}$/ },
    ],
    ['a top-up', topup, { kind: 'topup', operatorReference: /^0\d{11}$/ }],
    ['a top-up of any amount', { ...tooSmall, unitValue: '52.50' }, { kind: 'topup' }],
  ])('When %s is delivered, then it is read', async (_what, wanted, expected) => {
    const request = requestOf(wanted);
    await buy(request);
    const report = await concluded(request);
    const patterns = Object.entries(expected).map(([name, value]) => [
      name,
      value instanceof RegExp ? (expect.stringMatching(value) as string) : value,
    ]);
    expect(report).toMatchObject({ state: 'DELIVERED', goods: [Object.fromEntries(patterns)] });
  });
});

test('When a profile is installed, used and used up, then its status shows each change', async () => {
  const request = requestOf(esim);
  await buy(request);
  const report = await concluded(request);
  if (report.state !== 'DELIVERED' || report.goods[0]?.kind !== 'esim') throw new Error('No profile');
  const { iccid } = report.goods[0];
  const change = (step: string) => shop.change(iccid, step);
  const installedAt = expect.any(Date) as Date;
  expect(await lifeAt(shop.supplier, iccid)).toEqual({});
  await change('install');
  expect(await lifeAt(shop.supplier, iccid)).toEqual({ installedAt });
  await change('activate');
  expect(await lifeAt(shop.supplier, iccid)).toEqual({ installedAt, firstUsedAt: expect.any(Date) as Date });
  expect(await usageAt(shop.supplier, iccid)).toMatchObject({ usedMb: 0, endsAt: expect.any(Date) as Date });
  await change('use');
  const { totalMb, leftMb } = (await usageAt(shop.supplier, iccid)) ?? {};
  expect(leftMb).toBeCloseTo((totalMb ?? NaN) * 0.2);
  await change('deplete');
  expect(await lifeAt(shop.supplier, iccid)).toEqual({ installedAt, isDepleted: true });
});
