/**
 * The log: one JSON object per line. It never holds the bodies, headers and query strings of requests, or the values of SQL
 * statements. It omits error messages of foreign code: suppliers, mail servers, drivers and parsers repeat their input there.
 */
import pino, { type DestinationStream, type Logger } from 'pino';
import { BaseError } from 'sequelize';
import { currentWork } from './current-work';

/**
 * A logger, by default to standard output. `level`: pino's names, `silent` for none. Each line has the name of the level,
 * an ISO time, the process, the message (`msg`) and the current work (see `Work`).
 */
export function createLogger(
  process: 'api' | 'operators' | 'worker' | 'bulk-worker',
  level: string,
  destination: DestinationStream = pino.destination(1),
): Logger {
  return pino(
    {
      level,
      base: { process, pid: globalThis.process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: currentWork,
      // A spread of both objects takes 11 us for each line instead of 8.
      mixinMergeStrategy: (line, work) => Object.assign({}, work, line),
      serializers: { err: describe },
    },
    destination,
  );
}

/** The buffer is written after this time, or as soon as it has this size. */
const FLUSH_INTERVAL_MS = 200;
const FLUSH_BYTES = 4_096;

/**
 * Standard output with a buffer, for a busy log: a write costs as much as everything else about a line. The buffer is
 * written when the process ends, and lost if it is killed.
 */
export function bufferedOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: FLUSH_BYTES, periodicFlush: FLUSH_INTERVAL_MS });
}

/** The parts of an error that may be logged: its kind, its origin, and its message if it is ours. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, cause } = error;
  const frames = framesOf(error);
  return {
    name,
    ...(isOurs(error, frames) && { message: error.message }),
    ...named('code', error),
    ...named('type', error),
    stack: frames.join('\n'),
    ...(cause !== undefined && { cause: describe(cause) }),
  };
}

/** The frames of the stack, without the message before them, which may have several lines. */
function framesOf({ message, stack = '' }: Error): string[] {
  const lines = stack.replace(message, '').split('\n');
  return lines.filter((line) => /^ +at .*(:\d+:\d+|<anonymous>|native)\)?$/.test(line));
}

/** A property that names the kind of error. Other values are omitted. */
function named(key: 'code' | 'type', error: Error): object {
  const value: unknown = Reflect.get(error, key);
  return /^[\w.-]{1,60}$/.test(String(value)) ? { [key]: value } : {};
}

/** Errors whose messages may repeat values: those of Sequelize, and those of JavaScript itself. */
const foreign = [BaseError, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError];

/**
 * Whether one of our files created the error. Temporal's library creates an `ApplicationFailure` with our message (see
 * `activities/failures.ts`).
 */
function isOurs(error: Error, [topFrame = '']: readonly string[]): boolean {
  if (error.name === 'ApplicationFailure') return true;
  if (foreign.some((kind) => error instanceof kind)) return false;
  return topFrame !== '' && !/node_modules|\(node:|at node:|\(<anonymous>\)$/.test(topFrame);
}
