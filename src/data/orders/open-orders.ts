/** Orders whose workflow has something left to do: those that have not ended, and those whose mail is due. */
import type { Family } from '../../domain/families';
import { rows, type Database } from '../database';

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
 * by the database's clock may still be on its way to its workflow and is left out.
 */
export async function listOpenOrders(
  database: Database,
  afterId: number,
  limit: number,
): Promise<UnfinishedOrder[]> {
  return rows<UnfinishedOrder>(
    database,
    `SELECT ${columns} FROM orders o
      WHERE o.completed_at IS NULL AND o.placed_at < now() - interval '1 minute' AND o.id > $afterId
      ORDER BY o.id LIMIT $limit`,
    { afterId, limit },
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
        AND o.completed_at < now() - interval '1 minute' AND o.id > $afterId
        AND NOT EXISTS (SELECT FROM attention
                         WHERE order_id = o.id AND kind = 'MAIL_UNDELIVERABLE' AND cleared_at IS NULL)
      ORDER BY o.id LIMIT $limit`,
    { afterId, limit },
  );
}
