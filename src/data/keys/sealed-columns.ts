/** Every column that holds sealed values: how many are under which key, and how they are sealed anew. */
import {
  esimField,
  orderField,
  supplierWords,
  voucherField,
  webhookSecret,
} from '../../security/encryption-context';
import { comparableEmail, phoneOf, type TopupInput } from '../../domain/orders/customer-input';
import { rows, type Database } from '../database/database';

/** Where one sealed value is. */
interface SealedRow {
  /** Its row's key; the second number where there are two. */
  first: number;
  second: number;
  /** Null if its place is named by numbers alone. */
  name: string;
}

export interface SealedColumn {
  table: string;
  column: string;
  /** A unique key: one whole number, or two. */
  key: readonly string[];
  /** What its place is named by, as SQL over the row `t`. */
  name: string;
  place: (row: SealedRow) => string;
}

const ownNonce = 't.nonce';
const orderNonce = '(SELECT nonce FROM orders WHERE id = t.order_id)';
const endpointNonce = '(SELECT nonce FROM webhook_endpoints WHERE id = t.endpoint_id)';

/** A column that holds an order's field, named by the order's nonce. */
function ofOrder(
  [table, column]: [string, string],
  key: string,
  name: string,
  field: Parameters<typeof orderField>[1],
): SealedColumn {
  return { table, column, key: [key], name, place: (row) => orderField(row.name, field) };
}

function ofVoucher(column: string): SealedColumn {
  const place = ({ first, second }: SealedRow) => voucherField(first, second, column);
  return { table: 'vouchers', column, key: ['order_id', 'unit'], name: 'NULL', place };
}

function ofEsim(column: Parameters<typeof esimField>[1]): SealedColumn {
  const place = ({ first }: SealedRow) => esimField(first, column);
  return { table: 'esim_orders', column, key: ['order_id'], name: 'NULL', place };
}

function ofWebhook(table: string, name: string): SealedColumn {
  return { table, column: 'sealed_secret', key: ['id'], name, place: (row) => webhookSecret(row.name) };
}

const words: SealedColumn = {
  table: 'supplier_purchases',
  column: 'sealed_words',
  key: ['order_id', 'batch'],
  name: 't.reference',
  place: (row) => supplierWords(row.name),
};

/** Every sealed column. A test compares this list with the schema. */
export const sealedColumns: readonly SealedColumn[] = [
  ofOrder(['order_intakes', 'sealed_email'], 'order_id', ownNonce, 'email'),
  ofOrder(['order_intakes', 'sealed_input'], 'order_id', ownNonce, 'input'),
  ofOrder(['orders', 'sealed_email'], 'id', ownNonce, 'email'),
  ofOrder(['topup_orders', 'sealed_input'], 'order_id', orderNonce, 'input'),
  words,
  ofOrder(['goods_apart', 'sealed'], 'id', orderNonce, 'goods'),
  ...['card_number', 'pin_code', 'claim_url', 'voucher_reference_number'].map(ofVoucher),
  ofEsim('activation_code'),
  ofEsim('iccid'),
  ofWebhook('webhook_endpoints', ownNonce),
  ofWebhook('webhook_previous_secrets', endpointNonce),
];

/** A column of hashes by which sealed values are found. */
export interface HashColumn {
  column: string;
  /** What is hashed. */
  of: SealedColumn;
  /** What of it is hashed: the value as it is, where not said otherwise; null where there is nothing to be found by. */
  textOf?: (value: string) => string | null;
}

function hashOf(
  table: string,
  sealed: string,
  column: string,
  textOf?: (value: string) => string | null,
): HashColumn {
  const of = sealedColumns.find((known) => known.table === table && known.column === sealed);
  if (!of) throw new Error(`${table}.${sealed} is not sealed`);
  return { column, of, ...(textOf && { textOf }) };
}

/** All of them but hashes of requests, which are kept for days only. */
export const hashColumns: readonly HashColumn[] = [
  hashOf('vouchers', 'card_number', 'code_hash'),
  hashOf('vouchers', 'claim_url', 'claim_hash'),
  hashOf('esim_orders', 'iccid', 'iccid_hash'),
  hashOf('orders', 'sealed_email', 'email_hash', comparableEmail),
  hashOf('topup_orders', 'sealed_input', 'phone_hash', phoneOfInput),
];

function phoneOfInput(json: string): string | null {
  return phoneOf(JSON.parse(json) as TopupInput) ?? null;
}

/** What both list of a row, and the order and place they are read from. */
export interface SealedValue extends SealedRow {
  sealed: Buffer;
}

/** The key of the row `t` as two numbers. */
export function keyOf({ key: [first, second] }: SealedColumn): { first: string; second: string } {
  return { first: `t.${first}`, second: second === undefined ? '0' : `t.${second}` };
}

/** How many values are sealed under each key, by the key's id. Reads every sealed value once. */
export async function countSealedValues(database: Database): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { table, column } of sealedColumns) {
    const found = await rows<{ id: string; count: number }>(
      database,
      // The first byte is the length of the id.
      `SELECT encode(substr(${column}, 2, get_byte(${column}, 0)), 'escape') AS id, count(*) AS count
         FROM ${table} WHERE length(${column}) > 0 GROUP BY 1`,
    );
    for (const { id, count } of found) counts.set(id, (counts.get(id) ?? 0) + count);
  }
  return counts;
}
