/** The API keys and the allowed networks of a client, as the client reads and changes them: `functions/api-keys.sql`. */
import { MAX_KEYS, type KeyState } from '../../domain/clients/key-limits';
import { isScope, type Scope } from '../../domain/clients/scopes';
import { isAccessRejection, type AccessRejection } from '../../domain/errors';
import type { AuditedCaller } from '../../domain/audit';
import type { SecretHash } from '../../security/api-secrets';
import { contains, matching } from '../database/conditions';
import { firstRow, oneRow, rows, type Database } from '../database/database';
import { raisedMessage } from '../database/errors';
import type { KeySettings } from './api-keys';

/** A key without its secret. */
export interface OwnKey extends KeySettings {
  id: number;
  apiKey: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const columns = `
  id, api_key AS "apiKey", label, scopes, created_at AS "createdAt", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`;

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
    `SELECT ${columns}, client_id AS "clientId", (SELECT name FROM clients WHERE clients.id = client_id) AS client
       FROM api_keys WHERE ${where} ORDER BY ${order} LIMIT $limit`,
    { ...binds, limit: limit ?? null },
  );
}

/** One page of the client's keys, the newest first, with the number of all. */
export async function listKeyPage(
  database: Database,
  clientId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; keys: OwnKey[] }> {
  const { total } = await oneRow<{ total: number }>(
    database,
    'SELECT count(*) AS total FROM api_keys WHERE client_id = $clientId',
    { clientId },
  );
  const keys = await rows<OwnKey>(
    database,
    `SELECT ${columns} FROM api_keys WHERE client_id = $clientId ORDER BY id DESC OFFSET $offset LIMIT $limit`,
    { clientId, offset, limit },
  );
  return { total, keys };
}

const causes = [
  'OWN_KEY',
  'ROLLED',
  'ENDED',
  'TOO_MANY_KEYS',
  'IS_MEMBER',
  'TOO_MANY_MEMBERS',
  'NOT_JOINED',
  'LAST_ADMIN',
  'TOO_MANY_INVITATIONS',
  'TOO_MANY_UNLOCKS',
] as const;

/** Why the database rejects a change of a client's keys, networks or members. */
export type KeyRejection =
  | { cause: (typeof causes)[number] }
  | { cause: 'LACKS_SCOPE'; scope: Scope }
  | { cause: AccessRejection };

export class KeyChangeRejected extends Error {
  constructor(readonly rejection: KeyRejection) {
    super(`The change is rejected: ${rejection.cause}`);
    this.name = 'KeyChangeRejected';
  }
}

type NewKey = SecretHash & { apiKey: string };

/** The caller in a call of a function. */
export const ofCaller = '$clientId, $apiKeyId, $memberId, $address, $requestId';

/** Adds a key. Throws `KeyChangeRejected`, for example if the calling key lacks one of its scopes. */
export function createKey(database: Database, caller: AuditedCaller, key: NewKey, settings: KeySettings) {
  const statement = `
    SELECT ${columns} FROM create_api_key(${ofCaller}, $apiKey, $secretHash, $hashKeyId, $label, $scopes, $expiresAt, ${MAX_KEYS})`;
  return rejecting(oneRow<OwnKey>(database, statement, { ...caller, ...key, ...settings }));
}

/**
 * Adds the successor of a key, which itself expires after the overlap. Exactly one of several calls succeeds. Undefined if the client has
 * no key with the id. Throws `KeyChangeRejected`.
 */
export function rollKey(
  database: Database,
  caller: AuditedCaller,
  { id, overlapHours }: { id: number; overlapHours: number },
  successor: NewKey,
) {
  const statement = `
    SELECT ${columns} FROM roll_api_key(${ofCaller}, $id, $apiKey, $secretHash, $hashKeyId, make_interval(hours => $overlapHours))`;
  return rejecting(firstRow<OwnKey>(database, statement, { ...caller, ...successor, id, overlapHours }));
}

/** `rollKey` by an operator. Throws `KeyChangeRejected`. */
export function addSuccessor(database: Database, id: number, overlapHours: number, successor: NewKey) {
  const statement = `
    SELECT ${columns} FROM add_successor($id, $apiKey, $secretHash, $hashKeyId, make_interval(hours => $overlapHours))`;
  return rejecting(oneRow<OwnKey>(database, statement, { id, overlapHours, ...successor }));
}

/** The key with the name; undefined if it does not exist. */
export function findKey(database: Database, apiKey: string) {
  return firstRow<OwnKey>(database, `SELECT ${columns} FROM api_keys WHERE api_key = $apiKey`, { apiKey });
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
    const statement = `SELECT ${columns} FROM api_keys ${live} FOR NO KEY UPDATE`;
    const known = await firstRow<OwnKey>(database, statement, { apiKey }, transaction);
    if (!known) return undefined;
    const { label, scopes, expiresAt } = settingsOf(known);
    return firstRow<OwnKey>(
      database,
      `UPDATE api_keys SET label = $label, scopes = $scopes, expires_at = $expiresAt ${live} RETURNING ${columns}`,
      { apiKey, label, scopes, expiresAt },
      transaction,
    );
  });
}

/** Revokes a key and ends its sessions. Repeated, it changes nothing. Undefined if the client has no such key. */
export function revokeKey(database: Database, caller: AuditedCaller, id: number) {
  const statement = `SELECT ${columns} FROM revoke_api_key(${ofCaller}, $id)`;
  return rejecting(firstRow<OwnKey>(database, statement, { ...caller, id }));
}

/** Replaces the allowed networks. Throws `KeyChangeRejected`. */
export async function setNetworks(database: Database, caller: AuditedCaller, networks: readonly string[]) {
  const statement = `SELECT set_allowed_networks(${ofCaller}, $networks)`;
  await rejecting(rows(database, statement, { ...caller, networks }));
}

/** Runs a change, and throws `KeyChangeRejected` for what the database rejects. */
export async function rejecting<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    const rejection = rejectionIn(error);
    throw rejection ? new KeyChangeRejected(rejection) : error;
  }
}

function rejectionIn(error: unknown): KeyRejection | undefined {
  const access = raisedMessage(error, 'DG403');
  if (access !== undefined && isAccessRejection(access)) return { cause: access };
  const [cause, scope = ''] = raisedMessage(error, 'DGKEY')?.split(' ') ?? [];
  if (cause === 'LACKS_SCOPE' && isScope(scope)) return { cause, scope };
  const known = causes.find((each) => each === cause);
  return known && { cause: known };
}
