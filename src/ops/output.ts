/** The output of commands: tables for people, JSON for scripts. */
import { format } from 'node:util';
import type { Command } from 'commander';
import { ConnectionError } from '../data/database/errors';

/** Terminal controls, which clients and suppliers may send: C0 except tab and line feed, DEL, C1 and text direction. */
const controlCharacters = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text without characters that control a terminal. */
export function printable(text: string): string {
  return text.replace(controlCharacters, '');
}

/** Applies `printable` to everything that commands print, so that no command can forget it. */
export function printSafely(): void {
  const { log, error } = console;
  console.log = (...values: unknown[]) => log(printable(format(...values)));
  console.error = (...values: unknown[]) => error(printable(format(...values)));
}

/** JSON with escaped control characters, so that scripts read the original value. */
export function jsonText(value: object, indent = 2): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(controlCharacters, escaped);
}

/** Whether the command has the option `--json`. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json ?? false;
}

/** Prints rows as a table, or as a JSON array with `--json`. */
export function show(command: Command, rows: readonly object[]): void {
  console.log(wantsJson(command) ? jsonText(rows) : table(rows));
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

/** The width of an output that is not a terminal. */
const DEFAULT_COLUMNS = 80;

/** The text in lines that fit the terminal, each indented by `indent` spaces. Replaces the line breaks of the text. */
export function wrapped(text: string, indent = 0): string {
  const width = Math.max(20, (process.stdout.columns ?? DEFAULT_COLUMNS) - indent);
  const upToWidth = `\\S.{0,${width - 1}}`;
  // Ends a line before a space; a word that is longer than a line is cut.
  const lines = text.replace(/\s+/g, ' ').match(new RegExp(`${upToWidth}(?= |$)|${upToWidth}`, 'g')) ?? [];
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}

const messageOfConstraint: Readonly<Record<string, string>> = {
  clients_name_key: 'A client with this name already exists. See it with: clients show <name>',
  wallets_client_id_currency_code_key:
    'The client already has a wallet in this currency. See it with: wallets list <client>',
  wallets_currency_code_fkey: 'The currency is not in ISO 4217.',
  forex_rates_source_currency_fkey: 'The product currency is not in ISO 4217.',
  forex_rates_destination_currency_fkey: 'The wallet currency is not in ISO 4217.',
  supplier_balance_alerts_currency_fkey: 'The currency is not in ISO 4217.',
  reference_rates_source_currency_fkey: 'A currency is not in ISO 4217.',
  reference_rates_destination_currency_fkey: 'A currency is not in ISO 4217.',
  reference_rates_check: 'A rate needs two different currencies.',
  forex_rates_check: 'A rate needs two different currencies.',
};

/** The error message for operators, without a stack. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConnectionError) return `PostgreSQL at DATABASE_URL cannot be used: ${error.message}`;
  const grpc = grpcDetails(error);
  if (grpc !== undefined) return `Temporal at TEMPORAL_ADDRESS cannot be used: ${grpc}`;
  const constraint = 'parent' in error ? (error.parent as { constraint?: string }).constraint : undefined;
  return messageOfConstraint[constraint ?? ''] ?? error.message;
}

/** The details of a gRPC error. Recognised by its shape, because loading Temporal's client would slow every command. */
function grpcDetails(error: Error): string | undefined {
  const cause = error.cause instanceof Error ? error.cause : error;
  const isGrpcError = 'code' in cause && typeof cause.code === 'number' && 'details' in cause;
  return isGrpcError ? String(cause.details) : undefined;
}

/** Reports progress. Callers may call it often: only some reports are printed. */
export type Progress = (sentence: string) => void;

/** Prints a line at most every 3 s, first after 3 s. For commands that print other lines as well. */
export function progressInLines(): Progress {
  return atMostEvery(3_000, (sentence) => console.error(sentence));
}

/** Prints progress in one line that changes on a terminal, and in separate lines elsewhere. */
export async function withProgress<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY) return work(progressInLines());
  try {
    return await work(
      atMostEvery(100, (sentence) =>
        stderr.write(`${clearLine}${printable(sentence).slice(0, (stderr.columns || 80) - 1)}`),
      ),
    );
  } finally {
    stderr.write(clearLine);
  }
}

/** Moves to the beginning of the line and erases it. */
const clearLine = '\r\u001b[K';

function atMostEvery(milliseconds: number, print: Progress): Progress {
  let printedAt = performance.now();
  return (sentence) => {
    if (performance.now() - printedAt < milliseconds) return;
    printedAt = performance.now();
    print(sentence);
  };
}
