import { ConnectionError, DatabaseError } from 'sequelize';

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
