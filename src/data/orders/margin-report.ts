/** The margins of the orders that ended in a period, and the refunds after delivery of the period, for operators. docs/operators/catalogue.md#margins. */
import { rows, type Database } from '../database/database';

export const marginDimensions = ['client', 'product', 'supplier', 'family', 'day'] as const;
export type MarginDimension = (typeof marginDimensions)[number];

/** Sums of one wallet currency. Amounts are decimal strings. */
export interface MarginRow {
  /** The value of the report's dimension. The fields of other dimensions are absent. */
  client?: string;
  product?: string;
  supplier?: string;
  family?: string;
  /** In UTC, such as `2026-11-26`. */
  day?: string;
  currency: string;
  orders: number;
  /** Debits less automatic refunds. */
  sold: string;
  /** The refunds after delivery that were credited in the month, whenever their orders ended. No other column includes them. */
  refunded: string;
  /** What suppliers credited for claimed goods in the month, whenever their orders ended. No other column includes it. */
  supplier_credits: string;
  /** The sum of the known costs. */
  cost: string;
  /** The part of `cost` that is valued at clients' rates, because no reference rate was known. */
  cost_at_client_rates: string;
  /** The sales whose cost is known, less that cost. */
  margin: string;
  /** The margin in percent of these sales; null if there are none. */
  margin_percent: string | null;
  /** What changes of exchange rates between order and purchase saved; below 0 if they cost more (`valued_cost`). */
  currency_difference: string;
  orders_with_unknown_cost: number;
  sold_at_unknown_cost: string;
}

const endedInPeriod = 'o.completed_at >= $from AND o.completed_at < $to';

// Rejected: a call of `order_margin(o)` for each order, which takes 2.6 times as long for half a million orders.
/** SQL: what each order cost, or what it cost at each supplier; null if the cost of any purchase is unknown. */
const boughtBy = (columns: string) => `
  SELECT *, CASE WHEN is_known THEN summed_cost END AS cost, CASE WHEN is_known THEN difference END AS currency_difference,
         CASE WHEN is_known THEN coalesce(at_client_rates, 0) END AS client_rates
    FROM (SELECT ${columns}, sum(p.stored) AS units, count(*) = count(known.cost) AS is_known, sum(known.cost) AS summed_cost,
                 sum(known.currency_difference) AS difference,
                 sum(known.cost) FILTER (WHERE known.is_at_client_rate) AS at_client_rates
            FROM orders o JOIN supplier_purchases p ON p.order_id = o.id CROSS JOIN LATERAL valued_cost(
                   o.deduction_currency, o.base_currency, o.forex_rate, o.sources, p.source_id,
                   p.cost, p.cost_currency, p.cost_rate, p.cost_rate_is_reference, p.reversed_at) known
           WHERE ${endedInPeriod} AND (p.stored > 0 OR has_goods_apart(p.reference)) GROUP BY ${columns}) summed`;

/** SQL: the order that counts as sold. An order that replaces a unit only costs: its cost stands with the client and the product of the old one. */
const soldOrder = 'CASE WHEN o.replaces_order_id IS NULL THEN o.id END';

/** One row for each order that sold or cost something. */
const byOrder = (label: string) => `
  SELECT * FROM (
    SELECT ${label} AS label, o.product_name AS name, o.deduction_currency AS currency, ${soldOrder} AS order_id, kept_debit(o) AS sold,
           CASE WHEN bought.order_id IS NULL THEN 0 ELSE bought.cost END AS cost, bought.currency_difference, bought.client_rates
      FROM orders o JOIN clients client ON client.id = o.client_id
      LEFT JOIN (${boughtBy('p.order_id')}) bought ON bought.order_id = o.id
     WHERE ${endedInPeriod}) earned
   WHERE sold > 0 OR cost IS DISTINCT FROM 0`;

/** One row for each order and supplier. An order's sales are split in proportion to the units that each supplier delivered. */
const bySupplier = `
  SELECT bought.supplier AS label, NULL AS name, o.deduction_currency AS currency, ${soldOrder} AS order_id,
         kept_debit(o) * bought.units / nullif(o.delivered_quantity, 0) AS sold, bought.cost, bought.currency_difference, bought.client_rates
    FROM (${boughtBy('p.order_id, p.supplier')}) bought JOIN orders o ON o.id = bought.order_id`;

/** SQL: the refunds after delivery of the period, as lines without an order. */
const refundedBy = (label: string, { name = 'o.product_name', share = '1', join = '' } = {}) => `
  SELECT ${label} AS label, ${name} AS name, o.deduction_currency AS currency, NULL::bigint AS order_id, 0 AS sold, 0 AS cost,
         0 AS currency_difference, 0 AS client_rates, refund.amount * ${share} AS refunded, 0 AS credited
    FROM order_refunds refund JOIN transactions entry ON entry.id = refund.transaction_id
    JOIN orders o ON o.id = refund.order_id JOIN clients client ON client.id = o.client_id ${join}
   WHERE entry.created_at >= $from AND entry.created_at < $to`;

/** SQL: what suppliers credited for claimed goods in the period, as lines without an order. */
const creditedBy = (label: string, { name = 'o.product_name', join = '' } = {}) => `
  SELECT ${label} AS label, ${name} AS name, o.deduction_currency AS currency, NULL::bigint AS order_id, 0 AS sold, 0 AS cost,
         0 AS currency_difference, 0 AS client_rates, 0 AS refunded, claim.supplier_credit_value AS credited
    FROM claims claim JOIN orders o ON o.id = claim.order_id JOIN clients client ON client.id = o.client_id ${join}
   WHERE claim.supplier_credited_at >= $from AND claim.supplier_credited_at < $to`;

/** SQL: the purchase that delivered the claimed unit. */
const purchaseOfUnit = `
  JOIN supplier_purchases p ON p.order_id = o.id AND p.stored > 0
   AND coalesce(claim.unit, 1) >= p.first_unit AND coalesce(claim.unit, 1) < p.first_unit + p.units`;

/** SQL: the day of a time, in UTC. */
const dayOf = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

const withLater = (sales: string, refunds: string, credits: string) => `
  SELECT *, 0 AS refunded, 0 AS credited FROM (${sales}) sale UNION ALL ${refunds} UNION ALL ${credits}`;
const byLabel = (label: string) => withLater(byOrder(label), refundedBy(label), creditedBy(label));

const sources: Readonly<Record<MarginDimension | 'all', string>> = {
  all: byLabel(`''`),
  client: byLabel('client.name'),
  product: byLabel(`o.family || ' ' || o.product_id`),
  supplier: withLater(
    bySupplier,
    refundedBy('p.supplier', {
      name: 'NULL',
      share: 'p.stored / o.delivered_quantity',
      join: 'JOIN supplier_purchases p ON p.order_id = o.id AND p.stored > 0',
    }),
    creditedBy('p.supplier', { name: 'NULL', join: purchaseOfUnit }),
  ),
  family: byLabel('o.family'),
  day: withLater(
    byOrder(dayOf('o.completed_at')),
    refundedBy(dayOf('entry.created_at')),
    creditedBy(dayOf('claim.supplier_credited_at')),
  ),
};

const columns: Readonly<Record<MarginDimension | 'all', string>> = {
  all: '',
  client: 'label AS client,',
  product: `label || ' ' || total.name AS product,`,
  supplier: 'label AS supplier,',
  family: 'label AS family,',
  day: 'label AS day,',
};

const reportOf = (dimension: MarginDimension | undefined) => `
  WITH line AS (${sources[dimension ?? 'all']}), total AS (
    SELECT label, max(name) AS name, currency, count(order_id) AS orders, coalesce(sum(sold), 0) AS sold, sum(refunded) AS refunded,
           sum(credited) AS credited,
           coalesce(sum(cost), 0) AS cost,
           coalesce(sum(coalesce(sold, 0) - cost), 0) AS margin, coalesce(sum(sold) FILTER (WHERE cost IS NOT NULL), 0) AS known,
           coalesce(sum(client_rates), 0) AS client_rates, coalesce(sum(currency_difference), 0) AS difference,
           count(*) FILTER (WHERE cost IS NULL) AS unknown,
           coalesce(sum(sold) FILTER (WHERE cost IS NULL), 0) AS unknown_sold
      FROM line GROUP BY label, currency)
  SELECT ${columns[dimension ?? 'all']} currency, orders, round(sold, minor_unit)::text AS sold,
         round(refunded, minor_unit)::text AS refunded, round(credited, minor_unit)::text AS supplier_credits,
         round(cost, minor_unit)::text AS cost, round(client_rates, minor_unit)::text AS cost_at_client_rates, round(margin, minor_unit)::text AS margin,
         round(100 * margin / nullif(known, 0), 2)::text AS margin_percent,
         round(difference, minor_unit)::text AS currency_difference, unknown AS orders_with_unknown_cost,
         round(unknown_sold, minor_unit)::text AS sold_at_unknown_cost
    FROM total JOIN currencies ON code = currency
   ORDER BY margin >= 0, CASE WHEN margin < 0 THEN margin END, total.sold DESC, label, currency`;

/** The margins of the month that begins at `from`, in each wallet currency. Losses come first, the greatest before the others. */
export function reportMargins(database: Database, from: Date, dimension?: MarginDimension) {
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
  return marginsBetween(database, { from, to }, dimension);
}

/** The margins of the orders that ended from `from` on and before `to`. */
export function marginsBetween(
  database: Database,
  { from, to }: { from: Date; to: Date },
  dimension?: MarginDimension,
) {
  return rows<MarginRow>(database, reportOf(dimension), { from, to });
}
