/** What happened to the access of a client, from the audit: sign-ins, keys, networks, members, endpoints and other audited calls. */
import { matching } from '../database/conditions';
import { oneRow, rows, type Database } from '../database/database';

export interface Activity {
  id: number;
  at: Date;
  /** `api_key/<id>`, `member/<id>`, `operator`, or `unknown` before a sign-in. */
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

const selected = `
  SELECT id, at, address,
         CASE WHEN actor_kind = 'CLIENT' THEN coalesce('member/' || member_id, 'api_key/' || api_key_id, 'unknown') ELSE 'operator' END AS actor,
         CASE action WHEN 'client.changed' THEN 'allowed_networks.changed' ELSE action END AS action,
         CASE action WHEN 'client.changed' THEN 'allowed_networks' ELSE object END AS object
    FROM audit_entries WHERE ${visible}`;

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
  const entries = await rows<Activity>(database, `${selected} ORDER BY id DESC OFFSET $offset LIMIT $limit`, {
    clientId,
    offset,
    limit,
  });
  return { total, entries };
}

/** The form of an actor. */
export const activityActors = /^(api_key\/\d{1,15}|member\/\d{1,15}|operator|unknown)$/;

/** The conditions of a list. An undefined condition matches every entry. */
export interface ActivityFilter {
  actor?: string | undefined;
  /** A part of it. */
  action?: string | undefined;
  object?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** The matching entries, the newest first, and the id before which the next page begins; null after the last page. */
export async function listActivityPart(
  database: Database,
  clientId: number,
  filter: ActivityFilter,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<{ items: Activity[]; next: number | null }> {
  const { where, binds } = matching(
    { ...filter, before },
    {
      actor: 'actor = $actor',
      action: 'position($action IN action) > 0',
      object: 'object = $object',
      from: 'at >= $from',
      to: 'at < $to',
      before: 'id < $before',
    },
  );
  const found = await rows<Activity>(
    database,
    `SELECT * FROM (${selected}) entries WHERE ${where} ORDER BY id DESC LIMIT $limit`,
    { ...binds, clientId, limit: limit + 1 },
  );
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
