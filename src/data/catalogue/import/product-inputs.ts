/** The input of an import. Amounts and percentages are decimal strings; SKUs are the supplier's. */

export interface CategoryInput {
  name: string;
  subCategories: string[];
}

export interface VoucherProductInput {
  sku: string;
  name: string;
  /** The names of a known category and of one of its subcategories, if any. */
  category: string;
  subCategory: string | null;
  /** ISO 3166-1 alpha-3. */
  countryCode: string;
  currencyCode: string;
  imageUrl: string | null;
  deliveryMode: 'Code with PIN' | 'URL' | null;
  deliveryTime: 'Instant' | 'Delayed' | null;
  validity: string | null;
  /** A fixed denomination has `min` equal to `max`. `discount`: the default discount in percent. */
  denominations: { min: string; max: string; discount: string }[];
  terms: string | null;
  details: string | null;
  howToUse: string | null;
  /** Tax contained in the price, percent. */
  gstRate: string;
  active: boolean;
  /** House brand: its codes fund top-up and eSIM orders. */
  redeemable: boolean;
}

export interface InputFieldInput {
  fieldName: string;
  fieldLabel: string;
  fieldType: 'text' | 'number' | 'phone' | 'select';
  isRequired: boolean;
  validationRegex?: string;
  placeholder?: string;
  helpText?: string;
  options?: { value: string; label: string }[];
}

export interface TopupVariantInput {
  /** Variants with the same `sku` are fulfilment paths of the same item. */
  sku: string;
  /** The item at the supplier of this path. */
  supplierSku: string;
  /** Our cost on this path in percent of the amount. Clients never see it. */
  costPercent: string;
  name: string;
  category: string;
  currencyCode: string;
  unit?: string;
  /** Either the fixed amounts or both bounds. */
  fixedAmounts?: string[];
  minAmount?: string;
  maxAmount?: string;
  availableIn: { code: string; name: string }[];
  fields: { key: string; value: string }[];
  active: boolean;
}

export interface TopupProductInput {
  sku: string;
  /** Name and country identify a product. */
  name: string;
  topupType: 'GAMING' | 'MOBILE' | 'UTILITY';
  /** ISO 3166-1 alpha-3, or `GLO`. */
  countryCode: string;
  currencyCode: string;
  imageUrl: string;
  /** The mobile operator, if the product belongs to one. */
  operatorName?: string;
  /** On sale unless false. */
  active?: boolean;
  inputFields: InputFieldInput[];
  variants: TopupVariantInput[];
}

/** Its variants are read from the supplier at the first request for them. */
export interface EsimProductInput {
  sku: string;
  name: string;
  /** ISO 3166-1 alpha-3, or `GLO`. */
  countryCode: string;
  currencyCode: string;
  imageUrl: string;
  /** On sale unless false. */
  active?: boolean;
}
