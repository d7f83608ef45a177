/** The API keys of all clients, as operators read and change them: `rules/key-and-network-changes.sql`. */
import type { KeyState } from '../../domain/clients/key-limits';
import type { Scope } from '../../domain/clients/scopes';
import { contains, matching } from '../database/conditions';
import { firstRow, oneRow, rows, type Database } from '../database/database';
import { rejecting } from './access-changes';
import type { KeySettings } from './api-keys';
import { keyColumns, type NewKey, type OwnKey } from './own-keys';

/** SQL: whether a key can log in. */
const keyState = `
  CASE WHEN revoked_at IS NOT NULL THEN 'REVOKED' WHEN expires_at <= now() THEN 'EXPIRED' ELSE 'ACTIVE' END`;

/** A key with its client, for operators. */
export interface OperatedKey extends OwnKey {
  clientId: number;
  client: string;
}

/** The conditions of a list of keys. An undefined condition matches every key. */
export interface KeyFilter {
  clientId?: number | undefined;
  state?: KeyState | undefined;
  scope?: Scope | undefined;
  /** A part of the label or the key, in any case. */
  search?: string | undefined;
  /** Only keys behind the one with this id. */
  after?: number | undefined;
}

export const keyOrders = ['created', 'expires', 'used'] as const;
export type KeyOrder = (typeof keyOrders)[number];

/** The columns by which a list is sorted. Each ends with the id, so that no two keys are equal. */
const columnsOfOrder: Readonly<Record<KeyOrder, string>> = {
  created: 'id',
  expires: "coalesce(expires_at, 'infinity'), id",
  used: "coalesce(last_used_at, '-infinity'), id",
};

/** The keys that match all conditions, ended ones included. */
export function listOperatedKeys(
  database: Database,
  { sort, limit, ...filter }: KeyFilter & { sort: KeyOrder; limit?: number | undefined },
) {
  const order = columnsOfOrder[sort];
  const { where, binds } = matching(filter, {
    clientId: 'client_id = $clientId',
    state: `${keyState} = $state`,
    scope: '$scope = ANY (scopes)',
    search: contains('api_key', 'label'),
    after: `(${order}) > (SELECT ${order} FROM api_keys WHERE id = $after)`,
  });
  return rows<OperatedKey>(
    database,
    `SELECT ${keyColumns}, client_id AS "clientId", (SELECT name FROM clients WHERE clients.id = client_id) AS client
       FROM api_keys WHERE ${where} ORDER BY ${order} LIMIT $limit`,
    { ...binds, limit: limit ?? null },
  );
}

/** `rollKey` by an operator. Throws `KeyChangeRejected`. */
export function addSuccessor(database: Database, id: number, overlapHours: number, successor: NewKey) {
  const statement = `
    SELECT ${keyColumns} FROM add_successor($id, $apiKey, $secretHash, $hashKeyId, make_interval(hours => $overlapHours))`;
  return rejecting(oneRow<OwnKey>(database, statement, { id, overlapHours, ...successor }));
}

/** The key with the name; undefined if it does not exist. */
export function findKey(database: Database, apiKey: string) {
  return firstRow<OwnKey>(database, `SELECT ${keyColumns} FROM api_keys WHERE api_key = $apiKey`, { apiKey });
}

/**
 * Changes a key by an operator to the settings that `settingsOf` derives from its present ones, under its lock: two changes at once follow
 * one another. Undefined if the key is unknown, revoked or expired: such a key never comes back.
 */
export function changeKey(
  database: Database,
  apiKey: string,
  settingsOf: (key: OwnKey) => KeySettings,
): Promise<OwnKey | undefined> {
  const live = 'WHERE api_key = $apiKey AND is_live_key(revoked_at, expires_at)';
  return database.transaction(async (transaction) => {
    const statement = `SELECT ${keyColumns} FROM api_keys ${live} FOR NO KEY UPDATE`;
    const known = await firstRow<OwnKey>(database, statement, { apiKey }, transaction);
    if (!known) return undefined;
    const { label, scopes, expiresAt } = settingsOf(known);
    return firstRow<OwnKey>(
      database,
      `UPDATE api_keys SET label = $label, scopes = $scopes, expires_at = $expiresAt ${live} RETURNING ${keyColumns}`,
      { apiKey, label, scopes, expiresAt },
      transaction,
    );
  });
}
