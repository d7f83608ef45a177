/** Data of a sandbox: its scenarios, the faults that its clients rehearse, and the funding of wallets by their clients. */
import { randomUUID } from 'node:crypto';
import type { AuditedCaller } from '../../domain/audit';
import type { Exact } from '../../domain/prices/money';
import { recordAudit } from '../audit/audit-entries';
import { countRows, firstRow, rows, type Database } from '../database/database';
import { retention } from '../maintenance/retention';
import { postSandboxFunding } from '../wallets/operated-entries';

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

/** What identifies the repetitions of an order request. */
export interface RequestNames {
  clientReference: string | undefined;
  idempotencyKey: string | undefined;
}

/**
 * Records that a request with these names has had a fault. Returns whether it is the first one, across all processes: false if
 * one of the names is recorded already, or if there is none.
 */
export async function claimFault(
  database: Database,
  clientId: number,
  { clientReference, idempotencyKey }: RequestNames,
): Promise<boolean> {
  const names = Object.entries({ KEY: idempotencyKey, REFERENCE: clientReference }).flatMap(([kind, name]) =>
    name === undefined ? [] : [{ kind, name }],
  );
  if (names.length === 0) return false;
  // In the sequence of the array, so that two requests with the same names never wait for each other.
  const claimed = await countRows(
    database,
    `INSERT INTO sandbox_faults (client_id, kind, name)
     SELECT $clientId, kind, name FROM unnest($kinds::text[], $names::text[]) AS given (kind, name)
     ON CONFLICT DO NOTHING RETURNING name`,
    { clientId, kinds: names.map(({ kind }) => kind), names: names.map(({ name }) => name) },
  );
  return claimed === names.length;
}

/** Deletes the records of faults whose retention has ended, at most `limit`. Returns their number. */
export function deleteOldFaults(database: Database, limit: number) {
  return countRows(
    database,
    `DELETE FROM sandbox_faults WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM sandbox_faults WHERE claimed_at < now() - ${retention.sandboxFault}
        ORDER BY claimed_at LIMIT $limit))
     RETURNING name`,
    { limit },
  );
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
      { walletId: wallet.id, amount, reference: `sandbox-${randomUUID()}`, remarks: 'Sandbox funds' },
      transaction,
    );
    const credited = { transaction_id: transactionId, amount: amount.toFixed(), currency: wallet.currencyCode };
    const entry = { action: 'sandbox_wallet.funded', object: `wallet/${wallet.id}`, after: credited } as const;
    await recordAudit(database, caller, entry, transaction);
  });
}
