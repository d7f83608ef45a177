/** Compares a supplier's statement of its sales with delivered, quarantined and open purchases. */
import { oneRow, rows, type Database, type Transaction } from '../database/database';
import { DELIVERED_BY_HAND } from './quarantined-goods';

/** One line of a supplier's statement. A refund takes its units from the sales of its reference. */
export interface Sale {
  kind: 'sale' | 'refund';
  reference: string;
  units: number;
}

/** A sale that was neither delivered nor quarantined, and for which no order waits. */
export interface UnaccountedSale {
  reference: string;
  /** Null if no order has the reference. */
  orderId: number | null;
  /** Units of the reference: sold (in `sales` lines of the statement), delivered, quarantined, and in excess. */
  sold: number;
  sales: number;
  delivered: number;
  apart: number;
  excess: number;
  /** The share of the excess units in the order's price, such as `10.00 USD`; null without an order. */
  cost: string | null;
  /** Whether the order is on the attention list because of these goods, or because this purchase is open with an unknown outcome. */
  isListed: boolean;
  /** The reason of the attention entry about these goods if an operator has settled the entry; otherwise null. */
  settledReason: string | null;
}

/** A delivery that is missing from the statement. */
export interface UnsoldDelivery {
  reference: string;
  orderId: number;
  sold: number;
  delivered: number;
}

export interface SalesComparison {
  /** The number of lines of the statement, and of the units sold less those refunded. */
  sales: number;
  units: number;
  unaccounted: UnaccountedSale[];
  unsold: UnsoldDelivery[];
}

const createTable = 'CREATE TEMPORARY TABLE sales (reference text, units bigint) ON COMMIT DROP';
const addPage = 'INSERT INTO sales SELECT * FROM unnest($references::text[], $units::bigint[])';
const addUp = `
  CREATE TEMPORARY TABLE sold ON COMMIT DROP AS
  SELECT reference, sum(units)::bigint AS units, count(*) AS sales FROM sales GROUP BY reference`;

/** SQL: the number of units of purchase `p` that the client can read in order `o`. */
const delivered = `
  CASE WHEN p.reference IS NULL OR p.state = 'REPLACED' THEN 0
       WHEN o.family = 'VOUCHER' THEN (SELECT count(*) FROM vouchers v WHERE v.order_id = p.order_id
                                          AND v.unit BETWEEN p.first_unit AND p.first_unit + p.units - 1)
       ELSE o.delivered_quantity END`;

/** SQL: an operator delivered purchase `p`, or its missing part. */
const byHand = `p.detail IS NOT DISTINCT FROM '${DELIVERED_BY_HAND}'`;

// A reference without a purchase may name its order: order-<id>-<nonce>-<batch>.
const unaccountedStatement = `
WITH compared AS (
  SELECT sold.reference, sold.units AS sold, sold.sales, o.id AS order_id, ${delivered} AS delivered,
         (SELECT coalesce(sum(units), 0) FROM goods_apart
           WHERE reference = sold.reference AND (reason IN ('LATE', 'EXTRA') OR reason = 'UNREADABLE' AND p.state = 'REJECTED')) AS apart,
         CASE WHEN o.completed_at IS NULL AND p.state IN ('READY', 'SENT', 'PENDING') THEN p.units ELSE 0 END AS awaited,
         o.total_payable, o.quantity, o.deduction_currency AS currency,
         p.state IN ('READY', 'SENT', 'PENDING') AS is_open
    FROM sold
    LEFT JOIN supplier_purchases p ON p.reference = sold.reference
    LEFT JOIN orders o ON o.id = coalesce(p.order_id, substring(sold.reference FROM '^order-(\\d{1,15})-')::bigint)
     AND sold.reference LIKE 'order-' || o.id || '-' || o.nonce || '-%'
), excessive AS (
  SELECT *, sold - apart - greatest(delivered, awaited) AS excess FROM compared
   WHERE sold > apart + greatest(delivered, awaited)
)
SELECT reference, order_id AS "orderId", sold, sales, delivered::integer AS delivered, apart::integer AS apart,
       excess::integer AS excess,
       round(total_payable * excess / quantity, minor_unit) || ' ' || currency AS cost,
       EXISTS (SELECT FROM attention a WHERE a.order_id = excessive.order_id AND a.cleared_at IS NULL
                  AND (a.kind = 'GOODS_APART' AND a.reference = excessive.reference OR is_open AND a.kind IN ('OUTCOME_UNKNOWN', 'PURCHASE_OVERDUE')))
         AS "isListed",
       (SELECT reason FROM attention a WHERE a.order_id = excessive.order_id AND a.kind = 'GOODS_APART'
           AND a.reference = excessive.reference AND a.settlement IS NOT NULL) AS "settledReason"
  FROM excessive LEFT JOIN currencies ON code = currency
 ORDER BY order_id, reference`;

// Only deliveries before this transaction must be in the statement. Goods that an operator entered may have been bought elsewhere:
// at least one unit of each purchase that is `byHand`, and at most `typed_in` units of the order.
const unsoldStatement = `
WITH compared AS (
  SELECT p.reference, o.id AS order_id, coalesce(sold.units, 0) AS sold, ${delivered} AS delivered,
         CASE WHEN ${byHand} THEN (SELECT coalesce(sum(units), 0) FROM goods_apart
           WHERE order_id = o.id AND reason = 'OPERATOR' AND used_at IS NOT NULL) ELSE 0 END AS typed_in
    FROM supplier_purchases p
    JOIN orders o ON o.id = p.order_id
    LEFT JOIN sold ON sold.reference = p.reference
   WHERE p.supplier = $supplier AND p.sent_at >= $since AND p.sent_at < transaction_timestamp()
     AND p.updated_at < transaction_timestamp() AND p.stored > coalesce(sold.units, 0)
     AND NOT (${byHand} AND p.units = 1)
)
SELECT reference, order_id AS "orderId", sold, delivered::integer AS delivered FROM compared
 WHERE delivered - typed_in > sold ORDER BY order_id, reference`;

/**
 * Compares a supplier's statement, page by page, with the stored purchases. The statement must contain every sale since
 * `since`, and may contain earlier ones. `progress` receives the number of lines so far.
 */
export async function compareSales(
  database: Database,
  supplier: string,
  statement: AsyncIterable<readonly Sale[]>,
  since: Date,
  progress: (sales: number) => void = () => undefined,
): Promise<SalesComparison> {
  return database.transaction(async (transaction) => {
    // Begins the transaction before the read: earlier deliveries must be in the statement.
    await rows(database, createTable, {}, transaction);
    let sales = 0;
    for await (const page of statement) {
      const references = page.map(({ reference }) => reference);
      const units = page.map((line) => (line.kind === 'sale' ? line.units : -line.units));
      await rows(database, addPage, { references, units }, transaction);
      sales += page.length;
      progress(sales);
    }
    return { sales, ...(await compare(database, supplier, since, transaction)) };
  });
}

async function compare(
  database: Database,
  supplier: string,
  since: Date,
  transaction: Transaction,
): Promise<Omit<SalesComparison, 'sales'>> {
  await rows(database, addUp, {}, transaction);
  await rows(database, 'ANALYZE sold', {}, transaction);
  const sum = 'SELECT coalesce(sum(units), 0)::bigint AS units FROM sold';
  const { units } = await oneRow<{ units: number }>(database, sum, {}, transaction);
  return {
    units,
    unaccounted: await rows<UnaccountedSale>(database, unaccountedStatement, {}, transaction),
    unsold: await rows<UnsoldDelivery>(database, unsoldStatement, { supplier, since }, transaction),
  };
}
