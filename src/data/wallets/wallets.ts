/** Wallets as clients read and configure them. Money moves only through `post_entry` (`rules/ledger.sql`). */
import type Decimal from 'decimal.js';
import type { AuditedCaller } from '../../domain/audit';
import { recordAudit } from '../audit/audit-entries';
import { firstRow, rows, type Database, type Transaction } from '../database/database';
import { pendingFunding } from '../funding/funding-requests';

export interface Wallet {
  id: number;
  currencyId: number;
  currencyCode: string;
  /** The number of decimals of the currency. */
  minorUnit: number;
  balance: string;
  /** By how much the balance may be below 0. */
  creditLimit: string;
  /** The balance and the credit limit together. */
  available: string;
  /** The sum of the wallet's pending funding requests. */
  pendingFunding: string;
  isDefault: boolean;
  lowBalanceThreshold: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = `
  wallets.id, currencies.id AS "currencyId", currency_code AS "currencyCode", minor_unit AS "minorUnit", balance,
  credit_limit AS "creditLimit", balance + credit_limit AS available, ${pendingFunding} AS "pendingFunding",
  is_default AS "isDefault", low_balance_threshold AS "lowBalanceThreshold",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const walletsOfClient = `
  SELECT ${columns} FROM wallets JOIN currencies ON currencies.code = currency_code WHERE client_id = $clientId`;

/** All wallets of a client, the default first. */
export function listWallets(database: Database, clientId: number) {
  return rows<Wallet>(database, `${walletsOfClient} ORDER BY is_default DESC, wallets.id`, { clientId });
}

/** The client's wallet, or undefined if there is none with the id or it is another client's. */
export function findWallet(database: Database, clientId: number, walletId: number) {
  return firstRow<Wallet>(database, `${walletsOfClient} AND wallets.id = $walletId`, { clientId, walletId });
}

/** Sets the threshold, or clears it if null. After a change, the next debit that leaves less available emits `wallet.low_balance`. */
export async function setLowBalanceThreshold(
  database: Database,
  caller: AuditedCaller,
  walletId: number,
  threshold: Decimal | null,
): Promise<Wallet | undefined> {
  const { clientId } = caller;
  return database.transaction(async (transaction) => {
    // Locked: no debit may be compared with the threshold during the change.
    const lockThreshold = `SELECT low_balance_threshold AS threshold FROM wallets
                   WHERE client_id = $clientId AND id = $walletId FOR NO KEY UPDATE`;
    const before = await firstRow<Threshold>(database, lockThreshold, { clientId, walletId }, transaction);
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

function changeThreshold(
  database: Database,
  clientId: number,
  walletId: number,
  threshold: Decimal | null,
  transaction: Transaction,
) {
  return firstRow<Wallet>(
    database,
    `UPDATE wallets
        SET low_balance_notified = low_balance_notified AND low_balance_threshold IS NOT DISTINCT FROM $threshold,
            low_balance_threshold = $threshold, updated_at = now()
       FROM currencies
      WHERE currencies.code = currency_code AND client_id = $clientId AND wallets.id = $walletId
     RETURNING ${columns}`,
    { clientId, walletId, threshold: threshold?.toFixed() ?? null },
    transaction,
  );
}
