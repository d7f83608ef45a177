/** The adapter of DT One against its fake, which was written from the same facts without the adapter. */
import type { Modes } from '../../fakes/kit/modes';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import { errorCodes } from '../../src/suppliers/dtone/error-codes';
import type { PurchaseReport, PurchaseRequest } from '../../src/domain/suppliers/port';
import { ReferenceUsed, SupplierOutcomeUnknown } from '../../src/domain/suppliers/supplier-errors';
import { lifeAt, usageAt } from '../support/esim-status';
import { adapterAt, buysFrom, instead, pathSecret } from '../support/fake-suppliers';
import type { Fault, PassedRequest } from '../support/hostile-proxy';
import { supplierContract, type Situation } from './contract';
import { withstandsFaults } from './faults';
import { ownMoment } from '../../src/domain/time';

const shop = buysFrom('dtone');
const { misbehave, salesOf, fund, change, requestOf, buy, find, concluded } = shop;

const voucher = { family: 'VOUCHER', sku: 'fixed:1101:USD:10', units: 1, unitValue: '10', currency: 'USD' } as const;
const airtime = { family: 'TOPUP', sku: 'fixed:2101:INR:199', units: 1, unitValue: '199', currency: 'INR' } as const;
const topup = { ...airtime, input: { phone_number: '+919820000555' } };
const esim = { family: 'ESIM', sku: 'plan:4101', units: 1, unitValue: '10', currency: 'USD' } as const;

/** Completes every purchase in its response, as DT One does for its own products. */
const atOnce: Modes = { rejects: { code: 'COMPLETED', count: 1_000 } };

const isPurchase = ({ method, path }: PassedRequest) => method === 'POST' && path === '/v1/async/transactions';
const refusal = (code: number, message: string) => ({ errors: [{ code, message }] });

/** A completed transaction without the code of its card. */
function withoutPin({ body }: PassedRequest): string {
  const { external_id } = JSON.parse(body) as { external_id: string };
  const status = { message: 'COMPLETED', class: { id: 7, message: 'COMPLETED' } };
  return JSON.stringify({ id: 1, external_id, creation_date: new Date().toISOString(), status, pin: { serial: '7' } });
}

const faults: Partial<Record<Situation, (request: PassedRequest) => Fault>> = {
  'answer-lost-before-buying': () => ({ do: 'lose-request' }),
  'answer-lost-after-buying': () => ({ do: 'lose-answer' }),
  'refusing-with-an-echo': ({ body }) => instead(400, refusal(1005003, `Invalid: ${body}`)),
  'failing-with-an-echo': ({ body }) => instead(500, refusal(1009001, `Failed: ${body}`)),
  'broken-with-an-echo': ({ body }) => instead(502, `<p>${body}</p>`),
  'first-unit-unreadable': (request) => ({ do: 'answer-over', answer: { status: 201, body: withoutPin(request) } }),
};
const modesOf: Partial<Record<Situation, Modes>> = {
  'account-blocked': { rejects: { code: '1000401', count: 1 } },
  'rate-limited': { rejects: { code: '1000429', count: 1 } },
  'two-rows-for-a-reference': { second_row: true },
};

supplierContract('DT One', async () => {
  await misbehave(atOnce);
  await misbehave({ rejects: { code: '1005003', count: 1_000 } }, '2101');
  return {
    supplier: shop.supplier,
    unreachable: adapterAt('dtone', 'http://127.0.0.1:1'),
    arrange: async (situation) => {
      const fault = faults[situation];
      shop.proxy.meddle = (request) => (fault && isPurchase(request) ? fault(request) : undefined);
      await misbehave(modesOf[situation] ?? atOnce);
    },
    soldUnits: shop.soldUnits,
    delivered: [voucher, { ...topup, sku: 'fixed:2102:INR:299', unitValue: '299' }, esim],
    refused: topup,
    secretWords: ['919820000555'],
    esimProduct: 'country:GXX',
    push: () => {
      const reference = purchaseReference(7, 'nonce1234567', 1);
      const rawBody = Buffer.from(withoutPin({ body: JSON.stringify({ external_id: reference }) } as PassedRequest));
      const push = { headers: {}, rawBody, pathSecret };
      const secrets = [undefined, '', pathSecret.slice(0, -1), `${pathSecret}x`];
      return {
        push,
        hint: { kind: 'purchase', reference },
        forged: secrets.map((other) => ({ ...push, pathSecret: other })),
      };
    },
  };
});

describe('The codes of DT One', () => {
  const expected = (code: string): object => {
    if (code === '1006001') return { state: 'NOT_BOUGHT', because: 'our-account' };
    const { meaning, failureCode } = errorCodes[code] ?? {};
    if (meaning === 'rejected') return { state: 'REJECTED', failureCode };
    return { name: meaning === 'not-run' ? 'SupplierUnavailable' : 'SupplierAccountBlocked' };
  };

  test.each(Object.keys(errorCodes))('When a purchase gets %s, then the outcome is that of the table', async (code) => {
    await misbehave({ rejects: { code, count: 1 } });
    const request = requestOf(voucher);
    expect(await buy(request).catch((error: unknown) => error)).toMatchObject(expected(code));
    expect(await salesOf(request.reference)).toEqual([]);
  });

  test('When a purchase gets 1007001, then the reference counts as used', async () => {
    await misbehave({ rejects: { code: '1007001', count: 1 } });
    await expect(buy(requestOf(voucher))).rejects.toBeInstanceOf(ReferenceUsed);
  });

  test.each(['1009001', '1009503', '1007002', '1999999'])(
    'When a purchase gets %s, then its outcome is unknown',
    async (code) => {
      await misbehave({ rejects: { code, count: 1 } });
      await expect(buy(requestOf(voucher))).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
    },
  );

  test.each([
    ['DECLINED-INVALID-CREDIT-PARTY', 'INVALID_RECIPIENT'],
    ['REJECTED-BARRED-CREDIT-PARTY', 'RECIPIENT_BARRED'],
    ['DECLINED-INELIGIBLE-CREDIT-PARTY', 'RECIPIENT_INELIGIBLE'],
    ['DECLINED-LIMITATIONS-ON-CREDIT-PARTY-AMOUNT', 'RECIPIENT_LIMIT_EXCEEDED'],
    ['DECLINED-DUPLICATED-TRANSACTION', 'RECIPIENT_LIMIT_EXCEEDED'],
    ['DECLINED-OPERATOR-CURRENTLY-UNAVAILABLE', 'OPERATOR_UNAVAILABLE'],
    ['DECLINED-LIMITATIONS-ON-OPERATOR-QUANTITY', 'OPERATOR_LIMIT_EXCEEDED'],
    ['DECLINED-LIMITATIONS-ON-CUSTOMER-AMOUNT', 'CLIENT_LIMIT_EXCEEDED'],
    ['DECLINED', 'UNKNOWN'],
    ['DECLINED-EXCEPTION', 'UNKNOWN'],
    ['REJECTED', 'UNKNOWN'],
  ])('When a transaction ends as %s, then the order fails with %s', async (code, failureCode) => {
    await misbehave({ fails_later: { code, count: 1 }, takes_ms: 0 });
    const request = requestOf(topup);
    expect(await buy(request)).toMatchObject({ state: 'PENDING' });
    expect(await concluded(request)).toMatchObject({ state: 'REJECTED', failureCode });
  });

  test('When our account is empty after acceptance, then nothing was bought because of our account', async () => {
    await misbehave({ fails_later: { code: 'REJECTED-INSUFFICIENT-BALANCE', count: 1 }, takes_ms: 0 });
    const request = requestOf(voucher);
    await buy(request);
    expect(await concluded(request)).toMatchObject({ state: 'NOT_BOUGHT', because: 'our-account' });
  });
});

describe('Responses of DT One', () => {
  test('When numbers are JSON numbers, then an ICCID and a code arrive exactly', async () => {
    await misbehave({ ...atOnce, numbers: true });
    for (const wanted of [esim, voucher]) {
      const request = requestOf(wanted);
      const exact = await buy(request);
      await misbehave(atOnce);
      const asText = await find(request);
      const goodsOf = (report: unknown) => (report as Extract<PurchaseReport, { state: 'DELIVERED' }>).goods[0];
      if (wanted === esim) expect(goodsOf(exact)).toEqual(goodsOf(asText));
      expect(goodsOf(exact)).toMatchObject({ kind: wanted.family.toLowerCase() });
      await misbehave({ ...atOnce, numbers: true });
    }
  });

  withstandsFaults(shop, [voucher], atOnce);

  test.each([400, 401, 403, 404, 422, 429, 500, 502, 503])(
    'When a gateway answers a purchase with %s, then its outcome is unknown',
    async (status) => {
      await misbehave({ gateway: { status, count: 1 } });
      await expect(buy(requestOf(voucher))).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
    },
  );
});

test('When an eSIM is bought, then no account number is sent, because DT One would top up that eSIM instead', async () => {
  await misbehave(atOnce);
  await buy(requestOf({ ...esim, input: { account_number: '8944000000000801234' } }));
  expect(shop.proxy.requests.at(-1)?.body).not.toContain('801234');
});

test.each<[string, Partial<PurchaseRequest>]>([
  ['an amount that differs from its product', { unitValue: '50' }],
  ['a currency that differs from its product', { currency: 'MXN' }],
  ['a SKU without a kind', { sku: '1101' }],
  ['a plan as a voucher', { sku: 'plan:4101' }],
  ['no recipient', { ...airtime }],
])('When an order has %s, then nothing is sent and the purchase is rejected', async (_what, special) => {
  const before = shop.proxy.requests.length;
  expect(await buy(requestOf({ ...voucher, ...special }))).toMatchObject({
    state: 'REJECTED',
    failureCode: 'PRODUCT_UNAVAILABLE',
  });
  expect(shop.proxy.requests).toHaveLength(before);
});

test('When a product accepts any amount of a range, then the ordered amount is bought', async () => {
  await misbehave(atOnce);
  const request = requestOf({ ...voucher, sku: 'range:1103', unitValue: '52.00' });
  expect(await buy(request)).toMatchObject({ state: 'DELIVERED', cost: { amount: '50', currency: 'USD' } });
});

test('When one of several errors does not prove that nothing ran, then the outcome is unknown', async () => {
  const errors = [1005003, 1007001].map((code) => ({ code, message: 'No.' }));
  shop.proxy.meddle = () => instead(400, { errors });
  await expect(buy(requestOf(voucher))).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
});

test('When the price has another form, then the goods are still read', async () => {
  shop.proxy.meddle = (request) => {
    const body = JSON.stringify({
      ...(JSON.parse(withoutPin(request)) as object),
      pin: { code: '007', serial: '1' },
      prices: { wholesale: { amount: 'much' } },
    });
    return instead(201, body);
  };
  const report = await buy(requestOf(voucher));
  expect(report).toMatchObject({ state: 'DELIVERED', goods: [{ cardNumber: '007' }] });
  expect(report).not.toHaveProperty('cost');
});

test.each([{ code: '0012-3456', serial: '9' }, { code: '0012-3456' }, { serial: '9' }])(
  'When a top-up yields the PIN %j, then the unit is unreadable and an operator gets the PIN',
  async (pin) => {
    shop.proxy.meddle = (request) => {
      const body = JSON.stringify({ ...(JSON.parse(withoutPin(request)) as object), pin });
      return instead(201, body);
    };
    const [unit] = (await buy(requestOf(topup))).goods;
    expect(unit).toMatchObject({ kind: 'unreadable', contents: JSON.stringify(pin) });
  },
);

test('When a transaction has no reference, then the statement identifies it by its id', async () => {
  const sold = (id: number, external_id?: string | null) => ({
    ...(JSON.parse(withoutPin({ body: '{}' } as PassedRequest)) as object),
    id,
    external_id,
  });
  const body = JSON.stringify([sold(1, 'order-1'), sold(2), sold(3, null), sold(4, '')]);
  shop.proxy.meddle = () => ({
    do: 'answer-instead',
    answer: { status: 200, headers: { 'x-total-pages': '1' }, body },
  });
  const rows = [];
  for await (const page of shop.supplier.statement?.(new Date(Date.now() - 60_000)) ?? []) rows.push(...page);
  expect(rows.map(({ kind, reference, supplierOrderId }) => [kind, reference, supplierOrderId])).toEqual([
    ['sale', 'order-1', '1'],
    ['sale', '2', '2'],
    ['sale', '3', '3'],
    ['sale', '4', '4'],
  ]);
});

describe('Plans', () => {
  const wanted = {
    id: 4101,
    name: 'Worldwide 1 GB, 7 days',
    type: 'FIXED_VALUE_PIN_PURCHASE',
    service: { id: 13, name: 'eSIM', subservice: null },
    operator: { id: 341, name: 'Roam World', country: { iso_code: 'GXX', name: 'Global', regions: null } },
    validity: { unit: 'DAY', quantity: 7 },
    prices: {
      wholesale: { unit_type: 'CURRENCY', unit: 'USD', amount: 6.5, fee: 0.25 },
      retail: { unit_type: 'CURRENCY', unit: 'USD', amount: 8.5, fee: 0.5 },
    },
    benefits: [{ type: 'DATA', unit_type: 'DATA', unit: 'GB', amount: { base: 1 } }],
    required_credit_party_identifier_fields: null,
  };
  const benefits = (base: number, unit: string) => [{ ...wanted.benefits[0], unit, amount: { base } }];
  /** Lists the products, `size` on each page. */
  const listed = (products: object[], sku = 'country:GXX', size = 100) => {
    shop.proxy.requests.length = 0;
    shop.proxy.meddle = ({ path }) => {
      const page = Number(new URL(path, shop.proxy.url).searchParams.get('page'));
      const headers = {
        'x-total-pages': String(Math.ceil(products.length / size)),
        'x-total': String(products.length),
      };
      const body = JSON.stringify(products.slice((page - 1) * size, page * size));
      return { do: 'answer-instead', answer: { status: 200, headers, body } };
    };
    return shop.supplier.esimPlans?.(sku);
  };

  test.each([
    ['country:GXX', '4101', 'Worldwide 1 GB, 7 days', '9', 1, 7, { code: 'GLO', name: 'Global' }],
    ['operator:342', '4102', 'Europe 5 GB, 1 month', '18.4', 5, 30, { code: 'EXX', name: 'Europe' }],
    ['operator:344', '4104', 'Japan 500 MB, 72 hours', '3.5', 0.5, 3, { code: 'JPN', name: 'Japan' }],
  ])(
    'When %s has plans, then each has its price for customers, its data and its validity',
    async (sku, id, name, price, dataAmountGb, validityDays, region) => {
      expect(await shop.supplier.esimPlans?.(sku)).toEqual([
        {
          sku: `plan:${id}`,
          name,
          currency: 'USD',
          price,
          dataAmountGb,
          validityDays,
          regions: [region],
          networks: [],
          isRechargeable: true,
        },
      ]);
    },
  );

  test('When the only data of a plan are -1, then it is unlimited', async () => {
    expect(await shop.supplier.esimPlans?.('country:USA')).toMatchObject([
      { sku: 'plan:4103', dataAmountGb: 0, isUnlimited: true, validityDays: 10 },
    ]);
  });

  test('When the price for customers has a fee, then the fee is added, and only eSIMs of the country are searched', async () => {
    expect(await listed([wanted])).toMatchObject([{ sku: 'plan:4101', price: '9' }]);
    const { pathname, searchParams } = new URL(shop.proxy.requests[0]?.path ?? '', shop.proxy.url);
    expect(pathname).toBe('/v1/products');
    expect(Object.fromEntries(searchParams)).toEqual({
      service_id: '13',
      type: 'FIXED_VALUE_PIN_PURCHASE',
      country_iso_code: 'GXX',
      page: '1',
      per_page: '100',
    });
  });

  test('When there are several pages, then all are read', async () => {
    const products = Array.from({ length: 5 }, (_, index) => ({ ...wanted, id: 1 + index }));
    expect(await listed(products, 'operator:341', 2)).toHaveLength(5);
    expect(shop.proxy.requests).toHaveLength(3);
  });

  test.each([
    [{ unit: 'WEEK', quantity: 2 }, benefits(2048, 'MB'), { validityDays: 14, dataAmountGb: 2 }],
    [{ unit: 'MONTH', quantity: 3 }, benefits(1500, 'MB'), { validityDays: 90, dataAmountGb: 1.5 }],
    [
      { unit: 'HOUR', quantity: 24 },
      [...benefits(0.5, 'GB'), { type: 'SMS', unit: 'SMS', amount: { base: 10 } }],
      { validityDays: 1, dataAmountGb: 0.5 },
    ],
  ])('When the validity is %j and the benefits are %j, then both are read', async (validity, other, expected) => {
    expect(await listed([{ ...wanted, validity, benefits: other }])).toMatchObject([expected]);
  });

  test('When a product cannot be sold as a plan, then the list leaves it out and keeps the others', async () => {
    const others: object[] = [
      { type: 'FIXED_VALUE_RECHARGE' },
      { service: { id: 1, name: 'Mobile' } },
      { operator: { ...wanted.operator, country: { iso_code: 'USA', name: 'United States' } } },
      { validity: null },
      { validity: { unit: 'DAY', quantity: -1 } },
      { validity: { unit: 'HOUR', quantity: 36 } },
      { validity: { unit: 'constructor', quantity: 1 } },
      { benefits: null },
      { benefits: [] },
      { benefits: [...benefits(-1, 'GB'), ...benefits(1, 'GB')] },
      { benefits: benefits(-1, 'bananas') },
      { benefits: benefits(-2, 'GB') },
      { benefits: benefits(0.0004, 'GB') },
      { benefits: [{ type: 'TALKTIME', unit: 'MINUTES', amount: { base: 60 } }] },
      { benefits: benefits(0, 'GB') },
      { benefits: benefits(1, 'bananas') },
      { benefits: [...wanted.benefits, ...wanted.benefits] },
      { prices: { ...wanted.prices, wholesale: { unit_type: 'CURRENCY', unit: 'USD' } } },
      { prices: { ...wanted.prices, retail: null } },
      { required_credit_party_identifier_fields: [['account_number']] },
      { required_sender_fields: [['first_name'], ['last_name']] },
      { id: 'x' },
    ];
    const products = others.map((other) => ({ ...wanted, ...other }));
    const optional = { ...wanted, id: 9, required_credit_party_identifier_fields: [[], ['account_number']] };
    expect(await listed([...products, optional])).toMatchObject([{ sku: 'plan:9' }]);
  });

  test.each(['4101', 'country:GX', 'country:gxx', 'operator:0', 'operator:1:2'])(
    'When the SKU is %s, then nothing is sent',
    async (sku) => {
      await expect(listed([wanted], sku)).rejects.toMatchObject({ name: 'SupplierUnavailable' });
      expect(shop.proxy.requests).toEqual([]);
    },
  );

  test('When DT One does not send the number of pages, then the plans are read again later', async () => {
    shop.proxy.meddle = () => instead(200, [wanted]);
    await expect(shop.supplier.esimPlans?.('country:GXX')).rejects.toMatchObject({ name: 'SupplierUnavailable' });
  });
});

test('When a profile is installed, used and used up, then its status shows each change', async () => {
  await misbehave(atOnce);
  const report = await buy(requestOf(esim));
  if (report.state !== 'DELIVERED' || report.goods[0]?.kind !== 'esim') throw new Error('No profile');
  const { iccid } = report.goods[0];
  expect(await lifeAt(shop.supplier, iccid)).toEqual({});
  const { leftMb = null } = (await usageAt(shop.supplier, iccid)) ?? {};
  expect(leftMb).toBeGreaterThan(0);
  await change(iccid, 'use');
  expect(await usageAt(shop.supplier, iccid)).toEqual({
    totalMb: null,
    usedMb: null,
    leftMb: (leftMb ?? NaN) / 5,
    endsAt: expect.any(Date) as Date,
  });
  for (const step of ['install', 'activate', 'deplete']) await change(iccid, step);
  expect(await lifeAt(shop.supplier, iccid)).toEqual({
    installedAt: expect.any(Date) as Date,
    firstUsedAt: expect.any(Date) as Date,
    isDepleted: true,
  });
});

test('When the expiry of its data has passed, then a profile is not depleted and keeps the data', async () => {
  const expired = '2026-01-09T00:00:00Z';
  const data = { type: 'DATA', unit_type: 'DATA', unit: 'GB', amount: 1, expiration_date: expired };
  shop.proxy.meddle = ({ path }) => {
    const body = path.includes('benefits') ? [data] : { installation_date: expired, activation_date: expired };
    return instead(200, body);
  };
  const at = ownMoment(expired);
  expect(await lifeAt(shop.supplier, '8944000000000000019')).toEqual({ installedAt: at, firstUsedAt: at });
  expect(await usageAt(shop.supplier, '8944000000000000019')).toMatchObject({ leftMb: 1_000, endsAt: at });
});

test('When our account is funded, then the adapter returns the available balance', async () => {
  await fund('123.45');
  expect(await shop.supplier.balances?.()).toEqual([{ amount: '123.45', currency: 'USD' }]);
});
