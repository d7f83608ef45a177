/** Deletes the intakes of creates that were decided 30 days ago. */
import { firstRow, type Database } from '../database/database';

// Intakes are as old as their ids are small, so the oldest are read by the primary key until one is young.
// A workflow that is started again finds by its intake what was decided: it stays while the order is open,
// or its mail is due.
const deleteStatement = `
  WITH oldest AS (
    SELECT order_id, created_at < now() - interval '30 days' AS past_use
      FROM order_intakes WHERE order_id > $after ORDER BY order_id LIMIT $batch
  ), gone AS (
    DELETE FROM order_intakes intake USING oldest
     WHERE intake.order_id = oldest.order_id AND oldest.past_use AND intake.state <> 'RESERVED'
       AND NOT EXISTS (SELECT FROM orders
                        WHERE id = intake.order_id
                          AND (completed_at IS NULL OR mailed_at IS NULL AND sealed_email IS NOT NULL))
    RETURNING intake.order_id
  )
  SELECT max(order_id) AS last, coalesce(bool_and(past_use), false) AS "moreMayBe",
         (SELECT count(*) FROM gone) AS deleted
    FROM oldest`;

interface Batch {
  last: number | null;
  moreMayBe: boolean;
  deleted: number;
}

/** Deletes intakes decided more than 30 days ago, `batch` at a time. Returns how many. */
export async function deleteDecidedIntakes(database: Database, batch = 5_000): Promise<number> {
  let total = 0;
  for (let after = 0; ;) {
    const { last, moreMayBe, deleted } = (await firstRow<Batch>(database, deleteStatement, {
      after,
      batch,
    })) as Batch;
    total += deleted;
    if (last === null || !moreMayBe) return total;
    after = last;
  }
}
