/** What the adapters read from the descriptions of sales, compared with the order: every offer of every fake, and changed answers. */
import type { AnswerChange } from '../../dev/faults/plan/answer-changes';
import { changedAnswer, contradicts } from '../../dev/faults/stack/changed-answers';
import {
  contradictionOf,
  deviationOf,
  type OrderedItem,
  type SoldItem,
} from '../../src/domain/orders/contradicting-sale';
import type { SupplierOffer } from '../../src/domain/prices/supplier-catalogue';
import type { LookupReport, Money, PurchaseRequest } from '../../src/domain/suppliers/port';
import { buysFrom, type FakeBuyer, type FakeName } from '../support/fake-suppliers';

const options = { usual: { takes_ms: 0, lookup_after_ms: 0 }, timeoutMs: 5_000 };
const shops: Readonly<Record<FakeName, FakeBuyer>> = {
  airalo: buysFrom('airalo', options),
  dtone: buysFrom('dtone', options),
  reloadly: buysFrom('reloadly', options),
  zendit: buysFrom('zendit', options),
};

/** Buys, and looks the purchase up until it has ended. */
async function sell(name: FakeName, wanted: Wanted, request = shops[name].requestOf(wanted)): Promise<LookupReport[]> {
  const { buy, concluded } = shops[name];
  const answer = await buy(request);
  return [answer, await concluded(request, answer.supplierOrderId)];
}

type Wanted = Omit<PurchaseRequest, 'reference'>;

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

test.each<[FakeName, number]>([
  ['dtone', 10],
  ['reloadly', 8],
  ['zendit', 8],
  ['airalo', 5],
])(
  'When %s honestly sells any of its offers, then neither purchase, lookup nor statement contradicts the order or deviates from it',
  async (name, atLeast) => {
    const offers: SupplierOffer[] = [];
    for await (const page of shops[name].supplier.catalogue?.() ?? []) offers.push(...page);
    let described = 0;
    const costs = new Map<string, Money>();
    for (const offer of offers.filter(({ unsellable }) => unsellable === undefined)) {
      const request = shops[name].requestOf(requestFor(offer));
      const reports = await sell(name, request, request).catch(() => []);
      const ordered = orderedAs(request, offer.plan);
      const cost = reports.flatMap((report) => ('cost' in report && report.cost) || []).at(-1);
      if (cost) costs.set(request.reference, cost);
      for (const sold of reports.flatMap((report) => soldIn(report) ?? [])) {
        expect({ sku: offer.sku, fault: contradictionOf(ordered, sold) }).toEqual({ sku: offer.sku });
        expect(deviationOf(request.unitValue, sold, 20)).toBeUndefined();
        expect(sold.sku).toBe(offer.sku);
        described++;
      }
    }
    expect(described).toBeGreaterThanOrEqual(atLeast);
    const stated = new Map<string, Money | undefined>();
    for await (const page of shops[name].supplier.statement?.(new Date(Date.now() - 60_000)) ?? [])
      for (const { reference, cost } of page) stated.set(reference, cost);
    expect(costs.size).toBeGreaterThanOrEqual(atLeast);
    for (const [reference, cost] of costs) expect([reference, stated.get(reference)]).toEqual([reference, cost]);
  },
);

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
const card = { family: 'VOUCHER', sku: 'gift:101:EUR:25', units: 1, unitValue: '25', currency: 'EUR' } as const;
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

test.each<[string, FakeName, Wanted, (body: string) => string]>([
  ['face value', 'dtone', dtoneRange, replacing(/("requested_values":.*?"amount":)199/g, '$15')],
  ['product', 'zendit', zenditTopup, replacing('"offerId":"BHARAT-IN-199"', '"offerId":"BHARAT-IN-5"')],
  ['amount of data', 'zendit', zenditPlan, replacing(/"dataGB":1\b/g, '"dataGB":0.1')],
  ['validity', 'zendit', zenditPlan, replacing('"durationDays":7', '"durationDays":1')],
  ['amount of data', 'airalo', airaloPlan, replacing('"data":"1 GB"', '"data":"100 MB"')],
  ['validity', 'airalo', airaloPlan, replacing('"validity":7', '"validity":1')],
])(
  'When only the %s in the responses of %s differs from the order %j, then the description contradicts the order',
  async (difference, name, request, change) => {
    const { proxy } = shops[name];
    proxy.meddle = () => ({ do: 'change-answer', change });
    const reports = await sell(name, request);
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

test.each<[AnswerChange, FakeName, Wanted]>([
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
    const { proxy } = shops[name];
    proxy.meddle = () => ({ do: 'change-answer', change: (body) => changedAnswer(name, change, body) });
    const [sold] = (await sell(name, request)).flatMap((report) => soldIn(report) ?? []).slice(-1);
    const ordered = { ...orderedAs(request), plan: request.family === 'ESIM' ? oneGigabyte : null };
    expect(contradicts(name, change, request.family)).toBe(true);
    const difference = change === 'plan' ? 'amount of data( and another validity)?' : change;
    expect(sold && contradictionOf(ordered, sold)).toMatch(
      new RegExp(`^the supplier describes it with another ${difference} than was ordered$`),
    );
  },
);

test.each<[FakeName, Wanted]>([
  ['dtone', dtoneTopup],
  ['reloadly', card],
  ['reloadly', bill],
  ['zendit', zenditTopup],
  ['airalo', airaloPlan],
])(
  'When the fault harness changes the cost in the responses of %s to the order %j, then the adapter reports five times the cost',
  async (name, request) => {
    const { proxy } = shops[name];
    const costs = async (): Promise<number[]> =>
      (await sell(name, request)).flatMap((report) =>
        'cost' in report && report.cost ? [Number(report.cost.amount)] : [],
      );
    const [honest = NaN] = (await costs()).slice(-1);
    proxy.meddle = () => ({ do: 'change-answer', change: (body) => changedAnswer(name, 'cost', body) });
    const [changed = NaN] = (await costs()).slice(-1);
    expect(changed / honest).toBeCloseTo(5, 1);
  },
);

test.each<[string, FakeName, Wanted, (body: string) => string]>([
  ['the operator credits less', 'reloadly', airtime, replacing('"deliveredAmount":100', '"deliveredAmount":60')],
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
    const { proxy } = shops[name];
    proxy.meddle = () => ({ do: 'change-answer', change });
    const [sold] = (await sell(name, request)).flatMap((report) => soldIn(report) ?? []).slice(-1);
    if (!sold) throw new Error('Nothing was described');
    expect(contradictionOf(orderedAs(request), sold)).toBeUndefined();
    expect(deviationOf(request.unitValue, sold, 20)).toBe(-40);
  },
);
