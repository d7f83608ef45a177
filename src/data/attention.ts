/** The one list of what needs a person: orders, suppliers, webhook endpoints. */
import type { AttentionKind, AttentionSubject } from '../domain/attention';
import { firstRow, rows, type Database } from './database';

const onConflict = `
  ON CONFLICT (kind, order_id, supplier, endpoint_id) DO UPDATE
     SET reason = excluded.reason, cleared_at = NULL, mirrored = false,
         since = CASE WHEN attention.cleared_at IS NULL THEN attention.since ELSE now() END
   WHERE attention.reason <> excluded.reason OR attention.cleared_at IS NOT NULL`;

/** The columns a subject fills: order, supplier, endpoint. */
function bindOf(subject: AttentionSubject): [number | null, string | null, number | null] {
  return [
    'orderId' in subject ? subject.orderId : null,
    'supplier' in subject ? subject.supplier : null,
    'endpointId' in subject ? subject.endpointId : null,
  ];
}

/** Puts the subject on the list, once for each kind; repeated with another reason it is reworded. */
export async function raiseAttention(
  database: Database,
  subject: AttentionSubject,
  kind: AttentionKind,
  reason: string,
): Promise<void> {
  const sql = `INSERT INTO attention (kind, order_id, supplier, endpoint_id, reason) VALUES ($1, $2, $3, $4, $5) ${onConflict}`;
  await rows(database, sql, [kind, ...bindOf(subject), reason]);
}

/** Takes the subject off the list for these kinds. */
export async function clearAttention(
  database: Database,
  subject: AttentionSubject,
  kinds: readonly AttentionKind[],
): Promise<void> {
  await rows(
    database,
    `UPDATE attention SET cleared_at = now(), mirrored = false
      WHERE kind = ANY ($1) AND order_id IS NOT DISTINCT FROM $2 AND supplier IS NOT DISTINCT FROM $3
        AND endpoint_id IS NOT DISTINCT FROM $4 AND cleared_at IS NULL`,
    [kinds, ...bindOf(subject)],
  );
}

/** Why the order needs a person, the oldest reason first; null where it does not. */
export async function attentionOf(database: Database, orderId: number): Promise<string | null> {
  const found = await firstRow<{ reason: string }>(
    database,
    'SELECT reason FROM attention WHERE order_id = $1 AND cleared_at IS NULL ORDER BY since, id LIMIT 1',
    [orderId],
  );
  return found?.reason ?? null;
}
