/** Asking suppliers how delivered eSIMs stand. Whoever asks, the database decides what is new. */
import type { Database } from '../data/database';
import { advanceEsim, findEsim, type EsimRecord } from '../data/orders/esim-life';
import { timesAfter, validityIsOver, type EsimStatus } from '../domain/esim-life';
import { esimField } from '../security/encryption-context';
import type { Sealer } from '../security/sealing';
import type { Supplier } from '../suppliers/port';
import { supplierNamed } from '../suppliers/registry';

/** What is needed to ask about eSIMs. */
export interface EsimDependencies {
  database: Database;
  sealer: Sealer;
  suppliers: ReadonlyMap<string, Supplier>;
}

/**
 * Asks the eSIM's supplier and stores what is new, with its events. Returns the eSIM as it stands then,
 * the same object where nothing was new. Throws where the supplier cannot be asked.
 */
export async function syncEsim(deps: EsimDependencies, esim: EsimRecord, now: Date): Promise<EsimRecord> {
  const times = timesAfter(esim, await statusOf(deps, esim, now), now);
  if (!times) return esim;
  await advanceEsim(deps.database, esim.orderId, times);
  return findEsim(deps.database, esim);
}

/** Nobody is asked about an eSIM whose days are over, nor a supplier that does not tell. */
async function statusOf(
  { sealer, suppliers }: EsimDependencies,
  esim: EsimRecord,
  now: Date,
): Promise<EsimStatus> {
  const supplier = supplierNamed(suppliers, esim.supplier);
  if (validityIsOver(esim, now) || !supplier.esimStatus) return {};
  return supplier.esimStatus(sealer.open(esimField(esim.orderId, 'iccid'), esim.iccid));
}

/** Whether the eSIM's supplier tells of changes by itself. */
export function isPushed({ suppliers }: EsimDependencies, { supplier }: EsimRecord): boolean {
  return supplierNamed(suppliers, supplier).verifyPush !== undefined;
}
