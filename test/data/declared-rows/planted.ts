/** Statements with one fault each, and some without, for `declared-rows.test.ts`. Nothing calls them. */
import { countRows, firstRow, rows, type Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';

const names = 'SELECT name FROM clients';
const columns = (...list: string[]) => list.join(', ');

export const otherColumn = (database: Database) =>
  rows<{ id: number; title: string }>(database, `SELECT ${columns('id', 'name')} FROM clients`);

export const otherType = (database: Database) => sql.first(database)<{ id: string }>`SELECT id FROM clients`;

export const otherElement = (database: Database) =>
  sql.one(database)<{ ids: string[] }>`SELECT array_agg(id) AS ids FROM clients`;

export const nullableColumn = (database: Database) =>
  sql(database)<{ completedAt: Date }>`SELECT completed_at AS "completedAt" FROM orders`;

export const nullableByOuterJoin = (database: Database) =>
  sql(database)<{ id: number; name: string }>`SELECT orders.id, clients.name FROM orders LEFT
       JOIN clients ON clients.id = orders.client_id`;

export const withoutValue = (database: Database) =>
  countRows(database, `${names} WHERE id = $id AND name = $name`, { id: 1 });

export const withSurplusValue = (database: Database, name: string) => rows(database, names, { name });

export const withUndefinedValue = (database: Database, id: number | undefined) =>
  rows(database, `${names} WHERE id = $id`, { id });

export const inOneBranch = (database: Database, isShort: boolean) => {
  const text = isShort ? names : 'SELECT id, name FROM clients';
  return rows<{ id: number; name: string }>(database, text);
};

/** Read once for each caller. */
const only = <Row extends object>(database: Database, text: string, id: number) =>
  firstRow<Row>(database, `${text} WHERE id = $id`, { id });
export const ofCaller = (database: Database) => only<{ name: number }>(database, names, 1);

export const rejected = (database: Database) => sql(database)`SELECT FROM no_such_table`;

export async function unknownText(database: Database) {
  const { text } = await sql.one(database)<{ text: string }>`SELECT name AS text FROM clients LIMIT 1`;
  return rows(database, text);
}

/** Without a fault. */
export const provenByCondition = (database: Database, id: number | null) =>
  rows<{ completedAt: Date; cost: string | null; id: number }>(
    database,
    `SELECT completed_at AS "completedAt", sum(cost) AS cost, order_id AS id
       FROM orders JOIN supplier_purchases ON order_id = orders.id
      WHERE completed_at IS NOT NULL AND ($id::integer IS NULL OR orders.id = $id) GROUP BY completed_at, order_id`,
    { id },
  );
