/** The connection to PostgreSQL: one pool a process, and typed raw statements beside the models. */
import pg from 'pg';
import { QueryTypes, Sequelize, type Transaction } from 'sequelize';

// Identifiers are bigint columns far below 2^53; the driver would hand them over as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type Database = Sequelize;

/** How long a statement waits for a connection of the pool, in milliseconds. */
const ACQUIRE_LIMIT_MS = 5_000;

/**
 * Opens the pool. Statements give up after 15 s, so that neither a stuck lock nor a lost network holds a
 * request for ever; and before, where no connection becomes free within `acquireLimitMs`.
 */
export function openDatabase(url: string, poolSize: number, acquireLimitMs = ACQUIRE_LIMIT_MS): Database {
  return new Sequelize(url, {
    dialect: 'postgres',
    logging: false,
    pool: { max: poolSize, min: Math.min(2, poolSize), acquire: acquireLimitMs, idle: 30_000 },
    dialectOptions: {
      application_name: 'digital-goods',
      statement_timeout: 15_000,
      query_timeout: 20_000,
      keepAlive: true,
    },
    define: { underscored: true, timestamps: false },
  });
}

/** Runs one statement with bound parameters (`$1`, `$2`) and returns its rows. */
export async function rows<Row extends object>(
  database: Database,
  sql: string,
  bind: unknown[] = [],
  transaction?: Transaction,
): Promise<Row[]> {
  return database.query<Row>(sql, {
    bind,
    type: QueryTypes.SELECT,
    raw: true,
    ...(transaction && { transaction }),
  });
}

/** Like `rows`, for a statement of which at most one row is wanted. */
export async function firstRow<Row extends object>(
  database: Database,
  sql: string,
  bind: unknown[] = [],
  transaction?: Transaction,
): Promise<Row | undefined> {
  return (await rows<Row>(database, sql, bind, transaction))[0];
}
