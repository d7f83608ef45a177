/**
 * Limits of the second factor that the library lacks: guesses within a session, and the reuse of a code.
 * Rule: how many wrong codes lock a second factor, and that a code is accepted once
 */
import { identityRows, type IdentityPool } from './identity-pool';

/** Wrong codes until the second factor is locked, and for how long. */
const MAX_FAILURES = 5;
const LOCK_MINUTES = 15;

/**
 * Counts an attempt before it is made, so that attempts at the same time are all counted. Undefined while the second factor is locked
 * after too many wrong codes. `isLast`: it is locked if this one is wrong.
 */
export async function beginSecondFactor(
  pool: IdentityPool,
  personId: string,
): Promise<{ isLast: boolean } | undefined> {
  const [counted] = await identityRows<{ isLast: boolean }>(
    pool,
    `UPDATE "twoFactor"
        SET "failedVerificationCount" =
              CASE WHEN "lockedUntil" IS NULL THEN coalesce("failedVerificationCount", 0) + 1 ELSE 1 END,
            "lockedUntil" =
              CASE WHEN "lockedUntil" IS NULL AND coalesce("failedVerificationCount", 0) + 1 >= $max
                   THEN now() + make_interval(mins => $lockMinutes) END
      WHERE "userId" = $personId AND ("lockedUntil" IS NULL OR "lockedUntil" <= now())
      RETURNING "lockedUntil" IS NOT NULL AS "isLast"`,
    { personId, max: MAX_FAILURES, lockMinutes: LOCK_MINUTES },
  );
  return counted;
}

/** Notes that a code was right: the next attempts count from 0. */
export async function endSecondFactor(pool: IdentityPool, personId: string): Promise<void> {
  await identityRows(
    pool,
    `UPDATE "twoFactor" SET "failedVerificationCount" = 0, "lockedUntil" = NULL WHERE "userId" = $personId`,
    { personId },
  );
}

/** Takes a code, which an authenticator shows for 30 s and which is accepted for 90 s. False if it was taken before. */
export async function takeCode(pool: IdentityPool, personId: string, codeHash: Buffer): Promise<boolean> {
  const taken = await identityRows(
    pool,
    `INSERT INTO used_codes (person_id, code_hash) VALUES ($personId, $codeHash)
     ON CONFLICT (person_id, code_hash) DO UPDATE SET used_at = now()
        WHERE used_codes.used_at < now() - interval '10 minutes'
     RETURNING person_id`,
    { personId, codeHash },
  );
  return taken.length > 0;
}

/** A second factor as it is stored: encrypted. */
export interface StoredSecondFactor {
  personId: string;
  secret: string;
  backupCodes: string;
}

/** All second factors, of few people. */
export function listStoredSecondFactors(pool: IdentityPool): Promise<StoredSecondFactor[]> {
  return identityRows(pool, 'SELECT "userId" AS "personId", secret, "backupCodes" FROM "twoFactor"');
}

/** Stores the second factor in another encryption, unless it has changed since it was read. */
export async function replaceStoredSecondFactor(
  pool: IdentityPool,
  { personId, secret, backupCodes }: StoredSecondFactor,
  next: Pick<StoredSecondFactor, 'secret' | 'backupCodes'>,
): Promise<void> {
  await identityRows(
    pool,
    `UPDATE "twoFactor" SET secret = $nextSecret, "backupCodes" = $nextCodes
      WHERE "userId" = $personId AND secret = $secret AND "backupCodes" = $backupCodes`,
    { personId, secret, backupCodes, nextSecret: next.secret, nextCodes: next.backupCodes },
  );
}
