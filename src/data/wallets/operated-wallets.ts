/** Wallets as operators open, close and find them. Their balances change only through `post_entry`. */
import { givenOrNull } from '../database/binds';
import { oneRow, rows, type Database } from '../database/database';
import { creditWaitingRefunds } from '../orders/stored-refunds';
import { flag, number, orNull, text, time, type RowWith } from '../../domain/row-columns';

export const operatedWalletColumns = {
  id: number,
  client_id: number,
  client: text,
  currency_code: text,
  balance: text,
  /** By how much the balance may be below 0. */
  credit_limit: text,
  /** The balance and the credit limit together. */
  available: text,
  is_default: flag,
  closed_at: orNull(time),
};
export type OperatedWallet = RowWith<typeof operatedWalletColumns>;

const selected = `
  SELECT wallet.id, client_id, client.name AS client, currency_code, balance, credit_limit,
         balance + credit_limit AS available, is_default, closed_at
    FROM wallets wallet JOIN clients client ON client.id = client_id`;

export const walletOrders = ['client', 'balance'] as const;

/** The columns by which a list is sorted. Each ends with the id, so that no two wallets are equal. */
const columnsOfOrder: Readonly<Record<(typeof walletOrders)[number], string>> = {
  client: 'wallet.client_id, wallet.id',
  balance: 'wallet.currency_code, wallet.balance, wallet.id',
};

/** The conditions of a list of wallets. An undefined condition matches every wallet. */
export interface WalletFilter {
  clientId?: number | undefined;
  currency?: string | undefined;
  isClosed?: boolean | undefined;
  isDefault?: boolean | undefined;
  /** Only wallets with less available than the threshold of their client. */
  isLow?: boolean | undefined;
  /** The id of the only wanted wallet. */
  wallet?: number | undefined;
  /** A text in the name of the client. */
  search?: string | undefined;
  sort: (typeof walletOrders)[number];
  /** Only wallets behind the one with this id. */
  after?: number | undefined;
  limit?: number | undefined;
}

/** The wallets that match all conditions. */
export function listOperatedWallets(database: Database, filter: WalletFilter) {
  const { clientId, currency, isClosed, isDefault, isLow = false, wallet, search, after, limit } = filter;
  const columns = columnsOfOrder[filter.sort];
  return rows<OperatedWallet>(
    database,
    `${selected}
      WHERE ($clientId::integer IS NULL OR client_id = $clientId)
        AND ($currency::text IS NULL OR currency_code = $currency)
        AND ($isClosed::boolean IS NULL OR (closed_at IS NOT NULL) = $isClosed)
        AND ($isDefault::boolean IS NULL OR is_default = $isDefault)
        AND NOT ($isLow AND (balance + credit_limit < low_balance_threshold) IS NOT TRUE)
        AND ($wallet::integer IS NULL OR wallet.id = $wallet)
        AND ($search::text IS NULL OR strpos(lower(client.name), lower($search)) > 0)
        AND ($after::integer IS NULL OR (${columns}) > (SELECT ${columns} FROM wallets wallet WHERE id = $after))
      ORDER BY ${columns} LIMIT $limit`,
    { isLow, ...givenOrNull({ clientId, currency, isClosed, isDefault, wallet, search, after, limit }) },
  );
}

/** The wallet. Throws if there is none with the id. */
export async function operatedWallet(database: Database, id: number): Promise<OperatedWallet> {
  const [wallet] = await rows<OperatedWallet>(database, `${selected} WHERE wallet.id = $id`, { id });
  if (!wallet) throw new Error(`There is no wallet ${id}. See them with: wallets list`);
  return wallet;
}

/** Opens an empty wallet and returns its id. A client's first wallet is its default. */
export async function openWallet(database: Database, clientId: number, currency: string): Promise<number> {
  const { id } = await oneRow<{ id: number }>(
    database,
    `INSERT INTO wallets (client_id, currency_code, is_default)
     SELECT $clientId, $currency, NOT EXISTS (SELECT FROM wallets WHERE client_id = $clientId AND is_default)
     RETURNING id`,
    { clientId, currency },
  );
  return id;
}

/** Closes the wallet if it is empty and open; otherwise changes nothing. */
export async function closeEmptyWallet(database: Database, id: number): Promise<void> {
  const statement = 'UPDATE wallets SET closed_at = now() WHERE id = $id AND closed_at IS NULL AND balance = 0';
  await rows(database, statement, { id });
}

/**
 * Opens a closed wallet again, and credits every refund that waits for it: all or nothing. Repeated, it changes nothing. A refund that is
 * requested meanwhile, and an order that fails meanwhile, wait for the wallet's lock, and are then credited by their own statements.
 */
export async function reopenWallet(database: Database, id: number): Promise<void> {
  const reopen = 'UPDATE wallets SET closed_at = NULL WHERE id = $id AND closed_at IS NOT NULL';
  await database.transaction(async (transaction) => {
    await rows(database, reopen, { id }, transaction);
    await creditWaitingRefunds(database, id, transaction);
  });
}

/** Makes the wallet the only default of its client. Throws if the wallet is closed. */
export async function makeDefaultWallet(database: Database, id: number, clientId: number): Promise<void> {
  const others = 'UPDATE wallets SET is_default = false WHERE client_id = $clientId AND id <> $id AND is_default';
  const chosen = 'UPDATE wallets SET is_default = true WHERE id = $id AND NOT is_default';
  const open = 'SELECT FROM wallets WHERE id = $id AND closed_at IS NULL FOR UPDATE';
  await database.transaction(async (transaction) => {
    if ((await rows(database, open, { id }, transaction)).length === 0)
      throw new Error(`Wallet ${id} is closed. Reopen it with \`wallets reopen ${id}\`, then retry.`);
    await rows(database, others, { clientId, id }, transaction);
    await rows(database, chosen, { id }, transaction);
  });
}
