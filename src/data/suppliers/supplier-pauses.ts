/** Suppliers that an operator has paused, for all families or for one. Orders with another source avoid them. */
import type { Family } from '../../domain/orders/families';
import { minuteText } from '../../domain/time';
import { rows, type Database } from '../database/database';
import { listExactly } from '../attention/attention';
import { bySupplier } from './supplier-health';

export interface SupplierPause {
  supplier: string;
  /** Empty: all families. */
  family: Family | '';
  reason: string;
  pausedAt: Date;
}

/** Pauses the supplier, or changes the reason of the pause. */
export async function pauseSupplier(
  database: Database,
  { supplier, family, reason }: Omit<SupplierPause, 'pausedAt'>,
): Promise<void> {
  await rows(
    database,
    `INSERT INTO supplier_pauses (supplier, family, reason) VALUES ($supplier, $family, $reason)
     ON CONFLICT (supplier, family) DO UPDATE SET reason = excluded.reason`,
    { supplier, family, reason },
  );
  await reviewPauses(database);
}

/** Ends the pause of the family, or all pauses of the supplier. Returns the families of the ended pauses. */
export async function resumeSupplier(
  database: Database,
  supplier: string,
  family?: Family,
): Promise<SupplierPause['family'][]> {
  const resumed = await rows<Pick<SupplierPause, 'family'>>(
    database,
    `DELETE FROM supplier_pauses WHERE supplier = $supplier AND family = coalesce($family, family) RETURNING family`,
    { supplier, family: family ?? null },
  );
  await reviewPauses(database);
  return resumed.map((pause) => pause.family);
}

/** The pauses by supplier. A supplier's pause of all families comes first. */
export function listPauses(database: Database): Promise<SupplierPause[]> {
  return rows<SupplierPause>(
    database,
    'SELECT supplier, family, reason, paused_at AS "pausedAt" FROM supplier_pauses ORDER BY supplier, family',
  );
}

/** Makes the attention list show exactly the paused suppliers. */
export async function reviewPauses(database: Database): Promise<void> {
  await listExactly(database, 'SUPPLIER_PAUSED', bySupplier(await listPauses(database), reasonOf));
}

function reasonOf({ family, reason, pausedAt }: SupplierPause): string {
  const what = family === '' ? 'All families are' : `${family} is`;
  return `${what} paused since ${minuteText(pausedAt)} UTC: ${reason}`;
}
