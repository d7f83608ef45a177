/** The fake's offers. Ids are stable. */
import { brands, type Brand } from './brands';
import { fixed, ranged, type EsimOffer, type Offer, type Plan, type TopupOffer, type VoucherOffer } from './offers';

function common(brand: Brand, subType: string, kind: string) {
  const { brandName } = brand;
  return { ...brand, subTypes: [subType], enabled: true, notes: `${kind} ${brandName}.`, shortNotes: brandName };
}

type VoucherTerms = Pick<VoucherOffer, 'offerId' | 'terms'> &
  Partial<Pick<VoucherOffer, 'deliveryType' | 'requiredFields' | 'enabled'>>;

function voucher(brand: Brand, terms: VoucherTerms): VoucherOffer {
  return {
    family: 'vouchers',
    ...common(brand, 'Gift Card', 'A gift card of'),
    deliveryType: 'EPIN',
    requiredFields: [],
    ...terms,
  };
}

const vouchers: readonly VoucherOffer[] = [
  voucher(brands.coffee, { offerId: 'COFFEE-US-010', terms: fixed(['USD', 1_000], 960, 1_000, { discount: 4 }) }),
  voucher(brands.coffee, { offerId: 'COFFEE-US-025', terms: fixed(['USD', 2_500], 2_400, 2_500, { fee: 15 }) }),
  voucher(brands.market, {
    offerId: 'MARKET-US-OPEN',
    terms: ranged({ currency: 'USD', min: 500, max: 50_000, costFx: 0.96, priceFx: 1, increment: 100 }),
  }),
  voucher(brands.fashion, {
    offerId: 'MODEHAUS-DE-050',
    deliveryType: 'URL',
    terms: fixed(['EUR', 5_000], 5_225, 5_400),
  }),
  voucher(brands.books, {
    offerId: 'LIBRAIRIE-FR-OPEN',
    requiredFields: ['recipient.firstName', 'recipient.lastName'],
    terms: ranged({ currency: 'EUR', min: 1_000, max: 25_000, costFx: 1.045, priceFx: 1.1 }),
  }),
  // The divisor of JPY is 1.
  voucher(brands.games, { offerId: 'KAWA-JP-2000', terms: fixed(['JPY', 2_000, 1], 1_389, 1_450) }),
  // Requires the recipient's identity number, so a buyer without such an input cannot sell it. It has no code.
  voucher(brands.purse, {
    offerId: 'MONEDERO-MX-200',
    deliveryType: 'ACCOUNT',
    requiredFields: ['recipient.nationalId', 'sender.msisdn'],
    terms: fixed(['MXN', 20_000], 1_170, 1_220),
  }),
  voucher(brands.coffee, { offerId: 'COFFEE-US-015', enabled: false, terms: fixed(['USD', 1_500], 1_440, 1_500) }),
];

const nothing: Plan = { dataGB: 0, dataUnlimited: false, durationDays: 0, voiceMinutes: 0, smsNumber: 0 };

type TopupTerms = Pick<TopupOffer, 'offerId' | 'terms'> & Partial<Pick<TopupOffer, 'enabled' | 'subTypes'>>;

function topup(brand: Brand, terms: TopupTerms, plan: Partial<Plan> = {}): TopupOffer {
  return {
    family: 'topups',
    ...common(brand, 'Mobile Top Up', 'A top-up of'),
    plan: { ...nothing, ...plan },
    ...terms,
  };
}

const topups: readonly TopupOffer[] = [
  topup(brands.bharat, { offerId: 'BHARAT-IN-199', terms: fixed(['INR', 19_900], 241, 260) }),
  topup(
    brands.bharat,
    { offerId: 'BHARAT-IN-5GB', subTypes: ['Mobile Bundle'], terms: fixed(['INR', 29_900], 361, 390) },
    { dataGB: 5, durationDays: 28, voiceMinutes: 300, smsNumber: 100 },
  ),
  topup(brands.bharat, {
    offerId: 'BHARAT-IN-OPEN',
    terms: ranged({ currency: 'INR', min: 1_000, max: 500_000, costFx: 0.01202, priceFx: 0.0125 }),
  }),
  topup(brands.azteca, {
    offerId: 'AZTECA-MX-OPEN',
    terms: ranged({ currency: 'MXN', min: 2_000, max: 100_000, costFx: 0.0572, priceFx: 0.061 }),
  }),
  topup(brands.azteca, { offerId: 'AZTECA-MX-100', terms: fixed(['MXN', 10_000], 572, 610, { fee: 10 }) }),
  topup(brands.habana, { offerId: 'HABANA-CU-500', terms: fixed(['CUP', 50_000], 1_925, 2_100) }),
  // ISO 4217 has no such currency.
  topup(brands.ganga, { offerId: 'GANGA-IN-POINTS', terms: fixed(['QQP', 500, 1], 130, 140) }),
  topup(brands.ganga, { offerId: 'GANGA-IN-050', enabled: false, terms: fixed(['INR', 5_000], 61, 70) }),
];

type EsimTerms = Pick<EsimOffer, 'offerId' | 'terms' | 'codeForm'> & { countries: readonly string[] };

function esim(brand: Brand, { countries, ...terms }: EsimTerms, plan: Partial<Plan>): EsimOffer {
  return {
    family: 'esim',
    ...common(brand, 'Data', 'An eSIM plan of'),
    plan: { ...nothing, ...plan },
    roaming: countries.map((country) => ({ country, dataSpeeds: ['4G', '5G'] })),
    ...terms,
  };
}

const esims: readonly EsimOffer[] = [
  esim(
    brands.roamWorld,
    {
      offerId: 'ESIM-WORLD-1GB-7D',
      codeForm: 'LPA',
      countries: ['US', 'GB', 'IN', 'JP', 'MX'],
      terms: fixed(['USD', 900], 675, 900),
    },
    { dataGB: 1, durationDays: 7 },
  ),
  esim(
    brands.roamEurope,
    {
      offerId: 'ESIM-EUROPE-5GB-30D',
      codeForm: 'MATCHING_ID',
      countries: ['DE', 'FR', 'ES', 'IT'],
      terms: fixed(['USD', 1_840], 1_472, 1_840),
    },
    { dataGB: 5, durationDays: 30 },
  ),
  esim(
    brands.roamStates,
    {
      offerId: 'ESIM-US-UNLIMITED-10D',
      codeForm: 'LPA',
      countries: ['US'],
      terms: fixed(['USD', 2_900], 2_410, 2_900),
    },
    { dataUnlimited: true, durationDays: 10 },
  ),
  esim(
    brands.roamJapan,
    { offerId: 'ESIM-JP-500MB-3D', codeForm: 'MATCHING_ID', countries: ['JP'], terms: fixed(['USD', 350], 238, 350) },
    { dataGB: 0.5, durationDays: 3 },
  ),
];

/** Every offer, disabled ones too. */
export const offers: readonly Offer[] = [...vouchers, ...topups, ...esims];

const offersById: ReadonlyMap<string, Offer> = new Map(offers.map((offer) => [offer.offerId, offer]));

/** The offer with this id, compared exactly. */
export function findOffer(offerId: string): Offer | undefined {
  return offersById.get(offerId);
}
