/** What each family brings to the storing of orders, and the parts its statements share. */
import type { FailureCode } from '../../../domain/orders/failure-codes';
import type { Goods } from '../../../domain/orders/goods';
import { safeText, type SafeText } from '../../../domain/safe-text';
import type { Sealer } from '../../../security/sealing';
import { firstRow, rows, type Database } from '../../database/database';
import type { Binds } from '../../database/binds';
import type { Purchase, PurchaseState } from '../purchase-reads';

/** Columns of an order `o` with their aliases, and the joins they come from; either may be empty. */
export interface OwnColumns {
  readonly columns: readonly string[];
  readonly join: string;
}

/** A unit that can be stored; `position` counts the units of its purchase from 1. */
export interface GoodUnit<G extends Goods = Goods> {
  position: number;
  goods: G;
}

/** What the supplier said of a purchase. */
export interface PurchaseOutcome {
  /** DELIVERED becomes PENDING if not every unit is there. */
  state: Exclude<PurchaseState, 'READY' | 'WITHDRAWN'>;
  supplierOrderId: string | null;
  failureCode: FailureCode | null;
  detail: SafeText | null;
}

/** What is stored of a purchase now. */
export interface StoredPurchase {
  state: PurchaseState;
  /** The units of it that are there. */
  present: number[];
}

/** What goods are stored with. */
export interface StorageDependencies {
  database: Database;
  sealer: Sealer;
}

export interface FamilyStorage {
  /** What clients read of an order beside what all families show. */
  readonly read: OwnColumns;
  /** What clients read of an order by itself and not in a list: columns with their aliases. */
  readonly single?: readonly string[];
  /** The same of an order that is read whole, however large it is. None where that makes no difference. */
  readonly whole?: readonly string[];
  /** The columns of a mail beside those of all families; `c` is the client. */
  readonly mail: OwnColumns;
  /** Why a trimmed unit that arrives at `now` cannot be stored, without its contents; undefined if it can. */
  readonly unitFault: (goods: Goods, now: Date) => SafeText | undefined;
  /** The units of an order that an operator calls delivered without naming goods; undefined if they must be named. */
  readonly unnamedGoods?: readonly Goods[];
  /**
   * Seals the units and stores them, their count and the purchase's outcome in one statement. What is stored
   * already stays as it is; a code, claim URL or ICCID that belongs to another unit is not stored (the caller
   * compares `present`). Repeated, it changes nothing. Undefined if the purchase had ended.
   */
  storeUnits(
    deps: StorageDependencies,
    purchase: PurchaseKey,
    outcome: PurchaseOutcome,
    units: readonly GoodUnit[],
  ): Promise<StoredPurchase | undefined>;
}

/** More units than an order has whose client waits for the response. */
export const isLarge = (units: readonly unknown[]): boolean => units.length > 25;

/** What goods are stored under. */
export type PurchaseKey = Pick<Purchase, 'reference' | 'orderId' | 'firstUnit'>;

/** The fault of a unit whose goods are another family's. */
export const wrongKind = safeText`it is of another kind than was ordered`;

/** The units whose goods are of the kind. */
export function ofKind<K extends Goods['kind']>(
  units: readonly GoodUnit[],
  kind: K,
): GoodUnit<Extract<Goods, { kind: K }>>[] {
  return units.filter((unit): unit is GoodUnit<Extract<Goods, { kind: K }>> => unit.goods.kind === kind);
}

/** The first part of each statement that stores units: locks the purchase, unless it has ended. */
export const purchaseToStore = `
purchase AS (
  SELECT * FROM supplier_purchases
   WHERE reference = $reference AND state NOT IN ('DELIVERED', 'REJECTED', 'WITHDRAWN') FOR UPDATE
)`;

/** The last part: concludes the purchase with `present_units`, the count of its units that are there. */
export const recordOutcome = `
outcome AS (
  UPDATE supplier_purchases p
     SET state = CASE WHEN $state = 'DELIVERED' AND present_units.count < p.units THEN 'PENDING' ELSE $state END,
         supplier_order_id = coalesce($supplierOrderId, p.supplier_order_id),
         failure_code = $failureCode, detail = $detail,
         confirmed = p.confirmed OR $state <> 'SENT', stored = greatest(p.stored, present_units.count),
         late_check_at = CASE WHEN $state = 'REJECTED' THEN clock_timestamp() + interval '1 minute' END,
         updated_at = now()
    FROM purchase, present_units WHERE p.reference = purchase.reference
  RETURNING p.order_id, p.state
)`;

/** The values of these two parts. */
export function outcomeBinds(
  { reference }: PurchaseKey,
  { state, supplierOrderId, failureCode, detail }: PurchaseOutcome,
) {
  return { reference, state, supplierOrderId, failureCode, detail };
}

/** Rows of `lookup_buckets`, from 0. Few enough for the largest purchase to lock them all. */
const BUCKETS = 64;

/** Rows, because any role that can log in may take an advisory lock, and would keep codes from being stored. */
const lockStatement = `
  SELECT bucket FROM lookup_buckets WHERE bucket = ANY ($buckets::integer[]) ORDER BY bucket FOR UPDATE`;

/**
 * Runs the statement that stores units. `buckets`: as `bucketsOf` returns them. While there is one look-up key, unique
 * indexes detect codes that are stored twice. While there are two, the same code may be stored under either, so
 * concurrent stores of it wait for each other here.
 */
export async function storeOnce(
  database: Database,
  { statement, binds, buckets }: { statement: string; binds: Binds; buckets: readonly number[] },
): Promise<StoredPurchase | undefined> {
  if (buckets.length === 0) return firstRow<StoredPurchase>(database, statement, binds);
  return database.transaction(async (transaction) => {
    const locked = await rows(database, lockStatement, { buckets }, transaction);
    if (locked.length < new Set(buckets).size)
      throw new Error('lookup_buckets lacks a row: migrate the schema');
    return firstRow<StoredPurchase>(database, statement, binds, transaction);
  });
}

/**
 * Where codes, claim URLs or ICCIDs are locked, none while there is one look-up key. `hashes`: of each all that it may be
 * stored under (see `Sealer.lookupHashes`).
 */
export function bucketsOf(hashes: readonly (readonly Buffer[])[]): number[] {
  return hashes.filter((ofOne) => ofOne.length > 1).map(bucketOf);
}

/** The same for every process that holds the same keys, whichever of them is promoted. */
function bucketOf(hashes: readonly Buffer[]): number {
  return Math.min(...hashes.map((hash) => hash.readUInt32BE())) % BUCKETS;
}
