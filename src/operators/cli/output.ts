/** The output of commands: tables for people, JSON for scripts. */
import { format } from 'node:util';
import type { Command } from 'commander';
import type { Progress } from '../operations/context';
import type { Page } from '../operations/operation';
import { jsonText, printable, table } from '../operations/text';

/** An operation that was not done. The command prints the message and exits with the code. */
export class CommandFailed extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** Applies `printable` to everything that commands print, so that no command can forget it. */
export function printSafely(): void {
  const { log, error } = console;
  console.log = (...values: unknown[]) => log(printable(format(...values)));
  console.error = (...values: unknown[]) => error(printable(format(...values)));
}

/** Whether the command has the option `--json`. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json ?? false;
}

/** Prints rows as a table, or as a JSON array with `--json`. */
export function show(command: Command, rows: readonly object[]): void {
  console.log(wantsJson(command) ? jsonText(rows) : table(rows, outputPage().tableColumns));
}

/** The width of an output that is not a terminal. */
const DEFAULT_COLUMNS = 80;

/** The widths of the output. Where it is no terminal, a table has one line for each row, which scripts can read. */
export function outputPage(): Page {
  const { columns } = process.stdout;
  return { columns: columns ?? DEFAULT_COLUMNS, tableColumns: columns ?? Infinity };
}

/** Prints a line at most every 3 s, first 3 s after the first report. For commands that print other lines as well. */
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
  let printedAt: number | undefined;
  return (sentence) => {
    // The time to connect does not count: most commands with progress end within the first interval.
    printedAt ??= performance.now();
    if (performance.now() - printedAt < milliseconds) return;
    printedAt = performance.now();
    print(sentence);
  };
}
