/** Records whether our calls to a supplier, for its stock, our balance or its catalogue, succeed. */
import type { Database } from '../data/database/database';
import {
  recordSupplierBlocked,
  recordSupplierFailure,
  recordSupplierSuccess,
} from '../data/operations/supplier-health';
import { isSupplierFault, SupplierAccountBlocked } from '../suppliers/port';

/** Makes a call to the supplier and records whether it succeeded. `undefined` means that the supplier has no such call. */
export async function recorded<T>(
  database: Database,
  supplier: string,
  call: string,
  run: () => Promise<T>,
): Promise<T> {
  const kind = { supplier, family: '', call };
  try {
    const result = await run();
    if (result !== undefined) await recordSupplierSuccess(database, kind);
    return result;
  } catch (error) {
    // Records only the supplier's failures: neither calls that the service held back, nor errors of the database.
    if (error instanceof SupplierAccountBlocked) await recordSupplierBlocked(database, kind, error.message);
    else if (isSupplierFault(error)) await recordSupplierFailure(database, kind, error.message);
    throw error;
  }
}
