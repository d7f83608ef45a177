/**
 * The health of suppliers: maintenance lists failing kinds of call (`src/data/suppliers/supplier-calls.ts`) and blocked accounts
 * for attention. A supplier that answers lookups while every purchase fails is down for purchases.
 */
import type { AttentionKind } from '../../domain/attention/attention-kinds';
import { firstNames } from '../../domain/first-names';
import {
  downAfterMs,
  oldFailureMs,
  unblockedAfterMs,
  unsentAfterMs,
} from '../../domain/suppliers/supplier-health-rules';
import { listExactly, listKindsExactly, raiseAttention, type AttentionEntry } from '../attention/attention';
import { firstRow, rows, type Database } from '../database/database';
import type { SupplierCall } from './supplier-calls';
import { openRejectedCircuit } from './supplier-circuits';

const blockedStatement = `
INSERT INTO supplier_health AS health (supplier, blocked_since, blocked_at, last_error)
SELECT $supplier, now(), now(), $error
 WHERE NOT EXISTS (SELECT FROM supplier_health
                    WHERE supplier = $supplier AND NOT is_older_than(blocked_at, '10 seconds') AND last_error = $error)
ON CONFLICT (supplier) DO UPDATE
   SET blocked_since = least(health.blocked_since, excluded.blocked_since), blocked_at = excluded.blocked_at,
       last_error = excluded.last_error
RETURNING supplier`;

const answeredStatement = `
UPDATE supplier_calls SET failing_since = NULL, last_failure_at = NULL, last_error = NULL
 WHERE supplier = $supplier AND family = $family AND call = $call AND failing_since IS NOT NULL`;

/**
 * Records that the supplier rejected the call because our account is blocked. Puts the supplier on the attention list at once, and
 * opens the circuit of the family. A rejection is a response, so the kind of call does not count as failing. `wasAccepted`:
 * whether the supplier had accepted the purchase that it now rejects.
 */
export async function recordSupplierBlocked(
  database: Database,
  call: SupplierCall,
  error: string,
  wasAccepted = false,
): Promise<void> {
  const { supplier } = call;
  const reason = blockedReason(error);
  await rows(database, answeredStatement, { ...call });
  if (await firstRow(database, blockedStatement, { supplier, error }))
    await raiseAttention(database, { supplier }, 'ACCOUNT_BLOCKED', reason);
  if (call.family !== '') await openRejectedCircuit(database, call, { reason, wasAccepted });
}

function blockedReason(error: string): string {
  return `It refuses our account: ${error}`;
}

/** SQL: the number of open orders that cannot continue until the supplier of `health` answers. */
const waitingOrders = `
  SELECT count(*) FROM orders
   WHERE orders.completed_at IS NULL AND health.family IN ('', orders.family)
     AND EXISTS (SELECT FROM supplier_purchases purchase
                  WHERE purchase.order_id = orders.id AND purchase.supplier = health.supplier
                    AND purchase.state IN ('READY', 'SENT'))`;

// An account is no longer blocked if calls succeed, none was rejected for `unblockedAfterMs`, and no order is on the attention list
// because of it: such orders retry less often. After a rejection with a future time, a success in that time is enough.
const freeStatement = `
UPDATE supplier_health health SET blocked_since = NULL, blocked_at = NULL
 WHERE is_older_than(blocked_at, '${unblockedAfterMs} milliseconds')
   AND EXISTS (SELECT FROM supplier_calls call
                WHERE call.supplier = health.supplier AND call.last_success_at <= now()
                  AND call.last_success_at > least(health.blocked_at, now() - interval '${unblockedAfterMs} milliseconds'))
   AND NOT EXISTS (SELECT FROM attention entry JOIN supplier_purchases held ON held.order_id = entry.order_id
                    WHERE entry.kind = 'SUPPLIER_BLOCKED' AND entry.cleared_at IS NULL AND held.supplier = health.supplier
                      AND held.state IN ('READY', 'SENT', 'PENDING'))`;

const clearStatement = `
UPDATE supplier_calls health SET failing_since = NULL, last_failure_at = NULL, last_error = NULL
 WHERE is_older_than(last_failure_at, '${oldFailureMs} milliseconds') AND (${waitingOrders}) = 0`;

/** A kind of call that has failed for `downAfterMs`. */
interface FailingCall extends SupplierCall {
  failingSince: Date;
  lastError: string;
  /** Open orders that wait for it: their purchase was not made, or its outcome is unknown. */
  waiting: number;
}

const failingStatement = `
SELECT supplier, family, call, failing_since AS "failingSince", coalesce(last_error, 'no reason given') AS "lastError", (${waitingOrders}) AS waiting
  FROM supplier_calls health
 WHERE last_failure_at - failing_since >= interval '${downAfterMs} milliseconds' ORDER BY supplier, call, family`;

/** Makes the attention list show exactly the failing kinds of call and the blocked accounts. */
export async function reviewSupplierHealth(database: Database): Promise<void> {
  await rows(database, freeStatement);
  await rows(database, clearStatement);
  const failing = await rows<FailingCall>(database, failingStatement);
  const blocked = await rows<{ supplier: string; error: string }>(
    database,
    `SELECT supplier, coalesce(last_error, 'no reason given') AS error FROM supplier_health WHERE blocked_since IS NOT NULL`,
  );
  const listed = new Map<AttentionKind, AttentionEntry[]>([
    ['SUPPLIER_DOWN', bySupplier(failing, reasonOf)],
    ['ACCOUNT_BLOCKED', bySupplier(blocked, ({ error }) => blockedReason(error))],
  ]);
  await listKindsExactly(database, listed);
}

const forgetStatement = `
WITH account AS (
  UPDATE supplier_health SET blocked_since = NULL, blocked_at = NULL
   WHERE blocked_since IS NOT NULL AND supplier <> ALL ($configured)
), balance AS (
  DELETE FROM supplier_balances WHERE supplier <> ALL ($configured)
)
UPDATE attention SET cleared_at = now(), mirrored = false
 WHERE kind = 'CATALOGUE_DOUBTED' AND cleared_at IS NULL AND supplier <> ALL ($configured)`;

/**
 * Forgets blocked accounts, balances and doubted lists of suppliers that are no longer configured. Only a call of the supplier
 * would change them, so their alerts would never end.
 */
export async function forgetRemovedSuppliers(database: Database, configured: readonly string[]): Promise<void> {
  await rows(database, forgetStatement, { configured });
}

/** One entry for each supplier, with the reasons of its first items. */
export function bySupplier<Item extends { supplier: string }>(
  items: readonly Item[],
  reasonOf: (item: Item) => string,
): AttentionEntry[] {
  const suppliers = new Set(items.map(({ supplier }) => supplier));
  return [...suppliers].map((supplier) => ({
    subject: { supplier },
    reason: firstNames(items.filter((item) => item.supplier === supplier).map(reasonOf), '. '),
  }));
}

function reasonOf({ family, call, failingSince, lastError, waiting }: FailingCall): string {
  const kind = family === '' ? call : `${call} (${family})`;
  return `Calls "${kind}" have failed since ${failingSince.toISOString()}: ${lastError}; ${waiting} orders wait for it`;
}

/** A supplier with open orders that have waited for `unsentAfterMs` for a purchase to be sent. */
interface Unsent {
  supplier: string;
  orders: number;
  oldestOrder: number;
  since: Date;
}

/**
 * SQL: the open orders with unsent purchases, and since when they wait. The purchases of a large order are sent one after
 * another, so its wait begins at the last one that succeeded.
 */
export const unsentOrders = `
  SELECT orders.id, ready.supplier, orders.family,
         greatest(orders.placed_at, (SELECT max(made.updated_at) FROM supplier_purchases made
                                      WHERE made.order_id = orders.id AND made.state IN ('PENDING', 'DELIVERED'))) AS since
    FROM (SELECT id, family, placed_at FROM orders WHERE completed_at IS NULL ORDER BY id LIMIT 10000) orders
    JOIN LATERAL (SELECT supplier FROM supplier_purchases ready
                   WHERE ready.order_id = orders.id AND ready.state = 'READY' ORDER BY batch LIMIT 1) ready ON true`;

const unsentStatement = `
SELECT supplier, count(*) AS orders, (array_agg(id ORDER BY since))[1] AS "oldestOrder", min(since) AS since
  FROM (${unsentOrders}) unsent WHERE since < now() - interval '${unsentAfterMs} milliseconds' GROUP BY supplier`;

/** Makes the attention list show exactly the suppliers with purchases that are unsent for `unsentAfterMs`, for any cause. */
export async function reviewUnsentPurchases(database: Database): Promise<void> {
  const unsent = await rows<Unsent>(database, unsentStatement);
  const entries = bySupplier(
    unsent,
    ({ orders, oldestOrder, since }) =>
      `Purchases of ${orders} orders are not sent; order ${oldestOrder} has waited since ${since.toISOString()}`,
  );
  await listExactly(database, 'PURCHASES_NOT_SENT', entries);
}
