/** Recharges at each fake: which plans fit a profile, what is bought, and which answers are unusable. */
import type { PurchaseReport, PurchaseRequest } from '../../src/suppliers/port';
import { buysFrom, type FakeBuyer, type FakeName } from '../support/fake-suppliers';

const options = { usual: { takes_ms: 0, lookup_after_ms: 0 }, timeoutMs: 2_000 };
const shops: Readonly<Partial<Record<FakeName, FakeBuyer>>> = {
  airalo: buysFrom('airalo', options),
  dtone: buysFrom('dtone', options),
  zendit: buysFrom('zendit', options),
};

/** The plan that is bought first, the plan of the recharge, and the SKUs that recharge it. */
const cases: readonly [FakeName, string, string, string[]][] = [
  ['airalo', 'nimbus-7days-1gb', 'nimbus-7days-2gb-topup', ['nimbus-7days-2gb-topup']],
  ['dtone', 'plan:4101', 'plan:4101', ['plan:4101']],
  ['zendit', 'plan:ESIM-WORLD-1GB-7D', 'plan:ESIM-WORLD-1GB-7D', ['plan:ESIM-WORLD-1GB-7D']],
];

function shopOf(name: FakeName): FakeBuyer {
  const shop = shops[name];
  if (!shop) throw new Error(`${name} sells no eSIMs`);
  return shop;
}

const esim = (sku: string) =>
  ({ family: 'ESIM', sku, units: 1, unitValue: '10', currency: 'USD' }) as const satisfies Omit<
    PurchaseRequest,
    'reference'
  >;

async function ended({ buy, concluded }: FakeBuyer, request: PurchaseRequest) {
  const report: PurchaseReport = await buy(request);
  return report.state === 'PENDING' ? concluded(request, report.supplierOrderId) : report;
}

async function profileAt(shop: FakeBuyer, sku: string): Promise<string> {
  const report = await ended(shop, shop.requestOf(esim(sku)));
  const [unit] = 'goods' in report ? report.goods : [];
  if (unit?.kind !== 'esim') throw new Error('There is no profile');
  return unit.iccid;
}

test.each(cases)(
  'When %s recharges a profile of %s, then the plan %s is added once, and no profile is issued',
  async (name, sku, rechargeSku, fitting) => {
    const shop = shopOf(name);
    const iccid = await profileAt(shop, sku);
    expect(await shop.supplier.rechargePlans?.({ iccid, sku })).toEqual(fitting);
    const request = { ...shop.requestOf(esim(rechargeSku)), iccid };
    expect(await ended(shop, request)).toMatchObject({ state: 'DELIVERED', goods: [{ kind: 'recharge' }] });
    expect(await shop.soldUnits(request.reference)).toBe(1);
    await shop.change(iccid, 'deplete');
    await shop.change(iccid, 'deplete');
    expect(await shop.supplier.esimStatus?.(iccid)).toMatchObject({ isDepleted: true });
  },
);

test.each(cases)(
  'When the answer of %s to a recharge of %s names another profile, then the goods are unusable',
  async (name, sku, rechargeSku) => {
    const shop = shopOf(name);
    const iccid = await profileAt(shop, sku);
    const other = '8988303000000614227';
    const change = (body: string) =>
      name === 'airalo'
        ? body.replace('"sims":[]', `"sims":[{"iccid":"${other}"}]`)
        : name === 'dtone'
          ? body.replaceAll('"pin":null', `"pin":{"code":null,"serial":"${other}"}`)
          : body.replaceAll(`"iccid":"${iccid}"`, `"iccid":"${other}"`);
    shop.proxy.meddle = () => ({ do: 'change-answer', change });
    const report = await ended(shop, { ...shop.requestOf(esim(rechargeSku)), iccid });
    expect(report).toMatchObject({
      goods: [{ kind: 'unreadable', fault: 'it is a profile, and the order recharges one' }],
    });
  },
);

test.each(cases)(
  'When %s refuses a recharge of %s, then nothing is bought',
  async (name, sku, rechargeSku) => {
    const shop = shopOf(name);
    const iccid = await profileAt(shop, sku);
    const code = { airalo: '13', dtone: '1003001', zendit: 'NOT_FOUND', reloadly: '' }[name];
    await shop.misbehave({ rejects: { code, count: 1 } });
    const request = { ...shop.requestOf(esim(rechargeSku)), iccid };
    expect(await ended(shop, request)).toMatchObject({
      state: expect.stringMatching(/NOT_BOUGHT|REJECTED/) as string,
    });
    expect(await shop.soldUnits(request.reference)).toBe(0);
  },
);

test.each(cases)(
  'When the answer of %s to a recharge of %s is lost, then a lookup finds it, unless the supplier has none for recharges',
  async (name, sku, rechargeSku) => {
    const shop = shopOf(name);
    const iccid = await profileAt(shop, sku);
    const request = { ...shop.requestOf(esim(rechargeSku)), iccid };
    shop.proxy.meddle = ({ method, path }) =>
      method === 'POST' && /transactions|purchases|orders/.test(path) ? { do: 'lose-answer' } : undefined;
    await expect(shop.buy(request)).rejects.toMatchObject({ name: 'SupplierOutcomeUnknown' });
    shop.proxy.meddle = () => undefined;
    if (name === 'airalo') expect(shop.supplier.traits.rechargeLookup).toBe('none');
    else
      expect(await shop.concluded(request)).toMatchObject({
        state: 'DELIVERED',
        goods: [{ kind: 'recharge' }],
      });
    expect(await shop.soldUnits(request.reference)).toBe(1);
  },
);
