/** The shape of the demo data. All amounts and percentages are decimal strings; SKUs are the supplier's. */
import type { OrderStatus } from '../../domain/orders';
import type { FailureCode } from '../../domain/failure-codes';

export interface DemoDenomination {
  min: string;
  /** Equal to `min` for a fixed denomination. */
  max: string;
  /** Default discount in percent of the face value. */
  discount: string;
}

export interface DemoVoucherProduct {
  sku: string;
  name: string;
  category: string;
  subCategory: string | null;
  /** ISO 3166-1 alpha-3. */
  countryCode: string;
  currencyCode: string;
  imageUrl: string | null;
  deliveryMode: 'Code with PIN' | 'URL';
  deliveryTime: 'Instant' | 'Delayed';
  validity: string | null;
  denominations: DemoDenomination[];
  terms: string | null;
  details: string | null;
  howToUse: string | null;
  /** Percent of tax contained in the price. */
  gstRate: string;
  active: boolean;
  /** House brand: its codes fund top-up and eSIM orders. */
  redeemable: boolean;
}

export interface DemoCategory {
  name: string;
  subCategories: string[];
}

export interface DemoInputField {
  fieldName: string;
  fieldLabel: string;
  fieldType: 'text' | 'number' | 'phone' | 'select';
  isRequired: boolean;
  validationRegex?: string;
  placeholder?: string;
  helpText?: string;
  options?: { value: string; label: string }[];
}

export interface DemoTopupVariant {
  /** What is sold. Two variants with the same `sku` are two fulfilment paths to it. */
  sku: string;
  /** What is bought at the supplier on this path. */
  supplierSku: string;
  /** What this path costs us, in percent of the amount. Internal. */
  costPercent: string;
  name: string;
  category: 'Airtime' | 'Data' | 'Bundle' | '';
  currencyCode: string;
  /** Unit of the field `par_value`. */
  unit?: string;
  /** Either the fixed amounts or both bounds. */
  fixedAmounts?: string[];
  minAmount?: string;
  maxAmount?: string;
  availableIn: { code: string; name: string }[];
  /** Customer-facing metadata. */
  fields: { key: string; value: string }[];
  active: boolean;
}

export interface DemoTopupProduct {
  sku: string;
  name: string;
  topupType: 'GAMING' | 'MOBILE' | 'UTILITY';
  /** ISO 3166-1 alpha-3 or `GLO`. */
  countryCode: string;
  currencyCode: string;
  imageUrl: string;
  inputFields: DemoInputField[];
  variants: DemoTopupVariant[];
}

/** Its plans are not here: the service fetches them from the supplier when they are first asked for. */
export interface DemoEsimProduct {
  sku: string;
  name: string;
  /** ISO 3166-1 alpha-3 or `GLO`. */
  countryCode: string;
  currencyCode: string;
  imageUrl: string;
}

export interface DemoWallet {
  currencyCode: string;
  isDefault: boolean;
  /** Credited once, when the wallet is made. */
  funds: string;
}

export type DemoClientName = 'demo' | 'other' | 'load' | 'restricted' | 'poor';

export interface DemoClient {
  key: DemoClientName;
  name: string;
  features: { vouchers: boolean; topups: boolean; esim: boolean };
  /** Addresses that may create orders; empty allows all. */
  allowedCidrs: string[];
  /** The most vouchers in one order. */
  bulkLimit: number;
  /** Rate limits out of the way, for load and concurrency tests. */
  unlimitedRate: boolean;
  wallets: DemoWallet[];
  /** Discounts of the client on voucher products, in percent of the face value. */
  voucherDiscounts: { sku: string; percent: string }[];
  blacklistedSkus: string[];
}

/** One unit of `from` is worth `rate` units of `to`. */
export interface DemoForexRate {
  from: string;
  to: string;
  rate: string;
  /** Conversion fee of voucher orders in percent; that of the other families is 0. */
  voucherFeePercent: string;
}

/** One rehearsal that `demo` can post as it stands, as listed in `.run/stack.json`. */
export interface Scenario {
  name: string;
  method: 'POST';
  path: string;
  body: Readonly<Record<string, unknown>>;
  /** The status in the answer to the order. */
  initial_status: OrderStatus;
  final_status: OrderStatus;
  failure_code?: FailureCode;
}
