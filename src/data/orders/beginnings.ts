/**
 * Finds orders, clients, products and members by the beginning of a value or of a word, in any case. Each statement reads an index and at
 * most about as many rows as it returns. docs/decisions/0084-search-by-beginnings-with-indexes.md.
 */
import type { Family } from '../../domain/orders/families';
import { rows, type Database } from '../database/database';
import type { NamedClient } from './value-search';

/** What is searched. `limit`: the maximum number of results. */
interface Beginning {
  text: string;
  limit: number;
}

/** SQL: whether a text begins with `$text`. No character of a stored text is behind U+10FFFF. */
const begins = (column: string) => `${column} ~>=~ lower($text) AND ${column} ~<~ (lower($text) || U&'\\+10FFFF')`;

// The sequence of the index: a common beginning would otherwise sort the references of all orders.
const referenceStatement = `
-- plan: orders_by_reference
SELECT id FROM orders WHERE client_reference IS NOT NULL AND ${begins('lower(client_reference)')}
 ORDER BY lower(client_reference) USING ~<~, id DESC LIMIT $limit`;

/** The ids of the orders whose client reference begins with the text, in the sequence of their references. */
export async function ordersOfReference(database: Database, beginning: Beginning): Promise<number[]> {
  return idsOf(await rows(database, referenceStatement, { ...beginning }));
}

const numberStatement = `
SELECT id FROM unnest($lows::bigint[], $highs::bigint[]) AS range (low, high)
 CROSS JOIN LATERAL (SELECT id FROM orders WHERE id BETWEEN low AND high ORDER BY id LIMIT $limit) one
 ORDER BY id LIMIT $limit`;

/** The ids of orders that begin with the digits of the number, the lowest first, so the order with this id is the first one. */
export async function ordersOfNumber(
  database: Database,
  { number, limit }: { number: number; limit: number },
): Promise<number[]> {
  const lows: number[] = [];
  const highs: number[] = [];
  for (let width = 1; (number + 1) * width <= Number.MAX_SAFE_INTEGER; width *= 10) {
    lows.push(number * width);
    highs.push((number + 1) * width - 1);
  }
  return idsOf(await rows(database, numberStatement, { lows, highs, limit }));
}

const idsOf = (found: readonly { id: number }[]) => found.map(({ id }) => id);

/** SQL: the words of a name, as in the indexes of migration 0023. */
const wordsOf = (column: string) => `to_tsvector('simple', translate(${column}, '-_./@&+:', '        '))`;

const hasWords = `${wordsOf('name')} @@ to_tsquery('simple', $words)`;

/** Names that are equal to the text, then names that begin with it, then the others. */
const nearest = `lower(name) <> lower($text), NOT starts_with(lower(name), lower($text)), lower(name), id`;

const MAX_WORDS = 8;

/** The names of one table that are ranked. Of a word that more names have, such as `card`, any of them are. */
const MAX_RANKED = 1_000;

/** The text as a query of which each word is the beginning of one of the name; undefined if it has no word. */
function queryOf(text: string): string | undefined {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, MAX_WORDS);
  return words?.map((word) => `'${word}':*`).join(' & ');
}

/** The clients of whose name each word of the text begins a word. */
export async function clientsOfWords(database: Database, { text, limit }: Beginning): Promise<NamedClient[]> {
  const words = queryOf(text);
  if (words === undefined) return [];
  const sql = `
    SELECT * FROM (SELECT id, name, status FROM clients WHERE ${hasWords} LIMIT ${MAX_RANKED}) client
     ORDER BY ${nearest} LIMIT $limit`;
  return rows<NamedClient>(database, sql, { words, text, limit });
}

export interface FoundProduct {
  family: Family;
  id: number;
  name: string;
}

const productsOf = (family: Family, table: string) =>
  `(SELECT '${family}' AS family, id, name FROM ${table} WHERE ${hasWords} LIMIT ${MAX_RANKED})`;

const productStatement = `
SELECT * FROM (${productsOf('VOUCHER', 'voucher_products')} UNION ALL ${productsOf('TOPUP', 'topup_products')}
               UNION ALL ${productsOf('ESIM', 'esim_products')}) product
 ORDER BY ${nearest}, family LIMIT $limit`;

/** The products of all families of whose name each word of the text begins a word. */
export async function productsOfWords(database: Database, { text, limit }: Beginning): Promise<FoundProduct[]> {
  const words = queryOf(text);
  return words === undefined ? [] : rows<FoundProduct>(database, productStatement, { words, text, limit });
}

export interface NamedMember {
  id: number;
  email: string;
  client: NamedClient;
}

const memberStatement = `
SELECT member.id, email, json_build_object('id', client.id, 'name', client.name, 'status', client.status) AS client
  FROM members member JOIN clients client ON client.id = client_id
 WHERE removed_at IS NULL AND ${begins('email')} ORDER BY email USING ~<~, member.id LIMIT $limit`;

/** The members whose address begins with the text. */
export function membersOfAddress(database: Database, beginning: Beginning): Promise<NamedMember[]> {
  return rows<NamedMember>(database, memberStatement, { ...beginning });
}
