/** What happened to the access of a client, from the audit: sign-ins, keys, networks, members, endpoints and other audited calls. */
import { matching } from '../database/conditions';
import { countRows, oneRow, rows, type Database } from '../database/database';

export interface Activity {
  id: number;
  at: Date;
  /** `api_key/<id>`, `member/<id>`, `operator`, or `unknown` before a sign-in. */
  actor: string;
  action: string;
  object: string;
  address: string | null;
}

const selected = `
  SELECT id, at, address,
         CASE WHEN actor_kind = 'CLIENT' THEN coalesce('member/' || member_id, 'api_key/' || api_key_id, 'unknown') ELSE 'operator' END AS actor,
         CASE action WHEN 'client.changed' THEN 'allowed_networks.changed' ELSE action END AS action,
         CASE action WHEN 'client.changed' THEN 'allowed_networks' ELSE object END AS object
    FROM audit_entries WHERE client_id = $clientId AND is_activity(audit_entries)`;

/** One page of the client's activity, the newest first, with the number of all entries. */
export async function listActivity(
  database: Database,
  clientId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; entries: Activity[] }> {
  const { total } = await oneRow<{ total: number }>(
    database,
    'SELECT coalesce(sum(change), 0)::bigint AS total FROM activity_counts WHERE client_id = $clientId',
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

const rollUpStatement = `
-- plan: activity_counts_changes
WITH taken AS (DELETE FROM activity_counts WHERE NOT is_total RETURNING client_id, change)
INSERT INTO activity_counts AS total (client_id, change, is_total)
SELECT client_id, sum(change), true FROM taken GROUP BY client_id ORDER BY client_id
ON CONFLICT (client_id) WHERE is_total DO UPDATE SET change = total.change + excluded.change
RETURNING client_id`;

/** Adds the changes of the counts to their totals. Every count stays exact throughout. Returns the number of changed totals. */
export function rollUpActivityCounts(database: Database): Promise<number> {
  return countRows(database, rollUpStatement);
}
