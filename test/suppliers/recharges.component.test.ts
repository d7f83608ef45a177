/** Recharges at each fake: which plans fit a profile, what is bought, and which answers are unusable. */
import type { EsimGoods } from '../../src/domain/orders/goods';
import type { PurchaseReport, PurchaseRequest } from '../../src/domain/suppliers/port';
import { isSupplierFault, ProfileUnknown } from '../../src/domain/suppliers/supplier-errors';
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

async function profileAt(shop: FakeBuyer, sku: string): Promise<EsimGoods> {
  const report = await ended(shop, shop.requestOf(esim(sku)));
  const [unit] = 'goods' in report ? report.goods : [];
  if (unit?.kind !== 'esim') throw new Error('There is no profile');
  return unit;
}

test.each(cases)(
  'When %s recharges a profile of %s, then the plan %s is added once, and no profile is issued',
  async (name, sku, rechargeSku, fitting) => {
    const shop = shopOf(name);
    const profile = await profileAt(shop, sku);
    const { iccid } = profile;
    expect(await shop.supplier.rechargePlans?.({ iccid, sku })).toEqual(fitting);
    const request = { ...shop.requestOf(esim(rechargeSku)), recharged: profile };
    expect(await ended(shop, request)).toMatchObject({ state: 'DELIVERED', goods: [{ kind: 'recharge' }] });
    expect(await shop.soldUnits(request.reference)).toBe(1);
    await shop.change(iccid, 'deplete');
    await shop.change(iccid, 'deplete');
    expect(await shop.supplier.esimStatus?.(iccid)).toMatchObject({ isDepleted: true });
  },
);

/** Changes an answer to a recharge of `recharged`, so that it names the ICCID and the activation code. */
const naming = (name: FakeName, recharged: EsimGoods, iccid: string, code?: string) => (body: string) => {
  switch (name) {
    case 'airalo':
      return body.replace('"sims":[]', `"sims":[${JSON.stringify({ iccid, qrcode: code })}]`);
    case 'dtone':
      return body
        .replaceAll('"pin":null', `"pin":${JSON.stringify({ code: null, serial: iccid })}`)
        .replaceAll('"metadata":{', `"metadata":{"profile":${JSON.stringify({ iccid, activation_code: code })},`);
    case 'zendit':
    case 'reloadly':
      return body.replaceAll(
        `"iccid":"${recharged.iccid}"`,
        JSON.stringify({ iccid, ...(code !== undefined && { activationCode: code }) }).slice(1, -1),
      );
  }
};

const other = { iccid: '8988303000000614227', activationCode: 'LPA:1$rsp.example.com$OTHER' };
const unusable = { kind: 'unreadable', fault: 'it is a profile, and the order recharges one' };

test.each(cases)(
  'When the answer of %s to a recharge of %s names a profile, then only the recharged one is right, in any spelling',
  async (name, sku, rechargeSku) => {
    const shop = shopOf(name);
    const profile = await profileAt(shop, sku);
    const goodsFor = async (iccid: string, code?: string) => {
      shop.proxy.meddle = () => ({ do: 'change-answer', change: naming(name, profile, iccid, code) });
      const report = await ended(shop, { ...shop.requestOf(esim(rechargeSku)), recharged: profile });
      shop.proxy.meddle = () => undefined;
      return 'goods' in report ? report.goods : [];
    };
    const { iccid, activationCode } = profile;
    expect(await goodsFor(iccid, activationCode)).toEqual([{ kind: 'recharge' }]);
    expect(await goodsFor(`${iccid}F`, activationCode.replace('LPA:', ''))).toEqual([{ kind: 'recharge' }]);
    expect(await goodsFor(other.iccid)).toMatchObject([unusable]);
    expect(await goodsFor(iccid, other.activationCode)).toMatchObject([unusable]);
    expect(await goodsFor(other.iccid, activationCode)).toMatchObject([unusable]);
  },
);

test.each(cases)(
  'When %s writes the ICCID of a profile of %s with a filler, then its calls about the profile do, too',
  async (name, sku, rechargeSku) => {
    const shop = shopOf(name);
    const change = (body: string) => body.replaceAll(/"(89\d{17,18})"/g, '"$1F"');
    shop.proxy.meddle = () => ({ do: 'change-answer', change });
    const { iccid, suppliersIccid = '', activationCode } = await profileAt(shop, sku);
    shop.proxy.meddle = () => undefined;
    expect([iccid, suppliersIccid]).toEqual([expect.stringMatching(/^89\d+F$/), iccid]);
    const recharged = { iccid: suppliersIccid, activationCode };
    await ended(shop, { ...shop.requestOf(esim(rechargeSku)), recharged });
    const sent = shop.proxy.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(sent.at(-1)).toContain(suppliersIccid);
  },
);

test.each(cases)('When %s does not know a profile of %s, then the poll of its state says so', async (name) => {
  const { supplier } = shopOf(name);
  const error: unknown = await supplier.esimStatus?.(other.iccid).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProfileUnknown);
  expect(isSupplierFault(error)).toBe(false);
});

test.each(cases)('When %s refuses a recharge of %s, then nothing is bought', async (name, sku, rechargeSku) => {
  const shop = shopOf(name);
  const profile = await profileAt(shop, sku);
  const code = { airalo: '13', dtone: '1003001', zendit: 'NOT_FOUND', reloadly: '' }[name];
  await shop.misbehave({ rejects: { code, count: 1 } });
  const request = { ...shop.requestOf(esim(rechargeSku)), recharged: profile };
  expect(await ended(shop, request)).toMatchObject({ state: expect.stringMatching(/NOT_BOUGHT|REJECTED/) as string });
  expect(await shop.soldUnits(request.reference)).toBe(0);
});

test.each(cases)(
  'When the answer of %s to a recharge of %s is lost, then a lookup finds it, unless the supplier has none for recharges',
  async (name, sku, rechargeSku) => {
    const shop = shopOf(name);
    const profile = await profileAt(shop, sku);
    const request = { ...shop.requestOf(esim(rechargeSku)), recharged: profile };
    shop.proxy.meddle = ({ method, path }) =>
      method === 'POST' && /transactions|purchases|orders/.test(path) ? { do: 'lose-answer' } : undefined;
    await expect(shop.buy(request)).rejects.toMatchObject({ name: 'SupplierOutcomeUnknown' });
    shop.proxy.meddle = () => undefined;
    if (name === 'airalo') expect(shop.supplier.traits.rechargeLookup).toBe('none');
    else expect(await shop.concluded(request)).toMatchObject({ state: 'DELIVERED', goods: [{ kind: 'recharge' }] });
    expect(await shop.soldUnits(request.reference)).toBe(1);
  },
);
