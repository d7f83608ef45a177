/** Wallets as their clients see and set them. Money moves only through `post_entry` (see the migrations). */
import type Decimal from 'decimal.js';
import type { Caller } from '../../domain/operations/audit';
import { recordAudit } from '../operations/audit';
import { firstRow, rows, type Database, type Transaction } from '../database/database';

export interface Wallet {
  id: number;
  currencyId: number;
  currencyCode: string;
  /** Digits after the point of an amount that can be paid in the currency. */
  minorUnit: number;
  balance: string;
  isDefault: boolean;
  lowBalanceThreshold: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = `
  wallets.id, currencies.id AS "currencyId", currency_code AS "currencyCode", minor_unit AS "minorUnit", balance,
  is_default AS "isDefault", low_balance_threshold AS "lowBalanceThreshold",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const walletsOfClient = `
  SELECT ${columns} FROM wallets JOIN currencies ON currencies.code = currency_code WHERE client_id = $clientId`;

/** All wallets of a client, the default first. */
export async function listWallets(database: Database, clientId: number): Promise<Wallet[]> {
  return rows<Wallet>(database, `${walletsOfClient} ORDER BY is_default DESC, wallets.id`, { clientId });
}

/** The client's wallet, or undefined if there is none with the id or it is another client's. */
export async function findWallet(
  database: Database,
  clientId: number,
  walletId: number,
): Promise<Wallet | undefined> {
  return firstRow<Wallet>(database, `${walletsOfClient} AND wallets.id = $walletId`, { clientId, walletId });
}

/**
 * Sets or clears (null) the threshold. After a change the next debit that leaves the balance below it emits
 * wallet.low_balance, whatever the balance was.
 */
export async function setLowBalanceThreshold(
  database: Database,
  caller: Caller,
  walletId: number,
  threshold: Decimal | null,
): Promise<Wallet | undefined> {
  const { clientId } = caller;
  return database.transaction(async (transaction) => {
    // Locked, so that no debit compares with the threshold in between.
    const held = `SELECT low_balance_threshold AS threshold FROM wallets
                   WHERE client_id = $clientId AND id = $walletId FOR NO KEY UPDATE`;
    const before = await firstRow<Threshold>(database, held, { clientId, walletId }, transaction);
    if (!before) return undefined;
    const wallet = await changeThreshold(database, clientId, walletId, threshold, transaction);
    const after: Threshold = { threshold: wallet?.lowBalanceThreshold ?? null };
    const entry = { action: 'wallet_threshold.changed', object: `wallet/${walletId}` } as const;
    if (before.threshold !== after.threshold)
      await recordAudit(database, caller, { ...entry, before, after }, transaction);
    return wallet;
  });
}

interface Threshold {
  threshold: string | null;
}

async function changeThreshold(
  database: Database,
  clientId: number,
  walletId: number,
  threshold: Decimal | null,
  transaction: Transaction,
): Promise<Wallet | undefined> {
  return firstRow<Wallet>(
    database,
    `UPDATE wallets
        SET low_balance_told = low_balance_told AND low_balance_threshold IS NOT DISTINCT FROM $threshold,
            low_balance_threshold = $threshold, updated_at = now()
       FROM currencies
      WHERE currencies.code = currency_code AND client_id = $clientId AND wallets.id = $walletId
     RETURNING ${columns}`,
    { clientId, walletId, threshold: threshold?.toFixed() ?? null },
    transaction,
  );
}
