/** What all processes share about a supplier: sealed access tokens, and when the next call may be sent. */
import { firstRow, hasRow, rows, type Database } from '../database/database';

/** A token of a supplier by its name. */
export interface TokenKey {
  supplier: string;
  name: string;
}

export interface StoredToken {
  sealed: Buffer;
  expiresAt: Date;
}

/** The stored token; undefined if none was issued yet. It may have expired. */
export function findToken(database: Database, key: TokenKey): Promise<StoredToken | undefined> {
  return firstRow<StoredToken>(
    database,
    `SELECT sealed_token AS sealed, expires_at AS "expiresAt" FROM supplier_tokens
      WHERE supplier = $supplier AND name = $name AND sealed_token IS NOT NULL`,
    { ...key },
  );
}

// The comparisons use `clock_timestamp()`, not `excluded.claimed_until`: the statement may have waited for a concurrent claim since
// `excluded` was computed.
const claimStatement = `
INSERT INTO supplier_tokens AS tokens (supplier, name, claimed_until)
VALUES ($supplier, $name, clock_timestamp() + $claimMs * interval '1 ms')
ON CONFLICT (supplier, name) DO UPDATE SET claimed_until = excluded.claimed_until
 WHERE (tokens.claimed_until < clock_timestamp()
        OR tokens.claimed_until > clock_timestamp() + $maxWaitMs * interval '1 ms')
   AND tokens.sealed_token IS NOT DISTINCT FROM $seen
RETURNING id`;

/**
 * Claims for `claimMs` the request for a token to replace `seen`. Returns false while the last claim lasts, or if the
 * stored token is no longer `seen`. Ignores a claim that ends more than `maxWaitMs` from now, because it comes from a clock of the
 * database that was set back.
 */
export function claimToken(
  database: Database,
  key: TokenKey,
  seen: Buffer | undefined,
  { claimMs, maxWaitMs }: { claimMs: number; maxWaitMs: number },
): Promise<boolean> {
  return hasRow(database, claimStatement, { ...key, seen: seen ?? null, claimMs, maxWaitMs });
}

/** Makes the claim last for at least `claimMs` from now. */
export async function extendClaim(database: Database, key: TokenKey, claimMs: number): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_tokens SET claimed_until = greatest(claimed_until, clock_timestamp() + $claimMs * interval '1 ms')
      WHERE supplier = $supplier AND name = $name`,
    { ...key, claimMs },
  );
}

/** Stores an issued token. Keeps the claim: if the supplier rejects the new token, the next request still waits for the claim's end. */
export async function storeSupplierToken(database: Database, key: TokenKey, token: StoredToken): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_tokens SET sealed_token = $sealed, expires_at = $expiresAt
      WHERE supplier = $supplier AND name = $name`,
    { ...key, ...token },
  );
}

// A `next_at` beyond every possible reservation comes from a clock that was set back, so the turns start again from now.
const turnStatement = `
INSERT INTO supplier_turns AS turns (supplier, lane, next_at)
VALUES ($supplier, $lane, clock_timestamp() + $spacingMs * interval '1 ms')
ON CONFLICT (supplier, lane) DO UPDATE
   SET next_at = CASE WHEN turns.next_at > clock_timestamp() + ($maxAheadMs + $spacingMs) * interval '1 ms'
                      THEN clock_timestamp() ELSE greatest(turns.next_at, clock_timestamp()) END
               + $spacingMs * interval '1 ms'
 WHERE turns.next_at < clock_timestamp() + $maxWaitMs * interval '1 ms'
    OR turns.next_at > clock_timestamp() + ($maxAheadMs + $spacingMs) * interval '1 ms'
RETURNING extract(epoch FROM next_at - clock_timestamp()) * 1000 - $spacingMs AS "waitMs"`;

/** No call waits longer for its turn. */
export const MAX_AHEAD_MS = 5_000;

/** Purchases have turns of their own: many lookups delay no purchase, and many purchases no lookup. */
export type Lane = 'purchases' | 'others';

/**
 * Reserves the next turn of the supplier's lane, in which turns are `spacingMs` apart. Returns the milliseconds until that turn. If
 * it is `maxWaitMs` (at most `MAX_AHEAD_MS`) or more away, returns undefined and reserves nothing.
 */
export async function reserveTurn(
  database: Database,
  turn: { supplier: string; lane: Lane; spacingMs: number; maxWaitMs: number },
): Promise<number | undefined> {
  const reserved = await firstRow<{ waitMs: number }>(database, turnStatement, { ...turn, maxAheadMs: MAX_AHEAD_MS });
  return reserved && Math.max(0, Number(reserved.waitMs));
}
