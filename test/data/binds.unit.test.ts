/** Statements with named values, as PostgreSQL and the ORM receive them. */
import fc from 'fast-check';
import { Sequelize } from 'sequelize';
import { bound, boundForSequelize, givenOrNull } from '../../src/data/database/binds';

/** The text and values that Sequelize sends to PostgreSQL for this query. */
function sentBySequelize(query: string, bind: unknown[]): [string, unknown[]] {
  const { dialect } = new Sequelize('postgres://nobody@127.0.0.1:1/nowhere', { logging: false }) as unknown as {
    dialect: { Query: { formatBindParameters(sql: string, bind: unknown[], dialect: string): [string, unknown[]] } };
  };
  return dialect.Query.formatBindParameters(query, bind, 'postgres');
}

test('When a name occurs several times, then its value is sent once', () => {
  const statement = bound('SELECT $b, $a WHERE x = $b AND y = $a::text', { a: 1, b: 'two' });
  expect(statement).toMatchObject({ text: 'SELECT $1, $2 WHERE x = $1 AND y = $2::text', values: ['two', 1] });
});

test.each([
  ['dollar-quoted bodies', `SELECT $body$ ' -- $$ $body$, $$ $x$ $$, $n`],
  ['identifiers with a dollar sign', `SELECT a$a, _x$a, t.c$a FROM t WHERE n=$n`],
  ['casts and operators', `SELECT x::text, y -> 'a', z ->> '$', a - -1 WHERE n = ANY($n::bigint[])`],
])('When %s contain a dollar sign, then it is unchanged, also by the ORM', (_where, sql) => {
  const expected = sql.replace(/\$n\b/, '$1');
  expect(bound(sql, { n: 7 })).toMatchObject({ text: expected, values: [7] });
  const { query, bind } = boundForSequelize(sql, { n: 7 });
  expect(sentBySequelize(query, bind)).toEqual([expected, [7]]);
});

test('When a statement contains any text, then the ORM sends it unchanged', () => {
  const piece = fc.constantFrom('$', '$$', '$body$', ' ', '-', "'", '\n');
  const literal = fc.array(piece).map((pieces) => `'${pieces.join('').replaceAll("'", "''")}'`);
  fc.assert(
    fc.property(literal, literal, (before, after) => {
      const { query, bind } = boundForSequelize(`SELECT ${before}, $n, ${after}`, { n: 7 });
      expect(sentBySequelize(query, bind)).toEqual([`SELECT ${before}, $1, ${after}`, [7]]);
    }),
  );
});

test('When a placeholder has no value, or a value has no placeholder, then the statement is rejected', () => {
  expect(() => bound('SELECT $a, $b', { a: 1 })).toThrow('Missing: [b]');
  expect(() => bound('SELECT $a, $b', { a: 1, b: undefined })).toThrow('Missing: [b]');
  expect(() => bound('SELECT $a', { a: 1, c: 2 })).toThrow('Unused: [c]');
  expect(() => bound("SELECT '$a'", {})).toThrow('Missing: [a]');
  expect(bound('SELECT $a', { a: null }).values).toEqual([null]);
});

test('When a value is optional, then it is NULL where it is undefined, and no other value is', () => {
  const given: { a?: number; b: string | undefined; c: boolean } = { b: undefined, c: false };
  const { b, c } = given;
  expect(bound('SELECT $a, $b, $c', givenOrNull({ a: given.a, b, c })).values).toEqual([null, null, false]);
  expect(() => bound('SELECT $a, $b', { a: 1, b, ...givenOrNull({ c }) })).toThrow('Missing: [b]. Unused: [c]');
});

test('When a placeholder is a number, then the statement is rejected', () => {
  expect(() => bound('SELECT $1', {})).toThrow('Use a named value such as $orderId instead of $1');
});
