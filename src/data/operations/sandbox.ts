/** Data of a sandbox: its scenarios, and the funding of wallets by their clients. */
import { randomUUID } from 'node:crypto';
import type { AuditedCaller } from '../../domain/operations/audit';
import type { Exact } from '../../domain/prices/money';
import { recordAudit } from './audit';
import { firstRow, rows, type Database } from '../database/database';
import { postSandboxFunding } from '../wallets/ledger';

/** Replaces the scenarios. */
export async function storeScenarios(database: Database, scenarios: readonly object[]): Promise<void> {
  await rows(
    database,
    `INSERT INTO sandbox_scenarios (scenarios) VALUES ($scenarios::json)
     ON CONFLICT (is_only) DO UPDATE SET scenarios = excluded.scenarios`,
    { scenarios: JSON.stringify(scenarios) },
  );
}

export async function listScenarios(database: Database): Promise<object[]> {
  const stored = await firstRow<{ scenarios: object[] }>(database, 'SELECT scenarios FROM sandbox_scenarios');
  return stored?.scenarios ?? [];
}

/** Credits play money to the caller's own wallet. Throws as `postEntry` does, and if the sandbox has no scenarios. docs/specification.md#sandbox. */
export async function fundWallet(
  database: Database,
  caller: AuditedCaller,
  wallet: { id: number; currencyCode: string },
  amount: Exact,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { transactionId } = await postSandboxFunding(
      database,
      {
        walletId: wallet.id,
        amount,
        reference: `sandbox-${randomUUID()}`,
        remarks: 'Sandbox funds',
      },
      transaction,
    );
    const credited = {
      transaction_id: transactionId,
      amount: amount.toFixed(),
      currency: wallet.currencyCode,
    };
    const entry = {
      action: 'sandbox_wallet.funded',
      object: `wallet/${wallet.id}`,
      after: credited,
    } as const;
    await recordAudit(database, caller, entry, transaction);
  });
}
