/** `wallets`: prepaid money. Every change of a balance is a ledger entry. */
import type { Command } from 'commander';
import type { Database } from '../../data/database/database';
import { postEntry, type EntryInput } from '../../data/wallets/ledger';
import {
  closeEmptyWallet,
  listOperatedWallets,
  makeDefaultWallet,
  openWallet,
  operatedWallet,
  reopenWallet,
} from '../../data/wallets/operated-wallets';
import { Exact } from '../../domain/prices/money';
import * as read from '../arguments';
import { confirm, dangerous, reasoned } from '../confirmation';
import { inOneLine, jsonText, printable, wantsJson } from '../output';
import { onClient, onDatabase, type Session } from '../session';
import { pipeline } from 'node:stream/promises';
import { readWalletStatement, type Period, type Statement } from '../../data/wallets/wallet-statement';
import { csvText, walletColumns, walletLines, type WalletLine } from '../../statements/statements';

export function addWalletCommands(program: Command): void {
  const wallets = program.command('wallets').description('Prepaid wallets and their money');
  addOpen(wallets);
  addMakeDefault(wallets);
  addFund(wallets);
  addAdjust(wallets);
  addClose(wallets);
  addStatement(wallets);

  wallets
    .command('list')
    .description('Wallets of a client, or all')
    .addArgument(read.clientArgument('[client]'))
    .action(
      onDatabase(async ({ database }, named: string | undefined) => {
        const client = named === undefined ? undefined : await read.clientNamed(database, named);
        return listOperatedWallets(database, client?.id);
      }),
    );
}

function addOpen(wallets: Command): void {
  wallets
    .command('open')
    .description("Open a wallet. A client's first wallet is its default")
    .addArgument(read.clientArgument())
    .argument('<currency>', 'ISO 4217 code', read.currencyCode)
    .action(
      onClient(async ({ database }, { id: clientId }, currencyCode: string) => {
        const id = await openWallet(database, clientId, currencyCode);
        return [await operatedWallet(database, id)];
      }),
    );
}

function addMakeDefault(wallets: Command): void {
  wallets
    .command('make-default')
    .description(
      'Make the wallet the default of its client, which pays for top-ups and eSIMs in currencies without an open wallet',
    )
    .argument('<wallet>', 'id', read.positiveInteger)
    .action(
      onDatabase(async ({ database }, id: number) => {
        const { client_id: clientId } = await operatedWallet(database, id);
        await makeDefaultWallet(database, id, clientId);
        return [await operatedWallet(database, id)];
      }),
    );
}

interface EntryOptions {
  reference: string;
  remarks?: string;
  force?: boolean;
}

function addFund(wallets: Command): void {
  withEntryOptions(dangerous(wallets.command('fund')))
    .description('Credit received money. Repeated with the same reference, it changes nothing')
    .argument('<wallet>', 'id', read.positiveInteger)
    .argument('<amount>', "in the wallet's currency", read.positiveDecimal)
    .action(
      onDatabase(async (session, walletId: number, amount: Exact, options: EntryOptions) => {
        const { reference, remarks = 'Wallet funding', force } = options;
        await confirmEntry(session, walletId, amount, reference);
        return post(session.database, {
          walletId,
          kind: 'FUNDING',
          type: 'CREDIT',
          amount,
          reference,
          remarks,
          ...(force && { force }),
        });
      }),
    );
}

function addAdjust(wallets: Command): void {
  withEntryOptions(reasoned(dangerous(wallets.command('adjust'))))
    .description('Correct a balance. Repeated with the same reference, it changes nothing')
    .argument('<wallet>', 'id', read.positiveInteger)
    .argument('<amount>', 'positive to credit, negative to debit, such as -5.00', read.decimal)
    .action(
      onDatabase(async (session, walletId: number, signed: Exact, options: EntryOptions) => {
        const { reference, remarks = 'Adjustment', force } = options;
        const [type, amount] = [signed.isNegative() ? 'DEBIT' : 'CREDIT', signed.abs()] as const;
        await confirmEntry(session, walletId, signed, reference);
        const entry = { walletId, kind: 'ADJUSTMENT', type, amount, reference, remarks } as const;
        return post(session.database, { ...entry, ...(force && { force }) });
      }),
    );
}

/** Asks for confirmation of a ledger entry: a credit, or a debit if the amount is negative. */
async function confirmEntry(
  { database, command }: Session,
  walletId: number,
  signed: Exact,
  reference: string,
): Promise<void> {
  const { client, currency_code: currency, balance } = await operatedWallet(database, walletId);
  await confirm(
    command,
    `${signed.isNegative() ? 'Debits' : 'Credits'} ${signed.abs().toFixed()} ${currency} in wallet ${walletId} of ` +
      `${client}, which holds ${new Exact(balance).toFixed()} and will hold ${signed.plus(balance).toFixed()}. ` +
      `If it has an entry with the reference ${reference} already, nothing changes.`,
  );
}

function withEntryOptions(command: Command): Command {
  return command
    .requiredOption(
      '--reference <text>',
      'a unique reference of the entry, such as the number of a bank transfer',
    )
    .option('--remarks <text>', 'shown to the client')
    .option('--force', 'accept a reference that moved money in a wallet of another client');
}

async function post(database: Database, entry: EntryInput) {
  const posted = await postEntry(database, entry);
  return [
    {
      wallet_id: entry.walletId,
      transaction_id: posted.transactionId,
      type: entry.type,
      amount: entry.amount.toFixed(),
      balance_after: posted.balanceAfter,
      outcome: posted.repeated ? 'posted before, nothing changed' : 'posted',
    },
  ];
}

function addClose(wallets: Command): void {
  dangerous(wallets.command('close'))
    .description('Close an empty wallet. It then accepts no entries')
    .argument('<wallet>', 'id', read.positiveInteger)
    .action(
      onDatabase(async ({ database, command }, id: number) => {
        const { client, currency_code: currency, ...before } = await operatedWallet(database, id);
        const consequence = before.is_default
          ? " It is the client's default: orders that name no wallet fail until you run: wallets make-default <wallet>"
          : '';
        await confirm(
          command,
          `Closes wallet ${id} of ${client}, which holds ${new Exact(before.balance).toFixed()} ${currency}.${consequence}`,
        );
        await closeEmptyWallet(database, id);
        const wallet = await operatedWallet(database, id);
        if (!wallet.closed_at)
          throw new Error(`Wallet ${id} holds ${wallet.balance} ${currency}: adjust it to 0 first`);
        return [wallet];
      }),
    );

  wallets
    .command('reopen')
    .description('Open a closed wallet again')
    .argument('<wallet>', 'id', read.positiveInteger)
    .action(
      onDatabase(async ({ database }, id: number) => {
        await reopenWallet(database, id);
        return [await operatedWallet(database, id)];
      }),
    );
}

interface StatementOptions extends Period {
  csv?: boolean;
}

/** The width of each column of the table. The last column is not padded. */
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

function addStatement(wallets: Command): void {
  wallets
    .command('statement')
    .description('The opening balance, every entry and the closing balance of a period, in one snapshot')
    .argument('<wallet>', 'id', read.positiveInteger)
    .requiredOption('--from <time>', 'the start of the period, such as 2026-11-01', read.timeOrAge)
    .option('--to <time>', 'the end of the period, exclusive; default: now', read.timeOrAge, new Date())
    .option('--csv', 'print comma-separated values with a header')
    .action(
      onDatabase(async ({ database, command }, walletId: number, { from, to, csv }: StatementOptions) => {
        const period = { from, to };
        const statement = await readWalletStatement(database, walletId, period);
        if (!statement) throw new Error(`There is no wallet ${walletId}. See them with: wallets list`);
        if (csv) await write(csvText(walletColumns, walletLines(statement, period)));
        else await write(wantsJson(command) ? jsonOf(statement, period) : tableOf(statement, period));
      }),
    );
}

/** Writes the text without terminal controls. A reader such as `head` may stop early without an error. */
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
  yield tableLine(Object.fromEntries(walletColumns.map((name) => [name, name])));
  for await (const line of walletLines(statement, period)) yield tableLine({ ...line });
}

function tableLine(line: Readonly<Record<string, string | number | null>>): string {
  const cells = walletColumns.map((name) => inOneLine(String(line[name] ?? '-')).padEnd(widths[name]));
  return `${cells.join('  ').trimEnd()}\n`;
}
