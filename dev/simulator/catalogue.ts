/** The simulator's products. The SKU, or for top-ups the recipient, decides the outcome of a purchase. */
import { esimScenarios, scenarioForVoucher, type EsimScenario } from './sandbox-scenarios';
import { type Scenario, scenarios } from './purchases';

/** Lowest and highest face value of one unit; the same number twice for a fixed denomination. */
export type ValueRange = readonly [min: number, max: number];

interface OfferBase {
  readonly sku: string;
  readonly currency: string;
  readonly active: boolean;
}

export interface VoucherOffer extends OfferBase {
  readonly family: 'VOUCHER';
  readonly form: 'CODE_WITH_PIN' | 'URL';
  readonly values: readonly ValueRange[];
  /** The count in the stock report. It never decreases, so that the sandbox never runs out. */
  readonly available: number;
  readonly scenario: Scenario;
}

export interface TopupOffer extends OfferBase {
  readonly family: 'TOPUP';
  readonly values: readonly ValueRange[];
  /** The input field of the recipient. */
  readonly recipientField: string;
}

export interface EsimOffer extends OfferBase {
  readonly family: 'ESIM';
  /** The product this plan belongs to. */
  readonly product: string;
  readonly name: string;
  readonly description: string;
  /** Decimal string in `currency`. */
  readonly price: string;
  /** 0 is unlimited. */
  readonly dataAmountGb: number;
  readonly validityDays: number;
  readonly regions: readonly { code: string; name: string }[];
  readonly networks: readonly string[];
  /** Whether a profile that was sold with the plan can be recharged. */
  readonly isRechargeable: boolean;
  /** Whether the plan comes without a profile. */
  readonly isRechargeOnly: boolean;
  readonly scenario: Scenario;
}

export type Offer = VoucherOffer | TopupOffer | EsimOffer;

const fixed = (...values: number[]): ValueRange[] => values.map((value) => [value, value]);
const range = (min: number, max: number): ValueRange[] => [[min, max]];

type VoucherDetails = Partial<Pick<VoucherOffer, 'form' | 'available'>>;

function voucher(sku: string, currency: string, values: ValueRange[], details: VoucherDetails = {}): Offer {
  return {
    family: 'VOUCHER',
    sku,
    currency,
    active: true,
    values,
    form: 'CODE_WITH_PIN',
    available: 1_000_000,
    scenario: scenarioForVoucher(sku),
    ...details,
  };
}

function topup(sku: string, currency: string, recipientField: string, values: ValueRange[]): Offer {
  return { family: 'TOPUP', sku, currency, active: true, values, recipientField };
}

type PlanTerms = Pick<EsimOffer, 'product' | 'currency' | 'regions' | 'networks'>;

function plan(terms: PlanTerms, suffix: string, price: string, dataAmountGb: number, validityDays: number): EsimOffer {
  const data = dataAmountGb === 0 ? 'Unlimited data' : `${dataAmountGb} GB`;
  return {
    ...terms,
    family: 'ESIM',
    sku: `${terms.product}-${suffix}`,
    active: true,
    name: `${data} - ${validityDays} days`,
    description: `${data}, valid ${validityDays} days from first use.`,
    price,
    dataAmountGb,
    validityDays,
    isRechargeable: dataAmountGb > 0,
    isRechargeOnly: false,
    scenario: scenarios.instant,
  };
}

/** A sandbox plan for one scenario. */
function sandboxPlan({ suffix, price, scenario, story, dataAmountGb = 1 }: EsimScenario): EsimOffer {
  const terms = { ...worldwide, product: 'SIM-ESIM-SANDBOX' };
  return { ...plan(terms, suffix, price, dataAmountGb, 7), scenario, description: `Rehearsal: ${story}.` };
}

const vouchers: Offer[] = [
  voucher('SIM-GC-COFFEE-US', 'USD', fixed(5, 10, 25, 50)),
  voucher('SIM-GC-STREAM-US', 'USD', fixed(15, 30, 60), { form: 'URL' }),
  voucher('SIM-GC-MARKET-US', 'USD', range(5, 500)),
  voucher('SIM-GC-HOUSE-US', 'USD', fixed(10, 25, 50, 100)),
  voucher('SIM-GC-CINEMA-US', 'USD', fixed(20, 40), { available: 0 }),
  voucher('SIM-GC-PHOTO-US', 'USD', fixed(10, 20)),
  voucher('SIM-GC-FASHION-DE', 'EUR', fixed(20, 50, 100)),
  voucher('SIM-GC-BOOKS-FR', 'EUR', range(5, 250), { form: 'URL' }),
  voucher('SIM-GC-GARDEN-GB', 'GBP', [...fixed(10, 25), [30, 300]]),
  voucher('SIM-GC-GROCER-IN', 'INR', fixed(500, 1_000, 2_000)),
  voucher('SIM-GC-RAIL-IN', 'INR', range(100, 10_000)),
  voucher('SIM-GC-ARCADE-JP', 'JPY', fixed(1_000, 3_000, 5_000), { form: 'URL' }),
  voucher('SIM-GC-SOUQ-KW', 'KWD', fixed(5, 10)),
  voucher('SIM-GC-DELAYED', 'USD', fixed(10, 25)),
  voucher('SIM-GC-SLOW', 'USD', fixed(10, 25)),
  voucher('SIM-GC-PARTIAL', 'USD', fixed(10, 25)),
  voucher('SIM-GC-PARTIAL-THEN-FAILED', 'USD', fixed(10, 25)),
  voucher('SIM-GC-OUT-OF-STOCK', 'USD', fixed(10, 25)),
  voucher('SIM-GC-TIMEOUT', 'USD', fixed(10, 25)),
  voucher('SIM-GC-FLAKY', 'USD', fixed(10, 25)),
  voucher('SIM-GC-NEEDS-OPERATOR', 'USD', fixed(10, 25)),
  voucher('SIM-GC-HELD', 'USD', fixed(10, 25)),
];

const topups: Offer[] = [
  topup('SIM-TU-LIBERTY-AIRTIME', 'USD', 'phone_number', range(5, 100)),
  topup('SIM-TU-LIBERTY-AIRTIME-B', 'USD', 'phone_number', range(5, 100)),
  topup('SIM-TU-LIBERTY-DATA-5GB', 'USD', 'phone_number', fixed(15)),
  topup('SIM-TU-LIBERTY-WEEK', 'USD', 'phone_number', fixed(20)),
  topup('SIM-TU-BHARAT-AIRTIME', 'INR', 'phone_number', fixed(99, 199, 499)),
  topup('SIM-TU-BHARAT-DATA', 'INR', 'phone_number', fixed(149)),
  topup('SIM-TU-BHARAT-DATA-B', 'INR', 'phone_number', fixed(149)),
  topup('SIM-TU-BHARAT-BUNDLE', 'INR', 'phone_number', fixed(299)),
  topup('SIM-TU-SAKURA-AIRTIME', 'JPY', 'phone_number', fixed(1_000, 2_000, 3_000)),
  topup('SIM-TU-SAKURA-DATA', 'JPY', 'phone_number', fixed(1_500)),
  topup('SIM-TU-DRAGON-100', 'USD', 'player_id', fixed(0.99)),
  topup('SIM-TU-DRAGON-550', 'USD', 'player_id', fixed(4.99)),
  topup('SIM-TU-DRAGON-PASS', 'USD', 'player_id', fixed(9.99)),
  topup('SIM-TU-PIXEL-COINS', 'EUR', 'player_id', fixed(2.99, 5.99)),
  topup('SIM-TU-PIXEL-STARTER', 'EUR', 'player_id', fixed(7.99)),
  topup('SIM-TU-PIXEL-SEASON', 'EUR', 'player_id', fixed(12.99)),
  topup('SIM-TU-CITYPOWER', 'USD', 'account_number', range(10, 500)),
  topup('SIM-TU-CITYPOWER-SAVER', 'USD', 'account_number', fixed(25, 50)),
  topup('SIM-TU-RHEIN-WASSER', 'EUR', 'account_number', range(5, 250)),
];

const unitedStates: PlanTerms = {
  product: 'SIM-ESIM-USA',
  currency: 'USD',
  regions: [{ code: 'USA', name: 'United States' }],
  networks: ['Liberty Mobile 5G', 'Pacific Wireless LTE'],
};
const japan: PlanTerms = {
  product: 'SIM-ESIM-JPN',
  currency: 'USD',
  regions: [{ code: 'JPN', name: 'Japan' }],
  networks: ['Sakura Mobile 5G'],
};
const europe: PlanTerms = {
  product: 'SIM-ESIM-EUROPE',
  currency: 'EUR',
  regions: [
    { code: 'DEU', name: 'Germany' },
    { code: 'ESP', name: 'Spain' },
    { code: 'FRA', name: 'France' },
    { code: 'ITA', name: 'Italy' },
  ],
  networks: ['Rhein Mobil 5G', 'Iberia Movil LTE', 'Reseau Bleu 5G', 'Azzurra LTE'],
};
const worldwide: PlanTerms = {
  product: 'SIM-ESIM-GLOBAL',
  currency: 'USD',
  regions: [...unitedStates.regions, ...japan.regions, ...europe.regions],
  networks: [...unitedStates.networks, ...japan.networks, ...europe.networks],
};

const plans: EsimOffer[] = [
  plan(unitedStates, '1GB', '4.50', 1, 7),
  plan(unitedStates, '5GB', '16.00', 5, 30),
  plan(unitedStates, 'UNLIMITED', '29.00', 0, 10),
  { ...plan(unitedStates, 'RECHARGE-2GB', '7.50', 2, 15), isRechargeOnly: true },
  plan(japan, '1GB', '4.90', 1, 7),
  plan(japan, '3GB', '9.80', 3, 15),
  plan(japan, '10GB', '24.50', 10, 30),
  plan(europe, '1GB', '3.90', 1, 7),
  plan(europe, '5GB', '13.50', 5, 30),
  plan(europe, '20GB', '36.00', 20, 60),
  plan(worldwide, '1GB', '8.90', 1, 7),
  plan(worldwide, '5GB', '34.00', 5, 90),
  plan(worldwide, '20GB', '89.00', 20, 365),
  ...esimScenarios.map(sandboxPlan),
];

export const offers: readonly Offer[] = [...vouchers, ...topups, ...plans];

const offersBySku: ReadonlyMap<string, Offer> = new Map(offers.map((offer) => [offer.sku, offer]));

/** The offer with this SKU. */
export function findOffer(sku: string): Offer | undefined {
  return offersBySku.get(sku);
}

/** The plans of one eSIM product; empty if the product does not exist. */
export function plansOf(product: string): EsimOffer[] {
  return plans.filter((plan) => plan.product === product);
}
