/** The header of a bank's CSV file, which may have other lines above it. */
import type { BankCsv } from '../../../settings/bank-csv';
import { InvalidArgument } from '../arguments';
import { shown } from './statement-values';

type Column = Exclude<keyof BankCsv['columns'], 'text'>;

/** One line below the header. `cell`: empty for a column that the setting does not name. */
export interface CsvRow {
  cell: (column: Column) => string;
  texts: string[];
}

/** Lines above the header. */
const MAX_HEAD = 100;

export class CsvHeader {
  private readonly names: readonly string[];
  private header: readonly string[] | undefined;
  private lines = 0;
  /** The columns that the likeliest line lacks. */
  private missing: readonly string[];

  constructor(private readonly mapping: BankCsv) {
    this.names = [...new Set(Object.values(mapping.columns).flat())];
    this.missing = this.names;
  }

  get isFound(): boolean {
    return this.header !== undefined;
  }

  /** Takes the line as the header if it has every column. Throws `InvalidArgument` if it names one twice, or too many had none. */
  look(cells: readonly string[]): void {
    this.lines += 1;
    const missing = this.names.filter((name) => !cells.includes(name));
    if (missing.length < this.missing.length) this.missing = missing;
    if (missing.length > 0) {
      if (this.lines === MAX_HEAD) this.assertFound();
      return;
    }
    const twice = this.names.find((name) => cells.indexOf(name) !== cells.lastIndexOf(name));
    if (twice !== undefined)
      throw new InvalidArgument(`two columns are named "${twice}", so nothing says which one BANK_CSV names`);
    this.header = cells;
  }

  /** Throws `InvalidArgument`, which names the missing columns, if no line was the header. */
  assertFound(): void {
    if (this.header) return;
    const missing = this.missing.map((name) => `"${name}"`).join(', ');
    throw new InvalidArgument(
      `the file has no column ${missing}, which BANK_CSV names. Download the CSV file with these columns, or camt.053 or MT940`,
    );
  }

  /** The cells of a line by their columns. Throws `InvalidArgument` for another number of cells: a text may hold the delimiter. */
  row(cells: readonly string[]): CsvRow {
    const header = this.header ?? [];
    if (cells.length < header.length || cells.slice(header.length).some((cell) => cell !== ''))
      throw new InvalidArgument(
        `it has ${cells.length} columns, and the header ${header.length}. If it stands below the last entry, BANK_CSV can name its beginning as "end": ${shown(cells[0] ?? '')}`,
      );
    const named = (name: string | undefined) => (name === undefined ? '' : (cells[header.indexOf(name)] ?? ''));
    const { text, ...columns } = this.mapping.columns;
    return { cell: (column) => named(columns[column]), texts: text.map(named) };
  }
}
