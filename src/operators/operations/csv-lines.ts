/** Reads files of comma-separated lines that people upload. */
import { parse } from 'csv-parse/sync';
import { thrownMessage } from '../../domain/unknown-values';
import { InvalidArgument } from './arguments';

/** Faults that an error names. */
const MAX_FAULTS = 5;

/** How the lines are written. */
interface LineFormat {
  /** Throws what is wrong with the header. Default: every header is right. */
  columns?: (names: string[]) => string[];
  /** Default: a comma. */
  delimiter?: string;
  /** Whether a line of empty cells is none. */
  skip_records_with_empty_values?: boolean;
}

interface Line<Cells> {
  record: Cells;
  info: { lines: number };
}

/** What the lines say, and what is wrong with the others, or with the file as a whole. */
interface ReadLines<Value> {
  values: Value[];
  faults: string[];
}

/**
 * Reads each line below the header with `read`, which gets its cells by column and its number in the file, and throws `InvalidArgument`
 * for a faulty one.
 */
export function readLines<Cells, Value>(
  text: string,
  format: LineFormat,
  read: (cells: Cells, line: number) => Value,
): ReadLines<Value> {
  const values: Value[] = [];
  const faults: string[] = [];
  let lines: Line<Cells>[];
  try {
    lines = parse<Line<Cells>>(text, {
      columns: true,
      bom: true,
      trim: true,
      skip_empty_lines: true,
      ...format,
      info: true,
    });
  } catch (error) {
    return { values, faults: [thrownMessage(error)] };
  }
  for (const { record, info } of lines) {
    try {
      values.push(read(record, info.lines));
    } catch (error) {
      if (!(error instanceof InvalidArgument)) throw error;
      faults.push(`line ${info.lines}: ${error.message}`);
    }
  }
  return { values, faults };
}

/** Throws `InvalidArgument` with the first faults of the file, if it has any. */
export function rejectFaults(name: string, faults: readonly string[]): void {
  if (faults.length === 0) return;
  const rest = faults.length > MAX_FAULTS ? ` (and ${faults.length - MAX_FAULTS} more)` : '';
  throw new InvalidArgument(`${name}: ${faults.slice(0, MAX_FAULTS).join(' ')}${rest}`);
}
