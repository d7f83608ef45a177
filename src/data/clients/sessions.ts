/**
 * Refresh tokens, including those of the console's cookies, and their families: all tokens that descend from one
 * login. Every step is one statement whose conditions decide, so exactly one of parallel refreshes wins.
 * docs/specification.md#authentication; RFC 9700, section 4.14.
 */
import { firstRow, rows, type Database, type Transaction } from '../database/database';

export interface RefreshTokenRow {
  id: string;
  expiresAt: Date;
  /** When the access token that was issued with it expires; null where none was, as for the console. */
  accessExpiresAt: Date | null;
}

// Locks key and client until the session exists. A concurrent revocation or suspension waits, then ends this session
// with the others (`functions/sessions.sql`); one that came first leaves no login to begin.
const insertFamilyWithToken = `
  WITH login AS MATERIALIZED (
    SELECT key.id, key.client_id FROM api_keys key JOIN clients client ON client.id = key.client_id
     WHERE key.id = $apiKeyId AND key.revoked_at IS NULL AND client.status = 'ACTIVE'
       FOR SHARE
  ), family AS (
    INSERT INTO token_families (id, client_id, api_key_id) SELECT gen_random_uuid(), client_id, id FROM login
    RETURNING id)
  INSERT INTO refresh_tokens (id, family_id, expires_at, access_expires_at)
  SELECT $id, id, $expiresAt, $accessExpiresAt FROM family RETURNING family_id AS "sessionId"`;

/** Begins the session of a login with its first token. Returns its id; undefined if its key is revoked or its client suspended. */
export async function startSession(
  database: Database,
  apiKeyId: number,
  token: RefreshTokenRow,
): Promise<string | undefined> {
  const binds = { apiKeyId, ...token };
  return (await firstRow<{ sessionId: string }>(database, insertFamilyWithToken, binds))?.sessionId;
}

// In the future where the clock was set back meanwhile, or where the other transaction began later.
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
       AND client.status = 'ACTIVE' AND key.revoked_at IS NULL
    RETURNING token.id, token.family_id, family.api_key_id)
  INSERT INTO refresh_tokens (id, family_id, replaces, expires_at, access_expires_at)
  SELECT $id, family_id, id, $expiresAt, $accessExpiresAt FROM used
  RETURNING family_id AS "sessionId", (SELECT api_key_id FROM used) AS "apiKeyId"`;

/** A session by its token. */
export interface LiveSession {
  sessionId: string;
  clientId: number;
  apiKeyId: number;
  expiresAt: Date;
}

// One that was rotated is still shown by requests that were under way.
const findLive = `
  SELECT family.id AS "sessionId", family.client_id AS "clientId", family.api_key_id AS "apiKeyId",
         token.expires_at AS "expiresAt"
    FROM refresh_tokens token JOIN token_families family ON family.id = token.family_id
   WHERE token.id = $tokenId AND family.revoked_at IS NULL AND token.expires_at > now()
     AND (token.rotated_at IS NULL OR ${rotatedJustNow})`;

/** The session of a token, without using it up; undefined where `rotateSession` would refuse it, or did 10 s ago. */
export async function findSession(database: Database, tokenId: string): Promise<LiveSession | undefined> {
  return firstRow<LiveSession>(database, findLive, { tokenId });
}

/** Ends the session of a token, whether that was rotated or not. */
export async function endSession(database: Database, tokenId: string): Promise<void> {
  await rows(
    database,
    `UPDATE token_families SET revoked_at = now()
      WHERE id = (SELECT family_id FROM refresh_tokens WHERE id = $tokenId) AND revoked_at IS NULL`,
    { tokenId },
  );
}

/** Ends all sessions of the client, which logs in again. Returns how many there were. */
export async function endSessions(
  database: Database,
  clientId: number,
  transaction?: Transaction,
): Promise<number> {
  const statement =
    'UPDATE token_families SET revoked_at = now(), reused = false ' +
    'WHERE client_id = $clientId AND (revoked_at IS NULL OR reused) RETURNING id';
  return (await rows(database, statement, { clientId }, transaction)).length;
}

/**
 * How many unexpired access tokens the client has of sessions that have ended: until they expire they read and write
 * nothing.
 */
export async function countReadOnlyTokens(database: Database, clientId: number): Promise<number> {
  const counted = await firstRow<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM refresh_tokens token JOIN token_families family ON family.id = token.family_id
      WHERE family.client_id = $clientId AND family.revoked_at IS NOT NULL AND NOT family.reused
        AND token.access_expires_at > now()`,
    { clientId },
  );
  return counted?.count ?? 0;
}

/**
 * Replaces a token by the next, and returns its session and the API key of that. Undefined if it was used before, has
 * expired, is unknown, or its family or key is revoked or its client suspended.
 */
export async function rotateSession(
  database: Database,
  usedTokenId: string,
  token: RefreshTokenRow,
): Promise<{ apiKeyId: number; sessionId: string } | undefined> {
  return firstRow(database, replaceToken, { usedTokenId, ...token });
}

/**
 * A rotated token that is used again was copied, so the legitimate holder is unknown. The exception is a client that
 * refreshes twice at once: the successor is still unused, and the rotation is less than 10 s old.
 */
const revokeFamilyOfReusedToken = `
  UPDATE token_families family SET revoked_at = now(), reused = true
    FROM refresh_tokens token
   WHERE token.id = $tokenId AND token.rotated_at IS NOT NULL
     AND family.id = token.family_id AND family.revoked_at IS NULL
     AND NOT (${rotatedJustNow}
              AND EXISTS (SELECT FROM refresh_tokens successor
                           WHERE successor.replaces = token.id AND successor.rotated_at IS NULL))
  RETURNING family.client_id AS "clientId", family.api_key_id AS "apiKeyId"`;

/** A session whose refresh token was used twice. */
export interface ReusedSession {
  clientId: number;
  apiKeyId: number;
}

/** Revokes the family of a refused token if it was reused. Returns whose it was where that happened. */
export async function revokeReusedSession(
  database: Database,
  tokenId: string,
): Promise<ReusedSession | undefined> {
  return firstRow<ReusedSession>(database, revokeFamilyOfReusedToken, { tokenId });
}

// A family goes with its last token. One that was rotated at the last moment has a younger one: tokens
// are deleted an hour late, so that no rotation is under way.
const deleteExpired = `
  WITH gone AS (
    DELETE FROM refresh_tokens
     WHERE id IN (SELECT id FROM refresh_tokens WHERE expires_at < now() - interval '1 hour'
                   ORDER BY expires_at LIMIT $batch)
    RETURNING id, family_id
  ), families AS (
    DELETE FROM token_families family USING gone
     WHERE family.id = gone.family_id
       AND NOT EXISTS (SELECT FROM refresh_tokens token
                        WHERE token.family_id = family.id AND token.id NOT IN (SELECT id FROM gone))
  )
  SELECT count(*) AS deleted FROM gone`;

/** Deletes tokens that have expired, and families that have none left, `batch` tokens at a time. */
export async function deleteExpiredSessions(database: Database, batch = 5_000): Promise<void> {
  for (let deleted = batch; deleted === batch;) {
    deleted = (await firstRow<{ deleted: number }>(database, deleteExpired, { batch }))?.deleted ?? 0;
  }
}
