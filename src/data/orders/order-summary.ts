/** What became of a client's orders in some days, for the first page of the console. */
import { orderStatuses, type OrderStatus } from '../../domain/orders/order-states';
import type { Family } from '../../domain/orders/families';
import { unpreparedRows, type Database } from '../database/database';
import { indexedOrders } from './indexed-orders';
import { statedColumns, statedJoins } from './order-statement';

/** Orders of one day and status, or of one product and status. Amounts are decimal strings. */
export interface OrderGroup {
  /** From 0; null in a group of a product. */
  day: number | null;
  /** Null in a group of a day. */
  family: Family | null;
  productId: number | null;
  product: string | null;
  status: OrderStatus;
  failureCode: string | null;
  currency: string;
  orders: number;
  charged: string;
  refunded: string;
}

export interface OrderSummary {
  groups: OrderGroup[];
  /** Whether older orders of the days are left out. */
  isCut: boolean;
}

/** Orders that one read looks at, the newest ones. */
export const MAX_SUMMED = 50_000;
/** Groups of products, those with the most orders. */
const MAX_PRODUCTS = 100;

const groupings = {
  day: {
    columns: `width_bucket("placedAt", $bounds::timestamptz[]) - 1 AS day, NULL AS family, NULL AS "productId", NULL AS product`,
    by: 'day',
    most: '',
  },
  product: {
    columns: 'NULL AS day, family, "productId", max(product) AS product',
    by: 'family, "productId"',
    most: `LIMIT ${MAX_PRODUCTS}`,
  },
} as const;

/**
 * Counts the orders of the families by status, failure code and currency of each day, or of each product. `bounds`: the start of each
 * day, ascending, and the end of the last one.
 */
export async function summariseOrders(
  database: Database,
  clientId: number,
  families: readonly Family[],
  { bounds, by }: { bounds: readonly Date[]; by: keyof typeof groupings },
): Promise<OrderSummary> {
  if (families.length === 0) return { groups: [], isCut: false };
  const listed = indexedOrders({
    families,
    statuses: orderStatuses.map((status) => `'${status}'`),
    conditions: ['placed_at >= $from', 'placed_at < $to'],
    sequence: 'newest first',
    limit: MAX_SUMMED,
  });
  const { columns, by: keys, most } = groupings[by];
  const groups = await unpreparedRows<OrderGroup & { total: number }>(
    database,
    `WITH page AS MATERIALIZED (${listed} LIMIT ${MAX_SUMMED}),
     stated AS (SELECT ${statedColumns} FROM page JOIN orders o USING (id) ${statedJoins})
     SELECT ${columns}, status, "failureCode", currency, count(*) AS orders, sum(charged) AS charged,
            sum(refunded) AS refunded, (SELECT count(*) FROM page) AS total
       FROM stated GROUP BY ${keys}, status, "failureCode", currency
      ORDER BY count(*) DESC ${most}`,
    {
      clientId,
      from: bounds[0],
      to: bounds.at(-1),
      ...(by === 'day' && { bounds: bounds.map((bound) => bound.toISOString()) }),
    },
  );
  return {
    groups: groups.map(({ total: _, ...group }) => group),
    isCut: groups[0] !== undefined && groups[0].total >= MAX_SUMMED,
  };
}
