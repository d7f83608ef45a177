/**
 * The input of an import. Amounts and percentages are decimal strings. An absent field of a known product keeps its value. Null removes
 * a value.
 */

export interface CategoryInput {
  name: string;
  subCategories: string[];
}

export interface VoucherProductInput {
  sku: string;
  name: string;
  /** The name of a known category. */
  category: string;
  /** The name of a subcategory of `category`; null for none. Absent: it stays, unless the category changes. */
  subCategory?: string | null;
  /** ISO 3166-1 alpha-3. */
  countryCode: string;
  currencyCode: string;
  imageUrl?: string | null;
  deliveryMode?: 'Code with PIN' | 'URL' | null;
  deliveryTime?: 'Instant' | 'Delayed' | null;
  validity?: string | null;
  /** A fixed denomination has `min` equal to `max`. `discount`: the default discount in percent. */
  denominations: { min: string; max: string; discount?: string }[];
  terms?: string | null;
  details?: string | null;
  howToUse?: string | null;
  /** Tax contained in the price, in percent. */
  gstRate?: string;
  active?: boolean;
  /** Whether top-up and eSIM orders can be paid with the product's codes. */
  redeemable?: boolean;
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
  /** Our SKU. Variants with the same SKU and currency are the same item, which each variant's supplier can deliver. */
  sku: string;
  /** The supplier's SKU of the variant. */
  supplierSku: string;
  /** Our cost at this supplier in percent of the amount. Clients never see it. A new variant needs it. */
  costPercent?: string;
  name: string;
  category?: string;
  currencyCode: string;
  unit?: string | null;
  /** Either the fixed amounts or both bounds. */
  fixedAmounts?: string[];
  minAmount?: string;
  maxAmount?: string;
  availableIn?: { code: string; name: string }[];
  fields?: { key: string; value: string }[];
  active?: boolean;
}

export interface TopupProductInput {
  sku: string;
  /** Name and country together identify a top-up product. */
  name: string;
  topupType: 'GAMING' | 'MOBILE' | 'UTILITY';
  /** ISO 3166-1 alpha-3, or `GLO`. */
  countryCode: string;
  currencyCode: string;
  imageUrl?: string;
  /** The mobile operator, if the product belongs to one. */
  operatorName?: string | null;
  /** A new product is on sale unless false. */
  active?: boolean;
  inputFields?: InputFieldInput[];
  variants: TopupVariantInput[];
}

/** An eSIM product. The file has no variants: they are read from the supplier at the first request for them. */
export interface EsimProductInput {
  sku: string;
  name: string;
  /** ISO 3166-1 alpha-3, or `GLO`. */
  countryCode: string;
  currencyCode: string;
  imageUrl?: string;
  /** A new product is on sale unless false. */
  active?: boolean;
}
