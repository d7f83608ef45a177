/**
 * The differences between suppliers' statements and our purchases. None is ever deleted or changed: it is open, and on the attention
 * list, until a comparison no longer finds it, or an operator accepts it with a reason. docs/decisions/0092-close-months-from-sums.md.
 * Rule: in which month's books a difference from a supplier's statement falls
 */
import { lockBooks } from '../books/closed-months';
import { clearAttention, raiseAttention } from '../attention/attention';
import { firstNames, MAX_NAMED } from '../../domain/first-names';
import { matching } from '../database/conditions';
import { firstRow, hasRow, rows, type Database, type Transaction } from '../database/database';

export const differenceKinds = ['sold-unaccounted', 'sold-unknown', 'delivered-unsold', 'cost-differs'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** GONE: the statement no longer says so. BOOKED: our purchase changed. ACCEPTED: a person gave a reason. */
export type DifferenceResolution = 'GONE' | 'BOOKED' | 'ACCEPTED';

export interface SettlementDifference {
  kind: DifferenceKind;
  /** As in the statement. */
  reference: string;
  /** Null if no order has the reference. */
  orderId: number | null;
  /** When the supplier sold; if it did not, when the purchase was sent. */
  at: Date;
  detail: string;
}

/** A stored difference. */
export interface StoredDifference extends SettlementDifference {
  number: number;
  supplier: string;
  /** In whose books it is: `2026-10`. */
  month: string;
  foundAt: Date;
  /** Null while it is open. */
  resolution: DifferenceResolution | null;
  resolvedAt: Date | null;
  /** Who accepted it, and why; null for other resolutions. */
  resolvedBy: string | null;
  acceptedReason: string | null;
}

/** The sales that a comparison read completely: those of the time from `begins` to `ends`. */
export interface ComparedSales {
  supplier: string;
  begins: Date;
  ends: Date;
  source: 'STATEMENT' | 'FILE';
}

/** SQL: the differences that a comparison found, until the end of its transaction. */
const foundColumns = 'kind text, reference text, "orderId" bigint, at timestamptz, detail text';
const createFound = `CREATE TEMPORARY TABLE IF NOT EXISTS found_differences (${foundColumns}) ON COMMIT DROP`;
const addFound = `INSERT INTO found_differences SELECT * FROM jsonb_to_recordset($found::jsonb) AS found (${foundColumns})`;

/** SQL: what we know of the purchase with the reference. It changes if we book a cost, a reversal or goods. */
const ourState = (reference: string) => `(
  SELECT ROW(p.state, p.stored, p.cost, p.cost_currency, p.reversed_at IS NOT NULL,
             (SELECT sum(units) FROM quarantined_goods goods WHERE goods.reference = p.reference))::text
    FROM supplier_purchases p WHERE p.reference = ${reference})`;

// A difference that changes is another one: it is found again below.
const settleStatement = `
UPDATE statement_differences known
   SET resolution = CASE WHEN our_state IS DISTINCT FROM ${ourState('known.reference')} THEN 'BOOKED' ELSE 'GONE' END,
       resolved_at = now()
 WHERE supplier = $supplier AND resolution IS NULL
   AND NOT EXISTS (SELECT FROM found_differences found WHERE found.reference = known.reference AND found.kind = known.kind AND found.detail = known.detail)
   AND (at >= $begins AND at < $ends
     OR EXISTS (SELECT FROM found_differences found WHERE found.reference = known.reference AND found.kind = known.kind))`;

// An accepted difference that is the same stays accepted. The month is the first open one if its own is closed. The sort looks up every
// difference before the first is stored: beside inserts, the lookups would read the growing table again and again.
const addStatement = `
INSERT INTO statement_differences (supplier, reference, kind, order_id, detail, at, month, our_state)
SELECT $supplier, reference, kind, "orderId", detail, at,
       greatest(date_trunc('month', at, 'UTC')::date, (SELECT (max(month) + interval '1 month')::date FROM book_months)),
       ${ourState('found.reference')}
  FROM found_differences found LEFT JOIN LATERAL (
         SELECT known.detail AS known_detail, known.resolution FROM statement_differences known
          WHERE known.supplier = $supplier AND known.reference = found.reference AND known.kind = found.kind
          ORDER BY number DESC LIMIT 1) newest ON true
 WHERE newest.known_detail IS DISTINCT FROM found.detail OR newest.resolution IN ('GONE', 'BOOKED')
 ORDER BY at, reference, kind
ON CONFLICT (supplier, reference, kind) WHERE resolution IS NULL DO NOTHING`;

const recordStatement = `
INSERT INTO statement_comparisons (supplier, begins, ends, source) VALUES ($supplier, $begins, $ends, $source)`;

/** Notes differences that a comparison found: `storeDifferences` follows in the same transaction. */
export async function noteDifferences(
  database: Database,
  differences: readonly SettlementDifference[],
  transaction: Transaction,
): Promise<void> {
  await rows(database, createFound, {}, transaction);
  await rows(database, addFound, { found: JSON.stringify(differences) }, transaction);
}

/**
 * Stores what a comparison with a complete statement found: settles the open differences of its time that it did not note, and adds the
 * noted ones. A changed difference is settled and added under a new number. Idempotent. `reviewDifferences` must follow.
 */
export async function storeDifferences(
  database: Database,
  compared: ComparedSales,
  transaction: Transaction,
): Promise<void> {
  const { supplier, begins, ends } = compared;
  await rows(database, createFound, {}, transaction);
  await rows(database, 'ANALYZE found_differences', {}, transaction);
  await lockBooks(database, transaction);
  await rows(database, settleStatement, { supplier, begins, ends }, transaction);
  await rows(database, addStatement, { supplier }, transaction);
  await rows(database, recordStatement, { ...compared }, transaction);
}

/** Whether a comparison of the supplier's sales since `begins`, or earlier, was stored in the last `ageMs`. */
export function wasCompared(database: Database, supplier: string, begins: Date, ageMs: number): Promise<boolean> {
  return hasRow(
    database,
    `SELECT FROM statement_comparisons
      WHERE supplier = $supplier AND begins <= $begins AND made_at > now() - $ageMs * interval '1 millisecond'`,
    { supplier, begins, ageMs },
  );
}

const columns = `
  number, supplier, kind, reference, order_id AS "orderId", at, detail, to_char(month, 'YYYY-MM') AS month, found_at AS "foundAt",
  resolution, resolved_at AS "resolvedAt", resolved_by AS "resolvedBy", reason AS "acceptedReason"`;

/** The conditions of a list of differences. An undefined condition matches every difference. */
export interface DifferenceFilter {
  supplier?: string | undefined;
  kind?: DifferenceKind | undefined;
  /** In whose books it is: `2026-10`. */
  month?: string | undefined;
  /** Whether an operator has accepted it. */
  accepted?: boolean | undefined;
  /** Whether it is neither settled nor accepted. */
  open?: boolean | undefined;
  /** Only those with a greater number. */
  after?: number | undefined;
}

/** The differences that match all conditions, also settled and accepted ones, in the sequence in which they were found. */
export function listDifferences(
  database: Database,
  { limit, ...filter }: DifferenceFilter & { limit?: number | undefined } = {},
) {
  const { where, binds } = matching(filter, {
    supplier: 'supplier = $supplier',
    kind: 'kind = $kind',
    month: `month = to_date($month, 'YYYY-MM')`,
    accepted: `(resolution IS NOT DISTINCT FROM 'ACCEPTED') = $accepted`,
    open: '(resolution IS NULL) = $open',
    after: 'number > $after',
  });
  return rows<StoredDifference>(
    database,
    `SELECT ${columns} FROM statement_differences WHERE ${where} ORDER BY number LIMIT $limit`,
    { ...binds, limit: limit ?? null },
  );
}

/** A person who accepts differences, and why. */
export interface DifferenceAcceptance {
  operator: string;
  reason: string;
}

/** SQL: accepts differences. */
const setAccepted = `
UPDATE statement_differences SET resolution = 'ACCEPTED', resolved_at = now(), resolved_by = $operator, reason = $reason
 WHERE resolution IS NULL`;

/** Accepts the open differences of a reference as they are. Throws if there is none. Returns what was accepted. */
export async function acceptDifferences(
  database: Database,
  supplier: string,
  reference: string,
  acceptance: DifferenceAcceptance,
): Promise<string[]> {
  const accepted = await rows<{ detail: string }>(
    database,
    `${setAccepted} AND supplier = $supplier AND reference = $reference RETURNING detail`,
    { supplier, reference, ...acceptance },
  );
  if (accepted.length === 0)
    throw new Error(`${supplier} has no open difference under this reference. See them with: reconcile differences`);
  await reviewDifferences(database, supplier);
  return accepted.map(({ detail }) => detail);
}

/** Accepts all open differences of the month. Returns the suppliers of each: `reviewDifferences` must follow for them. */
export async function acceptDifferencesOf(
  database: Database,
  month: string,
  acceptance: DifferenceAcceptance,
  transaction: Transaction,
): Promise<string[]> {
  const accepted = await rows<{ supplier: string }>(
    database,
    `${setAccepted} AND month <= to_date($month, 'YYYY-MM') RETURNING supplier`,
    { month, ...acceptance },
    transaction,
  );
  return accepted.map(({ supplier }) => supplier);
}

/** The number of open differences in the books of the month and of earlier ones. */
export async function countOpenDifferences(database: Database, month: string, transaction?: Transaction) {
  const open = await firstRow<{ count: number }>(
    database,
    `SELECT count(*)::integer AS count FROM statement_differences
      WHERE resolution IS NULL AND month <= to_date($month, 'YYYY-MM')`,
    { month },
    transaction,
  );
  return open?.count ?? 0;
}

/** Puts the supplier on the attention list while it has open differences. */
export async function reviewDifferences(database: Database, supplier: string): Promise<void> {
  const open = await rows<{ detail: string; count: number }>(
    database,
    `SELECT detail, count(*) OVER () AS count FROM statement_differences
      WHERE supplier = $supplier AND resolution IS NULL ORDER BY at, reference, kind LIMIT $limit`,
    { supplier, limit: MAX_NAMED },
  );
  const [first] = open;
  if (!first) return clearAttention(database, { supplier }, ['SETTLEMENT_DIFFERENCE']);
  const details = open.map(({ detail }) => detail);
  const named = firstNames(details, '. ', first.count);
  const reason = `The supplier's statement differs from our purchases (${first.count}): ${named}`;
  await raiseAttention(database, { supplier }, 'SETTLEMENT_DIFFERENCE', reason);
}
