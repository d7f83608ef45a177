/** `wallets statement`: what a wallet held, what moved, what it holds; written as it is read. */
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { readStatement, type Period, type Statement } from '../../data/wallets/wallet-statement';
import { csvText } from '../../statements/csv';
import { walletColumns, walletLines, type WalletLine } from '../../statements/wallet-lines';
import * as read from '../arguments';
import { inOneLine, jsonText, printable } from '../output';
import { withDatabase } from '../session';

interface Options extends Period {
  csv?: boolean;
}

/** How wide a column is for people. Texts come last and are as long as they are. */
const widths: Readonly<Record<keyof WalletLine, number>> = {
  at: 24,
  kind: 10,
  type: 6,
  amount: 16,
  balance: 18,
  order_id: 10,
  transaction_id: 14,
  reference: 24,
  remarks: 0,
};

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
        const period = { from, to };
        const statement = await readStatement(database, walletId, period);
        if (!statement) throw new Error(`There is no wallet ${walletId}. See them with: wallets list`);
        if (csv) await write(csvText(walletColumns, walletLines(statement, period)));
        else await write(json ? jsonOf(statement, period) : tableOf(statement, period));
      }),
    );
}

/** Writes the text without characters that act on a terminal. A reader that stops early, such as `head`, is no error. */
async function write(text: AsyncGenerator<string>): Promise<void> {
  const writing = pipeline(text, printableParts, process.stdout, { end: false });
  await writing.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

async function* printableParts(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of text) yield printable(part);
}

async function* jsonOf(statement: Statement, period: Period): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const line of walletLines(statement, period)) {
    yield `${separator}  ${jsonText(line, 0)}`;
    separator = ',\n';
  }
  yield '\n]\n';
}

async function* tableOf(statement: Statement, period: Period): AsyncGenerator<string> {
  const { walletId, currencyCode, client, clientId, count } = statement;
  yield `Wallet ${walletId} (${currencyCode}) of ${client} (client ${clientId}): ${count} entries\n`;
  yield padded(Object.fromEntries(walletColumns.map((name) => [name, name])));
  for await (const line of walletLines(statement, period)) yield padded({ ...line });
}

function padded(line: Readonly<Record<string, string | number | null>>): string {
  const cells = walletColumns.map((name) => inOneLine(String(line[name] ?? '-')).padEnd(widths[name]));
  return `${cells.join('  ').trimEnd()}\n`;
}
