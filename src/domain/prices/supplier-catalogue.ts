/** What suppliers tell of what they sell, as it is stored. */

/** What a supplier has of one product. `available` is null if its stock is not counted. */
export interface StockReport {
  sku: string;
  active: boolean;
  available: number | null;
}

/** An eSIM plan as the supplier lists it. Prices are decimal strings in `currency`. */
export interface EsimPlan {
  sku: string;
  name: string;
  description?: string;
  currency: string;
  price: string;
  dataAmountGb: number;
  validityDays: number;
  regions: { code: string; name: string }[];
  networks: string[];
  isRechargeable: boolean;
  activationPolicy?: string;
}
