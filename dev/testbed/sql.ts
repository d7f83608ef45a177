/** Statements of tests and development tools, with their values in place. */
import {
  countRows,
  firstRow,
  hasRow,
  oneRow,
  rows,
  type Database,
  type Transaction,
} from '../../src/data/database/database';

type Statement = [texts: TemplateStringsArray, ...values: unknown[]];

/** The text with a name in place of each value, and the values by these names. */
function namedIn([texts, ...values]: Statement): [string, Record<string, unknown>] {
  const text = texts.reduce((before, next, index) => `${before}$value${index}${next}`);
  return [text, Object.fromEntries(values.map((value, index) => [`value${index + 1}`, value]))];
}

/**
 * Runs a statement, as `rows` does: `` await sql(database)`UPDATE orders SET units = ${units} WHERE id = ${id}` ``. PostgreSQL gets the values
 * apart from the text. `rows` runs texts that are put together, and those that use a value twice.
 */
export const sql =
  (database: Database, transaction?: Transaction) =>
  <Row extends object>(...statement: Statement) =>
    rows<Row>(database, ...namedIn(statement), transaction);

/** As `firstRow`. */
sql.first =
  (database: Database, transaction?: Transaction) =>
  <Row extends object>(...statement: Statement) =>
    firstRow<Row>(database, ...namedIn(statement), transaction);

/** As `oneRow`. */
sql.one =
  (database: Database, transaction?: Transaction) =>
  <Row extends object>(...statement: Statement) =>
    oneRow<Row>(database, ...namedIn(statement), transaction);

/** As `hasRow`. */
sql.has =
  (database: Database, transaction?: Transaction) =>
  (...statement: Statement) =>
    hasRow(database, ...namedIn(statement), transaction);

/** As `countRows`. */
sql.count =
  (database: Database, transaction?: Transaction) =>
  (...statement: Statement) =>
    countRows(database, ...namedIn(statement), transaction);

/** Deletes all rows of the tables, one after the other: `await empty(database, 'attention orders')`. */
export async function empty(database: Database, tables: string): Promise<void> {
  for (const table of tables.split(' ')) await rows(database, `DELETE FROM ${table}`);
}
