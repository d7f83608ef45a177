/** The events that redeliveries and replays sent again, for programs that follow them (`dgo listen`). */
import { countRows, oneRow, rows, type Database } from '../database/database';
import { retention } from '../maintenance/retention';
import { eventColumns, eventJoin, type StoredEvent } from './events';

/** One event that was sent again. */
export interface Resend extends StoredEvent {
  resendId: number;
  requestedAt: Date;
}

/** One page of the client's resends since the moment (inclusive), newest first, with the exact number of all. */
export async function listResends(
  database: Database,
  clientId: number,
  since: Date,
  page: { offset: number; limit: number },
): Promise<{ total: number; resends: Resend[] }> {
  const { total } = await oneRow<{ total: number }>(
    database,
    'SELECT count(*) AS total FROM webhook_resends WHERE client_id = $clientId AND requested_at >= $since',
    { clientId, since },
  );
  if (page.offset >= total) return { total, resends: [] };
  const resends = await rows<Resend>(
    database,
    `WITH page AS MATERIALIZED (
       SELECT id, event_sequence, requested_at FROM webhook_resends
        WHERE client_id = $clientId AND requested_at >= $since
        ORDER BY requested_at DESC, id DESC OFFSET $offset LIMIT $limit)
     SELECT page.id AS "resendId", page.requested_at AS "requestedAt", ${eventColumns}
       FROM page JOIN events event ON event.sequence = page.event_sequence ${eventJoin}
      ORDER BY page.requested_at DESC, page.id DESC`,
    { clientId, since, ...page },
  );
  return { total, resends };
}

/** Deletes resends whose retention has ended, at most `limit`. Returns their number. */
export function deleteOldResends(database: Database, limit: number) {
  return countRows(
    database,
    `DELETE FROM webhook_resends WHERE id = ANY (ARRAY(
       SELECT id FROM webhook_resends WHERE requested_at < now() - ${retention.webhookResend}
        ORDER BY requested_at LIMIT $limit))
     RETURNING id`,
    { limit },
  );
}
