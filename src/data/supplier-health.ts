/** How each supplier answers: whoever calls one writes it here, maintenance turns it into the operators' list. */
import { clearAttention, raiseAttention } from './attention';
import { firstRow, rows, type Database } from './database';

// Read first, so that a supplier that answers as before costs one look at an index: an upsert alone
// would lock the row for every call.
const successStatement = `
INSERT INTO supplier_health AS health (supplier, last_success_at)
SELECT $supplier, now()
 WHERE NOT EXISTS (SELECT FROM supplier_health
                    WHERE supplier = $supplier AND failing_since IS NULL AND last_success_at > now() - interval '10 seconds')
ON CONFLICT (supplier) DO UPDATE SET last_success_at = now(), failing_since = NULL`;

/**
 * The supplier answered a call: it is not down. At most one write in 10 s while all is well. Whether a
 * blocked account is free again is for maintenance to say: one kind of call may pass where another is refused.
 */
export async function recordSupplierSuccess(database: Database, supplier: string): Promise<void> {
  await rows(database, successStatement, { supplier });
}

// A refusal of our account is an answer: the supplier is not down.
const failureStatement = `
INSERT INTO supplier_health AS health (supplier, failing_since, blocked_since, blocked_at, last_error)
SELECT $supplier, CASE WHEN NOT $blocked THEN now() END, CASE WHEN $blocked THEN now() END, CASE WHEN $blocked THEN now() END, $error
 WHERE NOT EXISTS (SELECT FROM supplier_health
                    WHERE supplier = $supplier
                      AND CASE WHEN $blocked THEN blocked_at > now() - interval '10 seconds' AND failing_since IS NULL
                                            AND last_error = $error
                                       ELSE failing_since IS NOT NULL
                                            AND (last_error = $error OR blocked_since IS NOT NULL) END)
ON CONFLICT (supplier) DO UPDATE
   SET failing_since = CASE WHEN NOT $blocked THEN coalesce(health.failing_since, now()) END,
       blocked_since = coalesce(health.blocked_since, excluded.blocked_since),
       blocked_at = coalesce(excluded.blocked_at, health.blocked_at),
       -- Why our account is refused is not lost among other errors.
       last_error = CASE WHEN $blocked OR health.blocked_since IS NULL THEN $error ELSE health.last_error END
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
  const written = await firstRow(database, failureStatement, { supplier, error, blocked });
  if (written && blocked) await raiseBlocked(database, supplier, error);
}

/** Puts a supplier that refuses us on the operators' list. */
export async function raiseBlocked(database: Database, supplier: string, error: string): Promise<void> {
  await raiseAttention(database, { supplier }, 'ACCOUNT_BLOCKED', `It refuses our account: ${error}`);
}

/** A supplier on record. */
interface Health {
  supplier: string;
  /** It has not answered for 10 minutes. */
  down: boolean;
  failingSince: Date | null;
  blocked: boolean;
  lastError: string | null;
  /** Open orders that cannot go on without it: nothing was bought for them, or nobody knows. */
  waiting: number;
}

// An account is free again when calls pass and none was refused for as long as an order that waits for it
// takes to try once more.
const freeStatement = `
UPDATE supplier_health SET blocked_since = NULL, blocked_at = NULL
 WHERE last_success_at > blocked_at AND blocked_at < now() - interval '2 minutes'`;

/** Of an order: its supplier has to answer before it can go on. */
const isWaiting = `
  orders.completed_at IS NULL
  AND EXISTS (SELECT FROM supplier_purchases purchase
               WHERE purchase.order_id = orders.id AND purchase.state IN ('READY', 'SENT'))`;

const healthStatement = `
SELECT health.supplier, coalesce(health.failing_since < now() - interval '10 minutes', false) AS down,
       health.failing_since AS "failingSince", health.blocked_since IS NOT NULL AS blocked,
       health.last_error AS "lastError", waiting.orders AS waiting
  FROM supplier_health health
 CROSS JOIN LATERAL (
   SELECT count(*) AS orders FROM orders
    WHERE orders.supplier = health.supplier AND ${isWaiting}
 ) waiting`;

/** Brings the operators' list in line with how suppliers answer: those that are down, those that refuse our account. */
export async function reviewSupplierHealth(database: Database): Promise<void> {
  await rows(database, freeStatement);
  for (const health of await rows<Health>(database, healthStatement)) {
    await reviewDown(database, health);
    await reviewBlocked(database, health);
  }
}

async function reviewDown(
  database: Database,
  { supplier, down, failingSince, waiting }: Health,
): Promise<void> {
  if (!down) return clearAttention(database, { supplier }, ['SUPPLIER_DOWN']);
  const since = failingSince?.toISOString();
  const reason = `It has not answered since ${since}; ${waiting} orders wait for it`;
  await raiseAttention(database, { supplier }, 'SUPPLIER_DOWN', reason);
}

async function reviewBlocked(database: Database, { supplier, blocked, lastError }: Health): Promise<void> {
  if (!blocked) return clearAttention(database, { supplier }, ['ACCOUNT_BLOCKED']);
  await raiseBlocked(database, supplier, lastError ?? 'no reason given');
}

const balanceStatement = `
INSERT INTO supplier_health (supplier, balance, balance_currency, balance_at)
VALUES ($supplier, $amount, $currency, now())
ON CONFLICT (supplier) DO UPDATE
   SET balance = excluded.balance, balance_currency = excluded.balance_currency, balance_at = excluded.balance_at`;

/** Keeps what is left of our money at the supplier: a decimal string. */
export async function storeBalance(
  database: Database,
  supplier: string,
  { amount, currency }: { amount: string; currency: string },
): Promise<void> {
  await rows(database, balanceStatement, { supplier, amount, currency });
}

/** Whether an order waits for the supplier to answer. */
export async function hasWaitingOrders(database: Database, supplier: string): Promise<boolean> {
  const found = await firstRow(
    database,
    `SELECT FROM orders WHERE orders.supplier = $supplier AND ${isWaiting} LIMIT 1`,
    { supplier },
  );
  return found !== undefined;
}
