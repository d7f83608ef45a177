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
const plain = {
  discountPercentage: '0',
  senderFee: '0',
  senderFeePercentage: '0',
  isGlobal: false,
  isUserIdRequired: false,
  supportsPreOrder: false,
  hasOddSpelling: false,
  hasMapAsArray: false,
  lacksOneCard: false,
};

export const giftProducts: readonly GiftProduct[] = [
  {
    ...plain,
    ...euro,
    productId: 101,
    productName: 'Nordlicht Books DE',
    values: [10, 25, 50],
    form: 'CODE_AND_PIN',
    discountPercentage: '3.5',
    senderFee: '0.5',
  },
  {
    ...plain,
    ...euro,
    productId: 102,
    productName: 'Nordlicht Market DE',
    values: { min: 5, max: 90 },
    form: 'LINK',
    discountPercentage: '2.25',
    senderFeePercentage: '1',
  },
  {
    ...plain,
    ...dollar,
    productId: 103,
    productName: 'Liberty Coffee US',
    values: [5, 10, 25, 50],
    form: 'CODE',
    discountPercentage: '7',
    hasMapAsArray: true,
  },
  {
    ...plain,
    ...dollar,
    productId: 104,
    productName: 'Liberty Market US',
    values: { min: 1, max: 100 },
    form: 'CODE_AND_PIN',
    discountPercentage: '1.5',
    senderFee: '0.25',
    senderFeePercentage: '0.75',
    hasOddSpelling: true,
  },
  {
    ...plain,
    ...dollar,
    productId: 105,
    productName: 'Liberty Cinema US',
    values: [15.5, 31],
    form: 'LINK',
    discountPercentage: '5',
    supportsPreOrder: true,
  },
  // Needs the player's account, for which a buyer may have no input.
  {
    ...plain,
    ...dollar,
    productId: 106,
    productName: 'Dragon Quest Credits US',
    category: games,
    values: [10, 20],
    form: 'CODE',
    isUserIdRequired: true,
  },
  // Its currency is not in ISO 4217.
  {
    ...plain,
    ...dollar,
    productId: 107,
    productName: 'Galaxy Points',
    category: games,
    recipientCurrencyCode: 'GXP',
    rate: '0.0101',
    values: [500, 1_000],
    form: 'CODE',
    isGlobal: true,
  },
  {
    ...plain,
    ...dollar,
    productId: 108,
    productName: 'Liberty Photo US',
    values: [5, 10],
    form: 'CODE_AND_PIN',
    discountPercentage: '2',
    lacksOneCard: true,
  },
];
