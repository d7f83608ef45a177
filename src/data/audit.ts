/** The audit table: who made which sensitive call. docs/operators/operations.md#who-did-what. */
import type { Transaction } from 'sequelize';
import type { AuditEntry, Caller } from '../domain/audit';
import { rows, type Database } from './database';

const insertStatement = `
  INSERT INTO audit_entries (actor_kind, client_id, api_key_id, address, request_id, action, object, before, after)
  VALUES ('CLIENT', $clientId, $apiKeyId, $address, $requestId, $action, $object, $before::jsonb, $after::jsonb)`;

/** Writes an entry, with what it tells of: in the transaction of the change, where there is a change. */
export async function recordAudit(
  database: Database,
  { clientId, apiKeyId, address, requestId }: Caller,
  { action, object, before, after }: AuditEntry,
  transaction?: Transaction,
): Promise<void> {
  const [was, is] = [before, after].map((values) => (values === undefined ? null : JSON.stringify(values)));
  const binds = { clientId, apiKeyId, address, requestId, action, object, before: was, after: is };
  await rows(database, insertStatement, binds, transaction);
}

/** An entry as operators read it. */
export interface ListedAudit {
  at: Date;
  actor: string;
  client_id: number | null;
  api_key: string | null;
  address: string | null;
  request_id: string | null;
  action: string;
  object: string;
  before: object | null;
  after: object | null;
}

/** What is looked for: of one client, or of all; since a moment, or from the beginning. */
export interface AuditFilter {
  clientId: number | undefined;
  since: Date | undefined;
  limit: number;
}

/** The newest entries first, at most `limit`. */
export async function listAudit(
  database: Database,
  { clientId, since, limit }: AuditFilter,
): Promise<ListedAudit[]> {
  return rows<ListedAudit>(
    database,
    `SELECT entry.at, actor_kind AS actor, entry.client_id, key.api_key, address, request_id, action, object, before, after
       FROM audit_entries entry LEFT JOIN api_keys key ON key.id = entry.api_key_id
      WHERE ($clientId::integer IS NULL OR entry.client_id = $clientId)
        AND ($since::timestamptz IS NULL OR at >= $since)
      ORDER BY entry.id DESC LIMIT $limit`,
    { clientId: clientId ?? null, since: since ?? null, limit },
  );
}

// Written in about the order of their times: where the oldest are too young, nothing else is read.
const deleteStatement = `
  DELETE FROM audit_entries WHERE id IN (
    SELECT id FROM (SELECT id, at FROM audit_entries ORDER BY id LIMIT $limit) oldest WHERE at < $before)
  RETURNING id`;

/** Deletes the oldest entries from before that moment, at most `limit`. Returns how many. */
export async function deleteOldAudit(database: Database, before: Date, limit: number): Promise<number> {
  return (await rows(database, deleteStatement, { before, limit })).length;
}
