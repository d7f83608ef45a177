/** Chains of rates in which a client gains, and discounts that do the same. docs/decisions/0083-let-no-chain-of-rates-gain.md. */
import type { Family } from '../../domain/orders/families';
import { rows, type Database } from '../database/database';

/** Each chain of rates whose product is below 1, as text with its rates and the product. The lowest product comes first. */
export async function listRateCircles(database: Database): Promise<string[]> {
  const found = await rows<{ text: string }>(
    database,
    `SELECT rate_circle_text(currencies, product) AS text FROM rate_circles(NULL, NULL) ORDER BY product, currencies`,
  );
  return found.map(({ text }) => text);
}

/** A redeemable product with a discount. `percent`: the highest one. */
export interface RedeemableDiscount {
  productId: number;
  product: string;
  percent: string;
}

/** The discounts that are stored for redeemable products, of clients and of denominations. No order applies them. */
export function listRedeemableDiscounts(database: Database) {
  return rows<RedeemableDiscount>(
    database,
    `SELECT product.id AS "productId", product.name AS product, trim_scale(max(discount.discount_percent))::text AS percent
       FROM voucher_products product
       JOIN (SELECT product_id, discount_percent FROM voucher_denominations
             UNION ALL SELECT product_id, discount_percent FROM client_discounts WHERE family = $family) discount
         ON discount.product_id = product.id
      WHERE product.redeemable AND discount.discount_percent > 0
      GROUP BY product.id ORDER BY product.id`,
    { family: 'VOUCHER' satisfies Family },
  );
}
