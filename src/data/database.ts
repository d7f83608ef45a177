/** The connection to PostgreSQL: one pool a process, and typed raw statements beside the models. */
import pg from 'pg';
import { QueryTypes, Sequelize, type Transaction } from 'sequelize';

// Identifiers are bigint columns far below 2^53; the driver would hand them over as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type Database = Sequelize;

/**
 * Opens the pool. Statements give up after 15 s, so that neither a stuck lock nor a lost network holds a request
 * for ever; a tool that reads whole tables gives them longer.
 */
export function openDatabase(url: string, poolSize: number, statementTimeoutMs = 15_000): Database {
  return new Sequelize(url, {
    dialect: 'postgres',
    logging: false,
    pool: { max: poolSize, min: 2, acquire: 5_000, idle: 30_000 },
    dialectOptions: {
      application_name: 'digital-goods',
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + 5_000,
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
