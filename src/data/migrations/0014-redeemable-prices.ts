import type { Migration } from './migration';

/** Whether a voucher product can be redeemed decides its price: charges cached before are shown no more. */
export const redeemablePrices: Migration = {
  name: '0014-redeemable-prices',
  sql: `
DROP TRIGGER raise_pricing_version ON voucher_products;
CREATE TRIGGER raise_pricing_version AFTER UPDATE OF currency_code, gst_percent, active, delivery_time, redeemable
  ON voucher_products FOR EACH STATEMENT EXECUTE FUNCTION raise_pricing_version();
`,
};
