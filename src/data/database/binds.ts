/**
 * Named values of statements: `WHERE id = $orderId`. Each text is compiled once to PostgreSQL's positional parameters (`$1`). A
 * name in a literal or a comment is replaced, too: such a statement fails, because it has no value. Names and values are compared
 * at run time: a call that states the type of its rows cannot infer the type of its text.
 */
import { createHash } from 'node:crypto';

/** The values of a statement by name. A value may be null, but not undefined. */
export type Binds = Readonly<Record<string, unknown>>;

/** The values that are not undefined, for a statement whose conditions name only these. */
export function givenOnly(binds: Binds): Binds {
  return Object.fromEntries(Object.entries(binds).filter(([, value]) => value !== undefined));
}

/**
 * The values of a statement, NULL in place of each undefined one. Only for what its declaration calls optional: any other undefined value is
 * an error, because a condition `$clientId::integer IS NULL OR ...` would match every client.
 */
export function givenOrNull<Values extends object>(values: Values) {
  const binds = Object.entries(values).map(([name, value]: [string, unknown]) => [name, value ?? null]);
  return Object.fromEntries(binds) as { [Name in keyof Values]-?: Exclude<Values[Name], undefined> | null };
}

/** A statement for PostgreSQL and for Sequelize, with the order of its values. */
interface Compiled {
  /** The name of the prepared statement: equal for equal texts. */
  name: string;
  text: string;
  sequelizeText: string;
  names: readonly string[];
}

/** A name after a dollar sign. It is not the tag of a dollar quote (`$body$`), nor a part of an identifier (`a$b`). */
const namedValue = /(?<!\w)\$([A-Za-z_]\w*)(?![\w$])/g;

const compiled = new Map<string, Compiled>();

/** The statement with its values for `pg`. Throws if a name has no value, a value is unused, or the text contains `$1`. */
export function bound(sql: string, binds: Binds): { name: string; text: string; values: unknown[] } {
  const { name, text, names } = compile(sql);
  return { name, text, values: valuesOf(sql, names, binds) };
}

/** Like `bound`, for Sequelize. The text is escaped so that PostgreSQL gets the same text as from `bound`. */
export function boundForSequelize(sql: string, binds: Binds): { query: string; bind: unknown[] } {
  const { sequelizeText, names } = compile(sql);
  return { query: sequelizeText, bind: valuesOf(sql, names, binds) };
}

function valuesOf(sql: string, names: readonly string[], binds: Binds): unknown[] {
  const missing = names.filter((name) => binds[name] === undefined);
  const unused = Object.keys(binds).filter((name) => !names.includes(name));
  if (missing.length > 0 || unused.length > 0) {
    const faults = `Missing: [${missing.join(', ')}]. Unused: [${unused.join(', ')}]`;
    throw new Error(`Named values do not match the statement. ${faults}. Statement: ${sql}`);
  }
  return names.map((name) => binds[name]);
}

function compile(sql: string): Compiled {
  const known = compiled.get(sql);
  if (known) return known;
  const fresh = compileAnew(sql);
  compiled.set(sql, fresh);
  return fresh;
}

function compileAnew(sql: string): Compiled {
  const position = /(?<!\w)\$\d/.exec(sql)?.[0];
  if (position) throw new Error(`Use a named value such as $orderId instead of ${position}: ${sql}`);
  const names = [...new Set(Array.from(sql.matchAll(namedValue), ([, name = '']) => name))];
  const text = sql.replace(namedValue, (_value, name: string) => `$${names.indexOf(name) + 1}`);
  const name = createHash('sha1').update(text).digest('base64url');
  return { name, text, sequelizeText: escape(text, names.length), names };
}

/**
 * Doubles each dollar sign that does not begin the position of a value. Sequelize replaces `$$` by `$`, and rejects every other
 * `$x` that is not the position of a value, even in a literal, a comment or a dollar-quoted body.
 */
function escape(text: string, valueCount: number): string {
  return text.replace(/\B\$(\$|\w+)/g, (match, word: string) =>
    /^[1-9]\d*$/.test(word) && Number(word) <= valueCount ? match : match.replaceAll('$', '$$$$'),
  );
}

/** The constant oid of `bytea` in `pg_type`. */
const BYTEA = 17;
/** The header has five integers: number of dimensions, null flag, element type, length and first index of the one dimension. */
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const IS_NULL = -1;

/**
 * The values as a `bytea[]` in PostgreSQL's binary form (`array_recv`). The driver itself would encode an array as text, with two
 * digits for each byte. That takes the driver twice as long, and PostgreSQL takes a sixth longer to store the array.
 */
export function byteaArray(values: readonly (Buffer | null)[]): Uint8Array<ArrayBuffer> {
  const size = values.reduce((sum, value) => sum + LENGTH_BYTES + (value?.length ?? 0), HEAD_BYTES);
  const array = Buffer.alloc(size);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  array.writeInt32BE(BYTEA, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  let at = HEAD_BYTES;
  for (const value of values) {
    at = array.writeInt32BE(value?.length ?? IS_NULL, at);
    if (value) at += value.copy(array, at);
  }
  return array;
}
