/** The database cost of a search in the console, for any combination of conditions. */
import pg from 'pg';
import { unpreparedRows, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { listClientOrders, type ClientOrderFilter } from '../../src/data/orders/client-orders';

interface Statement {
  name?: string;
  text: string;
}

/** A database with this number of orders for the searched prefix, and the statements that it receives. */
function databaseWith(named: number) {
  const statements: Statement[] = [];
  const connection = Object.assign(new pg.Client(), {
    query: async (statement: Statement) => {
      statements.push(statement);
      return { rows: /^\s*SELECT count/.test(statement.text) ? [{ count: named }] : [] };
    },
  });
  const connectionManager = { getConnection: async () => connection, releaseConnection: () => undefined };
  return { database: { connectionManager } as unknown as Database, statements };
}

const families = ['VOUCHER', 'TOPUP', 'ESIM'] as const;
const part = { limit: 26 };

test('When a client combines conditions, then the connections keep no prepared statement of a list', async () => {
  const { database, statements } = databaseWith(1);
  const moment = new Date();
  const filters: Partial<ClientOrderFilter>[] = [
    {},
    { status: 'FAILED' },
    { product: 'card', from: moment },
    { search: 'order-', to: moment },
  ];
  for (const filter of filters) await listClientOrders(database, 1, { families, ...filter }, part);
  const lists = statements.filter(({ text }) => text.includes('WITH page'));
  expect(lists.map(({ name }) => name)).toEqual([undefined, undefined, undefined, undefined]);
});

test.each([
  [4_999, true],
  [5_000, false],
])(
  'When %i references begin with the searched text, then the search uses the references: %s',
  async (named, isByReference) => {
    const { database, statements } = databaseWith(named);
    await listClientOrders(database, 1, { families, search: 'order-' }, part);
    const list = statements.at(-1)?.text ?? '';
    expect(list.includes('UNION ALL')).toBe(!isByReference);
  },
);

test('When a statement is sent unprepared, then other statements are still prepared', async () => {
  const { database, statements } = databaseWith(0);
  await sql(database)`SELECT 1`;
  await unpreparedRows(database, 'SELECT 1', {});
  expect(statements.map(({ name }) => name === undefined)).toEqual([false, true]);
});
