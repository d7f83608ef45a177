/** Compares a supplier's statement of its sales with delivered, quarantined and open purchases. */
import { isPossibleAmount } from '../../domain/prices/believable-costs';
import type { Binds } from '../database/binds';
import { oneRow, rows, type Database, type Transaction } from '../database/database';
import { saysByHand } from './quarantined-goods';

/** One line of a supplier's statement. A refund takes its units and its cost from the sales of its reference. */
export interface Sale {
  kind: 'sale' | 'refund';
  reference: string;
  units: number;
  /** The price of all units; absent if the supplier does not report it. */
  cost?: { amount: string; currency: string };
  soldAt: Date;
}

/** What a statement says about one reference. */
interface Settled {
  reference: string;
  /** Null if no order has the reference. */
  orderId: number | null;
  /** When the supplier sold; if it did not, when the purchase was sent. */
  at: Date;
  /** Units of the reference: sold and refunded by the supplier. */
  sold: number;
  refunded: number;
}

/** Units that were neither delivered nor quarantined, and for which no order waits. */
export interface UnaccountedSale extends Settled {
  /** The number of the reference's lines in the statement. */
  sales: number;
  /** Units of the reference: delivered, quarantined, and in excess. */
  delivered: number;
  quarantined: number;
  excess: number;
  /** What the units in excess cost by the statement, such as `10.00 USD`; null if it does not say so. */
  cost: string | null;
  /** The supplier of our purchase with this reference, if it is another one. */
  boughtAt: string | null;
  /** Whether the supplier reversed the purchase, as its lookup says. */
  isReversed: boolean;
}

/** A delivery that is missing from the statement. */
export interface UnsoldDelivery extends Settled {
  orderId: number;
  delivered: number;
}

/** A purchase whose cost in the statement is not the cost that the supplier reported before. */
export interface CostDifference extends Settled {
  orderId: number;
  /** Such as `9.8 EUR`: after refunds. */
  charged: string;
  expected: string;
}

/** Some of what differs. */
export interface SalesDifferences {
  unaccounted: UnaccountedSale[];
  unsold: UnsoldDelivery[];
  costs: CostDifference[];
}

export interface SalesComparison {
  /** The number of lines of the statement, and of the units sold less those refunded. */
  sales: number;
  units: number;
  /** The end of the time whose sales the statement has: of a list of all sales, the moment at which its read began. */
  ends: Date;
}

const createTable = `
  CREATE TEMPORARY TABLE sales (reference text, units bigint, amount numeric, currency text, sold_at timestamptz)
  ON COMMIT DROP`;
const addPage = `
  INSERT INTO sales
  SELECT * FROM unnest($references::text[], $units::bigint[], $amounts::numeric[], $currencies::text[], $times::timestamptz[])`;
// A line without a cost, or with another currency, leaves the cost of its reference unknown: a missing value decides nothing.
const addUp = `
  CREATE TEMPORARY TABLE sold ON COMMIT DROP AS
  SELECT reference, sum(units)::bigint AS units, count(*) AS sales,
         coalesce(sum(units) FILTER (WHERE units > 0), 0)::bigint AS sold,
         coalesce(-sum(units) FILTER (WHERE units < 0), 0)::bigint AS refunded,
         min(currency) AS currency,
         CASE WHEN bool_and(amount IS NOT NULL) AND min(currency) = max(currency) THEN sum(amount) END AS amount,
         least(min(sold_at) FILTER (WHERE sold_at > 'epoch'), now()) AS at
    FROM sales GROUP BY reference`;

/** SQL: the number of units of purchase `p` that the client can read in order `o`. */
const delivered = `
  CASE WHEN p.reference IS NULL OR p.state = 'REPLACED' THEN 0
       WHEN o.family = 'VOUCHER' THEN (SELECT count(*) FROM vouchers v WHERE v.order_id = p.order_id
                                          AND v.unit BETWEEN p.first_unit AND p.first_unit + p.units - 1)
       ELSE o.delivered_quantity END`;

/** SQL: an operator delivered purchase `p`, or its missing part. */
const byHand = saysByHand('p.detail');

/** SQL: joins the statement with the supplier's own purchases: another supplier's sale delivers nothing. */
const purchaseOfSale = 'supplier_purchases p ON p.reference = sold.reference AND p.supplier = $supplier';

// A reference without a purchase may name its order: order-<id>-<nonce>-<batch>. A reversed purchase must be refunded.
const unaccountedStatement = `
WITH compared AS (
  SELECT sold.*, o.id AS order_id, p.reference AS bought,
         CASE WHEN p.reversed_at IS NULL THEN ${delivered} ELSE 0 END AS delivered, p.reversed_at IS NOT NULL AS is_reversed,
         (SELECT coalesce(sum(units), 0) FROM quarantined_goods
           WHERE reference = p.reference AND (reason IN ('LATE', 'EXTRA') OR reason = 'UNREADABLE' AND p.state = 'REJECTED')) AS quarantined,
         CASE WHEN o.completed_at IS NULL AND p.state IN ('READY', 'SENT', 'PENDING') THEN p.units ELSE 0 END AS awaited,
         p.state IN ('READY', 'SENT', 'PENDING') AS is_open
    FROM sold
    LEFT JOIN ${purchaseOfSale}
    LEFT JOIN orders o ON o.id = coalesce(p.order_id, substring(sold.reference FROM '^order-(\\d{1,15})-')::bigint)
     AND sold.reference LIKE 'order-' || o.id || '-' || o.nonce || '-%'
), excessive AS (
  SELECT *, units - quarantined - greatest(delivered, awaited) AS excess FROM compared
   WHERE units > quarantined + greatest(delivered, awaited)
)
SELECT reference, order_id AS "orderId", at, sold, refunded, sales, delivered::integer AS delivered,
       quarantined::integer AS quarantined, excess::integer AS excess, is_reversed AS "isReversed",
       trim_scale(round(amount * excess / units, 4)) || ' ' || currency AS cost,
       (SELECT supplier FROM supplier_purchases other WHERE other.reference = excessive.reference AND bought IS NULL) AS "boughtAt"
  FROM excessive
 WHERE NOT EXISTS (
   SELECT FROM attention a WHERE a.order_id = excessive.order_id AND a.cleared_at IS NULL
      AND (a.kind IN ('GOODS_APART', 'PURCHASE_REVERSED') AND a.reference = bought
           OR is_open AND a.kind IN ('OUTCOME_UNKNOWN', 'PURCHASE_OVERDUE')))
 ORDER BY order_id, reference`;

// Only deliveries before the end must be in the statement. Goods that an operator entered may have been bought elsewhere:
// at least one unit of each purchase that is `byHand`, and at most `typed_in` units of the order. MATERIALIZED, because the condition and the
// result would count the vouchers twice.
const unsoldStatement = `
WITH compared AS MATERIALIZED (
  SELECT p.reference, o.id AS order_id, p.sent_at, coalesce(sold.units, 0) AS units, coalesce(sold.sold, 0) AS sold,
         coalesce(sold.refunded, 0) AS refunded, ${delivered} AS delivered,
         CASE WHEN ${byHand} THEN (SELECT coalesce(sum(units), 0) FROM quarantined_goods
           WHERE order_id = o.id AND reason = 'OPERATOR' AND used_at IS NOT NULL) ELSE 0 END AS typed_in
    FROM supplier_purchases p
    JOIN orders o ON o.id = p.order_id
    LEFT JOIN sold ON sold.reference = p.reference
   WHERE p.supplier = $supplier AND p.sent_at >= $begins AND p.sent_at < $ends
     AND p.updated_at < transaction_timestamp() AND p.stored > coalesce(sold.units, 0)
     AND p.reversed_at IS NULL AND NOT (${byHand} AND p.units = 1)
)
SELECT reference, order_id AS "orderId", sent_at AS at, sold, refunded, delivered::integer AS delivered FROM compared
 WHERE delivered - typed_in > units ORDER BY order_id, reference`;

// Refunded units must cost nothing.
const costStatement = `
WITH compared AS (
  SELECT sold.*, p.order_id, CASE WHEN sold.units = 0 THEN 0 ELSE p.cost END AS expected, p.cost_currency
    FROM sold JOIN ${purchaseOfSale}
   WHERE sold.units IN (0, p.units) AND sold.amount IS NOT NULL AND p.cost IS NOT NULL
     AND p.updated_at < transaction_timestamp()
)
SELECT reference, order_id AS "orderId", at, sold, refunded,
       trim_scale(amount) || ' ' || currency AS charged, trim_scale(expected) || ' ' || cost_currency AS expected
  FROM compared
 WHERE amount <> expected OR (amount <> 0 AND upper(currency) <> upper(cost_currency)) ORDER BY order_id, reference`;

/** The sales of a supplier. */
export interface StatedSales {
  supplier: string;
  pages: AsyncIterable<readonly Sale[]> | Iterable<readonly Sale[]>;
  /** The pages must contain every sale from `begins` to `ends`, and may contain earlier ones. Without `ends`, until now. */
  begins: Date;
  ends?: Date;
}

/** What is called while sales are compared. */
export interface ComparisonCalls {
  /** Gets the number of lines so far. */
  progress: (sales: number) => void;
  /** Gets everything that differs, some at a time: a statement may have nothing but differences. */
  found: (some: SalesDifferences) => Promise<void>;
}

/**
 * Compares a supplier's sales, page by page, with the stored purchases. The transaction begins with it: earlier deliveries must be in the
 * statement.
 */
export async function compareSales(
  database: Database,
  { supplier, pages, begins, ends }: StatedSales,
  { progress, found }: ComparisonCalls,
  transaction: Transaction,
): Promise<SalesComparison> {
  await rows(database, createTable, {}, transaction);
  let sales = 0;
  for await (const page of pages) {
    const references = page.map(({ reference }) => reference);
    const units = page.map((line) => (line.kind === 'sale' ? line.units : -line.units));
    const costs = page.map(possibleCost);
    const amounts = costs.map((cost) => cost?.amount ?? null);
    const currencies = costs.map((cost) => cost?.currency ?? null);
    const times = page.map(({ soldAt }) => soldAt);
    await rows(database, addPage, { references, units, amounts, currencies, times }, transaction);
    sales += page.length;
    progress(sales);
  }
  const { now } = await oneRow<{ now: Date }>(database, 'SELECT now()', {}, transaction);
  const period = { supplier, begins, ends: ends === undefined || ends > now ? now : ends };
  await rows(database, addUp, {}, transaction);
  await rows(database, 'ANALYZE sold', {}, transaction);
  const sum = 'SELECT coalesce(sum(units), 0)::bigint AS units FROM sold';
  const { units } = await oneRow<{ units: number }>(database, sum, {}, transaction);
  await findDifferences(database, period, found, transaction);
  return { sales, units, ends: period.ends };
}

/** The cost that the line adds to its reference; undefined if it has none that can be true. */
function possibleCost({ kind, cost }: Sale): Sale['cost'] {
  if (!cost || !isPossibleAmount(cost.amount)) return undefined;
  return kind === 'sale' ? cost : { ...cost, amount: `-${cost.amount}` };
}

async function findDifferences(
  database: Database,
  period: { supplier: string; begins: Date; ends: Date },
  found: ComparisonCalls['found'],
  transaction: Transaction,
): Promise<void> {
  const { supplier } = period;
  const none: SalesDifferences = { unaccounted: [], unsold: [], costs: [] };
  for await (const unaccounted of batchesOf<UnaccountedSale>(database, unaccountedStatement, { supplier }, transaction))
    await found({ ...none, unaccounted });
  for await (const unsold of batchesOf<UnsoldDelivery>(database, unsoldStatement, period, transaction))
    await found({ ...none, unsold });
  for await (const costs of batchesOf<CostDifference>(database, costStatement, { supplier }, transaction))
    await found({ ...none, costs });
}

/** The rows of the statement, a thousand at a time. */
async function* batchesOf<Row extends object>(
  database: Database,
  statement: string,
  binds: Binds,
  transaction: Transaction,
): AsyncGenerator<Row[], void> {
  await rows(database, `DECLARE differences NO SCROLL CURSOR FOR ${statement}`, binds, transaction);
  for (;;) {
    const batch = await rows<Row>(database, 'FETCH 1000 FROM differences', {}, transaction);
    if (batch.length === 0) break;
    yield batch;
  }
  await rows(database, 'CLOSE differences', {}, transaction);
}
