/** What the price of an order was made of, and which entries of the audit set its terms. */
import type { Family } from '../../domain/orders/families';
import type { StoredPrice } from '../../domain/prices/price-steps';
import { deletedParts } from '../catalogue/audited-objects';
import { firstRow, rows, type Database } from '../database/database';

const priceColumns = `
  o.family, trim_scale(o.unit_amount)::text AS "faceValue", o.quantity, o.amount::text AS "listTotal", o.discount::text AS discount,
  jsonb_build_object('code', product.code, 'minorUnit', product.minor_unit) AS "productCurrency",
  jsonb_build_object('code', paid.code, 'minorUnit', paid.minor_unit) AS "walletCurrency",
  o.forex_rate::text AS rate, o.total_payable::text AS price, trim_scale(o.discount_percent)::text AS "discountPercent",
  o.is_own_discount AS "isOwnDiscount", trim_scale(o.fee_percent)::text AS "feePercent", o.rate_as_of AS "rateAsOf",
  o.rate_file_day::text AS "rateFileDay"`;
const currencyJoins = `
  JOIN currencies product ON product.code = o.base_currency JOIN currencies paid ON paid.code = o.deduction_currency`;

const priceStatement = `
  SELECT ${priceColumns} FROM orders o ${currencyJoins}
   WHERE o.id = $orderId AND o.replaces_order_id IS NULL AND ($clientId::integer IS NULL OR o.client_id = $clientId)`;

/** The price of the order, as it was stored; undefined if there is no such order (of the client), or if it replaces a unit, which has no price. */
export function readOrderPrice(database: Database, orderId: number, clientId?: number) {
  return firstRow<StoredPrice & { family: Family }>(database, priceStatement, { orderId, clientId: clientId ?? null });
}

/** The entry of the audit that set a term of a price. */
export interface TermEntry {
  step: 'DISCOUNT' | 'RATE' | 'FEE';
  at: Date;
  operator: string | null;
  object: string;
}

// The newest entry before the order that gave the setting the value of the order. A rate of a file has the entry of a person who gave that file.
const entriesStatement = `
WITH term AS (
  SELECT 'DISCOUNT' AS step, format('discount/%s/%s/%s', o.client_id, o.family, o.product_id) AS object, 'discount_percent' AS name,
         o.discount_percent AS value, NULL::text AS file_day, o.placed_at
    FROM orders o WHERE o.id = $orderId AND o.is_own_discount
  UNION ALL
  SELECT 'DISCOUNT', 'voucher_denomination/' || denomination.id, 'discount_percent', o.discount_percent, NULL, o.placed_at
    FROM orders o JOIN voucher_denominations denomination
      ON denomination.product_id = o.product_id AND o.unit_amount BETWEEN denomination.min_value AND denomination.max_value
   WHERE o.id = $orderId AND o.family = 'VOUCHER' AND NOT o.is_own_discount
  UNION ALL
  SELECT 'DISCOUNT', deleted.object, 'discount_percent', o.discount_percent, NULL, o.placed_at
    FROM orders o JOIN ${deletedParts} deleted
      ON deleted.product_id = o.product_id::text AND deleted.action = 'voucher_denomination.deleted' AND deleted.at > o.placed_at
         AND o.unit_amount BETWEEN (deleted.before ->> 'min_value')::numeric AND (deleted.before ->> 'max_value')::numeric
   WHERE o.id = $orderId AND o.family = 'VOUCHER' AND NOT o.is_own_discount
  UNION ALL
  SELECT 'RATE', format('rate/%s/%s', o.base_currency, o.deduction_currency), 'rate', o.forex_rate, o.rate_file_day::text, o.placed_at
    FROM orders o WHERE o.id = $orderId AND o.rate_as_of IS NOT NULL
  UNION ALL
  SELECT 'FEE', format('fee/%s/%s/%s', o.base_currency, o.deduction_currency, o.family), 'fee_percent', o.fee_percent, NULL, o.placed_at
    FROM orders o WHERE o.id = $orderId AND o.fee_percent > 0
)
SELECT term.step, entry.at, entry.operator, term.object
  FROM term CROSS JOIN LATERAL (
    SELECT at, operator FROM audit_entries audited
     WHERE audited.object = term.object AND audited.at <= term.placed_at AND (audited.after ->> term.name)::numeric = term.value
       AND (term.file_day IS NULL OR audited.after ->> 'file_day' = term.file_day)
     ORDER BY at DESC, id DESC LIMIT 1) entry
 ORDER BY term.step, entry.at DESC`;

/** The entries that set the recorded terms of the order's price, while the audit keeps them. */
export function listTermEntries(database: Database, orderId: number) {
  return rows<TermEntry>(database, entriesStatement, { orderId });
}
