/** The state of suppliers for operators. */
import { rows, type Database } from '../database/database';
import { listBalances, type Balance } from './supplier-balances';
import { listPauses, type SupplierPause } from './supplier-pauses';

export interface SupplierState {
  supplier: string;
  pauses: SupplierPause[];
  circuits: OpenCircuit[];
  /** Set if the supplier rejects our account. */
  blocked: BlockedAccount | undefined;
  balances: Balance[];
  failingCalls: FailingCallState[];
}

interface OpenCircuit {
  supplier: string;
  family: string;
  reason: string;
  openedAt: Date;
  /** From when the next order tests it. */
  probeAt: Date;
}

interface BlockedAccount {
  supplier: string;
  since: Date;
  error: string | null;
}

interface FailingCallState {
  supplier: string;
  family: string;
  call: string;
  since: Date;
  error: string;
}

/** The states of these suppliers, in their order. */
export async function readSupplierStates(database: Database, names: readonly string[]): Promise<SupplierState[]> {
  const pauses = await listPauses(database);
  const balances = await listBalances(database);
  const circuits = await rows<OpenCircuit>(
    database,
    `SELECT supplier, family, reason, opened_at AS "openedAt", probe_at AS "probeAt"
       FROM supplier_circuits ORDER BY family`,
  );
  const blocked = await rows<BlockedAccount>(
    database,
    `SELECT supplier, blocked_since AS since, last_error AS error FROM supplier_health WHERE blocked_since IS NOT NULL`,
  );
  const failing = await rows<FailingCallState>(
    database,
    `SELECT supplier, family, call, failing_since AS since, coalesce(last_error, 'no reason given') AS error
       FROM supplier_calls WHERE failing_since IS NOT NULL ORDER BY call, family`,
  );
  return names.map((name) => {
    const isOfSupplier = ({ supplier }: { supplier: string }) => supplier === name;
    return {
      supplier: name,
      pauses: pauses.filter(isOfSupplier),
      circuits: circuits.filter(isOfSupplier),
      blocked: blocked.find(isOfSupplier),
      balances: balances.filter(isOfSupplier),
      failingCalls: failing.filter(isOfSupplier),
    };
  });
}
