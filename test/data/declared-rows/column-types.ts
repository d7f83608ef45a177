/** What a value of a PostgreSQL type is in the program, by asking a connection of its pool. */
import ts from 'typescript';
import { oneRow, rows, type Database } from '../../../src/data/database/database';

/** The kind of a value; `json`: anything. */
export type Kind = 'number' | 'string' | 'boolean' | 'Date' | 'Buffer' | 'json' | 'object' | { of: Kind };

/** A text of a value of each category of types that has no other literal below. */
const literals: Readonly<Record<string, string>> = {
  N: '1',
  S: 'x',
  B: 't',
  D: '2026-01-01',
  T: '1 day',
  I: '127.0.0.1',
};
const literalsOfTypes: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-0000-0000-000000000000',
  bytea: '',
  'time without time zone': '00:00',
};

interface PostgresType {
  id: number;
  name: string;
  /** The type of the elements of an array; null for any other type. */
  element: string | null;
  /** That of the elements of an array. */
  category: string;
  /** A label of an enumeration; null for any other type. */
  label: string | null;
}

const typesStatement = `
SELECT type.oid AS id, format_type(type.oid, NULL) AS name,
       CASE type.typcategory WHEN 'A' THEN format_type(single.oid, NULL) END AS element, single.typcategory AS category,
       (SELECT min(enumlabel)::text FROM pg_enum WHERE enumtypid = single.oid) AS label
  FROM pg_type type
  JOIN pg_type single ON single.oid = CASE type.typcategory WHEN 'A' THEN type.typelem ELSE type.oid END
 WHERE type.oid = ANY ($ids::oid[])`;

/** The kind of each of these types, by its id. */
export async function kindsOf(database: Database, ids: readonly number[]): Promise<Map<number, Kind>> {
  const kinds = new Map<number, Kind>();
  for (const type of await rows<PostgresType>(database, typesStatement, { ids }))
    kinds.set(type.id, await kindOf(database, type));
  return kinds;
}

async function kindOf(database: Database, { name, element, category, label }: PostgresType): Promise<Kind> {
  const base = element ?? name;
  if (base === 'json' || base === 'jsonb') return element === null ? 'json' : { of: 'json' };
  const literal = label ?? literalsOfTypes[base] ?? literals[category];
  if (literal === undefined) return 'string';
  const value = `'${literal}'::${base}`;
  const sql = `SELECT ${element === null ? value : `ARRAY[${value}]`} AS value`;
  return kindOfValue((await oneRow<{ value: unknown }>(database, sql)).value);
}

function kindOfValue(value: unknown): Kind {
  if (Array.isArray(value)) return { of: kindOfValue(value[0]) };
  if (value instanceof Date) return 'Date';
  if (Buffer.isBuffer(value)) return 'Buffer';
  const kind = typeof value;
  return kind === 'number' || kind === 'string' || kind === 'boolean' ? kind : 'object';
}

/** Whether a value of this kind is one of the declared type. Null is left out. */
export function fits(checker: ts.TypeChecker, kind: Kind, type: ts.Type): boolean {
  return membersOf(type)
    .filter((member) => !isNothing(member))
    .some((member) => fitsMember(checker, kind, member));
}

function fitsMember(checker: ts.TypeChecker, kind: Kind, type: ts.Type): boolean {
  if (kind === 'json' || type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return true;
  if (typeof kind === 'object') {
    const element = checker.isArrayType(type) ? type.getNumberIndexType() : undefined;
    return element !== undefined && fits(checker, kind.of, element);
  }
  const flags = type.isIntersection() ? type.types.reduce((all, each) => all | each.flags, 0) : type.flags;
  if (kind === 'number') return (flags & ts.TypeFlags.NumberLike) !== 0;
  if (kind === 'string') return (flags & ts.TypeFlags.StringLike) !== 0;
  if (kind === 'boolean') return (flags & ts.TypeFlags.BooleanLike) !== 0;
  const name = type.symbol?.name;
  return kind === 'Buffer' ? name === 'Buffer' || name === 'Uint8Array' : name === kind;
}

export function mayBeNull(type: ts.Type): boolean {
  const open = ts.TypeFlags.Null | ts.TypeFlags.Any | ts.TypeFlags.Unknown;
  return membersOf(type).some(({ flags }) => flags & open);
}

/** The rows of a union, each of which a statement may return. */
export const rowsIn = (type: ts.Type): readonly ts.Type[] => membersOf(type);

const membersOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);
const isNothing = ({ flags }: ts.Type): boolean => (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0;

/** A kind, for people. */
export const nameOfKind = (kind: Kind): string => (typeof kind === 'object' ? `${nameOfKind(kind.of)}[]` : kind);
