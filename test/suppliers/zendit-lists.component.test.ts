/** The reads of the Zendit adapter besides purchases: balance, eSIMs, plans and statements. The responses are scripted. */
import { lifeAt, usageAt } from '../support/esim-status';
import { ownMoment } from '../../src/domain/time';
import { useScriptedZendit } from '../support/scripted-zendit';

const { server, supplier } = useScriptedZendit();

/** Answers every call by its path and its query. */
function answers(bodyOf: (path: string, query: URLSearchParams) => unknown): void {
  server.meddle = ({ path }) => {
    const { pathname, searchParams } = new URL(path, server.url);
    const body = JSON.stringify(bodyOf(pathname, searchParams));
    return { do: 'answer-instead', answer: { status: 200, body } };
  };
}

const unavailable = { name: 'SupplierUnavailable' };

async function all<T>(pages: AsyncIterable<T[]> | undefined): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages ?? []) items.push(...page);
  return items;
}

/** The requested page of a list. */
function part(list: readonly unknown[], query: URLSearchParams) {
  const [limit, offset] = [Number(query.get('_limit')), Number(query.get('_offset'))];
  return { limit, offset, total: list.length, list: list.slice(offset, offset + limit) };
}

test('When the wallet holds minor units, then the balance is exact', async () => {
  answers(() => ({ availableBalance: 1_234_567, currency: 'USD', currencyDivisor: 100 }));
  expect(await supplier.balances?.()).toEqual([{ amount: '12345.67', currency: 'USD' }]);
});

test.each([{}, { availableBalance: 1.5, currency: 'USD', currencyDivisor: 100 }])(
  'When the balance is %j, then it is unavailable for now',
  async (body) => {
    answers(() => body);
    await expect(supplier.balances?.()).rejects.toMatchObject(unavailable);
  },
);

describe('The status of an eSIM', () => {
  const iccid = '8944000000000000019';
  const installed = '2026-01-01T00:00:00Z';
  const started = '2026-01-02T00:00:00Z';
  const plan = { offerId: 'ESIM_US_1GB', iccid, status: 'ACTIVE', unlimited: false };
  const statusOf = (list: object[], firstInstalledAt: string | null = installed, total = list.length) => {
    answers(() => ({ firstInstalledAt, total, list }));
    return lifeAt(supplier, iccid);
  };

  test('When the plan of an eSIM is queued, then the status is empty', async () => {
    expect(await statusOf([{ ...plan, status: 'QUEUED' }], null)).toEqual({});
    expect(server.requests.at(-1)?.path).toBe(`/v1/esim/${iccid}/plans`);
  });

  test('When the eSIM was installed and used, then the status has both times', async () => {
    const plans = [
      { ...plan, startAt: '2026-02-01T00:00:00Z' },
      { ...plan, startAt: started },
    ];
    const times = { installedAt: ownMoment(installed), firstUsedAt: ownMoment(started) };
    expect(await statusOf(plans)).toEqual(times);
  });

  test('When no plan is active or queued, then the eSIM is depleted', async () => {
    expect(await statusOf([{ ...plan, status: 'FINISHED' }])).toMatchObject({ isDepleted: true });
    expect(await statusOf([])).toMatchObject({ isDepleted: true });
    const ended = { ...plan, status: 'FINISHED' };
    expect(await statusOf([ended, { ...plan, status: 'QUEUED' }])).not.toHaveProperty('isDepleted');
  });

  test('When the end of an active plan has passed, then the eSIM is not depleted', async () => {
    const endAt = '2026-01-09T00:00:00Z';
    expect(await statusOf([{ ...plan, startAt: started, endAt }])).not.toHaveProperty('isDepleted');
    expect(await usageAt(supplier, iccid)).toMatchObject({ endsAt: ownMoment(endAt) });
  });

  test('When the eSIM was never installed, then it is not depleted', async () => {
    expect(await statusOf([], null)).toEqual({});
  });

  test('When plans have data, then the usage adds them up in megabytes', async () => {
    const usageOf = async (...list: object[]) => {
      await statusOf(list);
      return usageAt(supplier, iccid);
    };
    const half = { ...plan, initialDataGB: 5, remainingDataGB: 2.5, endAt: '2030-01-09T00:00:00Z' };
    const endsAt = new Date('2030-01-09T00:00:00Z');
    expect(await usageOf(half)).toEqual({ totalMb: 5_000, usedMb: 2_500, leftMb: 2_500, endsAt });
    expect(await usageOf(half, { ...half, remainingDataGB: 5 })).toMatchObject({ totalMb: 10_000, usedMb: 2_500 });
    const unknown = { totalMb: null, usedMb: null, leftMb: null };
    expect(await usageOf({ ...half, unlimited: true })).toEqual({ ...unknown, endsAt });
    const unstated = { ...half, initialDataGB: -1, remainingDataGB: -1 };
    expect(await usageOf(half, unstated)).toEqual({ ...unknown, endsAt });
    expect(await usageOf({ ...half, remainingDataGB: 'much' })).toMatchObject({ totalMb: 5_000, leftMb: null });
    expect(await usageOf()).toEqual({ ...unknown, endsAt: null });
  });

  test('When half of the plans are missing, then the status is unavailable for now', async () => {
    await expect(statusOf([plan], installed, 2)).rejects.toMatchObject(unavailable);
  });
});

describe('The plans of a country', () => {
  const offer = {
    offerId: 'ESIM_US_1GB',
    brand: 'zendit',
    country: 'US',
    enabled: true,
    priceType: 'FIXED',
    cost: { currency: 'USD', currencyDivisor: 100, fixed: 450, fee: 0 },
    price: { currency: 'USD', currencyDivisor: 100, fixed: 599, fee: 0 },
    shortNotes: '1 GB for 7 days',
    dataGB: 1,
    dataUnlimited: false,
    durationDays: 7,
    roaming: [{ country: 'US', dataSpeeds: ['4G'] }],
  };
  const plansOf = (offers: object[], sku = 'country:US') => {
    answers((_path, query) => part(offers, query));
    return supplier.esimPlans?.(sku);
  };

  test('When offers are listed, then each is a plan with its price for customers', async () => {
    expect(await plansOf([offer])).toEqual([
      {
        sku: 'plan:ESIM_US_1GB',
        name: '1 GB for 7 days',
        currency: 'USD',
        price: '5.99',
        dataAmountGb: 1,
        validityDays: 7,
        regions: [{ code: 'USA', name: 'United States' }],
        networks: [],
        isRechargeable: true,
      },
    ]);
    expect(server.requests.at(-1)?.path).toBe('/v1/esim/offers?country=US&_limit=100&_offset=0');
  });

  test('When an offer is marked as unlimited, then it is a plan of 0 GB with the notes as its description', async () => {
    const unlimited = { dataUnlimited: true, dataGB: 2, notes: 'After 2 GB a day, the speed is 512 kbps.' };
    expect(await plansOf([{ ...offer, ...unlimited }])).toMatchObject([
      { dataAmountGb: 0, isUnlimited: true, description: unlimited.notes },
    ]);
  });

  test('When an offer has minutes and no data, then the reason says so', async () => {
    answers((_path, query) => part([{ ...offer, dataGB: 0, voiceMinutes: 60 }], query));
    for await (const [one] of supplier.catalogue?.() ?? [])
      if (one?.family === 'ESIM') expect(one.unsellable).toBe('It has minutes or messages, and no data');
  });

  test('When an offer cannot be sold as a plan, then the list leaves it out', async () => {
    const others = [
      { enabled: false },
      { dataGB: 0 },
      { dataGB: -1 },
      { dataGB: '' },
      { dataGB: null },
      { dataGB: 0.0004 },
      { priceType: 'RANGE' },
      { country: 'CA' },
      { durationDays: null },
      { cost: { currency: 'USD', currencyDivisor: 100 } },
      { price: null },
    ];
    expect(await plansOf(others.map((other) => ({ ...offer, ...other })))).toEqual([]);
  });

  test('When there are several pages, then all are read', async () => {
    const offers = Array.from({ length: 250 }, (_, index) => ({ ...offer, offerId: `ESIM_${index}` }));
    expect(await plansOf(offers, 'brand:zendit')).toHaveLength(250);
    expect(server.requests).toHaveLength(3);
  });

  test('When a plan names neither a country nor a brand, then it belongs to no product and cannot be sold', async () => {
    const anywhere = { ...offer, brand: null, country: null };
    answers((path, query) => part(path === '/v1/esim/offers' ? [offer, anywhere] : [], query));
    const [named, unnamed] = await all(supplier.catalogue?.());
    expect(named).toMatchObject({ productSku: 'brand:zendit' });
    expect(unnamed).toMatchObject({ unsellable: 'It names neither a country nor a brand' });
    expect(unnamed).not.toHaveProperty('productSku');
  });

  test('When the SKU names neither a country nor a brand, then nothing is sent', async () => {
    await expect(plansOf([offer], 'US')).rejects.toMatchObject(unavailable);
    expect(server.requests).toEqual([]);
  });
});

describe('The statement', () => {
  const since = new Date('2026-01-01T00:00:00Z');
  const createdAt = '2026-01-02T00:00:00Z';
  const sold = (transactionId: string, other: object = {}) => ({
    transactionId,
    status: 'DONE',
    createdAt,
    cost: 960,
    costCurrency: 'USD',
    costCurrencyDivisor: 100,
    ...other,
  });

  test('When units were sold, then the statement has the sales of every family, and a separate row for each refund', async () => {
    answers((path, query) =>
      part(
        path.includes('esim')
          ? [sold('order-3', { refund: { status: 'DONE' } }), sold('order-4', { refund: { status: 'PENDING' } })]
          : [sold(path.includes('topups') ? 'order-1' : 'order-2')],
        query,
      ),
    );
    const rows = await all(supplier.statement?.(since));
    expect(rows.map(({ kind, reference }) => `${kind} ${reference}`)).toEqual([
      'sale order-1',
      'sale order-2',
      'sale order-3',
      'refund order-3',
      'sale order-4',
    ]);
    expect(rows[0]).toEqual({
      kind: 'sale',
      reference: 'order-1',
      supplierOrderId: 'order-1',
      units: 1,
      cost: { amount: '9.6', currency: 'USD' },
      soldAt: ownMoment(createdAt),
    });
    const { searchParams } = new URL(server.requests[0]?.path ?? '', server.url);
    expect(Object.fromEntries(searchParams)).toEqual({
      createdAt: 'gte2026-01-01T00:00:00.000Z',
      status: 'DONE',
      _limit: '100',
      _offset: '0',
    });
  });

  test('When a row moves to a later page between two requests, then it counts once', async () => {
    const rows = Array.from({ length: 150 }, (_, index) => sold(`order-${index}`));
    answers((_path, query) => part(query.get('_offset') === '0' ? rows : [sold('order-new'), ...rows], query));
    const listed = await all(supplier.statement?.(since));
    expect(listed).toHaveLength(3 * 150);
  });

  test('When a reference was bought several times, then every sale counts, even on different pages', async () => {
    const others = Array.from({ length: 97 }, (_, index) => sold(`order-${index}`));
    const twice = [
      sold('order-twice'),
      sold('order-twice', { createdAt: '2026-01-02T00:00:01Z' }),
      sold('order-twice', { confirmation: { confirmationNumber: 'C2' } }),
      ...others,
      sold('order-twice', { receipt: { confirmationNumber: 'C3' } }),
    ];
    answers((path, query) => part(path.includes('topups') ? twice : [], query));
    const listed = await all(supplier.statement?.(since));
    expect(listed.filter(({ reference }) => reference === 'order-twice')).toHaveLength(4);
  });

  test.each<[string, object]>([
    ['half a page', { total: 2, list: [sold('order-1')] }],
    ['a row without a state', { total: 1, list: [{ transactionId: 'order-1' }] }],
    ['no list', { total: 0 }],
  ])('When the response is %s, then the statement is unavailable for now', async (_what, body) => {
    answers(() => body);
    await expect(all(supplier.statement?.(since))).rejects.toMatchObject(unavailable);
  });
});
