/** Reads files of comma-separated values row by row. */
import { parse } from 'csv-parse/sync';
import { InvalidArgument, type GivenFile } from '../arguments';
import { Faults } from './faults';
import { utf8In } from './utf8-file';

/** A longer row is none. Its texts are for people. */
const MAX_ROW_CHARACTERS = 256 * 1024;

export type Cells = Readonly<Record<string, string>>;

interface CsvFormat {
  /** The columns by the header. Throws what is wrong with it. */
  columns: (names: string[]) => string[];
  maxRows: number;
  /** What a row has, in the plural, such as `refunds`. */
  rows: string;
}

/**
 * Calls `take` with the cells and the 1-based line of each row, as soon as it is read. Rows of empty cells are none. `take` throws
 * `InvalidArgument` for a faulty row. Throws `InvalidArgument` with the first faults of the file, if it has any, and at once for a row
 * beyond `maxRows`.
 */
export function readCsv(
  file: GivenFile,
  { columns, maxRows, rows }: CsvFormat,
  take: (cells: Cells, line: number) => void,
): void {
  const faults = new Faults(file.name);
  let count = 0;
  const readRow = (cells: Cells, { lines: line }: { lines: number }) => {
    count += 1;
    if (count > maxRows)
      throw new InvalidArgument(`${file.name}: line ${line}: a file can have ${maxRows} ${rows}: split it`);
    faults.noting(`line ${line}`, () => take(cells, line));
    return null;
  };
  try {
    parse(utf8In(file), {
      columns,
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: MAX_ROW_CHARACTERS,
      on_record: readRow,
    });
  } catch (error) {
    if (error instanceof InvalidArgument || error instanceof TypeError || !(error instanceof Error)) throw error;
    faults.add(error.message);
  }
  faults.reject();
}
