/** The operators for top-ups. The ids are stable. */

/** A network. Its numbers have `dial` and then `length` digits, the first of which is in `prefixes`. */
export interface Network {
  readonly country: { readonly isoName: string; readonly name: string };
  readonly dial: string;
  readonly length: number;
  readonly prefixes: string;
}

/** Amounts in the account's currency and in the local one, aligned by index. */
type Amounts =
  | { readonly fixed: readonly number[]; readonly localFixed: readonly number[] }
  | { readonly min: number; readonly max: number; readonly localMin: number; readonly localMax: number };

export interface Operator {
  readonly id: number;
  readonly name: string;
  readonly network: Network;
  readonly kind: 'airtime' | 'bundle' | 'data' | 'combo' | 'pin';
  readonly supportsLocalAmounts: boolean;
  readonly currency: string;
  /** Units of the local currency for one US dollar; undefined if Reloadly has none. */
  readonly rate: string | undefined;
  readonly discount: string;
  readonly fee: string;
  readonly feePercentage: string;
  readonly amounts: Amounts;
  readonly descriptions: readonly string[];
  /** Whether the top-up needs `recipientEmail`. */
  readonly isEmailRequired: boolean;
}

const india = { country: { isoName: 'IN', name: 'India' }, dial: '91', length: 10 };
const mexico = { country: { isoName: 'MX', name: 'Mexico' }, dial: '52', length: 10 };
const cuba = { country: { isoName: 'CU', name: 'Cuba' }, dial: '53', length: 8 };
const seychelles = { country: { isoName: 'SC', name: 'Seychelles' }, dial: '248', length: 7 };

const bharat: Network = { ...india, prefixes: '789' };
const ganga: Network = { ...india, prefixes: '6' };
const azteca: Network = { ...mexico, prefixes: '123456789' };
const nauta: Network = { ...cuba, prefixes: '5' };
const isla: Network = { ...seychelles, prefixes: '2' };

export const networks: readonly Network[] = [bharat, ganga, azteca, nauta, isla];

const plain = {
  kind: 'airtime',
  supportsLocalAmounts: false,
  discount: '0',
  fee: '0',
  feePercentage: '0',
  descriptions: [],
  isEmailRequired: false,
} as const;
const rupee = { currency: 'INR', rate: '83.12', supportsLocalAmounts: true };
const peso = { currency: 'MXN', rate: '17.25' };

export const operators: readonly Operator[] = [
  {
    ...plain,
    ...rupee,
    id: 201,
    name: 'Bharat Mobile India',
    network: bharat,
    discount: '6',
    amounts: { min: 1, max: 50, localMin: 80, localMax: 4_000 },
  },
  {
    ...plain,
    ...rupee,
    id: 202,
    name: 'Bharat Mobile India Recharge',
    network: bharat,
    discount: '4.5',
    amounts: { fixed: [1.19, 2.39, 6], localFixed: [99, 199, 499] },
  },
  {
    ...plain,
    ...rupee,
    id: 203,
    name: 'Bharat Mobile India Data',
    network: bharat,
    kind: 'data',
    discount: '3',
    amounts: { fixed: [1.79, 3.59], localFixed: [149, 299] },
    descriptions: ['1 GB, 7 days', '3 GB, 28 days'],
  },
  {
    ...plain,
    ...rupee,
    id: 204,
    name: 'Ganga Telecom India',
    network: ganga,
    discount: '5',
    amounts: { min: 0.5, max: 30, localMin: 40, localMax: 2_400 },
  },
  {
    ...plain,
    ...peso,
    id: 205,
    name: 'Azteca Movil Mexico',
    network: azteca,
    discount: '8',
    amounts: { fixed: [5, 10, 20], localFixed: [] },
  },
  {
    ...plain,
    ...peso,
    id: 206,
    name: 'Azteca Movil Mexico Open',
    network: azteca,
    discount: '8',
    fee: '0.25',
    feePercentage: '1',
    amounts: { min: 2, max: 60, localMin: 34.5, localMax: 1_035 },
  },
  {
    ...plain,
    ...peso,
    id: 207,
    name: 'Azteca Movil Mexico Bundles',
    network: azteca,
    kind: 'bundle',
    discount: '2',
    amounts: { fixed: [7.5], localFixed: [] },
    descriptions: ['Unlimited calls, 2 GB, 15 days'],
  },
  {
    ...plain,
    ...peso,
    id: 208,
    name: 'Azteca Movil Mexico PIN',
    network: azteca,
    kind: 'pin',
    discount: '1',
    amounts: { fixed: [10], localFixed: [] },
  },
  // Needs the recipient's e-mail address, for which a buyer may have no input.
  {
    ...plain,
    id: 209,
    name: 'Nauta Cuba',
    network: nauta,
    currency: 'CUP',
    rate: '24',
    amounts: { fixed: [10, 20], localFixed: [] },
    isEmailRequired: true,
  },
  // Its currency is not in ISO 4217, and it has no exchange rate.
  {
    ...plain,
    id: 210,
    name: 'Isla Roja Seychelles',
    network: isla,
    currency: 'ISR',
    rate: undefined,
    amounts: { fixed: [3], localFixed: [] },
  },
];
