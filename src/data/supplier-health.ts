/** How each supplier answers: whoever calls one writes it here, maintenance turns it into the operators' list. */
import { raiseAttention } from './attention';
import { firstRow, rows, type Database } from './database';

// Read first, so that a supplier that answers as before costs one look at an index: an upsert alone
// would lock the row for every call.
const successStatement = `
INSERT INTO supplier_health AS health (supplier, last_success_at)
SELECT $1, now()
 WHERE NOT EXISTS (SELECT FROM supplier_health
                    WHERE supplier = $1 AND failing_since IS NULL AND last_success_at > now() - interval '10 seconds')
ON CONFLICT (supplier) DO UPDATE SET last_success_at = now(), failing_since = NULL`;

/**
 * The supplier answered a call: it is not down. At most one write in 10 s while all is well. Whether a
 * blocked account is free again is for maintenance to say: one kind of call may pass where another is refused.
 */
export async function recordSupplierSuccess(database: Database, supplier: string): Promise<void> {
  await rows(database, successStatement, [supplier]);
}

// A refusal of our account is an answer: the supplier is not down.
const failureStatement = `
INSERT INTO supplier_health AS health (supplier, failing_since, blocked_since, blocked_at, last_error)
SELECT $1, CASE WHEN NOT $3 THEN now() END, CASE WHEN $3 THEN now() END, CASE WHEN $3 THEN now() END, $2
 WHERE NOT EXISTS (SELECT FROM supplier_health
                    WHERE supplier = $1 AND last_error = $2
                      AND CASE WHEN $3 THEN blocked_at > now() - interval '10 seconds' AND failing_since IS NULL
                                       ELSE failing_since IS NOT NULL END)
ON CONFLICT (supplier) DO UPDATE
   SET failing_since = CASE WHEN NOT $3 THEN coalesce(health.failing_since, now()) END,
       blocked_since = coalesce(health.blocked_since, excluded.blocked_since),
       blocked_at = coalesce(excluded.blocked_at, health.blocked_at),
       last_error = $2
RETURNING supplier`;

/**
 * The supplier did not answer a call, or refused it because our account is `blocked`, which goes on the
 * operators' list at once. `error` is a code or a short text without secrets.
 */
export async function recordSupplierFailure(
  database: Database,
  supplier: string,
  error: string,
  blocked: boolean,
): Promise<void> {
  const written = await firstRow(database, failureStatement, [supplier, error, blocked]);
  if (written && blocked) await raiseBlocked(database, supplier, error);
}

/** Puts a supplier that refuses us on the operators' list. */
export async function raiseBlocked(database: Database, supplier: string, error: string): Promise<void> {
  await raiseAttention(database, { supplier }, 'ACCOUNT_BLOCKED', `It refuses our account: ${error}`);
}
