/**
 * Connections to the schema in which the sign-in of one door keeps its people. The library of the sign-in has its own statements, so
 * it gets the driver's pool. docs/decisions/0065-name-operators-and-give-them-roles.md.
 */
import pg from 'pg';
import { bound, type Binds } from '../database/binds';
import { clientWith } from '../database/sessions';

export type IdentityPool = pg.Pool;

/** The schemas that `identityTables` creates, one for each door. */
export type IdentitySchema = 'identity_operators' | 'identity_members';

/** Connections of one process. People are few, and each request runs two short statements. */
const MAX_CONNECTIONS = 5;
const STATEMENT_MS = 15_000;
const CONNECT_MS = 5_000;

/** Opens the pool. It connects at its first statement. Close it with `end`. */
export function openIdentityPool(url: string, schema: IdentitySchema): IdentityPool {
  const pool = new pg.Pool({
    Client: clientWith({
      application_name: 'digital-goods-identity',
      search_path: schema,
      statement_timeout: String(STATEMENT_MS),
    }),
    connectionString: url,
    max: MAX_CONNECTIONS,
    query_timeout: STATEMENT_MS + CONNECT_MS,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced at the next statement, which fails if there is still no server.
  pool.on('error', () => undefined);
  return pool;
}

/** Runs one statement with named values and returns its rows. */
export async function identityRows<Row extends object>(
  pool: IdentityPool,
  sql: string,
  binds: Binds = {},
): Promise<Row[]> {
  const { text, values } = bound(sql, binds);
  const { rows } = await pool.query<Row>(text, values);
  return rows;
}
