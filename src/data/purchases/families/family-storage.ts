/** The storage of a family's orders, and the shared parts of its statements. */
import type { FailureCode } from '../../../domain/orders/failure-codes';
import type { Family } from '../../../domain/orders/families';
import { statesBefore } from '../../../domain/orders/order-states';
import type { ReplacedBecause } from '../../../domain/orders/fail-over';
import type { Goods } from '../../../domain/orders/goods';
import { safeText, type SafeText } from '../../../domain/safe-text';
import type { Sealer } from '../../../security/sealing';
import { firstRow, rows, type Database } from '../../database/database';
import type { Binds } from '../../database/binds';
import { MAX_BATCH, SUCCESSOR_STEP } from '../../../domain/orders/order-ids';
import { deliveredEnd, type DeliveredEnd } from '../../orders/settle-order';
import type { Purchase, PurchaseState } from '../purchase-reads';
import { setCostRate } from '../costs';
import { DELIVERED_BY_HAND, saysByHand } from '../quarantined-goods';
import { successor } from '../successors';

/** Columns of an order `o` with their aliases, and their joins; either may be empty. */
export interface OwnColumns {
  readonly columns: readonly string[];
  readonly join: string;
}

/** A unit that can be stored; `position` counts the units of its purchase from 1. */
export interface GoodUnit<G extends Goods = Goods> {
  position: number;
  goods: G;
}

/** The supplier's report of a purchase. */
export interface PurchaseOutcome {
  /**
   * DELIVERED is stored as PENDING if a unit is missing. REPLACED is stored as REJECTED if every source has refused, and as
   * PENDING or REJECTED if a unit has arrived.
   */
  state: Exclude<PurchaseState, 'READY' | 'WITHDRAWN'>;
  supplierOrderId: string | null;
  /** The supplier's price of the whole purchase: a decimal string. */
  cost: { amount: string; currency: string } | null;
  failureCode: FailureCode | null;
  detail: SafeText | null;
  /** Why it was replaced; only with REPLACED. */
  because?: ReplacedBecause;
  /** How the supplier says that the purchase has ended; absent if it has not. */
  endedAs?: 'DELIVERED' | 'REJECTED';
}

/** The stored state of a purchase. */
export interface StoredPurchase {
  state: PurchaseState;
  /** The stored units, by their numbers in the order. */
  present: number[];
  /** With REPLACED: whether its successors are due only after a pause. Null otherwise. */
  isLater: boolean | null;
  /** The end of the order, if the statement has ended it; null or absent otherwise. */
  end?: DeliveredEnd | null;
}

export interface StorageDependencies {
  database: Database;
  sealer: Sealer;
}

export interface FamilyStorage {
  /** The columns of an order in addition to those of all families. */
  readonly read: OwnColumns;
  /** Further columns of a single order, which lists omit. */
  readonly single?: readonly string[];
  /** The columns of a mail in addition to those of all families. `c`: the client. */
  readonly mail: OwnColumns;
  /** Why a normal unit that arrives at `now` cannot be stored; undefined if it can be stored. The text contains no code. */
  readonly unitFault: (goods: Goods, now: Date, purchase: Purchase) => SafeText | undefined;
  /** The units of a purchase that an operator marks as delivered without goods; absent or undefined if goods are required. */
  readonly unnamedGoods?: (purchase: Purchase) => readonly Goods[] | undefined;
  /**
   * Seals the units and stores them, their count and the purchase's outcome in one statement. Stored units stay as they
   * are. Does not store a code, claim URL or ICCID of another unit (the caller compares `present`). Idempotent. Changes
   * nothing and returns undefined if the purchase had ended, if the outcome is the failure of an earlier attempt, or if an
   * operator's units cannot all be stored. `mayEnd`: also ends the order as DELIVERED if this is its only purchase and all its units
   * are stored then.
   */
  storeUnits(
    deps: StorageDependencies,
    purchase: PurchaseKey,
    outcome: PurchaseOutcome,
    units: readonly GoodUnit[],
    mayEnd?: boolean,
  ): Promise<StoredPurchase | undefined>;
}

export type PurchaseKey = Pick<Purchase, 'reference' | 'orderId' | 'firstUnit' | 'attempt' | 'rechargesOrderId'>;

/** The fault of a unit whose goods are another family's. */
export const wrongKind = safeText`it is of another kind than was ordered`;

/** The units whose goods are of the kind. */
export function ofKind<K extends Goods['kind']>(
  units: readonly GoodUnit[],
  kind: K,
): GoodUnit<Extract<Goods, { kind: K }>>[] {
  return units.filter((unit): unit is GoodUnit<Extract<Goods, { kind: K }>> => unit.goods.kind === kind);
}

/** Whether the units are an operator's. They are stored together or not at all, because a rejected decision has no effect. */
export const isByHand = ({ detail }: PurchaseOutcome): boolean => detail === DELIVERED_BY_HAND;
/** The same in SQL. */
export const byHand = saysByHand('$detail');

/**
 * SQL: no unit of purchase `p` has arrived, not even an unusable one, and its successors can have a reference. `p.stored` counts
 * the units that another session stored while this statement waited for the purchase, which its snapshot lacks.
 */
const mayBeReplaced = `
  greatest(present_units.count, p.stored) = 0 AND p.batch < ${MAX_BATCH - SUCCESSOR_STEP}
  AND NOT EXISTS (SELECT FROM quarantined_goods quarantined WHERE quarantined.reference = p.reference)`;

/**
 * The failure code of the first source that refused the units of purchase `p` for good, or does not sell the item (`not-here`). No
 * row if there is no such source.
 */
const firstRejection = `
  SELECT earlier.failure_code FROM supplier_purchases earlier
   WHERE earlier.order_id = p.order_id AND earlier.because IN ('refused', 'not-here')
     AND p.first_unit BETWEEN earlier.first_unit AND earlier.first_unit + earlier.units - 1
   ORDER BY earlier.batch LIMIT 1`;

/** SQL: the parts of the storing statements that differ between families. */
export interface UnitStorage {
  /**
   * Common tables that store the given units of `purchase`. The last one is `present_units`: the `count` of the purchase's stored
   * units.
   */
  units: string;
  /** The new `orders.delivered_quantity`, and the condition under which units were stored now. */
  delivered: { quantity: string; when: string };
  /** The numbers of the purchase's stored units, as an array. */
  present: string;
}

/** The statements of a family that store the report of a purchase. `storeAndEnd` also ends the order, as `storeUnits` says. */
export interface StoringStatements {
  store: string;
  storeAndEnd: string;
}

// Ends the order in the statement that stores its goods: one flush of PostgreSQL's log and one version of the order's row less. It ends
// only an order whose one purchase it holds. A successor is created under the lock of the purchase that it replaces, so none can
// appear meanwhile. It locks no other purchase, so it waits for no statement that locks all of them.
const endDelivered = (family: Family, { quantity, when }: UnitStorage['delivered']) => `
moved AS (
  UPDATE orders o SET delivered_quantity = ${quantity}, status = 'DELIVERED', failure_code = NULL, held = NULL, completed_at = now()
   WHERE o.id = (SELECT order_id FROM outcome WHERE state = 'DELIVERED' AND NOT EXISTS (
                   SELECT FROM supplier_purchases other
                    WHERE other.order_id = outcome.order_id AND other.reference <> outcome.reference))
     AND o.status IN (${statesBefore(family, 'DELIVERED')
       .map((status) => `'${status}'`)
       .join(', ')})
     AND ${when} AND ${quantity} = o.quantity
  RETURNING o AS row
), ${deliveredEnd.tables}, `;

/**
 * The statements that store the report of a purchase: its units, their count and its outcome. They return no row if the purchase had
 * ended, or if an operator's units cannot all be stored. `outcomeBinds` has the values of the shared parts.
 *
 * A replaced purchase of an open order gets its successors at the next source in the same statement, so that the units are never
 * without a purchase: docs/decisions/0051-fail-over-between-sources.md.
 */
export function storingStatements(family: Family, storage: UnitStorage): StoringStatements {
  return { store: storingStatement(storage), storeAndEnd: storingStatement(storage, family) };
}

function storingStatement({ units, delivered, present }: UnitStorage, ended?: Family): string {
  return `
-- plan: supplier_purchases_pkey
WITH purchase AS (
  -- A failure of an attempt says nothing about a later attempt, so it locks only the purchase of its own attempt.
  SELECT * FROM supplier_purchases
   WHERE reference = $reference AND ($state NOT IN ('REJECTED', 'REPLACED') OR attempt = $attempt)
     AND state NOT IN ('DELIVERED', 'REJECTED', 'WITHDRAWN', 'REPLACED') FOR UPDATE
), ${units}
, next AS MATERIALIZED (
  -- The source that buys the units instead. It is null if every source has refused.
  SELECT next_source.* FROM purchase p CROSS JOIN present_units
   CROSS JOIN LATERAL next_source(p.order_id, p.first_unit, p.source_id, $because)
   WHERE $state = 'REPLACED' AND ${mayBeReplaced}
), decided AS (
  -- What the reported state means with the stored units and the next source.
  SELECT CASE WHEN $state = 'DELIVERED' AND present_units.count < p.units THEN 'PENDING'
              WHEN $state = 'REPLACED' AND $because IN ('our-account', 'temporary') AND NOT (${mayBeReplaced}) THEN 'PENDING'
              WHEN $state = 'REPLACED' AND next.source IS NULL THEN 'REJECTED'
              ELSE $state END AS state
    FROM purchase p CROSS JOIN present_units LEFT JOIN next ON true
), outcome AS (
  UPDATE supplier_purchases p
     SET state = decided.state,
         because = CASE decided.state WHEN 'REPLACED' THEN $because END,
         supplier_order_id = coalesce($supplierOrderId, p.supplier_order_id),
         cost = coalesce($cost::numeric, p.cost), cost_currency = coalesce($costCurrency::text, p.cost_currency),
${setCostRate},
         failure_code = CASE decided.state WHEN 'REJECTED' THEN coalesce((${firstRejection}), $failureCode) ELSE $failureCode END,
         detail = $detail, ended_as = coalesce($endedAs, p.ended_as),
         confirmed = p.confirmed OR $state <> 'SENT', stored = greatest(p.stored, present_units.count),
         late_check_at = CASE WHEN decided.state IN ('REJECTED', 'REPLACED')
                                OR ${byHand} AND p.attempt > 0
                              THEN clock_timestamp() + interval '1 minute' END,
         updated_at = now()
    FROM purchase CROSS JOIN present_units CROSS JOIN decided LEFT JOIN next ON true
   WHERE p.reference = purchase.reference AND NOT (${byHand} AND present_units.count < p.units)
  RETURNING p.*, next.source, next.is_later
), ${successor}
, ${ended === undefined ? '' : endDelivered(ended, delivered)}delivered AS (
  UPDATE orders o SET delivered_quantity = ${delivered.quantity}
   WHERE o.id = (SELECT order_id FROM outcome) AND ${delivered.when}
     ${ended === undefined ? '' : 'AND NOT EXISTS (SELECT FROM moved)'}
)
SELECT state, is_later AS "isLater", ${present} AS present
       ${ended === undefined ? '' : `, ${deliveredEnd.value} AS "end"`}
  FROM outcome`;
}

/** The values of the shared parts of the storing statements. */
export function outcomeBinds(
  { reference, attempt }: PurchaseKey,
  { state, supplierOrderId, cost, failureCode, detail, because, endedAs }: PurchaseOutcome,
) {
  const { amount = null, currency = null } = cost ?? {};
  return {
    reference,
    attempt,
    state,
    supplierOrderId,
    cost: amount,
    costCurrency: currency,
    failureCode,
    detail,
    because: because ?? null,
    endedAs: endedAs ?? null,
  };
}

/** The number of rows of `lookup_buckets`, few enough for the largest purchase to lock them all. */
const BUCKETS = 64;

/** Not an advisory lock: any role that can log in could take one and block the storing of codes. */
const lockStatement = `
  SELECT bucket FROM lookup_buckets WHERE bucket = ANY ($buckets::integer[]) ORDER BY bucket FOR UPDATE`;

/**
 * Runs the statement that stores units. `buckets`: the result of `bucketsOf`. With one lookup key, unique indexes detect
 * codes that are stored twice. With two, a code may be stored under either, so concurrent stores of it wait for each other
 * here.
 */
export async function storeOnce(
  database: Database,
  { statement, binds, buckets }: { statement: string; binds: Binds; buckets: readonly number[] },
): Promise<StoredPurchase | undefined> {
  if (buckets.length === 0) return firstRow<StoredPurchase>(database, statement, binds);
  return database.transaction(async (transaction) => {
    const locked = await rows(database, lockStatement, { buckets }, transaction);
    if (locked.length < new Set(buckets).size) throw new Error('lookup_buckets lacks a row: migrate the schema');
    return firstRow<StoredPurchase>(database, statement, binds, transaction);
  });
}

/**
 * The rows to lock for codes, claim URLs or ICCIDs: none with one lookup key. `hashes`: all possible hashes of each (see
 * `Sealer.lookupHashes`).
 */
export function bucketsOf(hashes: readonly (readonly Buffer[])[]): number[] {
  return hashes.filter((ofOne) => ofOne.length > 1).map(bucketOf);
}

/** Equal in every process with the same keys, regardless of the promoted one. */
function bucketOf(hashes: readonly Buffer[]): number {
  return Math.min(...hashes.map((hash) => hash.readUInt32BE())) % BUCKETS;
}
