/** What commands print: rows for people, or JSON for scripts. */
import type { Command } from 'commander';

export type Cell = string | number | boolean | null | undefined | Date | object;
export type Row = Readonly<Record<string, Cell>>;

/** Prints rows as a table, or as a JSON array where the command was given `--json`. */
export function show(command: Command, rows: readonly Row[]): void {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  console.log(json ? JSON.stringify(rows, null, 2) : table(rows));
}

/** One line a row under the names of the first row's columns, each as wide as its widest cell. */
function table(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return 'None.';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => text(row[name])))];
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

function text(cell: Cell): string {
  if (cell === null || cell === undefined) return '-';
  if (cell instanceof Date) return cell.toISOString();
  if (Array.isArray(cell)) return cell.length === 0 ? '-' : cell.join(',');
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}
