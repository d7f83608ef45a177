/** The entries of the attention list whose change the workflows of their orders do not show yet. */
import type { OrderKey } from '../../domain/orders/order-messages';
import { rows, type Database } from '../database/database';

/** A leased entry, of whose change the workflow of its order was not notified. */
export interface UnmirroredEntry {
  id: number;
  /** Differs after each change of the entry. */
  version: string;
  /** Null for an entry about something else. */
  order: OrderKey | null;
}

// A lease that ends later than a new one comes from a clock that was corrected since.
const leaseStatement = `
WITH due AS (
  SELECT id FROM attention
   WHERE NOT mirrored AND mirror_after NOT BETWEEN clock_timestamp() AND clock_timestamp() + interval '30 s'
   ORDER BY mirror_after, id LIMIT $limit FOR UPDATE SKIP LOCKED
), leased AS (
  UPDATE attention SET mirror_after = clock_timestamp() + interval '30 s' FROM due
   WHERE attention.id = due.id RETURNING attention.id, attention.xmin::text AS version, attention.order_id
)
SELECT leased.id, version,
       CASE WHEN o.id IS NOT NULL THEN jsonb_build_object('orderId', o.id, 'nonce', o.nonce) END AS "order"
  FROM leased LEFT JOIN orders o ON o.id = leased.order_id ORDER BY leased.id`;

/**
 * Leases unmirrored entries to this process for 30 s, at most `limit`. Entries that no process has leased yet come first, so
 * entries that cannot be mirrored do not delay them.
 */
export function leaseUnmirrored(database: Database, limit: number) {
  return rows<UnmirroredEntry>(database, leaseStatement, { limit });
}

/** Marks the entry as mirrored. If it has changed since it was leased, it is due again at once instead. */
export async function markMirrored(
  database: Database,
  { id, version }: Pick<UnmirroredEntry, 'id' | 'version'>,
): Promise<void> {
  // An entry that is mirrored by now stays so: another process mirrored it after the lease.
  const statement = `
    UPDATE attention SET mirrored = mirrored OR xmin::text = $version, mirror_after = '-infinity' WHERE id = $id`;
  await rows(database, statement, { id, version });
}

/** Makes `leaseUnmirrored` return the entries of the order again. */
export async function markUnmirrored(database: Database, orderId: number): Promise<void> {
  await rows(database, 'UPDATE attention SET mirrored = false WHERE order_id = $orderId', { orderId });
}
