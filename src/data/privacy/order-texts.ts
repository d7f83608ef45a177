/**
 * Texts that people write about an order: reasons of operations, and notes. They may name a person, so they are sealed and erased with
 * the order's recipient. Everything else, such as the audit and Temporal, has only a name of the text.
 */
import { randomBytes } from 'node:crypto';
import { HIDDEN } from '../../domain/shown-text';
import { writtenText, type Sealer } from '../../security/sealing';
import { rows, type Database, type Transaction } from '../database/database';

/** A text about an order, or about a recipient of any orders. */
export interface OrderText {
  /** Null for a text about a recipient, which no erasure of an order erases. */
  orderId: number | null;
  text: string;
  /** The account that wrote it. */
  authorId: string;
}

const prefix = 'sealed-text:';

const insertStatement = `
  INSERT INTO order_texts (order_id, nonce, sealed_text, author_id)
  SELECT written.order_id, written.nonce, written.sealed, written.author_id
    FROM unnest($orderIds::bigint[], $nonces::text[], $sealed::bytea[], $authorIds::text[]) AS written (order_id, nonce, sealed, author_id)
   WHERE written.order_id IS NULL OR EXISTS (SELECT FROM orders WHERE id = written.order_id)
  RETURNING id, nonce`;

/** Stores the texts sealed. Returns the name of each; undefined if its order does not exist. */
export async function storeOrderTexts(
  database: Database,
  sealer: Sealer,
  texts: readonly OrderText[],
  transaction?: Transaction,
): Promise<(string | undefined)[]> {
  const written = texts.map(({ orderId, text, authorId }) => {
    const nonce = randomBytes(9).toString('base64url');
    return { orderId, nonce, authorId, sealed: sealer.seal(writtenText(nonce), text) };
  });
  const binds = {
    orderIds: written.map(({ orderId }) => orderId),
    nonces: written.map(({ nonce }) => nonce),
    sealed: written.map(({ sealed }) => sealed),
    authorIds: written.map(({ authorId }) => authorId),
  };
  const stored = await rows<{ id: number; nonce: string }>(database, insertStatement, binds, transaction);
  const names = new Map(stored.map(({ id, nonce }) => [nonce, `${prefix}${id}`]));
  return written.map(({ nonce }) => names.get(nonce));
}

/** The name of the author's text about the order that equals this one; undefined if there is none. */
export async function findOrderText(
  database: Database,
  sealer: Sealer,
  { orderId, text, authorId }: OrderText,
): Promise<string | undefined> {
  const known = await rows<{ id: number; nonce: string; sealed: Buffer }>(
    database,
    `SELECT id, nonce, sealed_text AS sealed FROM order_texts
      WHERE order_id = $orderId AND author_id = $authorId AND sealed_text IS NOT NULL ORDER BY id DESC LIMIT 100`,
    { orderId, authorId },
  );
  const same = known.find(({ nonce, sealed }) => sealer.openForView(writtenText(nonce), sealed) === text);
  return same && `${prefix}${same.id}`;
}

/** The name of a text, alone or as the reason of a decision about a purchase (`operatorDetail`). */
const nameAtEnd = /(?<=^|Operator: (?:UNUSABLE: )?)sealed-text:([0-9]{1,15})$/;

/** The id of the text that the value names; undefined for any other value. */
function idIn(value: string | null): number | undefined {
  const [, digits] = nameAtEnd.exec(value ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether the value is, or ends with, the name of a text. */
export function isSealedText(value: string): boolean {
  return idIn(value) !== undefined;
}

const ERASED = '(erased with the recipient)';
const UNREADABLE = '(sealed by a key that is not available)';

/** Who reads texts about orders: everyone reads their own. */
export interface TextReader {
  accountId: string;
  /** Whether the reader's role sees recipients, and so reads all texts. */
  seesRecipients: boolean;
}

/**
 * Replaces names of texts by the texts, for people, and by `hidden` if the reader may not read them. Returns a function for the given
 * values; it returns every value that is no name as it is. Reads the keys only if there is a name.
 */
export async function orderTextsIn(
  database: Database,
  sealer: () => Promise<Sealer>,
  values: readonly (string | null)[],
  { accountId, seesRecipients }: TextReader,
): Promise<(value: string) => string> {
  const ids = values.map(idIn).filter((id) => id !== undefined);
  if (ids.length === 0) return (value) => value;
  const found = await rows<{ id: number; nonce: string; sealed: Buffer | null; authorId: string | null }>(
    database,
    `SELECT id, nonce, sealed_text AS sealed, author_id AS "authorId" FROM order_texts WHERE id = ANY ($ids::bigint[])`,
    { ids },
  );
  const opener = await sealer();
  const textOf = ({ nonce, sealed, authorId }: (typeof found)[number]): string => {
    if (!seesRecipients && authorId !== accountId) return HIDDEN;
    return sealed === null ? ERASED : (opener.openForView(writtenText(nonce), sealed) ?? UNREADABLE);
  };
  const texts = new Map(found.map((one) => [one.id, textOf(one)]));
  return (value) => value.replace(nameAtEnd, (name) => texts.get(idIn(name) ?? 0) ?? name);
}
