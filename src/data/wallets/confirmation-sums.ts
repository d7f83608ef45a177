/** The sums of orders above which the console asks its user first. */
import type { AuditedCaller } from '../../domain/audit';
import { recordAudit } from '../audit/audit-entries';
import { firstRow, rows, type Database } from '../database/database';

interface ConfirmationSum {
  walletId: number;
  /** Null: the console never asks. */
  above: string | null;
}

export function listConfirmationSums(database: Database, clientId: number): Promise<ConfirmationSum[]> {
  const statement = `SELECT id AS "walletId", confirm_above AS above FROM wallets WHERE client_id = $clientId ORDER BY id`;
  return rows(database, statement, { clientId });
}

/** Sets the sum of the caller's wallet, or clears it if null. Returns whether the caller has the wallet. */
export function setConfirmationSum(
  database: Database,
  caller: AuditedCaller,
  { walletId, above }: { walletId: number; above: number | null },
): Promise<boolean> {
  const { clientId } = caller;
  return database.transaction(async (transaction) => {
    const changed = await firstRow<{ before: string | null; after: string | null }>(
      database,
      `WITH old AS (SELECT id, confirm_above FROM wallets WHERE client_id = $clientId AND id = $walletId FOR NO KEY UPDATE)
       UPDATE wallets SET confirm_above = $above FROM old WHERE wallets.id = old.id
       RETURNING old.confirm_above AS before, wallets.confirm_above AS after`,
      { clientId, walletId, above },
      transaction,
    );
    if (changed && changed.before !== changed.after) {
      const [before, after] = [{ confirm_above: changed.before }, { confirm_above: changed.after }];
      const entry = { action: 'wallet_threshold.changed', object: `wallet/${walletId}`, before, after } as const;
      await recordAudit(database, caller, entry, transaction);
    }
    return changed !== undefined;
  });
}
