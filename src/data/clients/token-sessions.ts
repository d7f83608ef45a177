/**
 * Sessions of the API and the console. A session is a family of refresh tokens that descend from one login. Each step is one
 * statement, so exactly one of several concurrent refreshes succeeds. docs/specification.md#authentication; RFC 9700, section 4.14.
 * Rule: when a session begins and ends
 */
import type { AuditedCaller } from '../../domain/audit';
import { countRows, firstRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { retention } from '../maintenance/retention';

export interface RefreshTokenRow {
  id: string;
  expiresAt: Date;
  /** When the access token that was issued with the refresh token expires; null if none was, as for the console. */
  accessExpiresAt: Date | null;
}

// Locks key and client until the session is stored. A concurrent revocation or suspension waits for these locks, then ends this
// session with the others (`rules/revocations.sql`). If either was earlier, this statement finds no login and stores nothing.
const insertFamilyWithToken = `
  WITH login AS MATERIALIZED (
    SELECT key.id, key.client_id FROM api_keys key JOIN clients client ON client.id = key.client_id
     WHERE key.id = $apiKeyId AND is_live_key(key.revoked_at, key.expires_at) AND client.status = 'ACTIVE'
       -- Only the console gets no access token. Its members sign in by themselves.
       AND ($accessExpiresAt::timestamptz IS NOT NULL OR client.members_since IS NULL)
       FOR SHARE
  ), family AS (
    INSERT INTO token_families (id, client_id, api_key_id) SELECT gen_random_uuid(), client_id, id FROM login
    RETURNING id, client_id, api_key_id
  ), sign_in AS (
    INSERT INTO audit_entries (actor_kind, client_id, api_key_id, address, request_id, action, object)
    SELECT 'CLIENT', client_id, api_key_id, $address, $requestId, 'session.started', 'session/' || id FROM family)
  INSERT INTO refresh_tokens (id, family_id, expires_at, access_expires_at)
  SELECT $id, id, $expiresAt, $accessExpiresAt FROM family RETURNING family_id AS "sessionId"`;

/** Begins a session with its first token, and audits it. Returns the session's id; undefined if the key is revoked or the client suspended, and at the console if the client has members. */
export async function startSession(
  database: Database,
  apiKeyId: number,
  token: RefreshTokenRow,
  from: Pick<AuditedCaller, 'address' | 'requestId'>,
): Promise<string | undefined> {
  const binds = { apiKeyId, ...token, ...from };
  return (await firstRow<{ sessionId: string }>(database, insertFamilyWithToken, binds))?.sessionId;
}

// `rotated_at` may be in the future, because the clock was set back or the transaction that rotated the token began later.
const rotatedJustNow = `
  token.rotated_at BETWEEN now() - interval '10 seconds' AND now() + interval '10 seconds'`;

const replaceToken = `
  WITH used AS (
    UPDATE refresh_tokens token SET rotated_at = now()
      FROM token_families family
      JOIN clients client ON client.id = family.client_id
      JOIN api_keys key ON key.id = family.api_key_id
     WHERE token.id = $usedTokenId AND token.rotated_at IS NULL AND token.expires_at > now()
       AND family.id = token.family_id AND family.revoked_at IS NULL
       AND client.status = 'ACTIVE' AND is_live_key(key.revoked_at, key.expires_at)
    RETURNING token.id, token.family_id, family.api_key_id)
  INSERT INTO refresh_tokens (id, family_id, replaces, expires_at, access_expires_at)
  SELECT $id, family_id, id, $expiresAt, $accessExpiresAt FROM used
  RETURNING family_id AS "sessionId", (SELECT api_key_id FROM used) AS "apiKeyId"`;

/** The live session of a token. */
export interface LiveSession {
  sessionId: string;
  clientId: number;
  apiKeyId: number;
  expiresAt: Date;
}

// Also finds the session of a token that was just rotated, because requests in progress may still present that token.
const findLive = `
  SELECT family.id AS "sessionId", family.client_id AS "clientId", family.api_key_id AS "apiKeyId",
         token.expires_at AS "expiresAt"
    FROM refresh_tokens token JOIN token_families family ON family.id = token.family_id
    JOIN api_keys key ON key.id = family.api_key_id
   WHERE token.id = $tokenId AND family.revoked_at IS NULL AND token.expires_at > now()
     AND is_live_key(key.revoked_at, key.expires_at)
     AND (token.rotated_at IS NULL OR ${rotatedJustNow})`;

/**
 * Finds the live session of a token without rotating the token. Undefined if the token is unknown, has expired or was rotated more
 * than 10 s ago, or if its session has ended.
 */
export function findSession(database: Database, tokenId: string) {
  return firstRow<LiveSession>(database, findLive, { tokenId });
}

/** Ends the session of a token, even if the token was rotated. */
export async function endSession(database: Database, tokenId: string): Promise<void> {
  await rows(
    database,
    `UPDATE token_families SET revoked_at = now()
      WHERE id = (SELECT family_id FROM refresh_tokens WHERE id = $tokenId) AND revoked_at IS NULL`,
    { tokenId },
  );
}

/**
 * Ends all sessions of the client. Returns their number. Includes sessions that ended because a token was reused: until now, their
 * access tokens could still change data.
 */
export function endSessions(database: Database, clientId: number, transaction?: Transaction) {
  const statement =
    'UPDATE token_families SET revoked_at = now(), reused = false ' +
    'WHERE client_id = $clientId AND (revoked_at IS NULL OR reused) RETURNING id';
  return countRows(database, statement, { clientId }, transaction);
}

/** A live session of an API key, for operators. */
export interface KeySession {
  api_key: string;
  started_at: Date;
  last_used_at: Date;
  expires_at: Date;
}

/**
 * The newest live sessions of the client's keys. `last_used_at`: when the session got its present tokens. `of`: only those of this key.
 */
export function listKeySessions(
  database: Database,
  clientId: number,
  { of, limit }: { of: string | undefined; limit: number },
) {
  return rows<KeySession>(
    database,
    `SELECT key.api_key, family.created_at AS started_at, token.issued_at AS last_used_at, token.expires_at
       FROM token_families family JOIN api_keys key ON key.id = family.api_key_id
       JOIN refresh_tokens token ON token.family_id = family.id AND token.rotated_at IS NULL AND token.expires_at > now()
      WHERE family.client_id = $clientId AND family.revoked_at IS NULL AND is_live_key(key.revoked_at, key.expires_at)
        AND ($of::text IS NULL OR key.api_key = $of)
      ORDER BY token.issued_at DESC LIMIT $limit`,
    { clientId, of: of ?? null, limit },
  );
}

/** The number of unexpired access tokens of the client that can only read: their session ended, but not by reuse of a token. */
export async function countReadOnlyTokens(database: Database, clientId: number): Promise<number> {
  const { count } = await oneRow<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM refresh_tokens token JOIN token_families family ON family.id = token.family_id
      WHERE family.client_id = $clientId AND family.revoked_at IS NOT NULL AND NOT family.reused
        AND token.access_expires_at > now()`,
    { clientId },
  );
  return count;
}

/**
 * Replaces a token with the next one. Returns the ids of the session and of its API key. Undefined if the token is unknown, was
 * rotated or has expired, if its session has ended, or if the key is revoked or the client suspended.
 */
export function rotateSession(database: Database, usedTokenId: string, newToken: RefreshTokenRow) {
  return firstRow<{ apiKeyId: number; sessionId: string }>(database, replaceToken, { usedTokenId, ...newToken });
}

// A rotated token that is used again was copied, and the service cannot tell which holder is the client. The exception is a client
// that refreshes twice at once: then the token's successor is unused, and the rotation is at most 10 s old.
const revokeFamilyOfReusedToken = `
  UPDATE token_families family SET revoked_at = now(), reused = true
    FROM refresh_tokens token
   WHERE token.id = $tokenId AND token.rotated_at IS NOT NULL
     AND family.id = token.family_id AND family.revoked_at IS NULL
     AND NOT (${rotatedJustNow}
              AND EXISTS (SELECT FROM refresh_tokens successor
                           WHERE successor.replaces = token.id AND successor.rotated_at IS NULL))
  RETURNING family.client_id AS "clientId", family.api_key_id AS "apiKeyId"`;

/** Ends the session of a rejected token if the token was reused. Returns the session's owner; undefined if no session was ended. */
export function revokeReusedSession(database: Database, tokenId: string) {
  return firstRow<{ clientId: number; apiKeyId: number }>(database, revokeFamilyOfReusedToken, { tokenId });
}

// Deletes a family with its last token.
const deleteExpired = `
  WITH gone AS (
    DELETE FROM refresh_tokens
     WHERE id IN (SELECT id FROM refresh_tokens WHERE expires_at < now() - ${retention.expiredRefreshToken}
                   ORDER BY expires_at LIMIT $batch)
    RETURNING id, family_id
  ), families AS (
    DELETE FROM token_families family USING gone
     WHERE family.id = gone.family_id
       AND NOT EXISTS (SELECT FROM refresh_tokens token
                        WHERE token.family_id = family.id AND token.id NOT IN (SELECT id FROM gone))
  )
  SELECT count(*) AS deleted FROM gone`;

/** Deletes expired tokens, and the families that are then without tokens, `batch` tokens at a time. */
export async function deleteExpiredSessions(database: Database, batch = 5_000): Promise<void> {
  let result: { deleted: number };
  do {
    result = await oneRow<{ deleted: number }>(database, deleteExpired, { batch });
  } while (result.deleted === batch);
}
