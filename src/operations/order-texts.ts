/** The sealed texts about orders, as operations write and show them. */
import { findOrderText, orderTextsIn, storeOrderTexts } from '../data/privacy/order-texts';
import { Sealer } from '../security/sealing';
import type { Context } from './context';

type Keys = Pick<Context, 'database' | 'keyRing'>;

/**
 * Stores the text sealed, unless the order has the same text: a repeated call then has the same arguments. Returns the name of the text;
 * the text itself if there is no such order.
 */
export async function sealedText(
  { database, keyRing }: Keys,
  orderId: number,
  text: string,
): Promise<string> {
  const sealer = new Sealer(await keyRing());
  const known = await findOrderText(database, sealer, { orderId, text });
  if (known !== undefined) return known;
  const [name] = await storeOrderTexts(database, sealer, [{ orderId, text }]);
  return name ?? text;
}

/** Stores the notes of the rows sealed. Returns the rows with the names of the notes. */
export async function withSealedNotes<Row extends { orderId: number; note: string | undefined }>(
  { database, keyRing }: Keys,
  given: readonly Row[],
): Promise<Row[]> {
  const texts = given.flatMap(({ orderId, note }) => (note === undefined ? [] : [{ orderId, text: note }]));
  if (texts.length === 0) return [...given];
  const names = (await storeOrderTexts(database, new Sealer(await keyRing()), texts)).values();
  return given.map((row) =>
    row.note === undefined ? row : { ...row, note: names.next().value ?? row.note },
  );
}

/** A function that replaces each name of a text among the values by the text. */
export function openedTexts(
  { database, keyRing }: Keys,
  values: readonly (string | null)[],
): Promise<(value: string) => string> {
  return orderTextsIn(database, async () => new Sealer(await keyRing()), values);
}

/** The report with the notes of its refunds opened, and with the reasons of the decisions about its purchases. */
export async function withOpenedReport<
  Report extends {
    refunds: readonly { note: string | null }[];
    purchases: readonly { detail: string | null; why: string }[];
  },
>(context: Keys, report: Report): Promise<Report> {
  const refunds = await withOpenedTexts(context, report.refunds, 'note');
  const decided = await withOpenedTexts(context, report.purchases, 'detail');
  return { ...report, refunds, purchases: await withOpenedTexts(context, decided, 'why') };
}

/** The rows with the text of this field opened. */
export async function withOpenedTexts<Field extends string, Row extends Record<Field, string | null>>(
  context: Keys,
  rows: readonly Row[],
  field: Field,
): Promise<Row[]> {
  const open = await openedTexts(
    context,
    rows.map((row) => row[field]),
  );
  return rows.map((row) => ({ ...row, [field]: row[field] === null ? null : open(row[field]) }));
}
