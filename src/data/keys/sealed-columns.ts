/** Lists every column with sealed values or with their lookup hashes, so that a rotation of keys can move them. */
import {
  bankBookingKeys,
  bankStatementEntry,
  esimField,
  orderField,
  proposedCall,
  proposedFiles,
  purchaseOrder,
  writtenText,
  supplierResponse,
  supplierToken,
  voucherCodes,
  webhookSecret,
} from '../../security/sealing';
import { comparableEmail, comparableMailbox, parseInput, phoneOf } from '../../domain/orders/customer-input';
import { uniqueTexts, type Goods } from '../../domain/orders/goods';
import { normalIccid } from '../../domain/esims/profile-codes';
import { normalised } from '../../domain/orders/usable-goods';
import { rows, type Database } from '../database/database';
import { bookingDigests } from '../funding/booking-digests';
import { parseCodes } from '../orders/voucher-codes';

/** The row of a sealed value. */
interface SealedRow {
  /** The first number of the row's key. */
  first: number;
  /** The second number of the row's key; 0 if the key has only one. */
  second: number;
  /** The part of `SealedColumn.place` that is not in the key, such as the order's nonce; SQL NULL if there is none. */
  name: string;
}

export interface SealedColumn {
  table: string;
  column: string;
  /** The columns of a unique key: one or two, with numbers. */
  key: readonly string[];
  /** An SQL expression over the row `t` that yields `SealedRow.name`. */
  name: string;
  /** The place to which the value is bound: it can be decrypted only there (see `security/sealing.ts`). */
  place: (row: SealedRow) => string;
  /**
   * SQL: whether the row `t` is of the order `$orderId`, for values that the erasure of the order's recipient removes, with their
   * hashes. Absent for values that it leaves. docs/decisions/0075-erase-recipients-by-a-list-of-columns.md.
   */
  erasedOf?: string;
}

const ownNonce = 't.nonce';
const orderNonce = '(SELECT nonce FROM orders WHERE id = t.order_id)';
const endpointNonce = '(SELECT nonce FROM webhook_endpoints WHERE id = t.endpoint_id)';

/** A column that holds a field of an order. The place contains the order's nonce, which the SQL `name` selects. */
function ofOrder(
  [table, column]: [string, string],
  key: string,
  name: string,
  field: Parameters<typeof orderField>[1],
): SealedColumn {
  return { table, column, key: [key], name, place: (row) => orderField(row.name, field) };
}

function ofEsim(column: Parameters<typeof esimField>[1]): SealedColumn {
  const place = ({ first }: SealedRow) => esimField(first, column);
  return { table: 'esim_orders', column, key: ['order_id'], name: 'NULL', place };
}

function ofWebhook(table: string, name: string): SealedColumn {
  return { table, column: 'sealed_secret', key: ['id'], name, place: (row) => webhookSecret(row.name) };
}

const codes: SealedColumn = {
  table: 'vouchers',
  column: 'sealed_codes',
  key: ['order_id', 'unit'],
  name: 'NULL',
  place: ({ first, second }) => voucherCodes(first, second),
};
const activationCode = ofEsim('activation_code');
const iccid = ofEsim('iccid');
const ofErased = 't.order_id = $orderId';

const email: SealedColumn = {
  ...ofOrder(['orders', 'sealed_email'], 'id', ownNonce, 'email'),
  erasedOf: 't.id = $orderId',
};
const topupInput: SealedColumn = {
  ...ofOrder(['topup_orders', 'sealed_input'], 'order_id', orderNonce, 'input'),
  erasedOf: ofErased,
};

const rawResponses: SealedColumn = {
  table: 'supplier_purchases',
  column: 'sealed_words',
  key: ['order_id', 'batch'],
  name: 't.reference',
  place: (row) => supplierResponse(row.name),
  erasedOf: ofErased,
};

const orderTexts: SealedColumn = {
  table: 'order_texts',
  column: 'sealed_text',
  key: ['id'],
  name: ownNonce,
  place: (row) => writtenText(row.name),
  erasedOf: ofErased,
};

const supplierTokens: SealedColumn = {
  table: 'supplier_tokens',
  column: 'sealed_token',
  key: ['id'],
  name: "t.supplier || '/' || t.name",
  place: (row) => supplierToken(row.name),
};

const proposals: SealedColumn = {
  table: 'approval_proposals',
  column: 'sealed_call',
  key: ['id'],
  name: ownNonce,
  place: (row) => proposedCall(row.name),
};

const filesOfProposals: SealedColumn = {
  table: 'approval_proposals',
  column: 'sealed_files',
  key: ['id'],
  name: ownNonce,
  place: (row) => proposedFiles(row.name),
  erasedOf: 't.sealed_files IS NOT NULL AND $orderId = ANY (t.order_ids)',
};

/** The number of a client's own document, not a recipient. Deleted after its retention. */
const purchaseOrders: SealedColumn = {
  table: 'funding_requests',
  column: 'sealed_purchase_order',
  key: ['id'],
  name: 't.reference',
  place: (row) => purchaseOrder(row.name),
};

/** Names payers, who are no recipients of orders. Deleted after its retention. */
const bankEntries: SealedColumn = {
  table: 'bank_entries',
  column: 'sealed_entry',
  key: ['id'],
  name: ownNonce,
  place: (row) => bankStatementEntry(row.name),
};

/** Digests of payments, which name no one. They outlive the texts of the entries. */
const bankBookings: SealedColumn = {
  table: 'bank_bookings',
  column: 'sealed_keys',
  key: ['id'],
  name: ownNonce,
  place: (row) => bankBookingKeys(row.name),
};

/** Only the report of a top-up may name a recipient. */
const quarantined: SealedColumn = {
  ...ofOrder(['quarantined_goods', 'sealed'], 'id', orderNonce, 'goods'),
  erasedOf: `${ofErased} AND EXISTS (SELECT FROM topup_orders topup WHERE topup.order_id = t.order_id)`,
};

/** All sealed columns. A test compares this list with the schema. */
export const sealedColumns: readonly SealedColumn[] = [
  ofOrder(['order_reservations', 'sealed_email'], 'order_id', ownNonce, 'email'),
  ofOrder(['order_reservations', 'sealed_input'], 'order_id', ownNonce, 'input'),
  email,
  topupInput,
  rawResponses,
  orderTexts,
  quarantined,
  codes,
  activationCode,
  iccid,
  { ...ofOrder(['claims', 'sealed_text'], 'id', orderNonce, 'claim'), erasedOf: ofErased },
  ofWebhook('webhook_endpoints', ownNonce),
  ofWebhook('webhook_previous_secrets', endpointNonce),
  supplierTokens,
  proposals,
  filesOfProposals,
  purchaseOrders,
  bankEntries,
  bankBookings,
];

/** A column with lookup hashes of the values in a sealed column. */
export interface HashColumn {
  column: string;
  /** The sealed column in the same row. */
  sealed: SealedColumn;
  /** Extracts the text to hash from the decrypted value; null if the value has no such text. */
  textOf: (value: string) => string | null;
}

/** All columns of lookup hashes, except hashes of requests: the service deletes those after 7 days, so nothing moves them. */
export const hashColumns: readonly HashColumn[] = [
  { column: 'code_hash', sealed: codes, textOf: (json) => parseCodes(json).cardNumber ?? null },
  { column: 'claim_hash', sealed: codes, textOf: (json) => parseCodes(json).claimUrl ?? null },
  { column: 'activation_hash', sealed: activationCode, textOf: (value) => value },
  { column: 'iccid_hash', sealed: iccid, textOf: normalIccid },
  { column: 'code_hash', sealed: quarantined, textOf: (json) => uniqueTextsOf(json)[0] ?? null },
  { column: 'second_hash', sealed: quarantined, textOf: (json) => uniqueTextsOf(json)[1] ?? null },
  { column: 'email_hash', sealed: email, textOf: comparableEmail },
  // With dots, whatever the setting says: the rules compare orders of a day only.
  { column: 'mailbox_hash', sealed: email, textOf: (text) => comparableMailbox(text, { dotsMatter: true }) },
  { column: 'phone_hash', sealed: topupInput, textOf: phoneOfInput },
  { column: 'content_hash', sealed: bankBookings, textOf: (json) => bookingDigests(json).content },
  { column: 'reference_hash', sealed: bankBookings, textOf: (json) => bookingDigests(json).reference },
];

/** The unique texts of a quarantined unit. */
function uniqueTextsOf(json: string): string[] {
  return uniqueTexts(normalised(JSON.parse(json) as Goods));
}

function phoneOfInput(json: string): string | null {
  return phoneOf(parseInput(json)) ?? null;
}

export interface SealedValue extends SealedRow {
  sealed: Buffer;
}

/** SQL expressions for the two numbers of the key of the row `t`. */
export function keyOf({ key: [first, second] }: SealedColumn): { first: string; second: string } {
  return { first: `t.${first}`, second: second === undefined ? '0' : `t.${second}` };
}

/** Counts the values that are sealed under each key, by the key's id. Reads every sealed value once. */
export async function countSealedValues(database: Database): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { table, column } of sealedColumns) {
    const found = await rows<{ id: string; count: number }>(
      database,
      // A sealed value begins with the length of the key's id (one byte) and the id.
      `SELECT encode(substr(${column}, 2, get_byte(${column}, 0)), 'escape') AS id, count(*) AS count
         FROM ${table} WHERE length(${column}) > 0 GROUP BY 1`,
    );
    for (const { id, count } of found) counts.set(id, (counts.get(id) ?? 0) + count);
  }
  return counts;
}
