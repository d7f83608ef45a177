/** The gift cards on offer. The ids are stable. */

/** The content of one card. `LINK` has a link instead of a number. */
export type CardForm = 'CODE' | 'CODE_AND_PIN' | 'LINK';

export interface GiftProduct {
  readonly productId: number;
  readonly productName: string;
  readonly country: { readonly isoName: string; readonly name: string };
  readonly category: { readonly id: number; readonly name: string };
  readonly recipientCurrencyCode: string;
  /** US dollars for one unit of the recipient currency. Reloadly charges it unrounded. */
  readonly rate: string;
  readonly discountPercentage: string;
  readonly senderFee: string;
  readonly senderFeePercentage: string;
  readonly values: readonly number[] | { readonly min: number; readonly max: number };
  readonly form: CardForm;
  readonly isGlobal: boolean;
  readonly isUserIdRequired: boolean;
  readonly supportsPreOrder: boolean;
  /** Spelled `maxrecipientDenomination`, as in one example of the documentation. */
  readonly hasOddSpelling: boolean;
  /** Whether the map of face values is an array of objects. Examples show both forms. */
  readonly hasMapAsArray: boolean;
  /**
   * An order of several cards yields one card fewer, as SUCCESSFUL and at the full price. The documentation does not say
   * whether Reloadly fulfils orders in part, so one product does.
   */
  readonly lacksOneCard: boolean;
}

const germany = { isoName: 'DE', name: 'Germany' };
const unitedStates = { isoName: 'US', name: 'United States' };
const shopping = { id: 1, name: 'Shopping' };
const games = { id: 2, name: 'Gaming' };

const euro = { country: germany, category: shopping, recipientCurrencyCode: 'EUR', rate: '1.0837462951' };
const dollar = { country: unitedStates, category: shopping, recipientCurrencyCode: 'USD', rate: '1' };

type Terms = Pick<GiftProduct, 'values' | 'form'> & Partial<GiftProduct>;

function gift(productId: number, productName: string, market: typeof euro, terms: Terms): GiftProduct {
  return {
    productId,
    productName,
    ...market,
    discountPercentage: '0',
    senderFee: '0',
    senderFeePercentage: '0',
    isGlobal: false,
    isUserIdRequired: false,
    supportsPreOrder: false,
    hasOddSpelling: false,
    hasMapAsArray: false,
    lacksOneCard: false,
    ...terms,
  };
}

export const giftProducts: readonly GiftProduct[] = [
  gift(101, 'Nordlicht Books DE', euro, {
    values: [10, 25, 50],
    form: 'CODE_AND_PIN',
    discountPercentage: '3.5',
    senderFee: '0.5',
  }),
  gift(102, 'Nordlicht Market DE', euro, {
    values: { min: 5, max: 90 },
    form: 'LINK',
    discountPercentage: '2.25',
    senderFeePercentage: '1',
  }),
  gift(103, 'Liberty Coffee US', dollar, {
    values: [5, 10, 25, 50],
    form: 'CODE',
    discountPercentage: '7',
    hasMapAsArray: true,
  }),
  gift(104, 'Liberty Market US', dollar, {
    values: { min: 1, max: 100 },
    form: 'CODE_AND_PIN',
    discountPercentage: '1.5',
    senderFee: '0.25',
    senderFeePercentage: '0.75',
    hasOddSpelling: true,
  }),
  gift(105, 'Liberty Cinema US', dollar, {
    values: [15.5, 31],
    form: 'LINK',
    discountPercentage: '5',
    supportsPreOrder: true,
  }),
  // Needs the player's account, for which a buyer may have no input.
  gift(106, 'Dragon Quest Credits US', dollar, {
    category: games,
    values: [10, 20],
    form: 'CODE',
    isUserIdRequired: true,
  }),
  // Its currency is not in ISO 4217.
  gift(107, 'Galaxy Points', dollar, {
    category: games,
    recipientCurrencyCode: 'GXP',
    rate: '0.0101',
    values: [500, 1_000],
    form: 'CODE',
    isGlobal: true,
  }),
  gift(108, 'Liberty Photo US', dollar, {
    values: [5, 10],
    form: 'CODE_AND_PIN',
    discountPercentage: '2',
    lacksOneCard: true,
  }),
];
