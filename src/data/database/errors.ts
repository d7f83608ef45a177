/** Errors of the database, by what callers do about them. */
import pg from 'pg';
import { ConnectionError, DatabaseError, UniqueConstraintError } from 'sequelize';

/** PostgreSQL could not be reached. */
export { ConnectionError };

/** SQLSTATE classes 08 (connection) and 53 (resources), shutdown and start-up (57P0x), statement time-out. */
const unavailableState = /^(08...|53...|57P0[1-3]|57014|25P03)$/;

/** How the driver names a connection that broke under a statement. */
const brokenConnection = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/;

/**
 * Whether a statement failed because PostgreSQL could not be reached or did not answer in time. Says
 * nothing about whether the statement took effect.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof DatabaseError)) return false;
  const { code, message } = error.parent as { code?: string; message: string };
  if (code === undefined)
    return message.startsWith('Connection terminated') || message === 'Query read timeout';
  return unavailableState.test(code) || brokenConnection.test(code);
}

/** Whether a statement failed because a value is taken; `index`: in the unique index with this name. */
export function isUniqueViolation(error: unknown, index = ''): boolean {
  return error instanceof UniqueConstraintError && error.parent.message.includes(index);
}

/** The message with which the database raised this SQLSTATE; undefined for every other error. */
export function raisedMessage(error: unknown, sqlState: string): string | undefined {
  const parent = error instanceof DatabaseError ? error.parent : undefined;
  return parent instanceof pg.DatabaseError && parent.code === sqlState ? parent.message : undefined;
}
