/** Orders whose workflow has something left to do: those that have not ended, and those whose mail is due. */
import type { Family } from '../../domain/orders/families';
import { firstRow, rows, type Database } from '../database/database';

export interface UnfinishedOrder {
  orderId: number;
  nonce: string;
  family: Family;
  clientId: number;
  quantity: number;
  productId: number;
  productName: string;
  supplier: string;
  /** A decimal string in the wallet's currency. */
  price: string;
  currency: string;
}

const columns = `o.id AS "orderId", o.nonce, o.family, o.client_id AS "clientId", o.quantity,
       o.product_id AS "productId", o.product_name AS "productName", o.supplier, trim_scale(o.total_payable) AS price,
       o.deduction_currency AS currency`;

/**
 * Orders that have not ended, by id after `afterId`, at most `limit` of them. One younger than a minute
 * by the database's clock may still be on its way to its workflow and is left out; one stamped in the future is not.
 */
export async function listOpenOrders(
  database: Database,
  afterId: number,
  limit: number,
): Promise<UnfinishedOrder[]> {
  return rows<UnfinishedOrder>(
    database,
    `SELECT ${columns} FROM orders o
      WHERE o.completed_at IS NULL AND is_older_than(o.placed_at, '1 minute') AND o.id > $afterId
      ORDER BY o.id LIMIT $limit`,
    { afterId, limit },
  );
}

/** The order, if it has not ended. */
export async function findUnfinishedOrder(
  database: Database,
  orderId: number,
): Promise<UnfinishedOrder | undefined> {
  return firstRow<UnfinishedOrder>(
    database,
    `SELECT ${columns} FROM orders o WHERE o.completed_at IS NULL AND o.id = $orderId`,
    { orderId },
  );
}

/** Open orders that are bought from one supplier; placed since then, where that is said. */
export interface OpenOrdersOf {
  supplier: string;
  since: Date | undefined;
}

/** How many there are, and what they debited in each currency, as text; null where there are none. */
export async function countOpenOrders(
  database: Database,
  { supplier, since }: OpenOrdersOf,
): Promise<{ orders: number; worth: string | null }> {
  const counted = await firstRow<{ orders: number; worth: string | null }>(
    database,
    `SELECT coalesce(sum(orders), 0)::integer AS orders,
            string_agg(trim_scale(worth) || ' ' || currency, ', ' ORDER BY currency) AS worth
       FROM (SELECT deduction_currency AS currency, count(*) AS orders, sum(total_payable) AS worth FROM orders
              WHERE completed_at IS NULL AND supplier = $supplier AND ($since::timestamptz IS NULL OR placed_at >= $since)
              GROUP BY 1) of_currency`,
    { supplier, since: since ?? null },
  );
  return counted as { orders: number; worth: string | null };
}

/** These orders by id after `afterId`, at most `limit` of them. */
export async function listOpenOrdersOf(
  database: Database,
  { supplier, since }: OpenOrdersOf,
  afterId: number,
  limit: number,
): Promise<UnfinishedOrder[]> {
  return rows<UnfinishedOrder>(
    database,
    `-- plan: orders_open
     SELECT ${columns} FROM orders o
      WHERE o.completed_at IS NULL AND o.supplier = $supplier AND o.id > $afterId
        AND ($since::timestamptz IS NULL OR o.placed_at >= $since)
      ORDER BY o.id LIMIT $limit`,
    { supplier, since: since ?? null, afterId, limit },
  );
}

/**
 * Orders that ended more than a minute ago and whose mail was not sent, by id after `afterId`, at most
 * `limit` of them. A mail that operators were told of was tried for long enough.
 */
export async function listUnmailedOrders(
  database: Database,
  afterId: number,
  limit: number,
): Promise<UnfinishedOrder[]> {
  return rows<UnfinishedOrder>(
    database,
    `SELECT ${columns} FROM orders o
      WHERE o.mailed_at IS NULL AND o.sealed_email IS NOT NULL
        AND is_older_than(o.completed_at, '1 minute') AND o.id > $afterId
        AND NOT EXISTS (SELECT FROM attention
                         WHERE order_id = o.id AND kind = 'MAIL_UNDELIVERABLE' AND cleared_at IS NULL)
      ORDER BY o.id LIMIT $limit`,
    { afterId, limit },
  );
}
