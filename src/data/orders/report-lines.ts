/**
 * The lines of which reports of sales and margins are made. Together they are the entries of orders in the ledger. `ledger verify` proves it
 * for the sales (`report-ledger`). docs/operators/catalogue.md#reports-and-the-ledger.
 */
import { text } from '../../domain/row-columns';

/**
 * SQL: the sums of the orders that ended from $from on and before $to. `sold` is their debits (ORDER) less their automatic refunds
 * (REFUND). An automatic refund that waits for its wallet counts as credited.
 */
export const salesLines = 'sums_between($from, $to)';

/** SQL: the sales lines of some kinds as `sums`, of which a statement makes several parts. Read once, because the last ones are summed from the orders. */
export function salesSums(...kinds: readonly ('ORDER' | 'SUPPLIER' | 'SPEND')[]): string {
  return `sums AS MATERIALIZED (SELECT * FROM ${salesLines} WHERE kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')}))`;
}

/**
 * SQL: what was credited from $from on and before $to, whenever the orders ended: refunds after delivery (REFUND_AFTER), the values of
 * vouchers that paid for orders (REDEMPTION), and what suppliers credited for claimed goods, which is no entry of the ledger. A credit that
 * replaces another one counts with the difference.
 * `unit`: the one that the credit is for; null if it is for the whole order.
 */
export const creditLines = `(
  SELECT o.id AS order_id, NULL::integer AS unit, o.delivered_quantity AS delivered, entry.created_at AS at, day_of(entry.created_at) AS day, o.client_id, o.family,
         o.product_id, o.product_name, o.deduction_currency AS currency,
         CASE entry.kind WHEN 'REFUND_AFTER' THEN entry.amount ELSE 0 END AS refunded,
         CASE entry.kind WHEN 'REDEMPTION' THEN entry.amount ELSE 0 END AS redeemed, 0 AS supplier_credits
    FROM transactions entry JOIN orders o ON o.id = entry.order_id
   WHERE entry.kind IN ('REFUND_AFTER', 'REDEMPTION') AND entry.created_at >= $from AND entry.created_at < $to
  UNION ALL
  SELECT o.id, coalesce(claim.unit, 1), o.delivered_quantity, recorded.recorded_at, day_of(recorded.recorded_at), o.client_id, o.family, o.product_id,
         o.product_name, o.deduction_currency, 0, 0, recorded.change
    FROM supplier_credits recorded JOIN claims claim ON claim.id = recorded.claim_id JOIN orders o ON o.id = claim.order_id
   WHERE recorded.recorded_at >= $from AND recorded.recorded_at < $to)`;

/** Which amounts a report has besides the sales: decimal strings in the wallet's currency. */
export const creditSums = {
  /** Refunds after delivery. */
  refunded: text,
  /** The values of vouchers that paid for orders. */
  redeemed: text,
  /** What suppliers credited for claimed goods, at the rate of that moment. */
  supplier_credits: text,
};
