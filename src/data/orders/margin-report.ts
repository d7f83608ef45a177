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

/** SQL: the sums of the orders that ended in the period. */
const soldBy = (label: string, kind: 'ORDER' | 'SUPPLIER' = 'ORDER') => `
  SELECT ${label} AS label, o.product_name AS name, o.currency, o.sales, o.sold, o.known_sold, o.cost, o.client_rate_cost,
         o.rate_difference, o.unknown, 0 AS refunded, 0 AS credited
    FROM sums_between($from, $to) o JOIN clients client ON client.id = o.client_id
   WHERE o.kind = '${kind}' AND (o.sales > 0 OR o.cost <> 0 OR o.unknown > 0)`;

/** SQL: the columns of a line without a sale. */
const noSale =
  '0 AS sales, 0 AS sold, 0 AS known_sold, 0 AS cost, 0 AS client_rate_cost, 0 AS rate_difference, 0 AS unknown';

/** SQL: the refunds after delivery of the period, as lines without an order. */
const refundedBy = (label: string, { name = 'o.product_name', share = '1', join = '' } = {}) => `
  SELECT ${label} AS label, ${name} AS name, o.deduction_currency AS currency, ${noSale},
         refund.amount * ${share} AS refunded, 0 AS credited
    FROM order_refunds refund JOIN transactions entry ON entry.id = refund.transaction_id
    JOIN orders o ON o.id = refund.order_id JOIN clients client ON client.id = o.client_id ${join}
   WHERE entry.created_at >= $from AND entry.created_at < $to`;

/** SQL: what suppliers credited for claimed goods in the period, as lines without an order. */
const creditedBy = (label: string, { name = 'o.product_name', join = '' } = {}) => `
  SELECT ${label} AS label, ${name} AS name, o.deduction_currency AS currency, ${noSale},
         0 AS refunded, claim.supplier_credit_value AS credited
    FROM claims claim JOIN orders o ON o.id = claim.order_id JOIN clients client ON client.id = o.client_id ${join}
   WHERE claim.supplier_credited_at >= $from AND claim.supplier_credited_at < $to`;

/** SQL: the purchase that delivered the claimed unit. */
const purchaseOfUnit = `
  JOIN supplier_purchases p ON p.order_id = o.id AND p.stored > 0
   AND coalesce(claim.unit, 1) >= p.first_unit AND coalesce(claim.unit, 1) < p.first_unit + p.units`;

/** SQL: the day of a time, in UTC. */
const dayOf = (time: string) => dayText(`day_of(${time})`);
const dayText = (day: string) => `to_char(${day}, 'YYYY-MM-DD')`;

const inAll = (...parts: readonly string[]) => parts.join(' UNION ALL ');
const byLabel = (label: string) => inAll(soldBy(label), refundedBy(label), creditedBy(label));

const sources: Readonly<Record<MarginDimension | 'all', string>> = {
  all: byLabel(`''`),
  client: byLabel('client.name'),
  product: byLabel(`o.family || ' ' || o.product_id`),
  supplier: inAll(
    soldBy('o.supplier', 'SUPPLIER'),
    refundedBy('p.supplier', {
      name: 'NULL',
      share: 'p.stored / o.delivered_quantity',
      join: 'JOIN supplier_purchases p ON p.order_id = o.id AND p.stored > 0',
    }),
    creditedBy('p.supplier', { name: 'NULL', join: purchaseOfUnit }),
  ),
  family: byLabel('o.family'),
  day: inAll(
    soldBy(dayText('o.day')),
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
    SELECT label, max(name) AS name, currency, sum(sales)::bigint AS orders, sum(sold) AS sold, sum(known_sold) AS known,
           sum(refunded) AS refunded, sum(credited) AS credited, sum(cost) AS cost, sum(known_sold) - sum(cost) AS margin,
           sum(client_rate_cost) AS client_rates, sum(rate_difference) AS difference, sum(unknown)::bigint AS unknown
      FROM line GROUP BY label, currency)
  SELECT ${columns[dimension ?? 'all']} currency, orders, round(sold, minor_unit)::text AS sold,
         round(refunded, minor_unit)::text AS refunded, round(credited, minor_unit)::text AS supplier_credits,
         round(cost, minor_unit)::text AS cost, round(client_rates, minor_unit)::text AS cost_at_client_rates, round(margin, minor_unit)::text AS margin,
         round(100 * margin / nullif(known, 0), 2)::text AS margin_percent,
         round(difference, minor_unit)::text AS currency_difference, unknown AS orders_with_unknown_cost,
         round(sold - known, minor_unit)::text AS sold_at_unknown_cost
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
