/**
 * How each supplier answers, by family and kind of call: every caller records it here, and maintenance turns it into
 * entries of the attention list. A supplier that answers lookups while every purchase fails is down for purchases.
 */
import { listExactly, raiseAttention, type AttentionEntry } from './attention';
import { firstRow, rows, type Database } from '../database/database';

/** A kind of call of a supplier. */
export interface SupplierCall {
  supplier: string;
  /** Empty where the call belongs to no family. */
  family: string;
  /** As in the label `call` of `digital_goods_supplier_call_seconds`. */
  call: string;
}

// Read first, so that a supplier that answers as before costs one look at an index: an upsert alone
// would lock the row for every call.
const successStatement = `
INSERT INTO supplier_call_health (supplier, family, call, last_success_at)
SELECT $supplier, $family, $call, now()
 WHERE NOT EXISTS (SELECT FROM supplier_call_health
                    WHERE supplier = $supplier AND family = $family AND call = $call
                      AND failing_since IS NULL AND last_success_at > now() - interval '10 seconds')
ON CONFLICT (supplier, family, call) DO UPDATE
   SET last_success_at = now(), failing_since = NULL, last_failure_at = NULL, last_error = NULL`;

/**
 * The supplier answered the call: this kind of call works. At most one write in 10 s while all is well. Maintenance
 * decides whether a blocked account is free again: one kind of call may pass where another is refused.
 */
export async function recordSupplierSuccess(database: Database, call: SupplierCall): Promise<void> {
  await rows(database, successStatement, { ...call });
}

const failureStatement = `
INSERT INTO supplier_call_health AS health (supplier, family, call, failing_since, last_failure_at, last_error)
SELECT $supplier, $family, $call, now(), now(), $error
 WHERE NOT EXISTS (SELECT FROM supplier_call_health
                    WHERE supplier = $supplier AND family = $family AND call = $call
                      AND last_failure_at > now() - interval '10 seconds' AND last_error = $error)
ON CONFLICT (supplier, family, call) DO UPDATE
   SET failing_since = coalesce(health.failing_since, now()), last_failure_at = now(), last_error = excluded.last_error`;

/** The supplier did not answer the call. `error` is a code or a short text without secrets. */
export async function recordSupplierFailure(
  database: Database,
  call: SupplierCall,
  error: string,
): Promise<void> {
  await rows(database, failureStatement, { ...call, error });
}

const blockedStatement = `
INSERT INTO supplier_health AS health (supplier, blocked_since, blocked_at, last_error)
SELECT $supplier, now(), now(), $error
 WHERE NOT EXISTS (SELECT FROM supplier_health
                    WHERE supplier = $supplier AND blocked_at > now() - interval '10 seconds' AND last_error = $error)
ON CONFLICT (supplier) DO UPDATE
   SET blocked_since = coalesce(health.blocked_since, excluded.blocked_since), blocked_at = excluded.blocked_at,
       last_error = excluded.last_error
RETURNING supplier`;

const answeredStatement = `
UPDATE supplier_call_health SET failing_since = NULL, last_failure_at = NULL, last_error = NULL
 WHERE supplier = $supplier AND family = $family AND call = $call AND failing_since IS NOT NULL`;

/**
 * The supplier refused the call because our account is blocked: that goes on the attention list at once. A refusal is
 * an answer, so the kind of call does not count as failing.
 */
export async function recordSupplierBlocked(
  database: Database,
  call: SupplierCall,
  error: string,
): Promise<void> {
  const { supplier } = call;
  await rows(database, answeredStatement, { ...call });
  if (!(await firstRow(database, blockedStatement, { supplier, error }))) return;
  await raiseAttention(database, { supplier }, 'ACCOUNT_BLOCKED', blockedReason(error));
}

function blockedReason(error: string): string {
  return `It refuses our account: ${error}`;
}

/** Of an order: its supplier has to answer before it can go on. */
const isWaiting = `
  orders.completed_at IS NULL
  AND EXISTS (SELECT FROM supplier_purchases purchase
               WHERE purchase.order_id = orders.id AND purchase.state IN ('READY', 'SENT'))`;

const waitingOrders = `
  SELECT count(*) FROM orders WHERE orders.supplier = health.supplier AND health.family IN ('', orders.family) AND ${isWaiting}`;

// An account is free again when calls pass, no call was refused for 2 minutes, and no order is listed as held up by it:
// orders try again more rarely than that.
const freeStatement = `
UPDATE supplier_health health SET blocked_since = NULL, blocked_at = NULL
 WHERE blocked_at < now() - interval '2 minutes'
   AND EXISTS (SELECT FROM supplier_call_health call
                WHERE call.supplier = health.supplier AND call.last_success_at > health.blocked_at)
   AND NOT EXISTS (SELECT FROM attention entry JOIN orders held ON held.id = entry.order_id
                    WHERE entry.kind = 'SUPPLIER_BLOCKED' AND entry.cleared_at IS NULL AND held.supplier = health.supplier)`;

// A kind of call that nobody makes any more would never succeed again. It stays listed while orders wait for it.
const forgetStatement = `
UPDATE supplier_call_health health SET failing_since = NULL, last_failure_at = NULL, last_error = NULL
 WHERE last_failure_at < now() - interval '1 hour' AND (${waitingOrders}) = 0`;

/** A kind of call that has failed for 10 minutes. */
interface FailingCall extends SupplierCall {
  failingSince: Date;
  lastError: string;
  /** Open orders that cannot go on without it: their purchase was not made, or its outcome is unknown. */
  waiting: number;
}

const failingStatement = `
SELECT supplier, family, call, failing_since AS "failingSince", last_error AS "lastError", (${waitingOrders}) AS waiting
  FROM supplier_call_health health
 WHERE last_failure_at - failing_since >= interval '10 minutes' ORDER BY supplier, call, family`;

/** Makes the attention list agree with how suppliers answer: kinds of call that fail, and blocked accounts. */
export async function reviewSupplierHealth(database: Database): Promise<void> {
  await rows(database, freeStatement);
  await rows(database, forgetStatement);
  const failing = await rows<FailingCall>(database, failingStatement);
  await listExactly(database, 'SUPPLIER_DOWN', bySupplier(failing, reasonOf));
  const blocked = await rows<{ supplier: string; error: string }>(
    database,
    `SELECT supplier, coalesce(last_error, 'no reason given') AS error FROM supplier_health WHERE blocked_since IS NOT NULL`,
  );
  await listExactly(
    database,
    'ACCOUNT_BLOCKED',
    bySupplier(blocked, ({ error }) => blockedReason(error)),
  );
}

/** One entry for each supplier, with the reasons of all its items. */
export function bySupplier<Item extends { supplier: string }>(
  items: readonly Item[],
  reasonOf: (item: Item) => string,
): AttentionEntry[] {
  const suppliers = new Set(items.map(({ supplier }) => supplier));
  return [...suppliers].map((supplier) => ({
    subject: { supplier },
    reason: items
      .filter((item) => item.supplier === supplier)
      .map(reasonOf)
      .join('. '),
  }));
}

function reasonOf({ family, call, failingSince, lastError, waiting }: FailingCall): string {
  const kind = family === '' ? call : `${call} (${family})`;
  return `Calls "${kind}" have failed since ${failingSince.toISOString()}: ${lastError}; ${waiting} orders wait for it`;
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

/** Purchases of open orders that are not sent although their order is older than 10 minutes. */
interface Unsent {
  supplier: string;
  orders: number;
  oldestOrder: number;
  since: Date;
}

/**
 * SQL: the open orders whose purchases wait to be sent, with the time since when. An order whose purchases succeed one
 * after another, as those of a large order do, waits since the last success.
 */
export const unsentOrders = `
  SELECT orders.id, orders.supplier, orders.family,
         greatest(orders.placed_at, (SELECT max(made.updated_at) FROM supplier_purchases made
                                      WHERE made.order_id = orders.id AND made.state IN ('PENDING', 'DELIVERED'))) AS since
    FROM (SELECT id, supplier, family, placed_at FROM orders WHERE completed_at IS NULL ORDER BY id LIMIT 10000) orders
   WHERE EXISTS (SELECT FROM supplier_purchases ready WHERE ready.order_id = orders.id AND ready.state = 'READY')`;

const unsentStatement = `
SELECT supplier, count(*) AS orders, (array_agg(id ORDER BY since))[1] AS "oldestOrder", min(since) AS since
  FROM (${unsentOrders}) unsent WHERE since < now() - interval '10 minutes' GROUP BY supplier`;

/** Lists every supplier with purchases that were due 10 minutes ago and are not sent, whatever the cause. */
export async function reviewUnsentPurchases(database: Database): Promise<void> {
  const unsent = await rows<Unsent>(database, unsentStatement);
  const entries = bySupplier(
    unsent,
    ({ orders, oldestOrder, since }) =>
      `Purchases of ${orders} orders are not sent; order ${oldestOrder} has waited since ${since.toISOString()}`,
  );
  await listExactly(database, 'PURCHASES_NOT_SENT', entries);
}
