/** The stock and plans that suppliers report. */

/** The stock of one product. `available` is null if the supplier does not count it. */
export interface StockReport {
  sku: string;
  active: boolean;
  available: number | null;
}

/** An eSIM plan in the supplier's list. `price`: a decimal string in `currency`. */
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
