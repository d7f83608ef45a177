/** The one list of what needs a person: orders, suppliers, webhook endpoints, the service as a whole. */
import {
  settledByHand,
  type AttentionKind,
  type AttentionSubject,
} from '../../domain/operations/attention-kinds';
import { forEachItem } from '../../async/promises';
import { firstRow, rows, type Database, type Transaction } from '../database/database';

const onConflict = `
  ON CONFLICT (kind, order_id, supplier, endpoint_id) DO UPDATE
     SET reason = excluded.reason, cleared_at = NULL, settlement = NULL, mirrored = false,
         since = CASE WHEN attention.cleared_at IS NULL THEN attention.since ELSE now() END
   WHERE attention.reason <> excluded.reason OR attention.cleared_at IS NOT NULL`;

/** The columns a subject fills. */
function columnsOf(subject: AttentionSubject) {
  return {
    orderId: 'orderId' in subject ? subject.orderId : null,
    supplier: 'supplier' in subject ? subject.supplier : null,
    endpointId: 'endpointId' in subject ? subject.endpointId : null,
  };
}

/** Puts the subject on the list, once for each kind; repeated with another reason it is reworded. */
export async function raiseAttention(
  database: Database,
  subject: AttentionSubject,
  kind: AttentionKind,
  reason: string,
  transaction?: Transaction,
): Promise<void> {
  const sql = `INSERT INTO attention (kind, order_id, supplier, endpoint_id, reason) 
    VALUES ($kind, $orderId, $supplier, $endpointId, $reason) ${onConflict}`;
  await rows(database, sql, { kind, ...columnsOf(subject), reason }, transaction);
}

/** Takes the subject off the list for these kinds. */
export async function clearAttention(
  database: Database,
  subject: AttentionSubject,
  kinds: readonly AttentionKind[],
  transaction?: Transaction,
): Promise<void> {
  await rows(
    database,
    `UPDATE attention SET cleared_at = now(), mirrored = false
      WHERE kind = ANY ($kinds) AND order_id IS NOT DISTINCT FROM $orderId
        AND supplier IS NOT DISTINCT FROM $supplier AND endpoint_id IS NOT DISTINCT FROM $endpointId AND cleared_at IS NULL`,
    { kinds, ...columnsOf(subject) },
    transaction,
  );
}

const settleStatement = `
UPDATE attention SET cleared_at = now(), settlement = $settlement, mirrored = false
 WHERE id = $id AND kind = ANY ($kinds) AND cleared_at IS NULL RETURNING id`;

/** Settles the entry with this number, by hand. Throws a sentence if there is no such entry, or if it clears itself. */
export async function settleAttention(database: Database, id: number, settlement: string): Promise<void> {
  if (await firstRow(database, settleStatement, { id, settlement, kinds: settledByHand })) return;
  const found = await firstRow<{ kind: string }>(
    database,
    'SELECT kind FROM attention WHERE id = $id AND cleared_at IS NULL',
    { id },
  );
  throw new Error(
    found
      ? `${found.kind} goes off the list by itself when it is mended; only ${settledByHand.join(' and ')} are settled by hand`
      : `The list has no number ${id}. See it with: attention`,
  );
}

/** An entry as it should stand on the list. */
export interface AttentionEntry {
  subject: AttentionSubject;
  reason: string;
}

const clearOthersStatement = `
UPDATE attention SET cleared_at = now(), mirrored = false
 WHERE kind = $kind AND cleared_at IS NULL
   AND NOT EXISTS (SELECT FROM jsonb_to_recordset($kept::jsonb) AS kept ("orderId" bigint, supplier text, "endpointId" integer)
                    WHERE kept."orderId" IS NOT DISTINCT FROM attention.order_id
                      AND kept.supplier IS NOT DISTINCT FROM attention.supplier
                      AND kept."endpointId" IS NOT DISTINCT FROM attention.endpoint_id)`;

/**
 * Makes the entries all that stand on the list for this kind: clears every other one, then raises each. An entry that
 * cannot be raised keeps none of the others from the list. Throws one error about all of these at the end.
 */
export async function listExactly(
  database: Database,
  kind: AttentionKind,
  entries: readonly AttentionEntry[],
): Promise<void> {
  const kept = JSON.stringify(entries.map(({ subject }) => columnsOf(subject)));
  await rows(database, clearOthersStatement, { kind, kept });
  await forEachItem(entries, ({ subject, reason }) => raiseAttention(database, subject, kind, reason));
}

/** Why the order needs a person, the oldest reason first; null if it does not. */
export async function attentionOf(database: Database, orderId: number): Promise<string | null> {
  const found = await firstRow<{ reason: string }>(
    database,
    'SELECT reason FROM attention WHERE order_id = $orderId AND cleared_at IS NULL ORDER BY since, id LIMIT 1',
    { orderId },
  );
  return found?.reason ?? null;
}

/** An order whose workflow does not show its attention entries yet. */
export interface UnmirroredOrder {
  orderId: number;
  nonce: string;
}

/**
 * Orders whose attention entries have changed since their workflows were notified. Marks them as mirrored: the caller
 * notifies the workflows.
 */
export async function takeUnmirrored(database: Database, limit: number): Promise<UnmirroredOrder[]> {
  return rows<UnmirroredOrder>(
    database,
    `WITH changed AS (
       SELECT id FROM attention WHERE NOT mirrored ORDER BY id LIMIT $limit FOR UPDATE SKIP LOCKED
     ), told AS (
       UPDATE attention SET mirrored = true FROM changed WHERE attention.id = changed.id RETURNING attention.order_id
     )
     SELECT DISTINCT o.id AS "orderId", o.nonce FROM told JOIN orders o ON o.id = told.order_id`,
    { limit },
  );
}

/** The workflow was not notified: the order is returned again by `takeUnmirrored`. */
export async function markUnmirrored(database: Database, orderId: number): Promise<void> {
  await rows(database, 'UPDATE attention SET mirrored = false WHERE order_id = $orderId', { orderId });
}

/** Deletes rows that were cleared more than `days` days ago. Returns their number. */
export async function deleteClearedAttention(database: Database, days: number): Promise<number> {
  const deleted = await rows(
    database,
    `DELETE FROM attention WHERE cleared_at < now() - $days * interval '1 day' AND mirrored RETURNING id`,
    { days },
  );
  return deleted.length;
}
