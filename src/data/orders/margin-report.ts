/** The margins of the orders that ended in a period, and the credits of the period, for operators. docs/operators/catalogue.md#margins. */
import { rows, type Database } from '../database/database';
import { creditLines, salesLines, salesSums, creditSums } from './report-lines';
import { number, orNull, text, type RowWith } from '../../domain/row-columns';

export const marginDimensions = ['client', 'product', 'supplier', 'family', 'day'] as const;
export type MarginDimension = (typeof marginDimensions)[number];

/** Sums of one wallet currency. Amounts are decimal strings. No column includes a credit of `creditSums` but its own. */
export const marginColumns = {
  currency: text,
  orders: number,
  /** Debits less automatic refunds. */
  sold: text,
  ...creditSums,
  /** The sum of the known costs. */
  cost: text,
  /** The part of `cost` that is valued at clients' rates, because no reference rate was known. */
  cost_at_client_rates: text,
  /** The sales whose cost is known, less that cost. */
  margin: text,
  /** The margin in percent of these sales; null if there are none. */
  margin_percent: orNull(text),
  /** What changes of exchange rates between order and purchase saved; below 0 if they cost more (`valued_cost`). */
  currency_difference: text,
  orders_with_unknown_cost: number,
  sold_at_unknown_cost: text,
};
export interface MarginRow extends RowWith<typeof marginColumns> {
  /** The value of the report's dimension. The fields of other dimensions are absent. */
  client?: string;
  product?: string;
  /** Null for what no supplier delivered. */
  supplier?: string | null;
  family?: string;
  /** In UTC, such as `2026-11-26`. */
  day?: string;
}

/** SQL: the sales of a relation. */
const soldBy = (sums: string, label: string, kind: 'ORDER' | 'SUPPLIER' = 'ORDER', join = '') => `
  SELECT ${label} AS label, o.product_name AS name, o.currency, o.sales, o.sold, o.known_sold, o.cost, o.client_rate_cost,
         o.rate_difference, o.unknown, 0 AS refunded, 0 AS redeemed, 0 AS credited
    FROM ${sums} o ${join}
   WHERE o.kind = '${kind}' AND (o.sales > 0 OR o.cost <> 0 OR o.unknown > 0)`;

/** SQL: the credits of the period, as lines without a sale. `share`: the part of the credit that counts. */
const creditedBy = (label: string, { share = '1', join = '' } = {}) => `
  SELECT ${label}, o.product_name, o.currency, 0, 0, 0, 0, 0, 0, 0,
         o.refunded * ${share}, o.redeemed * ${share}, o.supplier_credits * ${share}
    FROM ${creditLines} o ${join}`;

const byLabel =
  (label: string, join = '') =>
  (sums: string) =>
    `${soldBy(sums, label, 'ORDER', join)} UNION ALL ${creditedBy(label, { join })}`;

/** SQL: the suppliers that delivered the order, or the unit, with the numbers of their units. */
const deliveringSuppliers = `
  JOIN LATERAL (
    SELECT p.supplier, CASE WHEN o.unit IS NULL THEN p.stored ELSE 1 END AS units, CASE WHEN o.unit IS NULL THEN o.delivered ELSE 1 END AS of
      FROM supplier_purchases p
     WHERE p.order_id = o.order_id AND p.stored > 0 AND (o.unit IS NULL OR o.unit >= p.first_unit AND o.unit < p.first_unit + p.units)
  ) delivering ON true`;

/** SQL: the lines of suppliers, and a line without one for what they leave: units that operators entered, and undelivered ones. */
const bySupplier = (sums: string) => `
  WITH whole AS (${byLabel('NULL')(sums)}), share AS (
    ${soldBy(sums, 'o.supplier', 'SUPPLIER')}
    UNION ALL
    ${creditedBy('delivering.supplier', { share: 'delivering.units / nullif(delivering.of, 0)', join: deliveringSuppliers })})
  SELECT * FROM share
  UNION ALL
  SELECT NULL, NULL, currency, 0, sum(sold), sum(sold), 0, 0, 0, 0, sum(refunded), sum(redeemed), sum(credited)
    FROM (SELECT currency, sold, refunded, redeemed, credited FROM whole
          UNION ALL SELECT currency, -sold, -refunded, -redeemed, -credited FROM share) rest
   GROUP BY currency
  HAVING round(sum(sold), 4) <> 0 OR round(sum(refunded), 4) <> 0 OR round(sum(redeemed), 4) <> 0 OR round(sum(credited), 4) <> 0`;

/** SQL: a day as text. */
const dayText = (day: string) => `to_char(${day}, 'YYYY-MM-DD')`;

const sources: Readonly<Record<MarginDimension | 'all', (sums: string) => string>> = {
  all: byLabel(`''`),
  client: byLabel('client.name', 'JOIN clients client ON client.id = o.client_id'),
  product: byLabel(`o.family || ' ' || o.product_id`),
  supplier: bySupplier,
  family: byLabel('o.family'),
  day: byLabel(dayText('o.day')),
};

const columns: Readonly<Record<MarginDimension | 'all', string>> = {
  all: '',
  client: 'label AS client,',
  product: `label || ' ' || total.name AS product,`,
  supplier: 'label AS supplier,',
  family: 'label AS family,',
  day: 'label AS day,',
};

/**
 * SQL: the amount, rounded so that the rows of a currency add up: the sum up to the row, less the sum before it. Only the shares and
 * the credits of suppliers have more decimals than the currency.
 */
const adding = (amount: string) => `
  (round(sum(${amount}) OVER in_sequence, minor_unit) - round(sum(${amount}) OVER in_sequence - ${amount}, minor_unit))::text`;

const reportOf = (dimension: MarginDimension | undefined) =>
  dimension === 'supplier'
    ? `WITH ${salesSums('ORDER', 'SUPPLIER')}, ${marginsAfterWith(dimension, 'sums')}`
    : `WITH ${marginsAfterWith(dimension, salesLines)}`;

/** SQL: the margins of the period, as the text behind WITH. `sums`: the relation with the sales lines. */
export const marginsAfterWith = (dimension: MarginDimension | undefined, sums: string) => `
  line AS (${sources[dimension ?? 'all'](sums)}), total AS (
    SELECT label, max(name) AS name, currency, sum(sales)::bigint AS orders, sum(sold) AS sold, sum(known_sold) AS known,
           sum(refunded) AS refunded, sum(redeemed) AS redeemed, sum(credited) AS credited, sum(cost) AS cost,
           sum(known_sold) - sum(cost) AS margin, sum(client_rate_cost) AS client_rates, sum(rate_difference) AS difference,
           sum(unknown)::bigint AS unknown
      FROM line GROUP BY label, currency)
  SELECT ${columns[dimension ?? 'all']} currency, orders, ${adding('sold')} AS sold, ${adding('refunded')} AS refunded,
         ${adding('redeemed')} AS redeemed, ${adding('credited')} AS supplier_credits,
         round(cost, minor_unit)::text AS cost, round(client_rates, minor_unit)::text AS cost_at_client_rates, round(margin, minor_unit)::text AS margin,
         round(100 * margin / nullif(known, 0), 2)::text AS margin_percent,
         round(difference, minor_unit)::text AS currency_difference, unknown AS orders_with_unknown_cost,
         round(sold - known, minor_unit)::text AS sold_at_unknown_cost
    FROM total JOIN currencies ON code = currency
  WINDOW in_sequence AS (PARTITION BY currency ORDER BY label ROWS UNBOUNDED PRECEDING)
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
