/**
 * The work of people on the attention list: who has taken an entry, and what was noted about it. It is apart from the entries, so that it
 * changes none: the workflow of an order mirrors each change of an entry to Temporal, which must not have the notes.
 */
import { firstRow, hasRow, rows, type Database } from '../database/database';

// The lock waits for a statement that ends the entry, and lets no other one begin.
const takeStatement = `
WITH entry AS (SELECT id FROM attention WHERE id = $id AND cleared_at IS NULL FOR SHARE), taken AS (
  INSERT INTO attention_takings AS taking (attention_id, operator) SELECT id, $operator FROM entry
  ON CONFLICT (attention_id) DO NOTHING RETURNING attention_id)
SELECT EXISTS (SELECT FROM entry) AS "isOpen", EXISTS (SELECT FROM taken) AS "isTaken"`;

/** Takes the open entry. Does nothing if the operator has it. Throws if another operator has, or if the list has no such entry. */
export async function takeAttention(database: Database, id: number, operator: string): Promise<void> {
  const result = await firstRow<{ isOpen: boolean; isTaken: boolean }>(database, takeStatement, { id, operator });
  if (!result?.isOpen) throw missing(id);
  if (result.isTaken) return;
  const taking = await firstRow<{ operator: string }>(
    database,
    'SELECT operator FROM attention_takings WHERE attention_id = $id',
    { id },
  );
  if (taking?.operator !== operator)
    throw new Error(
      `Entry ${id} is taken by ${taking?.operator ?? 'another operator'}. Release it with \`attention release ${id}\`, then retry.`,
    );
}

/** Ends the taking of the entry. Returns the operator who had it. Throws if no operator has it. */
export async function releaseAttention(database: Database, id: number): Promise<string> {
  const released = await firstRow<{ operator: string }>(
    database,
    'DELETE FROM attention_takings WHERE attention_id = $id RETURNING operator',
    { id },
  );
  if (released) return released.operator;
  throw (await isListed(database, id)) ? new Error(`No operator has taken entry ${id}.`) : missing(id);
}

/** The order that the entry is about; undefined if it is about none, or if there is no such entry. */
export async function orderOfAttention(database: Database, id: number): Promise<number | undefined> {
  const entry = await firstRow<{ orderId: number | null }>(
    database,
    'SELECT order_id AS "orderId" FROM attention WHERE id = $id',
    { id },
  );
  return entry?.orderId ?? undefined;
}

/** Adds a note to the open entry. Throws if the list has no such entry. */
export async function noteAttention(
  database: Database,
  id: number,
  note: { operator: string; note: string },
): Promise<void> {
  const added = await rows(
    database,
    `INSERT INTO attention_notes (attention_id, operator, note)
     SELECT id, $operator, $note FROM attention WHERE id = $id AND cleared_at IS NULL RETURNING id`,
    { id, ...note },
  );
  if (added.length === 0) throw missing(id);
}

/** Deletes the operator's newest note about the open entry. Throws if there is none. */
export async function withdrawNote(database: Database, id: number, operator: string): Promise<void> {
  const withdrawn = await rows(
    database,
    `DELETE FROM attention_notes WHERE id = (
       SELECT max(note.id) FROM attention_notes note JOIN attention entry ON entry.id = note.attention_id
        WHERE entry.id = $id AND entry.cleared_at IS NULL AND note.operator = $operator) RETURNING id`,
    { id, operator },
  );
  if (withdrawn.length > 0) return;
  throw (await isListed(database, id)) ? new Error(`Entry ${id} has no note of yours.`) : missing(id);
}

/** Throws if the list has no entry with the id. */
export async function assertListed(database: Database, id: number): Promise<void> {
  if (!(await isListed(database, id))) throw missing(id);
}

function isListed(database: Database, id: number): Promise<boolean> {
  return hasRow(database, 'SELECT FROM attention WHERE id = $id AND cleared_at IS NULL', { id });
}

function missing(id: number): Error {
  return new Error(`The list has no entry ${id}. See it with: attention`);
}
