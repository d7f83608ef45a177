/** `wallets statement`: what a wallet held, what moved, what it holds; written as it is read. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { stringify } from 'csv-stringify';
import { withStatement, type Statement } from '../../data/wallet-statement';
import * as read from '../arguments';
import { LONG_STATEMENTS_MS, withDatabase } from '../session';

interface Options {
  from: Date;
  to: Date;
  csv?: boolean;
}

/** One line of a statement. The first and the last are the balances. */
interface Line {
  at: string;
  kind: string;
  type: string;
  amount: string;
  balance: string;
  order_id: number | null;
  transaction_id: number | null;
  reference: string;
  remarks: string;
}

/** How wide a column is for people. Texts come last and are as long as they are. */
const widths: Readonly<Record<keyof Line, number>> = {
  ...{ at: 24, kind: 10, type: 6, amount: 16, balance: 18 },
  ...{ order_id: 10, transaction_id: 14, reference: 24, remarks: 0 },
};
const columns = Object.keys(widths) as (keyof Line)[];

export function addStatementCommand(wallets: Command): void {
  wallets
    .command('statement')
    .description('Opening balance, every entry, closing balance of a period, in one snapshot')
    .argument('<wallet>', 'id', read.positiveInteger)
    .requiredOption('--from <time>', 'the first moment of the period, such as 2026-11-01', read.since)
    .option('--to <time>', 'the moment after its last; now where not given', read.since, new Date())
    .option('--csv', 'comma-separated values, with a line of names')
    .action((walletId: number, { from, to, csv }: Options, command: Command) =>
      withDatabase(async (database) => {
        const { json } = command.optsWithGlobals<{ json?: boolean }>();
        const written = await withStatement(database, walletId, { from, to }, async (statement) => {
          if (csv) await writeCsv(linesOf(statement, { from, to }));
          else await write(json ? jsonOf(statement, { from, to }) : tableOf(statement, { from, to }));
          return true;
        });
        if (!written) throw new Error(`There is no wallet ${walletId}. See them with: wallets list`);
      }, LONG_STATEMENTS_MS),
    );
}

async function* linesOf(
  statement: Statement,
  { from, to }: Pick<Options, 'from' | 'to'>,
): AsyncGenerator<Line> {
  const { openingBalance, closingBalance } = statement;
  yield { ...noEntry, at: from.toISOString(), kind: 'OPENING', balance: openingBalance };
  for await (const {
    at,
    kind,
    type,
    amount,
    balanceAfter,
    orderId,
    id,
    reference,
    remarks,
  } of statement.entries()) {
    const references = { order_id: orderId, transaction_id: id, reference, remarks };
    yield { at: at.toISOString(), kind, type, amount, balance: balanceAfter, ...references };
  }
  yield { ...noEntry, at: to.toISOString(), kind: 'CLOSING', balance: closingBalance };
}

const noEntry = { type: '', amount: '', order_id: null, transaction_id: null, reference: '', remarks: '' };

/** A reference that a spreadsheet would take for a formula is marked as text. */
async function writeCsv(lines: AsyncGenerator<Line>): Promise<void> {
  const csv = stringify({ header: true, columns, escape_formulas: true });
  await untilReaderEnds(pipeline(Readable.from(lines), csv, process.stdout, { end: false }));
}

async function write(text: AsyncGenerator<string>): Promise<void> {
  await untilReaderEnds(pipeline(Readable.from(text), process.stdout, { end: false }));
}

/** Whoever reads the beginning alone, as `head` does, has what was wanted. */
async function untilReaderEnds(writing: Promise<void>): Promise<void> {
  await writing.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

async function* jsonOf(statement: Statement, period: Pick<Options, 'from' | 'to'>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const line of linesOf(statement, period)) {
    yield `${separator}  ${JSON.stringify(line)}`;
    separator = ',\n';
  }
  yield '\n]\n';
}

async function* tableOf(statement: Statement, period: Pick<Options, 'from' | 'to'>): AsyncGenerator<string> {
  const { walletId, currencyCode, client, clientId, count } = statement;
  yield `Wallet ${walletId} (${currencyCode}) of ${client} (client ${clientId}): ${count} entries\n`;
  yield padded(Object.fromEntries(columns.map((name) => [name, name])));
  for await (const line of linesOf(statement, period)) yield padded({ ...line });
}

function padded(line: Readonly<Record<string, string | number | null>>): string {
  const cells = columns.map((name) => String(line[name] ?? '-').padEnd(widths[name]));
  return `${cells.join('  ').trimEnd()}\n`;
}
