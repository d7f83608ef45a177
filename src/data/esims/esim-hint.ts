import { firstRow, type Database } from '../database/database';
import type { OrderKey } from '../../domain/orders/order-flow';

/** The order whose eSIM has one of the hashes (see `Sealer.lookupHashes`). */
export async function findOrderByIccid(
  database: Database,
  iccidHashes: Buffer[],
): Promise<OrderKey | undefined> {
  return firstRow<OrderKey>(
    database,
    `SELECT o.id AS "orderId", o.nonce FROM esim_orders e JOIN orders o ON o.id = e.order_id
      WHERE e.iccid_hash = ANY ($iccidHashes)`,
    { iccidHashes },
  );
}
