/** Imports of refunds after delivery. docs/operators/refunds.md. */
import { randomBytes } from 'node:crypto';
import type { RefundImportKey, RefundRun } from '../../domain/orders/refund-imports';
import { matching } from '../database/conditions';
import { firstRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import type { RequestedRefund } from './stored-refunds';

/** A line of the file. `line`: its number. */
export interface RefundLine extends RequestedRefund {
  line: number;
}

const insertStatement = `
  INSERT INTO refund_imports (nonce, name, operator)
  VALUES ($nonce, $name, coalesce(nullif(current_setting('app.operator', true), ''), session_user)) RETURNING id`;

function recordOf({ line, orderId, reference, extent, reasonCode, note, mail }: RefundLine) {
  return {
    line,
    order_id: orderId,
    reference,
    reason_code: reasonCode,
    note,
    mail,
    ...extent,
    ...('amount' in extent && { amount: extent.amount.toFixed() }),
  };
}

/**
 * Adds the import and decides every line in the transaction. A line that repeats a refund under its reference takes that refund; one
 * that asks for another refund is rejected. No money moves before the workflow carries the refunds out.
 */
export async function requestRefunds(
  database: Database,
  { name, lines }: { name: string; lines: readonly RefundLine[] },
  transaction: Transaction,
): Promise<RefundImportKey> {
  const nonce = randomBytes(6).toString('hex');
  const { id } = await oneRow<{ id: number }>(database, insertStatement, { nonce, name }, transaction);
  const binds = { importId: id, lines: JSON.stringify(lines.map(recordOf)) };
  await rows(database, 'SELECT request_refunds($importId, $lines::jsonb)', binds, transaction);
  return { importId: id, nonce };
}

/** The state of an import. `waiting`: refunds to closed wallets, or not carried out yet. */
export const refundImportStates = ['RUNNING', 'PAUSED', 'ENDED'] as const;
export type RefundImportState = (typeof refundImportStates)[number];

export interface RefundImport {
  id: number;
  nonce: string;
  name: string;
  operator: string;
  state: RefundImportState;
  lines: number;
  credited: number;
  waiting: number;
  /** Lines that repeat refunds under their references. */
  skipped: number;
  rejected: number;
  created_at: Date;
  ended_at: Date | null;
}

const importState = `
  CASE WHEN import.ended_at IS NOT NULL THEN 'ENDED' WHEN import.paused THEN 'PAUSED' ELSE 'RUNNING' END`;

const importStatement = (where: string) => `
  SELECT import.id, import.nonce, import.name, import.operator,
         ${importState} AS state,
         counted.*, import.created_at, import.ended_at
    FROM refund_imports import CROSS JOIN LATERAL (
      SELECT count(*)::integer AS lines, (count(*) FILTER (WHERE line.is_new AND refund.transaction_id IS NOT NULL))::integer AS credited,
             (count(*) FILTER (WHERE line.is_new AND refund.transaction_id IS NULL))::integer AS waiting,
             (count(*) FILTER (WHERE NOT line.is_new AND line.error IS NULL))::integer AS skipped,
             (count(*) FILTER (WHERE line.error IS NOT NULL))::integer AS rejected
        FROM refund_import_lines line
        LEFT JOIN order_refunds refund ON refund.order_id = line.order_id AND refund.number = line.number
       WHERE line.import_id = import.id) counted
   WHERE ${where} ORDER BY import.id DESC LIMIT $limit`;

/** The imports that match all conditions, the newest first. `after`: only older ones than this. */
export function listRefundImports(
  database: Database,
  { limit, ...filter }: { state?: RefundImportState | undefined; after?: number | undefined; limit: number },
) {
  const { where, binds } = matching(filter, { state: `${importState} = $state`, after: 'import.id < $after' });
  return rows<RefundImport>(database, importStatement(where), { ...binds, limit });
}

/** The import. Throws if there is none with the id. */
export async function findRefundImport(
  database: Database,
  importId: number,
  transaction?: Transaction,
): Promise<RefundImport> {
  const found = await firstRow<RefundImport>(
    database,
    importStatement('import.id = $importId'),
    { importId, limit: 1 },
    transaction,
  );
  if (!found) throw new Error(`There is no import ${importId}. See them with: refunds list`);
  return found;
}

/** The refunds of an import that are new, by currency. The amount is a decimal string. */
export function sumRefunds(database: Database, importId: number, transaction?: Transaction) {
  return rows<{ currency: string; refunds: number; amount: string }>(
    database,
    `SELECT o.deduction_currency AS currency, count(*)::integer AS refunds, trim_scale(sum(refund.amount))::text AS amount
       FROM refund_import_lines line
       JOIN order_refunds refund ON refund.order_id = line.order_id AND refund.number = line.number
       JOIN orders o ON o.id = line.order_id
      WHERE line.import_id = $importId AND line.is_new GROUP BY 1 ORDER BY 1`,
    { importId },
    transaction,
  );
}

/** A line with its result. WAITING: its wallet is closed, or the import has not reached it. */
export interface RefundLineResult {
  line: number;
  order_id: number;
  reference: string;
  result: 'CREDITED' | 'WAITING' | 'SKIPPED' | 'REJECTED';
  number: number | null;
  amount: string | null;
  currency: string | null;
  transaction_id: number | null;
  /** Why it was rejected. */
  error: string | null;
}

const resultStatement = `
  SELECT line.line, line.order_id, line.reference,
         CASE WHEN line.error IS NOT NULL THEN 'REJECTED' WHEN NOT line.is_new THEN 'SKIPPED'
              WHEN refund.transaction_id IS NULL THEN 'WAITING' ELSE 'CREDITED' END AS result,
         line.number, trim_scale(refund.amount)::text AS amount, o.deduction_currency AS currency, refund.transaction_id, line.error
    FROM refund_import_lines line
    LEFT JOIN order_refunds refund ON refund.order_id = line.order_id AND refund.number = line.number
    LEFT JOIN orders o ON o.id = line.order_id
   WHERE line.import_id = $importId ORDER BY line.line`;

/** Every line of the import with its result, in the sequence of the file. */
export function listRefundLines(database: Database, importId: number, transaction?: Transaction) {
  return rows<RefundLineResult>(database, resultStatement, { importId }, transaction);
}

/** Pauses or resumes the import. Returns false if it has ended. */
export async function setImportPaused(database: Database, importId: number, paused: boolean): Promise<boolean> {
  const statement = 'UPDATE refund_imports SET paused = $paused WHERE id = $importId AND ended_at IS NULL RETURNING id';
  return (await firstRow(database, statement, { importId, paused })) !== undefined;
}

/** Refunds that one run carries out. */
const MAX_REFUNDS = 200;

const nextLines = `
  SELECT line.line, line.order_id AS "orderId", line.number
    FROM refund_import_lines line
    JOIN order_refunds refund ON refund.order_id = line.order_id AND refund.number = line.number
   WHERE line.import_id = $importId AND line.line > $after AND refund.transaction_id IS NULL
   ORDER BY line.line LIMIT ${MAX_REFUNDS}`;

// Reads the pause for each refund, so that none follows after it.
const carryOutStatement = `
  SELECT carry_out_refund($orderId, $number) FROM refund_imports WHERE id = $importId AND NOT paused`;

const endStatement = `
  UPDATE refund_imports SET ended_at = now() WHERE id = $importId AND ended_at IS NULL AND NOT paused`;

/**
 * Carries out the next refunds of the import, each in a transaction of its own. Repeated, it credits none twice. A refund to a closed
 * wallet stays on the attention list. `onRefund` is called after each refund.
 */
export async function carryOutRefunds(
  database: Database,
  { importId }: Pick<RefundImportKey, 'importId'>,
  after: number,
  onRefund: (line: number) => void,
): Promise<RefundRun> {
  const due = await rows<{ line: number; orderId: number; number: number }>(database, nextLines, { importId, after });
  let reached = after;
  for (const { line, orderId, number } of due) {
    const carried = await rows(database, carryOutStatement, { importId, orderId, number });
    if (carried.length === 0) break;
    reached = line;
    onRefund(line);
  }
  if (due.length === 0) await rows(database, endStatement, { importId });
  const { state, credited, waiting } = await findRefundImport(database, importId);
  return { state, line: reached, credited, refunds: credited + waiting };
}

/** The imports that have work and are not paused. */
export function listRunningImports(database: Database) {
  return rows<RefundImportKey>(
    database,
    'SELECT id AS "importId", nonce FROM refund_imports WHERE ended_at IS NULL AND NOT paused ORDER BY id',
  );
}
