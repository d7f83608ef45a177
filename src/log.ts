/**
 * The log: one JSON object a line. It never holds bodies, headers, queries, the values of statements, nor a text that
 * somebody else's program gave an error: suppliers, mail servers, drivers and parsers repeat what they were given.
 */
import pino, { type DestinationStream, type Logger } from 'pino';
import { BaseError } from 'sequelize';
import { currentWork } from './current-work';

/** Whose log it is. */
export type LoggingProcess = 'api' | 'worker' | 'codec-server';

/**
 * A logger, to standard output unless told otherwise. `level`: pino's names, `silent` for none. Each line has the
 * level by its name, an ISO time, the process, the message (`msg`), and what is being worked on (see `Work`).
 */
export function createLogger(
  process: LoggingProcess,
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
      // Spreading both makes 11 us of a line's 8.
      mixinMergeStrategy: (line, work) => Object.assign({}, work, line),
      serializers: { err: describe },
    },
    destination,
  );
}

/** How long a line may wait for others, and how many bytes make them be written before. */
const WRITTEN_EVERY_MS = 200;
const WRITTEN_AT_BYTES = 4_096;

/**
 * Standard output for a log of many lines: some are written together, because a write of its own costs as much as all else
 * that is done for a line. They are written too when the process ends, unless it is killed.
 */
export function outputTogether(): DestinationStream {
  return pino.destination({
    dest: 1,
    sync: false,
    minLength: WRITTEN_AT_BYTES,
    periodicFlush: WRITTEN_EVERY_MS,
  });
}

/** What of an error may be logged: what it is and where it came from, and its message where that is ours. */
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

/** Where the error was made, line by line; the message that stands before it may itself have several lines. */
function framesOf({ message, stack = '' }: Error): string[] {
  const lines = stack.replace(message, '').split('\n');
  return lines.filter((line) => /^ +at .*(:\d+:\d+|<anonymous>|native)\)?$/.test(line));
}

/** A property that names a kind of error; not what it holds instead. */
function named(key: 'code' | 'type', error: Error): object {
  const value: unknown = key in error ? error[key as keyof Error] : undefined;
  return /^[\w.-]{1,60}$/.test(String(value)) ? { [key]: value } : {};
}

/** Errors whose messages repeat values wherever they were made: PostgreSQL's, and those of the language itself. */
const foreign = [BaseError, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError];

/**
 * Whether the message is ours: one of our own files made the error, not a library's nor Node's. A failure of
 * Temporal's is made by its library, of words of ours (see activities/failures.ts).
 */
function isOurs(error: Error, [madeAt = '']: readonly string[]): boolean {
  if (error.name === 'ApplicationFailure') return true;
  if (foreign.some((kind) => error instanceof kind)) return false;
  return madeAt !== '' && !/node_modules|\(node:|at node:|\(<anonymous>\)$/.test(madeAt);
}
