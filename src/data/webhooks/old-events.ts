/** Deletes events that are past their use, with everything that was written of them. How long that is: `EVENT_RETENTION_DAYS`. */
import { firstRow, rows, type Database } from '../database/database';

// Only what was folded into the counts is deleted, and taken off them in the same statement. Events are
// written in about the order of their times, so the oldest by number are those to look at: where they are
// too young, nothing else is read.
const deleteStatement = `
WITH old AS (
  SELECT sequence FROM (SELECT sequence, created_at FROM events WHERE sequence <= $through ORDER BY sequence LIMIT $limit) oldest
   WHERE created_at < $before
), deleted AS (
  DELETE FROM events USING old WHERE events.sequence = old.sequence
  RETURNING events.sequence, events.client_id, events.type
), attempts AS (
  DELETE FROM webhook_attempts USING deleted WHERE event_sequence = deleted.sequence
), deliveries AS (
  DELETE FROM webhook_deliveries delivery USING deleted JOIN webhook_endpoints endpoint USING (client_id)
   WHERE delivery.endpoint_id = endpoint.id AND delivery.event_sequence = deleted.sequence
), counted AS (
  UPDATE event_counts SET count = event_counts.count - deleted.count
    FROM (SELECT client_id, type, count(*) FROM deleted GROUP BY client_id, type) deleted
   WHERE event_counts.client_id = deleted.client_id AND event_counts.type = deleted.type
)
SELECT count(*) AS events FROM deleted`;

/**
 * Deletes the oldest events written before that moment with their deliveries and attempts, whatever became of
 * them: at most `limit`, which bounds how long rows are locked. Returns how many; fewer than `limit` tells
 * that nothing is left. The log's counts stay exact. May run beside itself and beside `foldEventCounts`.
 */
export async function deleteOldEvents(database: Database, before: Date, limit: number): Promise<number> {
  return database.transaction(async (transaction) => {
    // Who folds waits: each statement after this one sees the counts as they are.
    const lock = 'SELECT through FROM events_counted FOR UPDATE';
    const counted = await firstRow<{ through: number }>(database, lock, {}, transaction);
    const binds = { before, limit, through: counted?.through };
    const deleted = await firstRow<{ events: number }>(database, deleteStatement, binds, transaction);
    return deleted?.events ?? 0;
  });
}

/**
 * Deletes what says that endpoints were disabled before that moment, but for mails that are still due; at most
 * `limit`. Returns how many.
 */
export async function deleteOldDisablings(database: Database, before: Date, limit: number): Promise<number> {
  const deleted = await rows(
    database,
    `DELETE FROM webhook_disablings WHERE id IN (
       SELECT id FROM webhook_disablings WHERE disabled_at < $before AND mail <> 'DUE' ORDER BY id LIMIT $limit)
     RETURNING id`,
    { before, limit },
  );
  return deleted.length;
}
