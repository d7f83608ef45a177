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

const rupee = { currency: 'INR', rate: '83.12', supportsLocalAmounts: true };
const peso = { currency: 'MXN', rate: '17.25' };

type Terms = Pick<Operator, 'currency' | 'rate' | 'amounts'> & Partial<Operator>;

function operator(id: number, name: string, network: Network, terms: Terms): Operator {
  return {
    id,
    name,
    network,
    kind: 'airtime',
    supportsLocalAmounts: false,
    discount: '0',
    fee: '0',
    feePercentage: '0',
    descriptions: [],
    isEmailRequired: false,
    ...terms,
  };
}

const fixed = (values: readonly number[], localFixed: readonly number[] = []): Amounts => ({
  fixed: values,
  localFixed,
});
const ranged = (min: number, max: number, localMin: number, localMax: number): Amounts => ({
  min,
  max,
  localMin,
  localMax,
});

export const operators: readonly Operator[] = [
  operator(201, 'Bharat Mobile India', bharat, { ...rupee, discount: '6', amounts: ranged(1, 50, 80, 4_000) }),
  operator(202, 'Bharat Mobile India Recharge', bharat, {
    ...rupee,
    discount: '4.5',
    amounts: fixed([1.19, 2.39, 6], [99, 199, 499]),
  }),
  operator(203, 'Bharat Mobile India Data', bharat, {
    ...rupee,
    kind: 'data',
    discount: '3',
    amounts: fixed([1.79, 3.59], [149, 299]),
    descriptions: ['1 GB, 7 days', '3 GB, 28 days'],
  }),
  operator(204, 'Ganga Telecom India', ganga, { ...rupee, discount: '5', amounts: ranged(0.5, 30, 40, 2_400) }),
  operator(205, 'Azteca Movil Mexico', azteca, { ...peso, discount: '8', amounts: fixed([5, 10, 20]) }),
  operator(206, 'Azteca Movil Mexico Open', azteca, {
    ...peso,
    discount: '8',
    fee: '0.25',
    feePercentage: '1',
    amounts: ranged(2, 60, 34.5, 1_035),
  }),
  operator(207, 'Azteca Movil Mexico Bundles', azteca, {
    ...peso,
    kind: 'bundle',
    discount: '2',
    amounts: fixed([7.5]),
    descriptions: ['Unlimited calls, 2 GB, 15 days'],
  }),
  operator(208, 'Azteca Movil Mexico PIN', azteca, { ...peso, kind: 'pin', discount: '1', amounts: fixed([10]) }),
  // Needs the recipient's e-mail address, for which a buyer may have no input.
  operator(209, 'Nauta Cuba', nauta, { currency: 'CUP', rate: '24', amounts: fixed([10, 20]), isEmailRequired: true }),
  // Its currency is not in ISO 4217, and it has no exchange rate.
  operator(210, 'Isla Roja Seychelles', isla, { currency: 'ISR', rate: undefined, amounts: fixed([3]) }),
];
