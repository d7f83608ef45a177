/**
 * Erases recipients of orders: every sealed value and hash of `sealed-columns.ts` that may hold one. Orders, goods, ledger and events
 * stay. docs/decisions/0075-erase-recipients-by-a-list-of-columns.md.
 */
import { requestText, type Recipient } from '../../domain/orders/recipients';
import type { AuditedCaller } from '../../domain/audit';
import type { Sealer } from '../../security/sealing';
import { firstRow, hasRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { hashColumns, sealedColumns } from '../keys/sealed-columns';
import { recordAudit } from '../audit/audit-entries';

/** A recipient as the database compares it. */
export interface HashedRecipient {
  kind: Recipient['kind'];
  /** The hashes that an order's recipient may have. */
  hashes: readonly Buffer[];
  /** The hash that a request leaves. */
  requestHash: Buffer;
  /** The hashes that earlier requests may have left. */
  earlierHashes: readonly Buffer[];
}

export function hashedRecipient(sealer: Sealer, recipient: Recipient): HashedRecipient {
  return {
    kind: recipient.kind,
    hashes: sealer.lookupHashes(recipient.text),
    requestHash: sealer.lookupHash(requestText(recipient)),
    earlierHashes: sealer.lookupHashes(requestText(recipient)),
  };
}

/** SQL: the orders of the recipient, of the client `$clientId` or of all clients. */
export const ordersOf: Readonly<Record<Recipient['kind'], string>> = {
  email: `SELECT o.* FROM orders o
           WHERE o.email_hash = ANY ($hashes::bytea[]) AND ($clientId::integer IS NULL OR o.client_id = $clientId)`,
  phone: `SELECT o.* FROM topup_orders t JOIN orders o ON o.id = t.order_id
           WHERE t.phone_hash = ANY ($hashes::bytea[]) AND ($clientId::integer IS NULL OR o.client_id = $clientId)`,
};

/** SQL: whether the order `o` has ended and no mail of it is due. Then nothing needs its recipient any more. */
const needsNoRecipient = `
  (o.completed_at IS NOT NULL
   AND (o.sealed_email IS NULL OR o.mailed_at IS NOT NULL OR o.mail_given_up_at IS NOT NULL))`;

/** For so long after the end of an order, its mail is expected at any moment. Later, the mail server is probably down. */
const MAIL_SECONDS = 10;

/** Whether an order of the client for the recipient has ended just now and its mail is being sent. */
export function isBeingMailed(
  database: Database,
  { kind, hashes }: HashedRecipient,
  clientId: number,
): Promise<boolean> {
  const statement = `
    SELECT o.id FROM (${ordersOf[kind]}) o
     WHERE o.completed_at > now() - ${MAIL_SECONDS} * interval '1 second' AND NOT ${needsNoRecipient} LIMIT 1`;
  return hasRow(database, statement, { hashes, clientId });
}

/**
 * SQL: the orders that an earlier request for the recipient erased, and that have newer texts. The hashes by which the recipient was found
 * are erased, so only the earlier request leads to these orders.
 */
const writtenSince = `
  SELECT erasure.order_id FROM order_erasures erasure
    JOIN privacy_requests earlier ON earlier.id = erasure.request_id JOIN orders o ON o.id = erasure.order_id
   WHERE earlier.recipient_hash = ANY ($earlierHashes::bytea[]) AND ($clientId::integer IS NULL OR o.client_id = $clientId)
     AND erasure.erased_at IS NOT NULL
     AND (EXISTS (SELECT FROM claims WHERE order_id = o.id AND sealed_text IS NOT NULL)
          OR EXISTS (SELECT FROM order_texts WHERE order_id = o.id AND sealed_text IS NOT NULL))`;

const requestStatement = (kind: Recipient['kind']) => `
WITH request AS (
  INSERT INTO privacy_requests (action, client_id, kind, recipient_hash) VALUES ('ERASE', $clientId, $kind, $requestHash) RETURNING id
), added AS (
  INSERT INTO order_erasures (order_id, request_id) SELECT found.id, request.id FROM (${ordersOf[kind]}) found, request
  ON CONFLICT (order_id) DO NOTHING RETURNING order_id
), again AS (
  UPDATE order_erasures SET erased_at = NULL WHERE order_id IN (${writtenSince}) RETURNING order_id
)
SELECT id, (SELECT count(*) FROM added) AS added, to_jsonb(ARRAY(SELECT order_id FROM again ORDER BY order_id LIMIT $limit)) AS again,
       (SELECT count(*) FROM again) AS repeated FROM request`;

/** The orders of the recipient that were erased, and those that wait for their end or their mail. */
export interface Erased {
  erased: number;
  pending: number;
}

interface ErasureRequest {
  recipient: HashedRecipient;
  /** The client whose orders are erased; null for all clients. */
  clientId: number | null;
  /** The client's call, for the audit. Of an operator, a trigger audits the request. */
  caller?: AuditedCaller;
  /** Erases at most so many orders now. Maintenance erases the others. */
  limit: number;
}

/**
 * Erases the recipient from every ended order whose mail is not due, and marks the other orders, which maintenance erases when they
 * have ended. A repeated request erases what was written since. Harmless if it is interrupted after the request is stored.
 */
export async function eraseRecipient(
  database: Database,
  { recipient, clientId, caller, limit }: ErasureRequest,
): Promise<Erased> {
  const { kind, hashes } = recipient;
  const again = await database.transaction(async (transaction) => {
    const request = await oneRow<{ id: number; added: number; repeated: number; again: number[] }>(
      database,
      requestStatement(kind),
      { ...recipient, clientId, limit },
      transaction,
    );
    const after = { orders: request.added + request.repeated };
    const object = `privacy_request/${request.id}`;
    if (caller) await recordAudit(database, caller, { action: 'recipient.erased', object, after }, transaction);
    return request.again;
  });
  const found = { clientId, hashes };
  const ready = `SELECT o.id FROM (${ordersOf[kind]}) o WHERE ${needsNoRecipient} ORDER BY o.id LIMIT $limit`;
  const ids = await idsOf(database, ready, { ...found, limit: limit - again.length });
  const erased = await eraseEach(database, [...again, ...ids]);
  const left = `SELECT count(*) AS pending FROM (${ordersOf[kind]}) o`;
  const { pending } = await oneRow<{ pending: number }>(database, left, found);
  return { erased, pending };
}

/** Counts the orders that `eraseRecipient` would erase now, and those that would wait. */
export function countErasable(
  database: Database,
  { kind, hashes, earlierHashes }: HashedRecipient,
  clientId: number | null,
): Promise<Erased> {
  const statement = `
    SELECT count(*) FILTER (WHERE ${needsNoRecipient}) + (SELECT count(*) FROM (${writtenSince}) again) AS erased, count(*) FILTER (WHERE NOT ${needsNoRecipient}) AS pending
      FROM (${ordersOf[kind]}) o`;
  return oneRow<Erased>(database, statement, { hashes, earlierHashes, clientId });
}

/** Orders that one run of maintenance erases, so that its other tasks do not wait. */
const MAX_PENDING = 2_000;

const pendingStatement = `
  SELECT o.id FROM order_erasures erasure JOIN orders o ON o.id = erasure.order_id
   WHERE erasure.erased_at IS NULL AND ${needsNoRecipient} ORDER BY o.id LIMIT $limit`;

/**
 * Erases the recipients of marked orders that have ended since, and whose mail is not due: at most as many as one run of maintenance.
 * Returns their number.
 */
export async function erasePending(database: Database): Promise<number> {
  return eraseEach(database, await idsOf(database, pendingStatement, { limit: MAX_PENDING }));
}

async function idsOf(
  database: Database,
  statement: string,
  binds: { limit: number; clientId?: number | null; hashes?: readonly Buffer[] },
): Promise<number[]> {
  return (await rows<{ id: number }>(database, statement, binds)).map(({ id }) => id);
}

/** Erases one order at a time: no transaction locks the rows of two orders. Returns the number of orders that it erased. */
async function eraseEach(database: Database, orderIds: readonly number[]): Promise<number> {
  let erased = 0;
  for (const orderId of orderIds) {
    const isErased = await database.transaction((transaction) => eraseOrder(database, orderId, transaction));
    if (isErased) erased += 1;
  }
  return erased;
}

/**
 * Locks proposals before the order, as an approval does, and purchases before the order, as a settlement does. See
 * `rules/reports-after-erasure.sql` for the reason of the locks.
 */
const lockStatements = [
  `SELECT FROM approval_proposals WHERE sealed_files IS NOT NULL AND $orderId = ANY (order_ids) ORDER BY id FOR NO KEY UPDATE`,
  'SELECT FROM supplier_purchases WHERE order_id = $orderId ORDER BY batch FOR NO KEY UPDATE',
  'SELECT FROM orders WHERE id = $orderId FOR UPDATE',
] as const;

/** Erases the recipient of a marked order. Returns false if it was erased before. */
async function eraseOrder(database: Database, orderId: number, transaction: Transaction): Promise<boolean> {
  for (const lock of lockStatements) await rows(database, lock, { orderId }, transaction);
  return (await firstRow(database, eraseStatement, { orderId }, transaction)) !== undefined;
}

const eraseStatement = `
WITH ${erasedValues()
  .map(
    ({ table, condition, columns }, index) => `part${index} AS (
  UPDATE ${table} t SET ${columns.map((column) => `${column} = NULL`).join(', ')} WHERE ${condition}
), `,
  )
  .join('')}done AS (
  UPDATE order_erasures SET erased_at = now() WHERE order_id = $orderId AND erased_at IS NULL RETURNING order_id
)
SELECT order_id FROM done`;

/** The columns that an erasure empties, by table. */
function erasedValues(): { table: string; condition: string; columns: string[] }[] {
  return sealedColumns.flatMap((sealed) => {
    const { table, column, erasedOf: condition } = sealed;
    if (condition === undefined) return [];
    const hashes = hashColumns.filter((hash) => hash.sealed === sealed).map((hash) => hash.column);
    return [{ table, condition, columns: [column, ...hashes] }];
  });
}
