/** The fake's products. Ids are stable. */
import { operators, services } from './operators';
import { fixed, ranged, type Benefit, type Product } from './products';

const both = ['SOURCE_AMOUNT', 'DESTINATION_AMOUNT'] as const;
const toMobile: Product['required'] = { credit_party_identifier: [['mobile_number']] };

function data(amount: number, unit: 'GB' | 'MB'): Benefit {
  return { type: 'DATA', unit_type: 'DATA', unit, amount };
}

const pinCard = { service: services.giftCards, type: 'FIXED_VALUE_PIN_PURCHASE' } as const;
const rangedCard = { service: services.giftCards, type: 'RANGED_VALUE_PIN_PURCHASE' } as const;

const giftCards: Product[] = [
  fixed(
    { ...pinCard, id: 1101, name: 'Coffee House 10 USD', operator: operators.coffee, tags: ['FOOD'] },
    { destination: 10, currency: 'USD', source: 10, wholesale: 9.6 },
  ),
  fixed(
    { ...pinCard, id: 1102, name: 'Coffee House 25 USD', operator: operators.coffee, tags: ['FOOD'] },
    { destination: 25, currency: 'USD', source: 25, wholesale: 24, fee: 0.15 },
  ),
  ranged(
    { ...rangedCard, id: 1103, name: 'Everyday Market', operator: operators.market },
    { destination: { min: 5, max: 500 }, currency: 'USD', base: 1, wholesale: 1.04, modes: both },
  ),
  fixed(
    { ...pinCard, id: 1104, name: 'Mode Haus 50 EUR', operator: operators.fashion },
    { destination: 50, currency: 'EUR', source: 54, wholesale: 52.25 },
  ),
  ranged(
    { ...rangedCard, id: 1105, name: 'Librairie Centrale', operator: operators.books },
    {
      destination: { min: 10, max: 250, increment: 5 },
      currency: 'EUR',
      base: 0.9,
      wholesale: 0.93,
      fee: 0.2,
      modes: ['DESTINATION_AMOUNT'],
    },
  ),
];

const fixedRecharge = { service: services.airtime, type: 'FIXED_VALUE_RECHARGE', required: toMobile } as const;
const rangedRecharge = { ...fixedRecharge, type: 'RANGED_VALUE_RECHARGE' } as const;

const topups: Product[] = [
  fixed(
    {
      ...fixedRecharge,
      id: 2101,
      name: 'Bharat Mobile 199 INR',
      operator: operators.bharat,
      benefits: [{ type: 'CREDITS', unit_type: 'CURRENCY', unit: 'INR', amount: 199 }],
    },
    { destination: 199, currency: 'INR', source: 2.6, wholesale: 2.41 },
  ),
  fixed(
    {
      ...fixedRecharge,
      id: 2102,
      service: services.bundle,
      name: 'Bharat Mobile 5 GB and 300 minutes, 28 days',
      operator: operators.bharat,
      validity: { unit: 'DAY', quantity: 28 },
      benefits: [data(5, 'GB'), { type: 'TALKTIME', unit_type: 'TIME', unit: 'MINUTES', amount: 300 }],
    },
    { destination: 299, currency: 'INR', source: 3.9, wholesale: 3.61 },
  ),
  ranged(
    { ...rangedRecharge, id: 2103, name: 'Bharat Mobile airtime', operator: operators.bharat },
    { destination: { min: 10, max: 5_000, increment: 1 }, currency: 'INR', base: 80, wholesale: 83.2, modes: both },
  ),
  ranged(
    { ...rangedRecharge, id: 2201, name: 'Azteca Celular airtime', operator: operators.azteca },
    {
      destination: { min: 20, max: 1_000 },
      currency: 'MXN',
      base: 16,
      wholesale: 17.5,
      fee: 0.1,
      modes: ['SOURCE_AMOUNT'],
    },
  ),
  fixed(
    {
      ...fixedRecharge,
      id: 2202,
      name: 'Azteca Celular 100 MXN',
      operator: operators.azteca,
      required: { credit_party_identifier: [['mobile_number'], ['account_number', 'account_qualifier']] },
    },
    { destination: 100, currency: 'MXN', source: 6.1, wholesale: 5.72 },
  ),
  // Requires fields about the sender. A buyer without these fields cannot sell it.
  fixed(
    {
      ...fixedRecharge,
      id: 2901,
      name: 'Ganga Telecom 100 INR, registered senders',
      operator: operators.ganga,
      required: {
        ...toMobile,
        sender: [['first_name', 'last_name', 'mobile_number']],
        additional_identifier: [['tax_id']],
      },
    },
    { destination: 100, currency: 'INR', source: 1.4, wholesale: 1.3 },
  ),
  // ISO 4217 has no such currency.
  fixed(
    { ...fixedRecharge, id: 2902, name: 'Ganga Telecom 500 points', operator: operators.ganga },
    { destination: 500, currency: 'QQP', source: 1.4, wholesale: 1.3 },
  ),
];

const bills: Product[] = [
  ranged(
    {
      id: 3101,
      name: 'Luz del Valle electricity bill',
      service: services.utilities,
      operator: operators.luz,
      type: 'RANGED_VALUE_PAYMENT',
      required: { credit_party_identifier: [['account_number']] },
    },
    {
      destination: { min: 50, max: 20_000 },
      currency: 'MXN',
      base: 17,
      wholesale: 16,
      fee: 0.5,
      modes: ['DESTINATION_AMOUNT'],
    },
  ),
];

const plan = { service: services.esim, type: 'FIXED_VALUE_PIN_PURCHASE' } as const;

const plans: Product[] = [
  fixed(
    {
      ...plan,
      id: 4101,
      name: 'Worldwide 1 GB, 7 days',
      operator: operators.roamWorld,
      validity: { unit: 'DAY', quantity: 7 },
      benefits: [data(1, 'GB')],
    },
    { destination: 9, currency: 'USD', source: 9, wholesale: 6.75 },
  ),
  fixed(
    {
      ...plan,
      id: 4102,
      name: 'Europe 5 GB, 1 month',
      operator: operators.roamEurope,
      validity: { unit: 'MONTH', quantity: 1 },
      benefits: [data(5, 'GB')],
    },
    { destination: 18.4, currency: 'USD', source: 18.4, wholesale: 14.72 },
  ),
  fixed(
    {
      ...plan,
      id: 4103,
      name: 'United States unlimited, 10 days',
      operator: operators.roamStates,
      validity: { unit: 'DAY', quantity: 10 },
      benefits: [data(-1, 'GB')],
    },
    { destination: 29, currency: 'USD', source: 29, wholesale: 24.1 },
  ),
  fixed(
    {
      ...plan,
      id: 4104,
      name: 'Japan 500 MB, 72 hours',
      operator: operators.roamJapan,
      validity: { unit: 'HOUR', quantity: 72 },
      benefits: [data(500, 'MB')],
    },
    { destination: 3.5, currency: 'USD', source: 3.5, wholesale: 2.38 },
  ),
  fixed(
    {
      ...plan,
      id: 4105,
      name: 'United States 60 minutes, 10 days',
      operator: operators.roamStates,
      validity: { unit: 'DAY', quantity: 10 },
      benefits: [{ type: 'TALKTIME', unit_type: 'TIME', unit: 'MINUTES', amount: 60 }],
    },
    { destination: 5, currency: 'USD', source: 5, wholesale: 4.5 },
  ),
];

/** Every product, in the order of `GET /products`. */
export const products: readonly Product[] = [...giftCards, ...topups, ...bills, ...plans];

const productsById: ReadonlyMap<number, Product> = new Map(products.map((product) => [product.id, product]));

/** The product with this id. */
export function findProduct(id: number): Product | undefined {
  return productsById.get(id);
}
