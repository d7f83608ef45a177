/** How statements reach PostgreSQL, and the state of the connection after a failure. */
import pg from 'pg';
import { DatabaseError, UniqueConstraintError } from 'sequelize';
import { openDatabase, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { isDatabaseUnavailable } from '../../src/data/database/errors';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const scratch = scratchDatabase();
const opened: Database[] = [];
afterAll(() => Promise.all(opened.map((database) => database.close())));

/** A pool of one connection, so that every statement uses the connection of the previous statement. */
function oneConnection(options: Parameters<typeof openDatabase>[2] = {}): Database {
  const database = openDatabase(scratch.url, 1, options);
  opened.push(database);
  return database;
}

const preparedOn = async (database: Database) =>
  (await sql(database)<{ statement: string }>`SELECT statement FROM pg_prepared_statements`).map(
    ({ statement }) => statement,
  );
const doubled = (database: Database, n: number) => sql.first(database)<{ n: number }>`SELECT ${n}::integer * 2 AS n`;

test('When a statement runs again, then it is prepared once', async () => {
  const database = oneConnection();
  expect(await doubled(database, 2)).toEqual({ n: 4 });
  expect(await doubled(database, 3)).toEqual({ n: 6 });
  expect((await preparedOn(database)).filter((statement) => statement.includes('* 2'))).toHaveLength(1);
});

test('When a statement is rejected, then its connection stays usable', async () => {
  const database = oneConnection();
  const connection = async () => sql.first(database)<{ pid: number }>`SELECT pg_backend_pid() AS pid`;
  const before = await connection();
  await expect(sql(database)`INSERT INTO clients (id, name, contact_email) OVERRIDING SYSTEM VALUE
                 VALUES (7, 'a', 'a@client.example'), (7, 'b', 'b@client.example')`).rejects.toBeInstanceOf(
    UniqueConstraintError,
  );
  await expect(sql(database)`SELECT 1 / 0`).rejects.toBeInstanceOf(DatabaseError);
  expect(await connection()).toEqual(before);
});

test('When PostgreSQL writes its messages in another language, then the connection of a rejected statement stays usable', async () => {
  const database = oneConnection();
  const connection = async () => sql.first(database)<{ pid: number }>`SELECT pg_backend_pid() AS pid`;
  const before = await connection();
  // The embedded PostgreSQL has only English messages.
  const rejection = Object.assign(new pg.DatabaseError('Division durch Null', 1, 'error'), {
    severity: 'FEHLER',
    code: '22012',
  });
  jest.spyOn(pg.Client.prototype, 'query').mockRejectedValueOnce(rejection as never);
  await expect(sql(database)`SELECT 1 / 0`).rejects.toBeInstanceOf(DatabaseError);
  expect(await connection()).toEqual(before);
});

test('When PostgreSQL rejects a statement, then the error does not contain its values', async () => {
  const failing = sql(oneConnection())`SELECT ${'dgs_confidential'}::text, 1 / 0`;
  const error = await failing.catch((reason: unknown) => reason);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('confidential');
});

test('When the connection of a statement is cut, then PostgreSQL counts as unavailable, and the next statement gets a new connection', async () => {
  const database = oneConnection();
  const { pid } = (await sql.first(database)<{ pid: number }>`SELECT pg_backend_pid() AS pid`) as { pid: number };
  const sleeping = sql(database)`SELECT pg_sleep(60)`.catch((reason: unknown) => reason);
  await sql(scratch.database)`SELECT pg_terminate_backend(${pid})`;
  expect(isDatabaseUnavailable(await sleeping)).toBe(true);
  expect(await doubled(database, 4)).toEqual({ n: 8 });
});

test('When a statement takes too long, then PostgreSQL counts as unavailable', async () => {
  const database = oneConnection({ statementMs: 100 });
  const error = await sql(database)`SELECT pg_sleep(10)`.catch((reason: unknown) => reason);
  expect(isDatabaseUnavailable(error)).toBe(true);
});
