/** Reads and stores the confirmed values with which operators' changes are compared (`src/domain/prices/confirmed-values.ts`). */
import {
  basisOf,
  type Basis,
  type Confirmation,
  type KnownValue,
  type ValueKind,
} from '../../domain/prices/confirmed-values';
import type { PriceChange } from '../../domain/prices/price-changes';
import { firstRow, oneRow, rows, type Database } from '../database/database';

/** What names a value. */
export interface ValueName {
  kind: ValueKind;
  key: readonly (string | number | null)[];
}

/** A value that operators change. */
export interface GuardedValue {
  name: ValueName;
  /** The present value, as text that is equal exactly if the values are; null if there is none. */
  read: () => Promise<string | null>;
  /**
   * What is compared with the limit if the value changes from the confirmed one to `after`. A change without `before` is a first value
   * without anything to compare it with, and one without `after` a removal: both are large. `before`: the value before this change, for what is
   * large whatever was confirmed.
   */
  changes: (
    confirmed: string | null,
    after: string | null,
    before: string | null,
  ) => readonly PriceChange[] | Promise<readonly PriceChange[]>;
  /** Tells another person about a change that is not empty. `by`: who answers for it. */
  report?: (changes: readonly PriceChange[], by: string) => Promise<void>;
}

/** Makes the change. Throws, and so undoes it, if it changes one of the values by too much. */
export type GuardPrices = <Result>(values: readonly GuardedValue[], change: () => Promise<Result>) => Promise<Result>;

/** For what no operator changes: seeds of sandboxes. */
export const unguarded: GuardPrices = (_values, change) => change();

const columns = `value, confirmed, confirmed_by = 'FIRST' AS "isFirst", since <= now() - interval '24 hours' AS "hasStood"`;

const lockStatement = `
SELECT known.kind, known.key, ${columns}
  FROM confirmed_values known JOIN jsonb_to_recordset($names::jsonb) AS named (kind text, key text) USING (kind, key)
 ORDER BY known.kind, known.key FOR UPDATE OF known`;

/** Locks the rows of the values until the transaction ends. Returns the row of each; undefined if it has none. */
export async function lockConfirmed(
  database: Database,
  names: readonly ValueName[],
): Promise<(KnownValue | undefined)[]> {
  const named = names.map(bindsOf);
  const found = await rows<KnownValue & { kind: string; key: string }>(database, lockStatement, {
    names: JSON.stringify(named),
  });
  return named.map(({ kind, key }) => found.find((known) => known.kind === kind && known.key === key));
}

/** With what a change of the value would be compared; nothing if it has no value at present. Locks nothing. */
export async function findBasis(
  database: Database,
  { name, read }: Pick<GuardedValue, 'name' | 'read'>,
): Promise<Basis> {
  const present = await read();
  if (present === null) return { confirmed: null };
  const statement = `SELECT ${columns} FROM confirmed_values WHERE kind = $kind AND key = $key`;
  return basisOf(await firstRow<KnownValue>(database, statement, bindsOf(name)), present);
}

/** The confirmed value, with which another one is compared; null if it has no value at present. Locks nothing. */
export const findConfirmed = async (
  database: Database,
  value: Pick<GuardedValue, 'name' | 'read'>,
): Promise<string | null> => (await findBasis(database, value)).confirmed;

/** A changed value with what is confirmed now. `by`: absent if that was confirmed before. */
export interface ChangedValue {
  name: ValueName;
  isKnown: boolean;
  value: string | null;
  confirmed: string;
  by?: Confirmation | undefined;
}

const storeStatement = `
WITH given AS (
  SELECT * FROM jsonb_to_recordset($given::jsonb)
                AS given (kind text, key text, "isKnown" boolean, value text, confirmed text, by text)
), changed AS (
  UPDATE confirmed_values known
     SET value = given.value, since = CASE WHEN known.value IS DISTINCT FROM given.value THEN now() ELSE known.since END,
         confirmed = given.confirmed, confirmed_at = CASE WHEN given.by IS NULL THEN known.confirmed_at ELSE now() END,
         confirmed_by = coalesce(given.by, known.confirmed_by)
    FROM given WHERE given."isKnown" AND (known.kind, known.key) = (given.kind, given.key)
  RETURNING known.key
), added AS (
  INSERT INTO confirmed_values (kind, key, value, confirmed, confirmed_by)
  SELECT kind, key, value, confirmed, coalesce(by, 'FEED') FROM given WHERE NOT "isKnown" ORDER BY kind, key
  ON CONFLICT (kind, key) DO NOTHING RETURNING key
)
SELECT (SELECT count(*) FROM changed) + (SELECT count(*) FROM added) AS stored`;

/** Stores the values in the transaction that changes them. Throws if another operator has changed one since `lockConfirmed`. */
export async function storeConfirmed(database: Database, changed: readonly ChangedValue[]): Promise<void> {
  if (changed.length === 0) return;
  const given = changed.map(({ name, ...value }) => ({ ...bindsOf(name), ...value }));
  const { stored } = await oneRow<{ stored: number }>(database, storeStatement, { given: JSON.stringify(given) });
  if (stored < changed.length) throw new Error(changedMeanwhile);
}

/** The message if two operators change a value at once. */
export const changedMeanwhile = 'Another operator has just changed this value. Repeat the change.';

function bindsOf({ kind, key }: ValueName) {
  return { kind, key: JSON.stringify(key) };
}
