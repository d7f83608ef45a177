/** Kinds of database errors. */
import pg from 'pg';
import { BaseError, ConnectionError, DatabaseError, UniqueConstraintError } from 'sequelize';
import { propertyOf } from '../../domain/unknown-values';

/** PostgreSQL could not be reached. */
export { ConnectionError };

/** SQLSTATE classes 08 (connection) and 53 (resources), shutdown and start-up (57P0x), statement and idle timeouts. */
const unavailableState = /^(08...|53...|57P0[1-3]|57014|25P03)$/;

/** The driver's messages without a code, for a connection that broke, is slow, or is not free. */
const withoutConnection = /^(Connection terminated|Query read timeout$|timeout exceeded when trying to connect$)/;

/** The driver's codes for a connection that broke during a statement. */
const brokenConnection = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/;

/** Whether PostgreSQL could not be reached or did not answer in time. The statement may have taken effect. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof DatabaseError && isDriverUnavailable(error.parent);
}

/** The same for an error of the driver's own pool, which the sign-in has. Only for code that connects to nothing else. */
export function isDriverUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = propertyOf(error, 'code');
  if (typeof code !== 'string') return withoutConnection.test(error.message);
  return unavailableState.test(code) || brokenConnection.test(code);
}

/** Whether a statement violated a unique index: the one with the name `index`, or any. */
export function isUniqueViolation(error: unknown, index = ''): boolean {
  return error instanceof UniqueConstraintError && error.parent.message.includes(index);
}

/** The message of an error with this SQLSTATE; undefined for any other error. */
export function raisedMessage(error: unknown, sqlState: string): string | undefined {
  const parent = error instanceof DatabaseError ? error.parent : undefined;
  return parent instanceof pg.DatabaseError && parent.code === sqlState ? parent.message : undefined;
}

/** What is known about a statement that failed. */
export interface FailedStatement {
  /** The SQLSTATE; empty if PostgreSQL did not send the error. */
  state: string;
  table: string | undefined;
  constraint: string | undefined;
  /** Of PostgreSQL: it may quote values. A sentence of ours only if one of our functions raised it. */
  message: string;
}

/** The failed statement that the error is about, at any of the pools; undefined for any other error. */
export function failedStatement(error: unknown): FailedStatement | undefined {
  const sent = error instanceof BaseError && 'parent' in error ? error.parent : error;
  if (sent instanceof pg.DatabaseError) {
    const { code = '', table, constraint, message } = sent;
    return { state: code, table, constraint, message };
  }
  if (!(error instanceof BaseError)) return undefined;
  return { state: '', table: undefined, constraint: undefined, message: error.message };
}
