/** What happened to the access of a client, from the audit: sign-ins, keys, networks, members, endpoints and other audited calls. */
import { oneRow, rows, type Database } from '../database/database';

export interface Activity {
  id: number;
  at: Date;
  /** `api_key/<id>`, `member/<id>`, or `operator`. */
  actor: string;
  action: string;
  object: string;
  address: string | null;
}

// Operators' entries name internal objects and values, so clients see only those about their own access.
const visible = `
  client_id = $clientId AND (actor_kind = 'CLIENT'
    OR object LIKE 'api\\_key/%' OR object LIKE 'member/%' OR object LIKE 'webhook\\_endpoint/%' OR action IN ('sessions.ended', 'client.closed')
    OR (action = 'client.changed' AND after ? 'allowed_cidrs'))`;

/** One page of the client's activity, the newest first, with the number of all entries. */
export async function listActivity(
  database: Database,
  clientId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; entries: Activity[] }> {
  const { total } = await oneRow<{ total: number }>(
    database,
    `SELECT count(*) AS total FROM audit_entries WHERE ${visible}`,
    { clientId },
  );
  const entries = await rows<Activity>(
    database,
    `SELECT id, at, address,
            CASE WHEN actor_kind = 'CLIENT' THEN coalesce('member/' || member_id, 'api_key/' || api_key_id) ELSE 'operator' END AS actor,
            CASE action WHEN 'client.changed' THEN 'allowed_networks.changed' ELSE action END AS action,
            CASE action WHEN 'client.changed' THEN 'allowed_networks' ELSE object END AS object
       FROM audit_entries WHERE ${visible} ORDER BY id DESC OFFSET $offset LIMIT $limit`,
    { clientId, offset, limit },
  );
  return { total, entries };
}
