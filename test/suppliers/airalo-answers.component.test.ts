/** Tokens, eSIMs, balances, statements, plans and webhooks of Airalo. */
import { createHmac } from 'node:crypto';
import type { SharedState } from '../../src/domain/suppliers/shared-state';
import type { ReceivedPush } from '../../src/domain/suppliers/port';
import { SupplierAccountBlocked, SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import { lifeAt, usageAt } from '../support/esim-status';
import type { Forged, PassedRequest } from '../support/hostile-proxy';
import {
  business,
  clientId,
  clientSecret,
  iccid,
  jsonOf,
  order,
  reference,
  ScriptedAiralo,
  success,
  validation,
} from '../support/scripted-airalo';
import { useNew } from '../support/made';

const airalo = useNew(
  () => ScriptedAiralo.open(),
  ({ proxy }) => proxy.close(),
);

describe('Tokens', () => {
  test('When calls run side by side, then they share one signed token', async () => {
    airalo.answers = [success(order)];
    await Promise.all([airalo.buy(), airalo.buy(), airalo.find()]);
    const [asked, ...others] = airalo.requestsTo('/v2/token') as [PassedRequest];
    expect(others).toEqual([]);
    const fields = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
    expect(Object.fromEntries(new URLSearchParams(asked.body))).toEqual(fields);
    const signature = createHmac('sha512', clientSecret).update(JSON.stringify(fields)).digest('hex');
    expect(asked.headers['airalo-signature']).toBe(signature);
  });

  test('When Airalo names a life of a year, then the token counts for a day', async () => {
    const lives: number[] = [];
    const state: SharedState = {
      ...airalo.quickState(),
      token: async (_name, issue) => {
        const { value, expiresAt } = await issue();
        lives.push(expiresAt.getTime() - Date.now());
        return value;
      },
    };
    airalo.supplier = airalo.newSupplier(state);
    airalo.answers = [success(order)];
    await airalo.buy();
    airalo.tokenAnswer = success({ token_type: 'Bearer', expires_in: 3_600, access_token: 'token' });
    await airalo.buy();
    expect(lives.map((life) => Math.round(life / 60_000))).toEqual([24 * 60, 60]);
  });

  test.each([
    ["Airalo's form", 'purchase', { data: [], meta: { message: 'This access token is invalid.' } }],
    ['the form of gateways', 'lookup', { message: 'Unauthenticated.' }],
  ])('When Airalo rejects a token in %s, then the %s is repeated with another token', async (_form, call, body) => {
    airalo.answers = [jsonOf(401, body), call === 'purchase' ? success(order) : success([])];
    airalo.proxy.requests.length = 0;
    const outcome = call === 'purchase' ? await airalo.buy() : await airalo.find();
    expect(outcome).toMatchObject({ state: call === 'purchase' ? 'DELIVERED' : 'NOT_FOUND' });
    expect(airalo.requestsTo('/v2/token')).toHaveLength(2);
  });

  test.each<[string, Forged, new (...given: never[]) => Error]>([
    ['wrong credentials', validation({ client_secret: 'Bad.' }), SupplierAccountBlocked],
    ['401', jsonOf(401, { message: 'Unauthenticated.' }), SupplierAccountBlocked],
    ['a foreign address', business(89, 403), SupplierAccountBlocked],
    ['a wrong checksum', business(14), SupplierAccountBlocked],
    ['too many requests', jsonOf(429, { message: 'Slow' }, { 'retry-after': '20' }), SupplierUnavailable],
    ['a page of a gateway', { status: 401, body: '<html></html>' }, SupplierUnavailable],
    ['no token', success({ token_type: 'Bearer' }), SupplierUnavailable],
  ])('When a request for a token fails because of %s, then nothing is bought', async (_what, answer, error) => {
    airalo.tokenAnswer = answer;
    airalo.answers = [success(order)];
    expect(await airalo.buy()).toBeInstanceOf(error);
    expect(airalo.requestsTo('/v2/orders')).toEqual([]);
  });
});

describe('An eSIM', () => {
  const usage = (status: string) => success({ remaining: 0, total: 0, is_unlimited: true, status });
  const history = (...times: (string | null)[]) => success(times.map((activated_at) => ({ activated_at })));
  const at = new Date('2026-09-01T10:00:00Z');

  test.each(['NOT_ACTIVE', 'UNKNOWN', 'RESTING'])(
    'When the state of an eSIM is %s, then the status is empty after one call',
    async (status) => {
      airalo.answers = [usage(status)];
      expect(await lifeAt(airalo.supplier, iccid)).toEqual({});
      expect(airalo.requestsTo(`/v2/sims/${iccid}/`)).toHaveLength(1);
    },
  );

  test.each([
    ['ACTIVE', [null, '2026-09-02T10:00:00Z', at.toISOString()], { firstUsedAt: at }],
    ['FINISHED', [at.toISOString()], { firstUsedAt: at, isDepleted: true }],
    ['EXPIRED', [at.toISOString()], { firstUsedAt: at, isDepleted: true }],
    ['EXPIRED', [null], { isDepleted: true }],
    ['RECYCLED', [], { isDepleted: true }],
  ])('When the state of an eSIM is %s with activations %j, then the status is %j', async (state, times, status) => {
    airalo.answers = [usage(state), history(...times)];
    expect(await lifeAt(airalo.supplier, iccid)).toEqual(status);
  });

  test.each([
    [
      { total: 3_072, remaining: 1_024 },
      { totalMb: 3_072, usedMb: 2_048, leftMb: 1_024, endsAt: null },
    ],
    [
      { total: 0, remaining: 0, is_unlimited: true },
      { totalMb: null, usedMb: null, leftMb: null, endsAt: null },
    ],
    [
      { total: -1, remaining: -1 },
      { totalMb: null, usedMb: null, leftMb: null, endsAt: null },
    ],
    [
      { total: 1_024, expired_at: at.toISOString() },
      { totalMb: 1_024, usedMb: null, leftMb: null, endsAt: at },
    ],
    [
      { remaining: 5, expired_at: '2026-09-01 10:00:00' },
      { totalMb: null, usedMb: null, leftMb: 5, endsAt: new Date('2026-09-01T10:00:00Z') },
    ],
    [{ remaining: ['none'] }, undefined],
  ])('When Airalo reports %j, then the usage is %j', async (reported, expected) => {
    airalo.answers = [success({ ...reported, status: 'NOT_ACTIVE' })];
    expect(await usageAt(airalo.supplier, iccid)).toEqual(expected);
  });

  test.each([[[null]], [['soon']], [['0000-00-00 00:00:00']]])(
    'When an eSIM is active since %j, which is no time, then its first use is now',
    async (times) => {
      airalo.answers = [usage('ACTIVE'), history(...times)];
      const { firstUsedAt } = (await airalo.supplier.esimStatus?.(iccid)) ?? {};
      expect(Math.abs(Date.now() - (firstUsedAt?.getTime() ?? 0))).toBeLessThan(5_000);
    },
  );

  test('When Airalo does not know the eSIM, then the poll is retried', async () => {
    airalo.answers = [jsonOf(404, { data: [], meta: { message: 'Not found' } })];
    await expect(airalo.supplier.esimStatus?.(iccid)).rejects.toBeInstanceOf(SupplierUnavailable);
  });
});

test('When our account is funded, then the adapter returns the available balance', async () => {
  const availableBalance = { amount: 1234.5, currency: 'USD' };
  airalo.answers = [success({ balances: { name: 'balance', availableBalance } })];
  expect(await airalo.supplier.balances?.()).toEqual([{ amount: '1234.5', currency: 'USD' }]);
});

test('When the statement has several pages, then the read ends at a page without new orders, and each order occurs once', async () => {
  const made = { ...order, sims: undefined };
  const [first, second, third] = [
    success([
      { ...made, status: { slug: 'completed' } },
      { ...made, id: 2, status: { slug: 'failed' } },
      { ...made, id: 3, description: null },
    ]),
    success({ 3: made, 4: { ...made, id: 4, status: { slug: 'refunded' } } }),
    success([{ ...made, id: 4 }]),
  ];
  airalo.answers = [first, second, third];
  const rows = [];
  for await (const page of airalo.supplier.statement?.(new Date('2026-09-27T12:00:00Z')) ?? []) rows.push(...page);
  const row = { reference, units: 1, cost: { amount: '3.6', currency: 'USD' }, soldAt: expect.any(Date) };
  expect(rows).toEqual([
    { kind: 'sale', supplierOrderId: '9666', ...row },
    { kind: 'sale', supplierOrderId: '3', ...row, reference: '3' },
    { kind: 'sale', supplierOrderId: '4', ...row },
    { kind: 'refund', supplierOrderId: '4', ...row },
  ]);
  const queries = airalo.requestsTo('/v2/orders').map(({ path }) => new URL(`http://x${path}`).searchParams);
  expect(queries.map((query) => query.get('page'))).toEqual(['1', '2', '3']);
  expect(queries[0]?.get('filter[created_at]')).toMatch(/^2026-09-26 - \d{4}-\d\d-\d\d$/);
});

describe('Plans', () => {
  const sold = {
    id: 'change-7days-1gb',
    type: 'sim',
    title: '1 GB - 7 Days',
    amount: 1024,
    day: 7,
    is_unlimited: false,
    prices: { net_price: { USD: 3.6, EUR: 3.1 }, recommended_retail_price: { USD: 4.5 } },
  };
  const packages = (pricing: object, ...listed: object[]) =>
    success(
      [
        {
          slug: 'united-states',
          operators: [
            { activation_policy: 'first-usage', countries: [{ country_code: 'US', title: 'USA' }], packages: listed },
          ],
        },
      ],
      { pricing },
    );
  const net = { model: 'net_pricing', discount_percentage: 0 };

  test('When a product has packages, then those with data and a price are listed, by one call an hour', async () => {
    const others = [
      { amount: 0 },
      { amount: -1 },
      { amount: '' },
      { amount: null },
      { amount: 0.4 },
      { is_unlimited: null },
      { type: 'voice' },
      { prices: { net_price: {} } },
      { day: 'x' },
    ];
    airalo.answers = [packages(net, sold, ...others.map((special) => ({ ...sold, ...special })))];
    expect(await airalo.supplier.esimPlans?.('united-states')).toEqual([
      {
        sku: 'change-7days-1gb',
        name: '1 GB - 7 Days',
        currency: 'USD',
        price: '4.5',
        dataAmountGb: 1,
        validityDays: 7,
        regions: [{ code: 'USA', name: 'USA' }],
        networks: [],
        isRechargeable: false,
        activationPolicy: 'first-usage',
      },
    ]);
    expect(await airalo.supplier.esimPlans?.('atlantis')).toEqual([]);
    expect(airalo.requestsTo('/v2/packages')).toHaveLength(1);
  });

  test('When a package is marked as unlimited, then it has 0 GB, whatever amount it states, with its fair use as description', async () => {
    const fairUse = 'After 3 GB a day, the speed is 1 Mbps.';
    airalo.answers = [packages(net, { ...sold, is_unlimited: true, amount: 3_072, fair_usage_policy: fairUse })];
    expect(await airalo.supplier.esimPlans?.('united-states')).toMatchObject([
      { dataAmountGb: 0, isUnlimited: true, description: fairUse },
    ]);
  });

  test('When we have a discount, then it reduces our cost and not the price for customers', async () => {
    const retail = { ...sold, amount: 1500, prices: { ...sold.prices, net_price: null } };
    airalo.answers = [packages({ model: 'discount_pricing', discount_percentage: 12.5 }, retail)];
    const plans = await airalo.supplier.esimPlans?.('united-states');
    expect(plans).toMatchObject([{ price: '4.5', dataAmountGb: 1.5 }]);
    for await (const offers of airalo.supplier.catalogue?.() ?? [])
      expect(offers).toMatchObject([{ cost: { fixed: '3.9375', fee: '0', currency: 'USD' } }]);
    expect(airalo.requestsTo('/v2/packages')).toHaveLength(1);
  });

  test('When the list cannot be read, then the next request reads it again', async () => {
    airalo.answers = [business(53, 500), packages(net, sold)];
    await expect(airalo.supplier.esimPlans?.('united-states')).rejects.toBeInstanceOf(SupplierUnavailable);
    expect(await airalo.supplier.esimPlans?.('united-states')).toHaveLength(1);
  });
});

describe('A webhook', () => {
  const low = { level: '75%', package_name: 'A/B', remaining_percentage: 25, iccid };
  const signed = (covered: string, sent = covered): ReceivedPush => ({
    headers: { 'airalo-signature': createHmac('sha512', clientSecret).update(covered).digest('hex') },
    rawBody: Buffer.from(sent),
    pathSecret: undefined,
  });
  const accepted = { ...order, request_id: 'yuFSfqKIeZyJ2YzlxYUWsZ8dx' };
  /** Makes a body too large to be re-serialised. */
  const large = 'é'.repeat(5_000);

  test.each<[string, ReceivedPush, object]>([
    ['the raw body', signed(JSON.stringify(low)), { kind: 'esim', iccid }],
    [
      "the form of Airalo's libraries",
      signed(JSON.stringify(low).replace('/', '\\/'), JSON.stringify(low, null, 2)),
      { kind: 'esim', iccid },
    ],
    [
      "PHP's escapes",
      signed(
        JSON.stringify({ ...low, package_name: 'T' }).replace('"T"', '"T\\u00fcrk"'),
        JSON.stringify({ ...low, package_name: 'Türk' }),
      ),
      { kind: 'esim', iccid },
    ],
    ['an order', signed(JSON.stringify(accepted)), { kind: 'purchase', reference }],
    ['a large raw body', signed(JSON.stringify({ ...low, more: large })), { kind: 'esim', iccid }],
  ])('When the signature of a webhook covers %s, then its hint is accepted', (_what, push, hint) => {
    expect(airalo.supplier.verifyPush?.(push)).toEqual(hint);
  });

  test.each<[string, ReceivedPush]>([
    ['another body', signed(JSON.stringify(low), JSON.stringify({ ...low, iccid: '8944000000000805678' }))],
    ['no signature', { ...signed(JSON.stringify(low)), headers: {} }],
    ['no JSON', signed('low')],
    ['our credit', signed(JSON.stringify({ message: 'Low credit', remaining: 5 }))],
    ['an invalid ICCID', signed(JSON.stringify({ ...low, iccid: '12' }))],
  ])('When a webhook has %s, then the adapter returns no hint', (_what, push) => {
    expect(airalo.supplier.verifyPush?.(push)).toBeUndefined();
  });

  const wrong = signed('another body').headers;
  test.each<[string, ReceivedPush]>([
    ['no signature', { ...signed(JSON.stringify(low)), headers: {} }],
    ['a malformed signature', { ...signed(JSON.stringify(low)), headers: { 'airalo-signature': 'ab' } }],
    ['a wrong signature and a large body', { ...signed(JSON.stringify({ ...low, more: large })), headers: wrong }],
  ])('When a webhook has %s, then the adapter rejects it without parsing its body', (_what, push) => {
    const parse = jest.spyOn(JSON, 'parse');
    try {
      expect(airalo.supplier.verifyPush?.(push)).toBeUndefined();
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });
});
