/** Re-seals values and recomputes lookup hashes under the promoted keys while the service runs. */
import { isUniqueViolation } from '../database/errors';
import type { KeyRing } from '../../security/key-ring';
import { Sealer, sealedWith } from '../../security/sealing';
import { countRows, rows, type Database, type Transaction } from '../database/database';
import { storeEncryptedValues } from './data-keys';
import {
  hashColumns,
  keyOf,
  sealedColumns,
  type HashColumn,
  type SealedColumn,
  type SealedValue,
} from './sealed-columns';
import { thrownMessage } from '../../domain/unknown-values';

/** The maximum number of rows that one statement locks. It holds the locks for some milliseconds. */
const BATCH = 200;

/** The result of re-sealing or re-hashing. */
export interface MovedValues {
  moved: number;
  /** A sentence for each value that could not be moved. */
  faults: string[];
}

type Tell = (sentence: string) => void;

/**
 * Seals again, under the promoted key, every value that is sealed under another key. May be interrupted and repeated: each value
 * changes atomically, and only if nothing else changed the value since it was read.
 */
export async function reseal(database: Database, ring: KeyRing, tell: Tell): Promise<MovedValues> {
  const sealer = new Sealer(ring);
  const prefix = sealedWith(ring.current('seal').id);
  const total: MovedValues = { moved: 0, faults: [] };
  for (const column of sealedColumns) {
    const name = `${column.table}.${column.column}`;
    const isOther = `substr(t.${column.column}, 1, length($prefix::bytea)) <> $prefix::bytea`;
    const page = pageStatement(column, isOther);
    const store = storeStatement(column, column.column);
    await eachPage(database, page, { prefix }, async (values) => {
      const { opened, faults } = openAll(sealer, column, values);
      const changed = opened.map(({ value, bytes }) => ({
        ...value,
        old: value.sealed,
        new: sealer.seal(column.place(value), bytes),
      }));
      total.moved += await storeAll(database, store, changed);
      await storeEncryptedValues(database, ring);
      total.faults.push(...faults);
      tell(`${name}: ${total.moved} values re-sealed in total`);
    });
  }
  return total;
}

interface StoredHash extends SealedValue {
  hash: Buffer;
}

/**
 * Replaces every lookup hash under another key by the hash under the promoted key. `dryRun` only counts these hashes. May be
 * interrupted and repeated. All running processes must already hash with the promoted key.
 */
export async function rehash(
  database: Database,
  ring: KeyRing,
  { tell, dryRun = false }: { tell: Tell; dryRun?: boolean },
): Promise<MovedValues> {
  const sealer = new Sealer(ring);
  const total: MovedValues = { moved: 0, faults: [] };
  for (const { column, sealed, textOf } of hashColumns) {
    const page = pageStatement(
      sealed,
      `t.${column} IS NOT NULL AND t.${sealed.column} IS NOT NULL`,
      `, t.${column} AS hash`,
    );
    const store = storeStatement(sealed, column);
    await eachPage<StoredHash>(database, page, {}, async (values) => {
      const { opened, faults } = openAll(sealer, sealed, values);
      const changed = opened
        .flatMap(({ value, bytes }) => {
          const hashed = textOf(bytes.toString());
          return hashed === null ? [] : [{ ...value, old: value.hash, new: sealer.lookupHash(hashed) }];
        })
        .filter((value) => !value.old.equals(value.new));
      total.faults.push(...faults);
      if (dryRun) total.moved += changed.length;
      else
        for (const value of changed) {
          const fault = await storeHash(database, store, { column, sealed }, value);
          if (fault === undefined) total.moved += 1;
          else total.faults.push(fault);
        }
      tell(`${sealed.table}.${column}: ${total.moved} hashes recomputed in total`);
    });
  }
  return total;
}

/** Stores a hash. Returns a sentence for the operator if another row has the same hash; undefined if it was stored or skipped. */
async function storeHash(
  database: Database,
  statement: string,
  { column, sealed }: Pick<HashColumn, 'column' | 'sealed'>,
  value: ChangedValue,
): Promise<string | undefined> {
  try {
    await storeAll(database, statement, [value]);
    return undefined;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return `${rowName(sealed, value)}: another unit has the same ${column}`;
  }
}

function openAll<Value extends SealedValue>(
  sealer: Sealer,
  column: SealedColumn,
  values: readonly Value[],
): { opened: { value: Value; bytes: Buffer }[]; faults: string[] } {
  const faults: string[] = [];
  const opened = values.flatMap((value) => {
    try {
      return [{ value, bytes: sealer.openBytes(column.place(value), value.sealed) }];
    } catch (error) {
      faults.push(`${rowName(column, value)}: ${column.column} cannot be decrypted (${thrownMessage(error)})`);
      return [];
    }
  });
  return { opened, faults };
}

/** Such as `vouchers 17/3`. */
export function rowName({ table, key }: SealedColumn, { first, second }: SealedValue): string {
  return `${table} ${key.length === 1 ? first : `${first}/${second}`}`;
}

/** The statement of `eachPage` for the values of a column that meet the condition. */
export function pageStatement(column: SealedColumn, wanted: string, moreColumns = ''): string {
  const { first, second } = keyOf(column);
  return `SELECT ${first} AS first, ${second} AS second, ${column.name} AS name, t.${column.column} AS sealed${moreColumns}
            FROM ${column.table} t
           WHERE (${first}, ${second}) > ($first::bigint, $second::bigint) AND ${wanted}
           ORDER BY first, second LIMIT ${BATCH}`;
}

/** Reads the rows page by page, sorted by key, and calls `work` with each page that is not empty. */
export async function eachPage<Value extends SealedValue>(
  database: Database,
  statement: string,
  binds: Record<string, unknown>,
  work: (values: Value[]) => Promise<void> | void,
  transaction?: Transaction,
): Promise<void> {
  let last = { first: 0, second: 0 };
  let page: Value[];
  do {
    page = await rows<Value>(database, statement, { ...binds, first: last.first, second: last.second }, transaction);
    if (page.length > 0) await work(page);
    last = page.at(-1) ?? last;
  } while (page.length === BATCH);
}

interface ChangedValue extends SealedValue {
  old: Buffer;
  new: Buffer;
}

// Skips locked rows instead of waiting for them. A repetition of the command finds the skipped rows again.
function storeStatement(column: SealedColumn, changed: string): string {
  const { first, second } = keyOf(column);
  const isSame = `(${first}, ${second}) = (value.first, value.second)`;
  return `
    WITH value AS (
      SELECT * FROM unnest($first::bigint[], $second::bigint[], $old::bytea[], $new::bytea[])
        AS value (first, second, old, new)
    ), free AS MATERIALIZED (
      SELECT value.* FROM ${column.table} t JOIN value ON ${isSame}
       WHERE t.${changed} = value.old FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE ${column.table} t SET ${changed} = value.new FROM free value
     WHERE ${isSame} AND t.${changed} = value.old
    RETURNING 1`;
}

function storeAll(database: Database, statement: string, values: readonly ChangedValue[]) {
  if (values.length === 0) return 0;
  return countRows(database, statement, {
    first: values.map(({ first }) => first),
    second: values.map(({ second }) => second),
    old: values.map((value) => value.old),
    new: values.map((value) => value.new),
  });
}
