/** The audit table: who made which sensitive call, and what operators changed. docs/operators/operations.md#who-did-what. */
import type { Transaction } from 'sequelize';
import type { Actor, AuditEntry, OperatorAction } from '../domain/audit';
import { rows, type Database } from './database';

const insertStatement = `
  INSERT INTO audit_entries (actor_kind, client_id, api_key_id, address, request_id, action, object, before, after)
  VALUES ('CLIENT', $clientId, $apiKeyId, $address, $requestId, $action, $object, $before::jsonb, $after::jsonb)`;

/** Writes an entry, with what it tells of: in the transaction of the change, where there is a change. */
export async function recordAudit(
  database: Database,
  actor: Actor,
  entry: AuditEntry,
  transaction?: Transaction,
): Promise<void> {
  if ('by' in actor) return recordOperation(database, { ...entry, clientId: actor.clientId }, transaction);
  const { clientId, apiKeyId, address, requestId } = actor;
  const caller = { clientId, apiKeyId, address, requestId };
  await rows(database, insertStatement, { ...caller, ...valuesOf(entry) }, transaction);
}

const operationStatement =
  'SELECT audit_operator($clientId, $action, $object, $before::jsonb, $after::jsonb)';

/** An operator's entry about the account of a client, or about none. */
export interface OperationEntry extends AuditEntry<AuditEntry['action'] | OperatorAction> {
  clientId?: number;
}

/**
 * Writes what an operator does by the tool and no trigger writes (`functions/audit.sql`), with what it tells of. Who it
 * is, the session of the database says.
 */
export async function recordOperation(
  database: Database,
  entry: OperationEntry,
  transaction?: Transaction,
): Promise<void> {
  const binds = { clientId: entry.clientId ?? null, ...valuesOf(entry) };
  await rows(database, operationStatement, binds, transaction);
}

function valuesOf({ action, object, before, after }: AuditEntry<string>) {
  const [was, is] = [before, after].map((values) => (values === undefined ? null : JSON.stringify(values)));
  return { action, object, before: was, after: is };
}

/** An entry as operators read it. */
export interface ListedAudit {
  at: Date;
  actor: string;
  operator: string | null;
  database_role: string | null;
  command: string | null;
  reason: string | null;
  client_id: number | null;
  client: string | null;
  api_key: string | null;
  address: string | null;
  request_id: string | null;
  action: string;
  object: string;
  before: object | null;
  after: object | null;
}

/** What is looked for: of one client, or of all; on one thing, or on any; since a moment, or from the beginning. */
export interface AuditFilter {
  clientId: number | undefined;
  /** As entries name it: `wallet/12`. That of a wallet or an order brings the entries of its transactions, too. */
  object: string | undefined;
  since: Date | undefined;
  limit: number;
}

/** The newest entries first, at most `limit`. */
export async function listAudit(
  database: Database,
  { clientId, object, since, limit }: AuditFilter,
): Promise<ListedAudit[]> {
  return rows<ListedAudit>(
    database,
    `SELECT entry.at, actor_kind AS actor, operator, database_role, command, reason, entry.client_id,
            client.name AS client, key.api_key, address, request_id, action, object, before, after
       FROM audit_entries entry LEFT JOIN api_keys key ON key.id = entry.api_key_id
       LEFT JOIN clients client ON client.id = entry.client_id
      WHERE ($clientId::integer IS NULL OR entry.client_id = $clientId)
        AND ($object::text IS NULL OR object = $object
             OR action = 'transaction.created'
                AND $object IN ('wallet/' || (after ->> 'wallet_id'), 'order/' || (after ->> 'order_id')))
        AND ($since::timestamptz IS NULL OR at >= $since)
      ORDER BY entry.id DESC LIMIT $limit`,
    { clientId: clientId ?? null, object: object ?? null, since: since ?? null, limit },
  );
}

// Written in about the order of their times: where the oldest are too young, nothing else is read.
const deleteStatement = `
  DELETE FROM audit_entries WHERE id IN (
    SELECT id FROM (SELECT id, at FROM audit_entries ORDER BY id LIMIT $limit) oldest
     WHERE at < clock_timestamp() - audit_retention())
  RETURNING id`;

/**
 * Deletes the oldest entries that are past their age (`functions/audit.sql`), at most `limit`. Returns their number.
 * `auditDatabase`: logged in as the retention role; PostgreSQL rejects any other.
 */
export async function deleteOldAudit(auditDatabase: Database, limit: number): Promise<number> {
  return (await rows(auditDatabase, deleteStatement, { limit })).length;
}
