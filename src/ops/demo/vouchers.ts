/** Demo voucher products and their categories. */
import type { CategoryInput, VoucherProductInput } from '../../data/catalogue/import';

export const categories: readonly CategoryInput[] = [
  { name: 'Books & Learning', subCategories: ['Bookshops', 'Online Courses'] },
  { name: 'Entertainment', subCategories: ['Streaming', 'Cinema', 'Games'] },
  { name: 'Fashion', subCategories: ['Clothing', 'Accessories'] },
  { name: 'Food & Drink', subCategories: ['Coffee', 'Groceries', 'Restaurants'] },
  { name: 'Home & Garden', subCategories: ['Garden', 'Photo Prints'] },
  { name: 'Shopping', subCategories: ['Marketplaces', 'Department Stores'] },
  { name: 'Travel', subCategories: ['Rail', 'Hotels'] },
  { name: 'Sandbox', subCategories: [] },
];

const images = 'https://images.digital-goods.example/vouchers';

function fixed(discount: string, ...values: string[]): VoucherProductInput['denominations'] {
  return values.map((value) => ({ min: value, max: value, discount }));
}

function range(discount: string, min: string, max: string): VoucherProductInput['denominations'] {
  return [{ min, max, discount }];
}

type Essentials = Pick<
  VoucherProductInput,
  'sku' | 'name' | 'category' | 'subCategory' | 'countryCode' | 'currencyCode' | 'denominations'
>;

function product(essentials: Essentials, special: Partial<VoucherProductInput> = {}): VoucherProductInput {
  return {
    deliveryMode: 'Code with PIN',
    deliveryTime: 'Instant',
    validity: '12 months from purchase',
    imageUrl: `${images}/${essentials.sku.toLowerCase()}.png`,
    terms: 'Not exchangeable for cash. Cannot be replaced when lost or stolen.',
    details: `${essentials.name} to spend in one or several purchases.`,
    howToUse: 'Enter the card number and PIN at the checkout.',
    gstRate: '0',
    active: true,
    redeemable: false,
    ...essentials,
    ...special,
  };
}

const byUrl: Partial<VoucherProductInput> = {
  deliveryMode: 'URL',
  howToUse: 'Open the link and follow the steps to claim the card.',
};

/** A product that rehearses one course of events. */
function rehearsal(sku: string, name: string, details: string, special: Partial<VoucherProductInput> = {}) {
  const essentials = { sku, name, category: 'Sandbox', subCategory: null, countryCode: 'USA' };
  return product(
    { ...essentials, currencyCode: 'USD', denominations: fixed('0', '10', '25') },
    { imageUrl: null, validity: null, terms: null, details, ...special },
  );
}

const shelf: VoucherProductInput[] = [
  product({
    sku: 'SIM-GC-COFFEE-US',
    name: 'Harbour Coffee Gift Card',
    category: 'Food & Drink',
    subCategory: 'Coffee',
    countryCode: 'USA',
    currencyCode: 'USD',
    denominations: fixed('2', '5', '10', '25', '50'),
  }),
  product(
    {
      sku: 'SIM-GC-STREAM-US',
      name: 'Nimbus Stream Gift Card',
      category: 'Entertainment',
      subCategory: 'Streaming',
      countryCode: 'USA',
      currencyCode: 'USD',
      denominations: fixed('3.5', '15', '30', '60'),
    },
    byUrl,
  ),
  product({
    sku: 'SIM-GC-MARKET-US',
    name: 'Everline Marketplace Gift Card',
    category: 'Shopping',
    subCategory: 'Marketplaces',
    countryCode: 'USA',
    currencyCode: 'USD',
    denominations: range('1.25', '5', '500'),
  }),
  product(
    {
      sku: 'SIM-GC-HOUSE-US',
      name: 'Digital Goods House Card',
      category: 'Shopping',
      subCategory: null,
      countryCode: 'USA',
      currencyCode: 'USD',
      denominations: fixed('0', '10', '25', '50', '100'),
    },
    {
      redeemable: true,
      howToUse: 'Give the card number as redeem_voucher_code when ordering a top-up or an eSIM.',
    },
  ),
  product({
    sku: 'SIM-GC-CINEMA-US',
    name: 'Grand Palace Cinema Gift Card',
    category: 'Entertainment',
    subCategory: 'Cinema',
    countryCode: 'USA',
    currencyCode: 'USD',
    denominations: fixed('4', '20', '40'),
  }),
  product(
    {
      sku: 'SIM-GC-PHOTO-US',
      name: 'Sunprint Photo Gift Card',
      category: 'Home & Garden',
      subCategory: 'Photo Prints',
      countryCode: 'USA',
      currencyCode: 'USD',
      denominations: fixed('6', '10', '20'),
    },
    { active: false },
  ),
  product({
    sku: 'SIM-GC-FASHION-DE',
    name: 'Modehaus Lindner Geschenkkarte',
    category: 'Fashion',
    subCategory: 'Clothing',
    countryCode: 'DEU',
    currencyCode: 'EUR',
    denominations: fixed('5', '20', '50', '100'),
  }),
  product(
    {
      sku: 'SIM-GC-BOOKS-FR',
      name: 'Librairie du Quai Carte Cadeau',
      category: 'Books & Learning',
      subCategory: 'Bookshops',
      countryCode: 'FRA',
      currencyCode: 'EUR',
      denominations: range('2.5', '5', '250'),
    },
    byUrl,
  ),
  product({
    sku: 'SIM-GC-GARDEN-GB',
    name: 'Thornbury Garden Gift Card',
    category: 'Home & Garden',
    subCategory: 'Garden',
    countryCode: 'GBR',
    currencyCode: 'GBP',
    denominations: [...fixed('3', '10', '25'), ...range('4', '30', '300')],
  }),
  product(
    {
      sku: 'SIM-GC-GROCER-IN',
      name: 'Mandi Fresh Grocery Gift Card',
      category: 'Food & Drink',
      subCategory: 'Groceries',
      countryCode: 'IND',
      currencyCode: 'INR',
      denominations: fixed('2', '500', '1000', '2000'),
    },
    { gstRate: '18', validity: '6 months from purchase' },
  ),
  product({
    sku: 'SIM-GC-RAIL-IN',
    name: 'Saffron Rail Travel Card',
    category: 'Travel',
    subCategory: 'Rail',
    countryCode: 'IND',
    currencyCode: 'INR',
    denominations: range('1.5', '100', '10000'),
  }),
  product(
    {
      sku: 'SIM-GC-ARCADE-JP',
      name: 'Hoshi Arcade Prepaid Card',
      category: 'Entertainment',
      subCategory: 'Games',
      countryCode: 'JPN',
      currencyCode: 'JPY',
      denominations: fixed('3', '1000', '3000', '5000'),
    },
    byUrl,
  ),
  product({
    sku: 'SIM-GC-SOUQ-KW',
    name: 'Souq Al Bahar Gift Card',
    category: 'Shopping',
    subCategory: 'Department Stores',
    countryCode: 'KWT',
    currencyCode: 'KWD',
    denominations: fixed('2.25', '5', '10'),
  }),
];

const rehearsals: VoucherProductInput[] = [
  rehearsal('SIM-GC-DELAYED', 'Sandbox Delayed Gift Card', 'Processed asynchronously; delivered after 5 s.', {
    deliveryTime: 'Delayed',
  }),
  rehearsal('SIM-GC-SLOW', 'Sandbox Slow Gift Card', 'Delivered after 20 s.'),
  rehearsal('SIM-GC-PARTIAL', 'Sandbox Partial Gift Card', '40 % delivered at once, the rest after 5 s.'),
  rehearsal(
    'SIM-GC-PARTIAL-THEN-FAILED',
    'Sandbox Partial Then Failed Gift Card',
    '40 % delivered at once, the rest refused after 5 s.',
  ),
  rehearsal('SIM-GC-OUT-OF-STOCK', 'Sandbox Out Of Stock Gift Card', 'Refused when it is ordered.'),
  rehearsal(
    'SIM-GC-TIMEOUT',
    'Sandbox Timeout Gift Card',
    'Delivered, but the answer of the supplier is lost.',
  ),
  rehearsal('SIM-GC-FLAKY', 'Sandbox Flaky Gift Card', 'Two errors of the supplier, then delivered.'),
  rehearsal(
    'SIM-GC-NEEDS-OPERATOR',
    'Sandbox Needs Operator Gift Card',
    'The answer of the supplier is lost, and it cannot say what became of the purchase: an operator decides.',
  ),
];

/** `SIM-GC-CINEMA-US` is sold out at the supplier; `SIM-GC-PHOTO-US` is inactive. */
export const voucherProducts: readonly VoucherProductInput[] = [...shelf, ...rehearsals];
