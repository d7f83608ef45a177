/**
 * The differences between suppliers' statements and our purchases. They stay, and are on the attention list, until a comparison no
 * longer finds them. One that an operator accepts with a reason leaves the list and stays for good.
 */
import { clearAttention, raiseAttention } from '../attention/attention';
import { firstNames, MAX_NAMED } from '../../domain/first-names';
import { matching } from '../database/conditions';
import { firstRow, rows, type Database } from '../database/database';

export const differenceKinds = [
  'sold-unaccounted',
  'sold-unknown',
  'delivered-unsold',
  'cost-differs',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export interface SettlementDifference {
  kind: DifferenceKind;
  /** As in the statement. */
  reference: string;
  /** Null if no order has the reference. */
  orderId: number | null;
  /** When the purchase was sent, or the supplier sold. */
  at: Date;
  detail: string;
}

/** A stored difference, with the operator's reason if it was accepted. */
export interface StoredDifference extends SettlementDifference {
  supplier: string;
  foundAt: Date;
  acceptedReason: string | null;
}

/** SQL: the differences of $supplier that a comparison found, as the rows `found`. */
const found = `
  jsonb_to_recordset($found::jsonb) AS found (kind text, reference text, "orderId" bigint, at timestamptz, detail text)`;

const deleteStatement = `
DELETE FROM settlement_differences known
 WHERE supplier = $supplier AND at >= $since AND accepted_reason IS NULL
   AND NOT EXISTS (SELECT FROM ${found} WHERE found.reference = known.reference AND found.kind = known.kind)`;

// A difference that changes is a new one: it was not accepted.
const storeStatement = `
INSERT INTO settlement_differences AS known (supplier, reference, kind, order_id, detail, at)
SELECT $supplier, reference, kind, "orderId", detail, at FROM ${found}
ON CONFLICT (supplier, reference, kind) DO UPDATE
   SET detail = excluded.detail, order_id = excluded.order_id, accepted_reason = NULL
 WHERE known.detail <> excluded.detail`;

/**
 * Stores what a comparison of the sales since `since` found, deletes the older findings that it no longer found and no operator
 * accepted, and updates the attention list. Idempotent.
 */
export async function storeDifferences(
  database: Database,
  supplier: string,
  since: Date,
  differences: readonly SettlementDifference[],
): Promise<void> {
  const binds = { supplier, found: JSON.stringify(differences) };
  await database.transaction(async (transaction) => {
    await rows(database, deleteStatement, { ...binds, since }, transaction);
    await rows(database, storeStatement, binds, transaction);
  });
  await reviewDifferences(database, supplier);
}

const columns = `
  supplier, kind, reference, order_id AS "orderId", at, detail, found_at AS "foundAt", accepted_reason AS "acceptedReason"`;

/** What names a difference. */
export type DifferenceName = Pick<StoredDifference, 'supplier' | 'kind' | 'reference'>;

/** The conditions of a list of differences. An undefined condition matches every difference. */
export interface DifferenceFilter {
  supplier?: string | undefined;
  kind?: DifferenceKind | undefined;
  /** Whether an operator has accepted it. */
  accepted?: boolean | undefined;
}

/** The columns by which the list is sorted. */
const sorted = 'supplier, at, reference, kind';

/** The differences that match all conditions. `after`: only those behind this one. */
export function listDifferences(
  database: Database,
  {
    after,
    limit,
    ...filter
  }: DifferenceFilter & { after?: DifferenceName | undefined; limit?: number | undefined } = {},
) {
  const { where, binds } = matching(filter, {
    supplier: 'supplier = $supplier',
    kind: 'kind = $kind',
    accepted: '(accepted_reason IS NOT NULL) = $accepted',
  });
  const behind = `(${sorted}) > (SELECT ${sorted} FROM settlement_differences
                                  WHERE (supplier, kind, reference) = ($afterSupplier, $afterKind, $afterReference))`;
  return rows<StoredDifference>(
    database,
    `SELECT ${columns} FROM settlement_differences WHERE ${where}${after ? ` AND ${behind}` : ''}
      ORDER BY ${sorted} LIMIT $limit`,
    {
      ...binds,
      ...(after && {
        afterSupplier: after.supplier,
        afterKind: after.kind,
        afterReference: after.reference,
      }),
      limit: limit ?? null,
    },
  );
}

/** The time of the oldest difference of the supplier that no operator accepted; undefined if there is none. */
export async function oldestDifference(database: Database, supplier: string): Promise<Date | undefined> {
  const oldest = await firstRow<{ at: Date }>(
    database,
    'SELECT at FROM settlement_differences WHERE supplier = $supplier AND accepted_reason IS NULL ORDER BY at LIMIT 1',
    { supplier },
  );
  return oldest?.at;
}

/** Accepts the differences of a reference as they are. Throws if there is none. Returns what was accepted. */
export async function acceptDifferences(
  database: Database,
  supplier: string,
  reference: string,
  reason: string,
): Promise<string[]> {
  const accepted = await rows<{ detail: string }>(
    database,
    `UPDATE settlement_differences SET accepted_reason = $reason
      WHERE supplier = $supplier AND reference = $reference RETURNING detail`,
    { supplier, reference, reason },
  );
  if (accepted.length === 0)
    throw new Error(
      `${supplier} has no difference under this reference. See them with: reconcile differences`,
    );
  await reviewDifferences(database, supplier);
  return accepted.map(({ detail }) => detail);
}

/** Puts the supplier on the attention list while it has differences that no operator accepted. */
async function reviewDifferences(database: Database, supplier: string): Promise<void> {
  const open = await rows<{ detail: string; count: number }>(
    database,
    `SELECT detail, count(*) OVER () AS count FROM settlement_differences
      WHERE supplier = $supplier AND accepted_reason IS NULL ORDER BY at, reference, kind LIMIT $limit`,
    { supplier, limit: MAX_NAMED },
  );
  const [first] = open;
  if (!first) return clearAttention(database, { supplier }, ['SETTLEMENT_DIFFERENCE']);
  const details = open.map(({ detail }) => detail);
  const named = firstNames(details, '. ', first.count);
  const reason = `The supplier's statement differs from our purchases (${first.count}): ${named}`;
  await raiseAttention(database, { supplier }, 'SETTLEMENT_DIFFERENCE', reason);
}
