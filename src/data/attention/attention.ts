/** The attention list: orders, suppliers, webhook endpoints and service conditions that need a person. */
import { settledByHand, type AttentionKind, type AttentionSubject } from '../../domain/attention/attention-kinds';
import { forEachItem } from '../../async/promises';
import { countRows, firstRow, hasRow, rows, type Database, type Transaction } from '../database/database';
import { retention } from '../maintenance/retention';

/**
 * SQL: the end of an INSERT into `attention` without WHERE. An existing entry gets the reason. A cleared one reopens, and its
 * age starts again. `reason`: SQL, never input.
 */
const reopening = (reason: string) => `
  ON CONFLICT (kind, order_id, supplier, endpoint_id, reference) DO UPDATE
     SET reason = ${reason}, cleared_at = NULL, settlement = NULL, mirrored = false,
         since = CASE WHEN attention.cleared_at IS NULL THEN attention.since ELSE now() END`;
/** The same, with the new reason. */
export const reopenAttention = reopening('excluded.reason');

const changed = 'WHERE attention.reason <> excluded.reason OR attention.cleared_at IS NOT NULL';

function columnsOf(subject: AttentionSubject) {
  return {
    orderId: 'orderId' in subject ? subject.orderId : null,
    supplier: 'supplier' in subject ? subject.supplier : null,
    endpointId: 'endpointId' in subject ? subject.endpointId : null,
    reference: 'reference' in subject ? subject.reference : null,
  };
}

/** Raises an entry, at most one for each subject and kind. An existing entry gets the new reason, and reopens if it was cleared. */
export async function raiseAttention(
  database: Database,
  subject: AttentionSubject,
  kind: AttentionKind,
  reason: string,
  transaction?: Transaction,
): Promise<void> {
  const sql = `INSERT INTO attention (kind, order_id, supplier, endpoint_id, reference, reason)
    VALUES ($kind, $orderId, $supplier, $endpointId, $reference, $reason) ${reopenAttention} ${changed}`;
  await rows(database, sql, { kind, ...columnsOf(subject), reason }, transaction);
}

/** The maximum number of characters of an entry that is extended. Its oldest parts are cut off. */
const MAX_EXTENDED = 2_000;

/** SQL: the news before the reason of an open entry. */
const extendedReason = `
  left(excluded.reason || CASE WHEN attention.cleared_at IS NULL THEN '. ' || attention.reason ELSE '' END, ${MAX_EXTENDED})`;

const extendStatement = `
INSERT INTO attention (kind, order_id, supplier, endpoint_id, reference, reason, raised_by)
VALUES ($kind, $orderId, $supplier, $endpointId, $reference, $news, array_remove(ARRAY[$by::text], NULL)) ${reopening(extendedReason)},
       raised_by = excluded.raised_by || CASE WHEN attention.cleared_at IS NULL THEN array_remove(attention.raised_by, $by) ELSE '{}' END
 WHERE attention.cleared_at IS NOT NULL OR strpos(attention.reason, excluded.reason) = 0 OR NOT attention.raised_by @> excluded.raised_by`;

/**
 * Raises an entry, or puts the news before the reason of an open one. Does nothing if the open entry contains the news: a repeated
 * report changes nothing. `by`: who answers for what it reports, and so does not settle it (`settleAttention`).
 */
export async function extendAttention(
  database: Database,
  subject: AttentionSubject,
  kind: AttentionKind,
  news: string,
  { by = null, transaction }: { by?: string | null; transaction?: Transaction | undefined } = {},
): Promise<void> {
  await rows(database, extendStatement, { kind, ...columnsOf(subject), news, by }, transaction);
}

// Waits for a statement that ends the order, and then finds no order.
const raiseWhileOpenStatement = `
INSERT INTO attention (kind, order_id, reference, reason)
SELECT $kind, id, $reference, $reason FROM orders WHERE id = $orderId AND completed_at IS NULL FOR SHARE
${reopenAttention} ${changed}`;

/** As `raiseAttention`, but raises nothing if the order has ended: the end of the order has cleared such entries. */
export async function raiseWhileOpen(
  database: Database,
  { orderId, reference = null }: { orderId: number; reference?: string | null },
  kind: AttentionKind,
  reason: string,
): Promise<void> {
  await rows(database, raiseWhileOpenStatement, { kind, orderId, reference, reason });
}

/** Clears the entries about lost responses and blocked accounts whose purchases are concluded, or whose orders have ended. */
export async function clearConcludedPurchases(database: Database): Promise<void> {
  await rows(
    database,
    `UPDATE attention entry SET cleared_at = now(), mirrored = false
      WHERE cleared_at IS NULL AND kind IN ('ANSWER_LOST', 'SUPPLIER_BLOCKED')
        AND NOT EXISTS (SELECT FROM supplier_purchases purchase JOIN orders o ON o.id = purchase.order_id
                         WHERE purchase.order_id = entry.order_id AND o.completed_at IS NULL
                           AND purchase.state IN ('READY', 'SENT', 'PENDING')
                           AND (entry.reference IS NULL OR entry.reference = purchase.reference))`,
  );
}

const clearStatement = (isOfSubject: string) => `
UPDATE attention SET cleared_at = now(), mirrored = false
 WHERE kind = ANY ($kinds) AND ${isOfSubject}
   AND (reference IS NULL OR reference = $reference) AND cleared_at IS NULL`;

// No index serves IS NOT DISTINCT FROM: in an outage, each cleared entry of an order would read those of all other orders.
const clearOfOrder = `-- plan: attention_of_order${clearStatement('order_id = $orderId')}`;
const clearOfOther = clearStatement(
  'order_id IS NULL AND supplier IS NOT DISTINCT FROM $supplier AND endpoint_id IS NOT DISTINCT FROM $endpointId',
);

/** Clears the subject's entries of these kinds. If the subject names no purchase, entries about purchases stay. */
export async function clearAttention(
  database: Database,
  subject: AttentionSubject,
  kinds: readonly AttentionKind[],
  transaction?: Transaction,
): Promise<void> {
  const { orderId, supplier, endpointId, reference } = columnsOf(subject);
  await (orderId === null
    ? rows(database, clearOfOther, { kinds, reference, supplier, endpointId }, transaction)
    : rows(database, clearOfOrder, { kinds, reference, orderId }, transaction));
}

const settleStatement = `
UPDATE attention SET cleared_at = now(), settlement = $settlement, mirrored = false
 WHERE id = $id AND kind = ANY ($kinds) AND cleared_at IS NULL AND $person <> ALL (raised_by) RETURNING id`;

const giveUpMailStatement = `
UPDATE orders SET mail_given_up_at = now() FROM attention
 WHERE attention.id = $id AND kind = 'MAIL_UNDELIVERABLE' AND cleared_at IS NULL
   AND orders.id = attention.order_id AND mailed_at IS NULL`;

/** Who settles an entry: the account that answers for it. */
interface Settling {
  id: number;
  person: string;
}

/**
 * Settles an entry by hand. Settling the entry about an order's mail gives the mail up. Throws if there is no entry with the id,
 * if entries of its kind clear themselves, or if it tells other people what this one did.
 */
export async function settleAttention(database: Database, { id, person }: Settling, settlement: string): Promise<void> {
  const settled = await database.transaction(async (transaction) => {
    // Locks the order before the entry, as `markMailed` does.
    await rows(database, giveUpMailStatement, { id }, transaction);
    const binds = { id, person, settlement, kinds: settledByHand };
    return firstRow(database, settleStatement, binds, transaction);
  });
  if (!settled) await assertSettledBy(database, { id, person });
}

/** Throws what `settleAttention` throws. */
export async function assertSettledBy(database: Database, { id, person }: Settling): Promise<void> {
  const entry = await firstRow<{ kind: AttentionKind; isOwn: boolean }>(
    database,
    'SELECT kind, $person = ANY (raised_by) AS "isOwn" FROM attention WHERE id = $id AND cleared_at IS NULL',
    { id, person },
  );
  if (!entry) throw new Error(`The list has no entry ${id}. See it with: attention`);
  if (!settledByHand.includes(entry.kind))
    throw new Error(
      `${entry.kind} clears itself once its cause is gone; only ${settledByHand.join(', ')} are settled by hand`,
    );
  if (entry.isOwn)
    throw new Error(`Entry ${id} is about a change of yours. Ask another person to look at it and settle it.`);
}

export interface AttentionEntry {
  subject: AttentionSubject;
  reason: string;
}

/** SQL: whether the entry of the list has the kind and the subject of `kept`. */
const isOfKept = `
  attention.kind = kept.kind AND attention.order_id IS NOT DISTINCT FROM kept."orderId"
  AND attention.supplier IS NOT DISTINCT FROM kept.supplier AND attention.endpoint_id IS NOT DISTINCT FROM kept."endpointId"`;

// Writes nothing if nothing has changed, so that a review at rest costs one read.
const clearOthersStatement = `
WITH kept AS (
  SELECT * FROM jsonb_to_recordset($kept::jsonb)
    AS kept (place integer, kind text, "orderId" bigint, supplier text, "endpointId" integer, reason text)
), cleared AS (
  UPDATE attention SET cleared_at = now(), mirrored = false
   WHERE kind = ANY ($kinds) AND cleared_at IS NULL AND NOT EXISTS (SELECT FROM kept WHERE ${isOfKept})
)
SELECT place FROM kept
 WHERE NOT EXISTS (SELECT FROM attention
                    WHERE ${isOfKept} AND reference IS NULL AND cleared_at IS NULL AND attention.reason = kept.reason)
 ORDER BY place`;

/** The entries of some kinds. */
export type ListedKinds = ReadonlyMap<AttentionKind, readonly AttentionEntry[]>;

/** Makes these entries the only ones of the kind, as `listKindsExactly` does. */
export function listExactly(
  database: Database,
  kind: AttentionKind,
  entries: readonly AttentionEntry[],
): Promise<void> {
  return listKindsExactly(database, new Map([[kind, entries]]));
}

/**
 * Makes these entries the only ones of their kinds: clears all others, then raises those that the list does not have. An entry that
 * cannot be raised does not prevent the others; one error for all such entries is thrown at the end.
 */
export async function listKindsExactly(database: Database, listed: ListedKinds): Promise<void> {
  const wanted = [...listed].flatMap(([kind, entries]) => entries.map((entry) => ({ kind, ...entry })));
  const kept = wanted.map(({ kind, subject, reason }, place) => ({ place, kind, reason, ...columnsOf(subject) }));
  const binds = { kinds: [...listed.keys()], kept: JSON.stringify(kept) };
  const missing = await rows<{ place: number }>(database, clearOthersStatement, binds);
  await forEachItem(missing, async ({ place }) => {
    const entry = wanted[place];
    if (entry) await raiseAttention(database, entry.subject, entry.kind, entry.reason);
  });
}

/** The reason of the order's oldest open entry; null without one. */
export async function attentionOf(database: Database, orderId: number): Promise<string | null> {
  const found = await firstRow<{ reason: string }>(
    database,
    'SELECT reason FROM attention WHERE order_id = $orderId AND cleared_at IS NULL ORDER BY since, id LIMIT 1',
    { orderId },
  );
  return found?.reason ?? null;
}

/** The reason of the order's open entry of this kind; undefined without one. */
export async function listedReason(
  database: Database,
  orderId: number,
  kind: AttentionKind,
): Promise<string | undefined> {
  const sql = 'SELECT reason FROM attention WHERE order_id = $orderId AND kind = $kind AND cleared_at IS NULL';
  return (await firstRow<{ reason: string }>(database, sql, { orderId, kind }))?.reason;
}

/** Whether the list says that a type of call to the supplier has failed for some time. */
export function isSupplierDown(database: Database, supplier: string): Promise<boolean> {
  const sql = `SELECT FROM attention WHERE supplier = $supplier AND kind = 'SUPPLIER_DOWN' AND cleared_at IS NULL`;
  return hasRow(database, sql, { supplier });
}

/** Deletes mirrored entries whose retention has ended. Returns their number. */
export function deleteClearedAttention(database: Database) {
  return countRows(
    database,
    `DELETE FROM attention WHERE cleared_at < now() - ${retention.clearedAttention} AND mirrored RETURNING id`,
  );
}
