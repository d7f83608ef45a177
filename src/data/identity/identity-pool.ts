/**
 * Connections to the schema in which the sign-in of one door keeps its people. The library of the sign-in has its own statements, so
 * it gets the driver's pool. docs/decisions/0065-name-operators-and-give-them-roles.md.
 */
import pg from 'pg';
import { bound, type Binds } from '../database/binds';
import { clientWith } from '../database/connection-settings';

export type IdentityPool = pg.Pool;

/** What runs the statements of the service itself: the pool, or one connection of it. */
export interface IdentityConnection {
  query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<pg.QueryResult<Row>>;
}

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
  pool: IdentityConnection,
  sql: string,
  binds: Binds = {},
): Promise<Row[]> {
  const { text, values } = bound(sql, binds);
  const { rows } = await pool.query<Row>(text, values);
  return rows;
}

/** A connection whose statements are undone. It takes one from the pool, and begins a transaction, at its first statement. */
export class UndoneConnection implements IdentityConnection {
  private begun: Promise<pg.PoolClient> | undefined;

  constructor(private readonly pool: IdentityPool) {}

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<pg.QueryResult<Row>> {
    this.begun ??= this.begin();
    return (await this.begun).query<Row>(text, values);
  }

  /** Undoes everything, and gives the connection back. */
  async undo(): Promise<void> {
    const client = await this.begun?.catch(() => undefined);
    if (!client) return;
    const failure = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    client.release(failure);
  }

  private async begin(): Promise<pg.PoolClient> {
    const client = await this.pool.connect();
    await client.query('BEGIN');
    return client;
  }
}
