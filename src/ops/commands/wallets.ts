/** `wallets`: prepaid money. Every change of a balance is an entry of the ledger. */
import type { Command } from 'commander';
import type { Database } from '../../data/database/database';
import { postEntry, type EntryInput } from '../../data/wallets/ledger';
import { accountModels, type WalletRow } from '../../data/clients/accounts';
import { Exact } from '../../domain/prices/money';
import * as read from '../arguments';
import { show, type Row } from '../output';
import { withDatabase } from '../session';
import { confirm, dangerous, reasoned } from '../confirmation';
import { clientArgument, clientNamed } from './client-argument';
import { addStatementCommand } from './wallet-statement';

export function addWalletCommands(program: Command): void {
  const wallets = program.command('wallets').description('Prepaid wallets and their money');
  addOpen(wallets);
  addMakeDefault(wallets);
  addFund(wallets);
  addAdjust(wallets);
  addClose(wallets);
  addStatementCommand(wallets);

  wallets
    .command('list')
    .description('Wallets of a client, or all')
    .addArgument(clientArgument('[client]'))
    .action((named: string | undefined, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const where = named ? { clientId: (await clientNamed(database, named)).id } : {};
        const found = await accountModels(database).wallets.findAll({ where, order: ['clientId', 'id'] });
        show(command, await overviews(database, found));
      }),
    );
}

function addOpen(wallets: Command): void {
  wallets
    .command('open')
    .description("Open a wallet; a client's first is its default")
    .addArgument(clientArgument())
    .argument('<currency>', 'ISO 4217 code', read.currencyCode)
    .action((named: string, currencyCode: string, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const { id: clientId } = await clientNamed(database, named);
        const { wallets: model } = accountModels(database);
        const isDefault = (await model.count({ where: { clientId, isDefault: true } })) === 0;
        show(command, await overviews(database, [await model.create({ clientId, currencyCode, isDefault })]));
      }),
    );
}

function addMakeDefault(wallets: Command): void {
  wallets
    .command('make-default')
    .description('Let the wallet pay for what no other wallet of the client is in the currency of')
    .argument('<wallet>', 'id', read.positiveInteger)
    .action((id: number, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const wallet = await walletById(database, id);
        await database.transaction(async (transaction) => {
          const { wallets: model } = accountModels(database);
          const earlier = { clientId: wallet.clientId, isDefault: true };
          await model.update({ isDefault: false }, { where: earlier, transaction });
          await wallet.update({ isDefault: true }, { transaction });
        });
        show(command, await overviews(database, [wallet]));
      }),
    );
}

interface EntryOptions {
  reference: string;
  remarks?: string;
}

function addFund(wallets: Command): void {
  withEntryOptions(wallets.command('fund'))
    .description('Credit money received; the same reference again changes nothing')
    .argument('<wallet>', 'id', read.positiveInteger)
    .argument('<amount>', "in the wallet's currency", read.positiveDecimal)
    .action((walletId: number, amount: Exact, { reference, remarks }: EntryOptions, command: Command) =>
      withDatabase(async (database) => {
        const kind = { kind: 'FUNDING', type: 'CREDIT', remarks: remarks ?? 'Wallet funding' } as const;
        await post(database, command, { walletId, amount, reference, ...kind });
      }),
    );
}

function addAdjust(wallets: Command): void {
  withEntryOptions(reasoned(dangerous(wallets.command('adjust'))))
    .description('Correct a balance; the same reference again changes nothing')
    .argument('<wallet>', 'id', read.positiveInteger)
    .argument('<amount>', '5.00 credits, -5.00 debits', read.decimal)
    .action((walletId: number, signed: Exact, { reference, remarks }: EntryOptions, command: Command) =>
      withDatabase(async (database) => {
        const type = signed.isNegative() ? 'DEBIT' : 'CREDIT';
        const { clientId, currencyCode, balance } = await walletById(database, walletId);
        const { name } = await clientNamed(database, String(clientId));
        const after = signed.plus(balance).toFixed();
        await confirm(
          command,
          `${type === 'DEBIT' ? 'Debits' : 'Credits'} ${signed.abs().toFixed()} ${currencyCode} in wallet ${walletId} of ` +
            `${name}, which holds ${new Exact(balance).toFixed()} and will hold ${after}.`,
        );
        const kind = { kind: 'ADJUSTMENT', type, remarks: remarks ?? 'Adjustment' } as const;
        await post(database, command, { walletId, amount: signed.abs(), reference, ...kind });
      }),
    );
}

function withEntryOptions(command: Command): Command {
  return command
    .requiredOption('--reference <text>', 'what the entry stands for, such as the number of a bank transfer')
    .option('--remarks <text>', 'shown to the client');
}

async function post(database: Database, command: Command, entry: EntryInput): Promise<void> {
  const posted = await postEntry(database, entry);
  show(command, [
    {
      wallet_id: entry.walletId,
      transaction_id: posted.transactionId,
      type: entry.type,
      amount: entry.amount.toFixed(),
      balance_after: posted.balanceAfter,
      outcome: posted.repeated ? 'posted before, nothing changed' : 'posted',
    },
  ]);
}

function addClose(wallets: Command): void {
  dangerous(wallets.command('close'))
    .description('Close an empty wallet: it pays for nothing and takes nothing more')
    .argument('<wallet>', 'id', read.positiveInteger)
    .action((id: number, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const { clientId, currencyCode, balance } = await walletById(database, id);
        const { name } = await clientNamed(database, String(clientId));
        await confirm(
          command,
          `Closes wallet ${id} of ${name}, which holds ${new Exact(balance).toFixed()} ${currencyCode}.`,
        );
        const where = { id, closedAt: null, balance: '0' };
        await accountModels(database).wallets.update({ closedAt: new Date() }, { where });
        const wallet = await walletById(database, id);
        if (!wallet.closedAt) {
          throw new Error(
            `Wallet ${id} holds ${wallet.balance} ${wallet.currencyCode}: adjust it to 0 first`,
          );
        }
        show(command, await overviews(database, [wallet]));
      }),
    );

  wallets
    .command('reopen')
    .description('Open a closed wallet again')
    .argument('<wallet>', 'id', read.positiveInteger)
    .action((id: number, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const wallet = await walletById(database, id);
        show(command, await overviews(database, [await wallet.update({ closedAt: null })]));
      }),
    );
}

async function walletById(database: Database, id: number): Promise<WalletRow> {
  const wallet = await accountModels(database).wallets.findByPk(id);
  if (!wallet) throw new Error(`There is no wallet ${id}. See them with: wallets list`);
  return wallet;
}

/** Wallets as lists show them, with the names of their clients. */
async function overviews(database: Database, wallets: readonly WalletRow[]): Promise<Row[]> {
  const where = { id: wallets.map(({ clientId }) => clientId) };
  const clients = await accountModels(database).clients.findAll({ where });
  const names = new Map(clients.map(({ id, name }) => [id, name]));
  return wallets.map(({ id, clientId, currencyCode, balance, isDefault, closedAt }) => ({
    id,
    client_id: clientId,
    client: names.get(clientId),
    currency_code: currencyCode,
    balance,
    is_default: isDefault,
    closed_at: closedAt,
  }));
}
