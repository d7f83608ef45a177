/** What the adapters read from the descriptions of sales, compared with the order: every offer of every fake, and changed answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { callControl } from '../../dev/stack/controls';
import type { AnswerChange } from '../../dev/faults/plan/answer-changes';
import { changedAnswer, contradicts } from '../../dev/faults/stack/changed-answers';
import { stateOfOneProcess } from '../../dev/trial/state-of-one-process';
import { createAiralo } from '../../fakes/airalo/airalo';
import { createDtone } from '../../fakes/dtone/dtone';
import { startFake, type RunningFake } from '../../fakes/kit/fake';
import { createReloadly } from '../../fakes/reloadly/reloadly';
import { createZendit } from '../../fakes/zendit/zendit';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import {
  contradictionOf,
  deviationOf,
  type OrderedItem,
  type SoldItem,
} from '../../src/domain/orders/sold-item';
import type { SupplierOffer } from '../../src/domain/prices/supplier-catalogue';
import { createAiraloSupplier } from '../../src/suppliers/airalo';
import { createDtoneSupplier } from '../../src/suppliers/dtone';
import type { LookupReport, Money, PurchaseRequest, Supplier } from '../../src/suppliers/port';
import { createReloadlySupplier } from '../../src/suppliers/reloadly';
import { createZenditSupplier } from '../../src/suppliers/zendit';
import { setModes } from '../support/fake-controls';
import { HostileProxy } from '../support/hostile-proxy';

const secrets = { key: 'key-of-the-tests', secret: 'secret-of-the-tests' };
const limits = { purchaseTimeoutMs: 5_000, lookupTimeoutMs: 5_000 };
const newState = () => ({ ...stateOfOneProcess(), turn: async () => undefined });

interface Shop {
  fake: RunningFake;
  proxy: HostileProxy;
  /** Opened anew for each test, because a reset of a fake deletes its tokens. */
  adapter: (url: string) => Supplier;
  supplier: Supplier;
}
type Name = 'dtone' | 'reloadly' | 'zendit' | 'airalo';
const shops = new Map<Name, Shop>();
let references = 0;
const referenceOf = (sale: number) => purchaseReference(sale, 'nonce1234567', 1);

async function open(
  name: Name,
  create: Parameters<typeof startFake>[1],
  adapter: (url: string) => Supplier,
): Promise<void> {
  const fake = await startFake({ host: '127.0.0.1', port: 0, ...secrets }, create);
  const proxy = await HostileProxy.before(() => fake.url);
  shops.set(name, { fake, proxy, adapter, supplier: adapter(proxy.url) });
}

beforeAll(async () => {
  const { key, secret } = secrets;
  await open('dtone', createDtone, (url) =>
    createDtoneSupplier({ url: `${url}/v1`, key, secret, ...limits }, newState()),
  );
  await open('zendit', createZendit, (url) => createZenditSupplier({ url: `${url}/v1`, key, ...limits }));
  await open('airalo', createAiralo, (url) =>
    createAiraloSupplier(
      { url: `${url}/v2`, clientId: key, clientSecret: secret, environment: 'sandbox', ...limits },
      newState(),
    ),
  );
  await open('reloadly', createReloadly, (url) =>
    createReloadlySupplier(
      {
        authUrl: `${url}/auth`,
        giftCardsUrl: `${url}/giftcards`,
        topupsUrl: `${url}/topups`,
        utilitiesUrl: `${url}/utilities`,
        clientId: key,
        clientSecret: secret,
        ...limits,
      },
      newState(),
    ),
  );
});
beforeEach(async () => {
  for (const opened of shops.values()) {
    const { proxy, fake, adapter } = opened;
    proxy.meddle = () => undefined;
    opened.supplier = adapter(proxy.url);
    await callControl(fake.url, 'POST', 'reset');
    await setModes(fake, { takes_ms: 0, lookup_after_ms: 0 });
  }
});
afterAll(async () => {
  for (const { proxy, fake } of shops.values()) {
    proxy.close();
    await fake.close();
  }
});

function shop(name: Name): Shop {
  const found = shops.get(name);
  if (!found) throw new Error(`${name} is closed`);
  return found;
}

/** Buys, and looks the purchase up until it has ended. */
async function sell({ supplier }: Shop, wanted: Omit<PurchaseRequest, 'reference'>): Promise<LookupReport[]> {
  const request = { ...wanted, reference: referenceOf(++references) };
  const answer = await supplier.purchase(request, () => true);
  const supplierOrderId = 'supplierOrderId' in answer ? answer.supplierOrderId : undefined;
  for (;;) {
    const found = await supplier.find({
      ...request,
      ...(supplierOrderId !== undefined && { supplierOrderId }),
    });
    if (found.state !== 'PENDING') return [answer, found];
    await sleep(5);
  }
}

const soldIn = (report: LookupReport): SoldItem | undefined => ('sold' in report ? report.sold : undefined);

function orderedAs(request: Omit<PurchaseRequest, 'reference'>, plan?: SupplierOffer['plan']): OrderedItem {
  const { family, sku, units, unitValue: amount, currency, input = null } = request;
  return {
    sku,
    units,
    input,
    faceValue: family === 'ESIM' ? undefined : { amount, currency },
    plan: plan ? { dataAmountGb: plan.dataAmountGb.toFixed(3), validityDays: plan.validityDays } : null,
  };
}

const phones: Readonly<Record<string, string>> = {
  IN: '+919820000555',
  IND: '+919820000555',
  MX: '+525520000555',
  MEX: '+525520000555',
};

/** A purchase of the offer at its smallest amount. */
function requestFor({ family, sku, amounts, currency, country = '' }: SupplierOffer) {
  const unitValue = ('fixed' in amounts ? amounts.fixed[0] : amounts.min) ?? '0';
  const input = { phone_number: phones[country] ?? '+919820000555', account_number: '04512345678' };
  return { family, sku, units: 1, unitValue, currency, ...(family === 'TOPUP' && { input }) };
}

test.each<[Name, number]>([
  ['dtone', 10],
  ['reloadly', 8],
  ['zendit', 8],
  ['airalo', 5],
])(
  'When %s honestly sells any of its offers, then neither purchase, lookup nor statement contradicts the order or deviates from it',
  async (name, atLeast) => {
    const offers: SupplierOffer[] = [];
    for await (const page of shop(name).supplier.catalogue?.() ?? []) offers.push(...page);
    let described = 0;
    const costs = new Map<string, Money>();
    for (const offer of offers.filter(({ unsellable }) => unsellable === undefined)) {
      const request = requestFor(offer);
      const reports = await sell(shop(name), request).catch(() => []);
      const ordered = orderedAs(request, offer.plan);
      const cost = reports.flatMap((report) => ('cost' in report && report.cost) || []).at(-1);
      if (cost) costs.set(referenceOf(references), cost);
      for (const sold of reports.flatMap((report) => soldIn(report) ?? [])) {
        expect({ sku: offer.sku, fault: contradictionOf(ordered, sold) }).toEqual({ sku: offer.sku });
        expect(deviationOf(request.unitValue, sold, 20)).toBeUndefined();
        expect(sold.sku).toBe(offer.sku);
        described++;
      }
    }
    expect(described).toBeGreaterThanOrEqual(atLeast);
    const stated = new Map<string, Money | undefined>();
    for await (const page of shop(name).supplier.statement?.(new Date(Date.now() - 60_000)) ?? [])
      for (const { reference, cost } of page) stated.set(reference, cost);
    expect(costs.size).toBeGreaterThanOrEqual(atLeast);
    for (const [reference, cost] of costs)
      expect([reference, stated.get(reference)]).toEqual([reference, cost]);
  },
);

type Wanted = Omit<PurchaseRequest, 'reference'>;
const dtoneTopup: Wanted = {
  family: 'TOPUP',
  sku: 'fixed:2101:INR:199',
  units: 1,
  unitValue: '199',
  currency: 'INR',
  input: { phone_number: '+919820000555' },
} as const;
const dtoneRange: Wanted = { ...dtoneTopup, sku: 'range:2103' } as const;
const dtonePlan = { family: 'ESIM', sku: 'plan:4101', units: 1, unitValue: '10', currency: 'USD' } as const;
const card = {
  family: 'VOUCHER',
  sku: 'gift:101:EUR:25',
  units: 1,
  unitValue: '25',
  currency: 'EUR',
} as const;
const airtime: Wanted = { ...dtoneTopup, sku: 'topup:201:IN:INR', unitValue: '100' } as const;
const bill: Wanted = {
  family: 'TOPUP',
  sku: 'bill:302:NGN',
  units: 1,
  unitValue: '5000.50',
  currency: 'NGN',
  input: { account_number: '04512345678' },
} as const;
const zenditTopup: Wanted = { ...dtoneTopup, sku: 'fixed:BHARAT-IN-199:INR:199' } as const;
const zenditRange: Wanted = { ...dtoneTopup, sku: 'range:BHARAT-IN-OPEN:INR:100', unitValue: '150' } as const;
const zenditPlan = { ...dtonePlan, sku: 'plan:ESIM-WORLD-1GB-7D' } as const;
const airaloPlan = { ...dtonePlan, sku: 'nimbus-7days-1gb' } as const;
const oneGigabyte = { dataAmountGb: '1.000', validityDays: 7 };

/** Replaces the text in every response of the supplier that describes the sale. */
const replacing = (from: string | RegExp, to: string) => (body: string) => body.replaceAll(from, to);

test.each<[string, Name, Wanted, (body: string) => string]>([
  ['product', 'dtone', dtoneTopup, replacing('"product":{"id":2101', '"product":{"id":2102')],
  ['face value', 'dtone', dtoneTopup, replacing(/("destination":\{[^}]*"amount":)199/g, '$15')],
  ['currency', 'dtone', dtoneTopup, replacing(/("destination":\{[^}]*"unit":)"INR"/g, '$1"USD"')],
  ['face value', 'dtone', dtoneRange, replacing(/("requested_values":.*?"amount":)199/g, '$15')],
  [
    'recipient',
    'dtone',
    dtoneTopup,
    replacing('"mobile_number":"+919820000555"', '"mobile_number":"+919820000556"'),
  ],
  ['amount of data', 'dtone', dtonePlan, replacing(/("unit":"GB","amount":)\d+/g, '$10.1')],
  ['product', 'reloadly', card, replacing('"productId":101', '"productId":102')],
  ['quantity', 'reloadly', card, replacing('"quantity":1', '"quantity":2')],
  ['face value', 'reloadly', card, replacing('"unitPrice":25', '"unitPrice":5')],
  ['currency', 'reloadly', card, replacing('"currencyCode":"EUR"', '"currencyCode":"TRY"')],
  [
    'recipient',
    'reloadly',
    airtime,
    replacing('"recipientPhone":"919820000555"', '"recipientPhone":"919820000556"'),
  ],
  ['product', 'reloadly', airtime, replacing('"operatorId":201', '"operatorId":202')],
  ['face value', 'reloadly', airtime, replacing('"requestedAmount":100', '"requestedAmount":10')],
  ['product', 'reloadly', bill, replacing('"billerId":302', '"billerId":301')],
  [
    'recipient',
    'reloadly',
    bill,
    replacing('"accountNumber":"04512345678"', '"accountNumber":"04512345679"'),
  ],
  ['product', 'zendit', zenditTopup, replacing('"offerId":"BHARAT-IN-199"', '"offerId":"BHARAT-IN-5"')],
  ['recipient', 'zendit', zenditTopup, replacing('"+919820000555"', '"+919820000556"')],
  ['face value', 'zendit', zenditTopup, replacing('"send":19900', '"send":500')],
  ['face value', 'zendit', zenditRange, replacing('"value":15000', '"value":1500')],
  ['amount of data', 'zendit', zenditPlan, replacing(/"dataGB":1\b/g, '"dataGB":0.1')],
  ['validity', 'zendit', zenditPlan, replacing('"durationDays":7', '"durationDays":1')],
  [
    'product',
    'airalo',
    airaloPlan,
    replacing('"package_id":"nimbus-7days-1gb"', '"package_id":"nimbus-7days-100mb"'),
  ],
  ['amount of data', 'airalo', airaloPlan, replacing('"data":"1 GB"', '"data":"100 MB"')],
  ['validity', 'airalo', airaloPlan, replacing('"validity":7', '"validity":1')],
  ['quantity', 'airalo', airaloPlan, replacing(/"quantity":"?1"?/g, '"quantity":2')],
])(
  'When only the %s in the responses of %s differs from the order %j, then the description contradicts the order',
  async (difference, name, request, change) => {
    const { proxy } = shop(name);
    proxy.meddle = () => ({ do: 'change-answer', change });
    const reports = await sell(shop(name), request);
    const ordered = { ...orderedAs(request), plan: request.family === 'ESIM' ? oneGigabyte : null };
    const faults = reports.flatMap((report) => {
      const sold = soldIn(report);
      return sold ? [contradictionOf(ordered, sold)] : [];
    });
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults)
      expect(fault).toBe(`the supplier describes it with another ${difference} than was ordered`);
  },
);

test.each<[AnswerChange, Name, Wanted]>([
  ['product', 'dtone', dtoneTopup],
  ['face value', 'dtone', dtoneTopup],
  ['currency', 'dtone', dtoneTopup],
  ['recipient', 'dtone', dtoneTopup],
  ['plan', 'dtone', dtonePlan],
  ['product', 'reloadly', card],
  ['quantity', 'reloadly', card],
  ['face value', 'reloadly', card],
  ['currency', 'reloadly', card],
  ['product', 'reloadly', airtime],
  ['face value', 'reloadly', airtime],
  ['recipient', 'reloadly', airtime],
  ['product', 'reloadly', bill],
  ['recipient', 'reloadly', bill],
  ['product', 'zendit', zenditTopup],
  ['face value', 'zendit', zenditTopup],
  ['face value', 'zendit', zenditRange],
  ['recipient', 'zendit', zenditTopup],
  ['plan', 'zendit', zenditPlan],
  ['product', 'airalo', airaloPlan],
  ['quantity', 'airalo', airaloPlan],
  ['plan', 'airalo', airaloPlan],
])(
  'When the fault harness changes the %s in the responses of %s to the order %j, then the description contradicts the order',
  async (change, name, request) => {
    const { proxy } = shop(name);
    proxy.meddle = () => ({ do: 'change-answer', change: (body) => changedAnswer(name, change, body) });
    const [sold] = (await sell(shop(name), request)).flatMap((report) => soldIn(report) ?? []).slice(-1);
    const ordered = { ...orderedAs(request), plan: request.family === 'ESIM' ? oneGigabyte : null };
    expect(contradicts(name, change, request.family)).toBe(true);
    expect(sold && contradictionOf(ordered, sold)).toBeDefined();
  },
);

test.each<[Name, Wanted]>([
  ['dtone', dtoneTopup],
  ['reloadly', card],
  ['reloadly', bill],
  ['zendit', zenditTopup],
  ['airalo', airaloPlan],
])(
  'When the fault harness changes the cost in the responses of %s to the order %j, then the adapter reports five times the cost',
  async (name, request) => {
    const { proxy } = shop(name);
    const costs = async (): Promise<number[]> =>
      (await sell(shop(name), request)).flatMap((report) =>
        'cost' in report && report.cost ? [Number(report.cost.amount)] : [],
      );
    const [honest = NaN] = (await costs()).slice(-1);
    proxy.meddle = () => ({ do: 'change-answer', change: (body) => changedAnswer(name, 'cost', body) });
    const [changed = NaN] = (await costs()).slice(-1);
    expect(changed / honest).toBeCloseTo(5, 1);
  },
);

test.each<[string, Name, Wanted, (body: string) => string]>([
  [
    'the operator credits less',
    'reloadly',
    airtime,
    replacing('"deliveredAmount":100', '"deliveredAmount":60'),
  ],
  [
    'the amount in a range was adjusted',
    'dtone',
    dtoneRange,
    replacing(/("adjusted_values":.*"destination":\{.*?"amount":)199/g, '$1120'),
  ],
  ['another amount arrives', 'zendit', zenditRange, replacing('"send":15000', '"send":9000')],
])(
  'When %s at %s, then the description deviates by 40 % and contradicts nothing',
  async (_what, name, request, change) => {
    const { proxy } = shop(name);
    proxy.meddle = () => ({ do: 'change-answer', change });
    const [sold] = (await sell(shop(name), request)).flatMap((report) => soldIn(report) ?? []).slice(-1);
    if (!sold) throw new Error('Nothing was described');
    expect(contradictionOf(orderedAs(request), sold)).toBeUndefined();
    expect(deviationOf(request.unitValue, sold, 20)).toBe(-40);
  },
);
