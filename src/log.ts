/** The log: one JSON object a line. It never holds bodies, headers, queries or the values of statements. */
import pino, { type Logger } from 'pino';

/** A logger to standard output. `level`: pino's names, `silent` for none. */
export function createLogger(level: string): Logger {
  return pino({ level, serializers: { err: describe } });
}

/** What of an error may be logged. A driver's error also carries the statement with its bound values. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  return { name, message, stack, code, cause: cause === undefined ? undefined : describe(cause) };
}
