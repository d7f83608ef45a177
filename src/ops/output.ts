/** What commands print: rows for people, or JSON for scripts. */
import { format } from 'node:util';
import type { Command } from 'commander';

export type Cell = string | number | boolean | null | undefined | Date | object;
export type Row = Readonly<Record<string, Cell>>;

/**
 * Characters that act on a terminal instead of being shown: C0 but for tab and line feed, DEL, C1, and those that change the
 * direction of text. A client or a supplier may have written them.
 */
const acting = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text without the characters that act on a terminal. */
export function printable(text: string): string {
  return text.replace(acting, '');
}

/** Has everything that commands print pass `printable`, so that none can forget it. */
export function printSafely(to: Pick<Console, 'log' | 'error'> = console): void {
  const { log, error } = to;
  to.log = (...words: unknown[]) => log.call(to, printable(format(...words)));
  to.error = (...words: unknown[]) => error.call(to, printable(format(...words)));
}

/** JSON in which the same characters are escaped, so that a script reads the value as it is. */
export function jsonText(value: object, indent = 2): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(acting, escaped);
}

/** Prints rows as a table, or as a JSON array where the command was given `--json`. */
export function show(command: Command, rows: readonly Row[]): void {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  console.log(json ? jsonText(rows) : table(rows));
}

/** One line a row under the names of the first row's columns, each as wide as its widest cell. */
function table(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return 'None.';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => inOneLine(text(row[name]))))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A cell cannot begin a line of its own. */
export function inOneLine(cell: string): string {
  return printable(cell.replace(/[\t\n\r]+/g, ' '));
}

function text(cell: Cell): string {
  if (cell === null || cell === undefined) return '-';
  if (cell instanceof Date) return cell.toISOString();
  if (Array.isArray(cell)) return cell.length === 0 ? '-' : cell.join(',');
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** Columns of an output that is no terminal. */
const DEFAULT_COLUMNS = 80;

/** The text in lines that fit the terminal, each after `indent` spaces. It holds no line breaks of its own. */
export function wrapped(text: string, indent = 0): string {
  const width = Math.max(20, (process.stdout.columns ?? DEFAULT_COLUMNS) - indent);
  const lines =
    text.replace(/\s+/g, ' ').match(new RegExp(`\\S.{0,${width - 1}}(?= |$)|\\S.{0,${width - 1}}`, 'g')) ??
    [];
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}
