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

/** Between two columns of a table. */
const GAP = '  ';
/** A narrower column could not be read. */
const MIN_WIDTH = 10;

/**
 * One line for each row, below a line with the names of the columns. Where that is wider than `columns`, its widest columns are
 * narrower, and their cells continue in the next lines. Where that is not enough, each row is a block with a line for each value.
 */
export function table(rows: readonly object[], columns = Infinity): string {
  const [first] = rows;
  if (!first) return 'None.';
  const names = Object.keys(first);
  const cells = rows
    .map((row) => new Map<string, unknown>(Object.entries(row)))
    .map((row) => names.map((name) => inOneLine(cellText(row.get(name)))));
  const lines = [names, ...cells];
  const width = widestColumn(widthsOf(lines), columns - GAP.length * (names.length - 1));
  if (width < MIN_WIDTH) return cells.map((row) => joined(names.map((name, at) => [name, row[at] ?? '']))).join('\n\n');
  return joined(lines.flatMap((line) => broken(line, width)));
}

function joined(lines: readonly (readonly string[])[]): string {
  return aligned(lines)
    .map((line) => line.join(GAP).trimEnd())
    .join('\n');
}

/** How wide a column may be, so that all columns have room. */
function widestColumn(widths: readonly number[], room: number): number {
  let [rest, left] = [room, widths.length];
  for (const width of [...widths].sort((one, other) => one - other)) {
    const share = Math.floor(rest / left);
    if (width > share) return share;
    rest -= width;
    left -= 1;
  }
  return Infinity;
}

/** The line in as many lines as its longest cell needs. */
function broken(line: readonly string[], width: number): string[][] {
  const parts = line.map((cell) => (cell.length > width ? linesOf(cell, width) : [cell]));
  const count = Math.max(...parts.map(({ length }) => length));
  return Array.from({ length: count }, (_, at) => parts.map((part) => part[at] ?? ''));
}

/** The cells of each line, each as wide as the widest cell of its column. */
export function aligned(lines: readonly (readonly string[])[]): string[][] {
  const widths = widthsOf(lines);
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
}

function widthsOf(lines: readonly (readonly string[])[]): number[] {
  return (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
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
  const lines = linesOf(text.replace(/\s+/g, ' '), Math.max(20, columns - indent));
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}

/** The text in lines of at most `width`. Ends a line before a space; a word that is longer than a line is cut. */
function linesOf(text: string, width: number): string[] {
  const upToWidth = `\\S.{0,${width - 1}}`;
  return text.match(new RegExp(`${upToWidth}(?= |$)|${upToWidth}`, 'g')) ?? [];
}

/** `1 key`, `2 keys`, or with `many` words that follow the number: `1 order is`, `2 orders are`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
