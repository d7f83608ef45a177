/** The results of operations as text for people. */

/** Terminal controls, which clients and suppliers may send: C0 except tab and line feed, DEL, C1 and text direction. */
const controlCharacters = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text without characters that control a terminal. */
export function printable(text: string): string {
  return text.replace(controlCharacters, '');
}

/** JSON with escaped control characters, so that scripts read the original value. */
export function jsonText(value: object, indent = 2): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(controlCharacters, escaped);
}

/** One line for each row, below a line with the names of the columns. */
export function table(rows: readonly object[]): string {
  const [first] = rows;
  if (!first) return 'None.';
  const names = Object.keys(first);
  const cells = rows.map((row) => new Map<string, unknown>(Object.entries(row)));
  const lines = [names, ...cells.map((row) => names.map((name) => inOneLine(cellText(row.get(name)))))];
  return aligned(lines)
    .map((line) => line.join('  ').trimEnd())
    .join('\n');
}

/** The cells of each line, each as wide as the widest cell of its column. */
export function aligned(lines: readonly (readonly string[])[]): string[][] {
  const widthOf = (column: number) => Math.max(...lines.map((line) => (line[column] ?? '').length));
  const widths = (lines[0] ?? []).map((_, column) => widthOf(column));
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
}

/** The maximum length of a value of a product in a table. */
const MAX_SHOWN = 40;

/** The beginning of a long text. */
export function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

/** The text of a cell, without line breaks and tabs. */
export function inOneLine(cell: string): string {
  return printable(cell.replace(/[\t\n\r]+/g, ' '));
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '-';
  if (cell instanceof Date) return cell.toISOString();
  if (Array.isArray(cell)) return cell.length === 0 ? '-' : cell.join(',');
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

/** The text in lines of at most `columns`, each indented by `indent` spaces. Replaces the line breaks of the text. */
export function wrapped(text: string, columns: number, indent = 0): string {
  const width = Math.max(20, columns - indent);
  const upToWidth = `\\S.{0,${width - 1}}`;
  // Ends a line before a space; a word that is longer than a line is cut.
  const lines = text.replace(/\s+/g, ' ').match(new RegExp(`${upToWidth}(?= |$)|${upToWidth}`, 'g')) ?? [];
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}
