/** The billers of utilities. The ids are stable. */

export type BillerType =
  | 'ELECTRICITY_BILL_PAYMENT'
  | 'WATER_BILL_PAYMENT'
  | 'TV_BILL_PAYMENT'
  | 'INTERNET_BILL_PAYMENT';

/** The limits and the price of amounts in one currency. */
export interface BillTerms {
  readonly min: number;
  readonly max: number;
  /** In the currency of the amounts. */
  readonly fee: string;
  readonly discount: string;
}

export interface Biller {
  readonly id: number;
  readonly name: string;
  readonly country: string;
  readonly type: BillerType;
  readonly serviceType: 'PREPAID' | 'POSTPAID';
  readonly currency: string;
  /** Units of the local currency for one US dollar. */
  readonly rate: string;
  /** The terms of amounts in the local currency; undefined if the biller accepts none. */
  readonly local: BillTerms | undefined;
  readonly international: BillTerms | undefined;
  readonly requiresInvoice: boolean;
  /** The amounts by `amountId`, for a FIXED biller. The list of billers does not show them. */
  readonly fixed: Readonly<Record<number, number>> | undefined;
}

const plain = { requiresInvoice: false, fixed: undefined };

export const billers: readonly Biller[] = [
  {
    ...plain,
    id: 301,
    name: 'Lagos Power Prepaid',
    country: 'NG',
    type: 'ELECTRICITY_BILL_PAYMENT',
    serviceType: 'PREPAID',
    currency: 'NGN',
    rate: '1520.5',
    local: { min: 1_000, max: 300_000, fee: '100', discount: '0.5' },
    international: { min: 1, max: 200, fee: '0.2', discount: '0.5' },
  },
  {
    ...plain,
    id: 302,
    name: 'Lagos Power Postpaid',
    country: 'NG',
    type: 'ELECTRICITY_BILL_PAYMENT',
    serviceType: 'POSTPAID',
    currency: 'NGN',
    rate: '1520.5',
    local: { min: 1_000, max: 300_000, fee: '0', discount: '0' },
    international: undefined,
  },
  {
    ...plain,
    id: 303,
    name: 'Accra Water',
    country: 'GH',
    type: 'WATER_BILL_PAYMENT',
    serviceType: 'POSTPAID',
    currency: 'GHS',
    rate: '12.4',
    local: undefined,
    international: { min: 2, max: 80, fee: '0', discount: '1.25' },
  },
  // FIXED: a payment needs an `amountId`, which the list of billers does not show.
  {
    ...plain,
    id: 304,
    name: 'Savanna TV',
    country: 'KE',
    type: 'TV_BILL_PAYMENT',
    serviceType: 'PREPAID',
    currency: 'KES',
    rate: '129.3',
    local: { min: 650, max: 1_250, fee: '0', discount: '0' },
    international: undefined,
    fixed: { 1: 650, 2: 1_250 },
  },
  // Needs an invoice number.
  {
    ...plain,
    id: 305,
    name: 'Mzansi Fibre',
    country: 'ZA',
    type: 'INTERNET_BILL_PAYMENT',
    serviceType: 'POSTPAID',
    currency: 'ZAR',
    rate: '18.2',
    local: { min: 100, max: 3_000, fee: '0', discount: '0' },
    international: { min: 6, max: 160, fee: '0', discount: '0' },
    requiresInvoice: true,
  },
];
