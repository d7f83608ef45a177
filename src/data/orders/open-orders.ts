import type { Family } from '../../domain/orders';
import { rows, type Database } from '../database';

export interface OpenOrder {
  orderId: number;
  nonce: string;
  family: Family;
  clientId: number;
  quantity: number;
  productName: string;
}

/** Orders that have not ended, by id after `afterId`, at most `limit` of them. */
export async function listOpenOrders(
  database: Database,
  placedBefore: Date,
  afterId: number,
  limit: number,
): Promise<OpenOrder[]> {
  return rows<OpenOrder>(
    database,
    `SELECT id AS "orderId", nonce, family, client_id AS "clientId", quantity,
            product_name AS "productName"
       FROM orders WHERE completed_at IS NULL AND placed_at < $1 AND id > $2 ORDER BY id LIMIT $3`,
    [placedBefore, afterId, limit],
  );
}
