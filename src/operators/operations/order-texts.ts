/** The sealed texts about orders, as operations write and show them. */
import { findOrderText, isSealedText, orderTextsIn, storeOrderTexts } from '../../data/privacy/order-texts';
import { isAmong, recipientReaders } from '../../domain/operators/roles';
import { HIDDEN } from '../../domain/shown-text';
import { Sealer } from '../../security/sealing';
import type { Context } from './context';

/** Who writes or reads. */
type Person = Pick<Context, 'database' | 'keyRing' | 'account' | 'role'>;

/**
 * Stores the text sealed, unless the person has written the same about the order: a repeated call then has the same arguments. Returns
 * the name of the text; the text itself if there is no such order. `orderId`: null for a text about a recipient.
 */
export async function sealedText(
  { database, keyRing, account }: Person,
  orderId: number | null,
  text: string,
): Promise<string> {
  const sealer = new Sealer(await keyRing());
  const written = { orderId, text, authorId: account.id };
  const known = await findOrderText(database, sealer, written);
  if (known !== undefined) return known;
  const [name] = await storeOrderTexts(database, sealer, [written]);
  return name ?? text;
}

/** Stores the notes of the rows sealed. Returns the rows with the names of the notes. */
export async function withSealedNotes<Row extends { orderId: number; note: string | undefined }>(
  { database, keyRing, account }: Person,
  given: readonly Row[],
): Promise<Row[]> {
  const texts = given.flatMap(({ orderId, note }) =>
    note === undefined ? [] : [{ orderId, text: note, authorId: account.id }],
  );
  if (texts.length === 0) return [...given];
  const names = (await storeOrderTexts(database, new Sealer(await keyRing()), texts)).values();
  return given.map((row) => (row.note === undefined ? row : { ...row, note: names.next().value ?? row.note }));
}

/** Whether the role reads the texts of others about orders, claims and recipients. */
export function readsTexts({ role }: Pick<Context, 'role'>): boolean {
  return isAmong(recipientReaders, role);
}

/**
 * A function that replaces each name of a text among the values by the text: by `hidden`, unless the role sees recipients or the person
 * wrote the text.
 */
export function openedTexts(
  { database, keyRing, account, role }: Person,
  values: readonly (string | null)[],
): Promise<(value: string) => string> {
  const reader = { accountId: account.id, seesRecipients: readsTexts({ role }) };
  return orderTextsIn(database, async () => new Sealer(await keyRing()), values, reader);
}

/** The report with the notes of its refunds opened, and with the reasons of the decisions about its purchases. */
export async function withOpenedReport<
  Report extends {
    refunds: readonly { note: string | null }[];
    purchases: readonly { detail: string | null; why: string }[];
  },
>(context: Person, report: Report): Promise<Report> {
  const refunds = await withOpenedTexts(context, report.refunds, 'note');
  const decided = await withOpenedTexts(context, report.purchases, 'detail');
  return { ...report, refunds, purchases: await withOpenedTexts(context, decided, 'why') };
}

/**
 * The entries of the audit with their reasons. A reason about an order that is not sealed, such as one that a person wrote in the
 * Temporal UI, is hidden from everyone whose role does not see recipients: the entry has only the name of its writer.
 */
export function withReadableReasons<Entry extends { object: string; reason: string | null }>(
  context: Person,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const isReadable = ({ object, reason }: Entry) =>
    readsTexts(context) || reason === null || isSealedText(reason) || !object.startsWith('order/');
  const shown = entries.map((entry) => (isReadable(entry) ? entry : { ...entry, reason: HIDDEN }));
  return withOpenedTexts(context, shown, 'reason');
}

/** The rows with the text of this field opened. */
export async function withOpenedTexts<Field extends string, Row extends Record<Field, string | null>>(
  context: Person,
  rows: readonly Row[],
  field: Field,
): Promise<Row[]> {
  const open = await openedTexts(
    context,
    rows.map((row) => row[field]),
  );
  return rows.map((row) => ({ ...row, [field]: row[field] === null ? null : open(row[field]) }));
}
