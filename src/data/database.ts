/** The connection to PostgreSQL: one pool a process, and typed raw statements beside the models. */
import pg from 'pg';
import { QueryTypes, Sequelize, type Transaction } from 'sequelize';
import { boundForSequelize, type Binds } from './named-binds';

// Identifiers are bigint columns far below 2^53; the driver would hand them over as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type Database = Sequelize;

/** How long a statement may run, and how long it waits for a connection of the pool, in milliseconds. */
export interface DatabaseLimits {
  statementMs?: number;
  acquireMs?: number;
}

/**
 * What PostgreSQL is to think that reading any page costs, beside 1 for the next one. Its default of 4 is that of
 * disks with moving heads: a page of 50 top-ups then reads the whole table of their details until there are some
 * 20,000 (10 ms where 0.5 ms do). What is read often lies in memory, and the rest on flash.
 */
const RANDOM_PAGE_COST = 1.1;

/**
 * Opens the pool. Statements give up after 15 s, so that neither a stuck lock nor a lost network holds a
 * request for ever, and where no connection becomes free within 5 s; `limits` sets others.
 */
export function openDatabase(
  url: string,
  poolSize: number,
  { statementMs = 15_000, acquireMs = 5_000 }: DatabaseLimits = {},
): Database {
  return new Sequelize(url, {
    dialect: 'postgres',
    logging: false,
    pool: { max: poolSize, min: Math.min(2, poolSize), acquire: acquireMs, idle: 30_000 },
    dialectOptions: {
      application_name: 'digital-goods',
      statement_timeout: statementMs,
      query_timeout: statementMs + 5_000,
      keepAlive: true,
      options: `-c random_page_cost=${RANDOM_PAGE_COST}`,
    },
    define: { underscored: true, timestamps: false },
  });
}

/** Runs one statement with named values (`$orderId`, see `named-binds.ts`) and returns its rows. */
export async function rows<Row extends object>(
  database: Database,
  sql: string,
  binds: Binds = {},
  transaction?: Transaction,
): Promise<Row[]> {
  const { query, bind } = boundForSequelize(sql, binds);
  return database.query<Row>(query, {
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
  binds: Binds = {},
  transaction?: Transaction,
): Promise<Row | undefined> {
  return (await rows<Row>(database, sql, binds, transaction))[0];
}
