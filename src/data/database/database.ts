/** The connection to PostgreSQL: opens the pool of a process, and runs raw statements with typed rows. */
import pg from 'pg';
import {
  DatabaseError,
  QueryTypes,
  Sequelize,
  Transaction,
  UniqueConstraintError,
  type Config,
  type Options,
} from 'sequelize';
import { inSpan, isTraced } from '../../tracing/spans';
import { OperatedDatabase } from './acting-person';
import { bound, boundForSequelize, type Binds } from './binds';
import {
  clientWith,
  neededSettings,
  poolSettings,
  rejectUnheld,
  unheldSettings,
  type SessionSettings,
  type UnheldSetting,
} from './connection-settings';

export type Database = Sequelize;
/** A transaction of `database.transaction`. */
export type { Transaction };

/** The SQLSTATE of a violated unique index. */
const UNIQUE_VIOLATION = '23505';

export interface DatabaseOptions {
  /** The maximum time that a statement may run, in milliseconds. */
  statementMs?: number;
  /** The maximum time that a statement may wait for a connection from the pool, in milliseconds. */
  acquireMs?: number;
  /** Whether operators work on it: each transaction then names the person and its own `statementMs` (`actingAs`). */
  isOperated?: boolean;
  /** Statements of this pool find no rate that is older. 0, the default, allows every age. */
  rateStopHours?: number;
  /**
   * Wakes the outbox poller of this process, after a commit with an event for an idle endpoint. Without it, PostgreSQL notifies the
   * pollers of all processes.
   */
  onEventsDue?: (() => void) | undefined;
}

/** The maximum time that a statement may run, by default. */
export const STATEMENT_MS = 15_000;
/** That of a statement which reads whole tables for an operator. */
export const LONG_STATEMENT_MS = 3_600_000;

/** The settings of each pool's sessions. */
const settingsOf = new WeakMap<Database, SessionSettings>();

/** The ages of each pool at which rates stop; null for every age. */
const rateStops = new WeakMap<Database, number | null>();

/** The value of `$rateStopHours` for statements about rates, such as those of `rate-ages.ts`. */
export function rateStopOf(database: Database): { rateStopHours: number | null } {
  return { rateStopHours: rateStops.get(database) ?? null };
}

/**
 * How the pool closes idle connections. They stay open between two runs of maintenance, which are a minute apart: a new connection
 * costs both sides 30 ms of CPU.
 */
const IDLE_CONNECTIONS = { idle: 90_000, evict: 10_000 };

/**
 * Opens the pool. By default, a statement fails if it gets no connection within 5 s, and is cancelled after 15 s. So neither a
 * stuck lock nor a lost network holds a request forever.
 */
export function openDatabase(
  url: string,
  poolSize: number,
  {
    isOperated = false,
    statementMs = isOperated ? LONG_STATEMENT_MS : STATEMENT_MS,
    acquireMs = 5_000,
    rateStopHours = 0,
    onEventsDue,
  }: DatabaseOptions = {},
): Database {
  const settings = poolSettings({ isOperated, statementMs });
  const options: Options & Pick<Config, 'keepDefaultTimezone'> = {
    dialect: 'postgres',
    dialectModule: { ...pg, Client: clientWith(settings, onEventsDue) },
    logging: false,
    pool: { max: poolSize, min: Math.min(2, poolSize), acquire: acquireMs, ...IDLE_CONNECTIONS },
    dialectOptions: {
      query_timeout: statementMs + 5_000,
      // Without it, a server that accepts connections but does not answer would hold the process open.
      connectionTimeoutMillis: acquireMs,
      keepAlive: true,
      // Otherwise Sequelize has settings of its own, which cost another round trip.
      clientMinMessages: 'ignore',
    },
    keepDefaultTimezone: true,
    define: { underscored: true, timestamps: false },
  };
  const database = isOperated ? new OperatedDatabase(url, options) : new Sequelize(url, options);
  settingsOf.set(database, settings);
  rateStops.set(database, rateStopHours === 0 ? null : rateStopHours);
  return database;
}

/**
 * Runs one statement with named values (`$orderId`, see `binds.ts`) and returns its rows. Outside a transaction, the statement is
 * prepared on its connection, because the statements of an order take longer to plan than to run.
 */
export function rows<Row extends object>(
  database: Database,
  sql: string,
  binds: Binds = {},
  transaction?: Transaction,
): Promise<Row[]> {
  return traced(sql, () => run<Row>(database, sql, binds, transaction));
}

/**
 * Like `rows`, for statements whose conditions the caller combines. They are not prepared, but planned at each call. PostgreSQL
 * keeps some 0.4 MB for each prepared text of a merged list on each connection, and a client could cause a thousand texts.
 */
export function unpreparedRows<Row extends object>(database: Database, sql: string, binds: Binds): Promise<Row[]> {
  return traced(sql, () => runOnPool<Row>(database, sql, binds, false));
}

function traced<Result>(sql: string, work: () => Promise<Result>): Promise<Result> {
  if (!isTraced()) return work();
  const attributes = { 'db.system': 'postgresql', 'db.operation.name': operationOf(sql) };
  return inSpan({ name: () => nameOf(sql), kind: 'client', attributes }, work);
}

function operationOf(sql: string): string {
  return /\w+/.exec(sql.replace(/^\s*--.*$/gm, ''))?.[0]?.toUpperCase() ?? '';
}

/** The operation and the table of a statement, without its values. */
function nameOf(sql: string): string {
  const table = /\b(?:FROM|INTO|UPDATE)\s+([a-z_]+)/.exec(sql)?.[1] ?? '';
  return `${operationOf(sql)} ${table}`.trim();
}

function run<Row extends object>(
  database: Database,
  sql: string,
  binds: Binds,
  transaction?: Transaction,
): Promise<Row[]> {
  if (!transaction) {
    if (!(database instanceof OperatedDatabase)) return runOnPool<Row>(database, sql, binds);
    return database.transaction((own) => run<Row>(database, sql, binds, own));
  }
  const { query, bind } = boundForSequelize(sql, binds);
  return database.query<Row>(query, { bind, type: QueryTypes.SELECT, raw: true, transaction });
}

/** The connections of a pool, and the number of statements that wait for one. */
export interface PoolUse {
  used: number;
  idle: number;
  max: number;
  waiting: number;
}

/** The members of the ORM's pool that its types omit. */
interface Pooled {
  pool: { using: number; available: number; maxSize: number; waiting: number };
}

export function poolUse(database: Database): PoolUse {
  const { pool } = database.connectionManager as typeof database.connectionManager & Pooled;
  return { used: pool.using, idle: pool.available, max: pool.maxSize, waiting: pool.waiting };
}

/** Bypasses the query layer of the ORM, which takes as long as a short statement. Throws the same errors as the ORM. */
async function runOnPool<Row extends object>(
  database: Database,
  sql: string,
  binds: Binds,
  isPrepared = true,
): Promise<Row[]> {
  const { name, text, values } = bound(sql, binds);
  const statement = isPrepared ? { name, text, values } : { text, values };
  const pool = database.connectionManager;
  const connection = await pool.getConnection({ type: 'write' });
  if (!(connection instanceof pg.Client)) throw new Error('The pool gives no connection of pg');
  try {
    const result = await connection.query<Row>(statement);
    pool.releaseConnection(connection);
    return result.rows;
  } catch (error) {
    if (isRejectedStatement(error)) pool.releaseConnection(connection);
    else await pool.destroyConnection(connection);
    throw ormError(error);
  }
}

/** SQLSTATEs with which PostgreSQL ends a session: broken protocol, time limits of idle transactions, shutdown, internal errors. */
const endsSession = /^(08...|25P0[34]|57P0.|XX...)$/;

/**
 * Whether PostgreSQL rejected the statement, so that the connection stays usable. Other errors may leave it in any state. The code
 * decides, because the severity is a word of the server's language.
 */
function isRejectedStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && !endsSession.test(error.code);
}

function ormError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const parent = Object.assign(error, { sql: '' });
  const isDuplicate = error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
  return isDuplicate ? new UniqueConstraintError({ parent }) : new DatabaseError(parent);
}

/** Resolves if PostgreSQL answers, and the settings of a session of the pool hold. Otherwise the error names the setting. */
export async function ping(database: Database): Promise<void> {
  const needed = neededSettings(settingsOf.get(database));
  rejectUnheld(await rows<UnheldSetting>(database, unheldSettings, needed));
}

/** The time by the database's clock. */
export async function databaseTime(database: Database): Promise<Date> {
  return (await oneRow<{ now: Date }>(database, 'SELECT clock_timestamp() AS now')).now;
}

type Statement = Parameters<typeof rows>;

/** Like `rows`; returns the first row. */
export async function firstRow<Row extends object>(...statement: Statement): Promise<Row | undefined> {
  return (await rows<Row>(...statement))[0];
}

/** Like `rows`; returns whether the statement returned a row. */
export async function hasRow(...statement: Statement): Promise<boolean> {
  return (await firstRow(...statement)) !== undefined;
}

/** Like `rows`, for a statement that always returns a row. */
export async function oneRow<Row extends object>(...statement: Statement): Promise<Row> {
  const row = await firstRow<Row>(...statement);
  if (!row) throw new Error(`The statement returned no row: ${nameOf(statement[1])}`);
  return row;
}

/** Runs a statement and returns the number of rows that it returns. */
export async function countRows(...statement: Statement): Promise<number> {
  return (await rows(...statement)).length;
}

/** Runs reads that all see the database as it is at the first one (REPEATABLE READ). */
export function inSnapshot<Result>(
  database: Database,
  read: (snapshot: Transaction) => Promise<Result>,
): Promise<Result> {
  const isolationLevel = Transaction.ISOLATION_LEVELS.REPEATABLE_READ;
  return database.transaction({ isolationLevel }, read);
}

/** Deeper pages share one limit, which is above the last row of the last page (2^53) and below the maximum of a bigint. */
const MAX_PLANNED = 8 ** 6;
const ALL_ROWS = 8 ** 18;

/**
 * Rounds the number of rows up to a literal limit for a statement. Returns few different limits, because each different text is
 * prepared on each connection.
 *
 * Rejected: a bound limit. PostgreSQL then expects a tenth of the table, considers the generic plan expensive, and plans the
 * statement at each call. That takes 0.8 of the 1.7 ms of a list of 50.
 */
export function plannedLimit(rowCount: number): number {
  const limit = 8 ** Math.ceil(Math.log(Math.max(rowCount, 64)) / Math.log(8));
  return limit <= MAX_PLANNED ? limit : ALL_ROWS;
}
