/** Asking suppliers how delivered eSIMs stand. Whoever asks, the database decides what is new. */
import { clearAttention, raiseAttention } from '../../data/operations/attention';
import type { Database } from '../../data/database/database';
import { advanceEsim, findEsim, type EsimRecord } from '../../data/esims/esim-lifecycle';
import {
  implausibleTimes,
  timesAfter,
  unreadableIccid,
  validityIsOver,
  type EsimStatus,
} from '../../domain/esims/esim-lifecycle';
import { esimField } from '../../security/encryption-context';
import type { Sealer } from '../../security/sealing';
import type { Supplier } from '../../suppliers/port';
import { supplierNamed } from '../../suppliers/registry';

/** What is needed to ask about eSIMs. */
export interface EsimDependencies {
  database: Database;
  sealer: Sealer;
  suppliers: ReadonlyMap<string, Supplier>;
}

/** The ICCID does not open: nobody can be asked about the eSIM before an operator has looked after it. */
export class UnreadableIccid extends Error {
  override readonly name = 'UnreadableIccid';
}

/**
 * Polls the eSIM's supplier and stores the news with its events. Lists an implausible time for operators. Returns the
 * eSIM afterwards, the same object if there was no news. Throws if the supplier cannot be polled: `UnreadableIccid` if
 * the ICCID cannot be read.
 */
export async function syncEsim(deps: EsimDependencies, esim: EsimRecord, now: Date): Promise<EsimRecord> {
  const seen = await statusOf(deps, esim, now);
  const times = timesAfter(esim, seen, now);
  if (!times) return esim;
  const doubt = implausibleTimes(esim, seen, times);
  // First, so that a process that ends here repeats both: a time that is stored is doubted no more.
  if (doubt !== undefined)
    await raiseAttention(deps.database, { orderId: esim.orderId }, 'ESIM_TIMES_IMPLAUSIBLE', doubt);
  await advanceEsim(deps.database, esim.orderId, times);
  return findEsim(deps.database, esim);
}

/** Nobody is asked about an eSIM whose days are over, nor a supplier that does not tell. */
async function statusOf(deps: EsimDependencies, esim: EsimRecord, now: Date): Promise<EsimStatus> {
  const supplier = supplierNamed(deps.suppliers, esim.supplier);
  if (validityIsOver(esim, now) || !supplier.esimStatus) return {};
  return supplier.esimStatus(await openIccid(deps, esim));
}

/** The ICCID in the clear. If it does not open, operators are told, and `UnreadableIccid` is thrown. */
export async function openIccid(
  { database, sealer }: EsimDependencies,
  { orderId, iccid, isListed }: EsimRecord,
): Promise<string> {
  const opened = sealer.openForView(esimField(orderId, 'iccid'), iccid);
  if (opened === null) {
    await raiseAttention(database, { orderId }, 'ICCID_UNREADABLE', unreadableIccid);
    throw new UnreadableIccid(`The ICCID of order ${orderId} does not open`);
  }
  if (isListed) await clearAttention(database, { orderId }, ['ICCID_UNREADABLE']);
  return opened;
}

/** Whether the eSIM's supplier tells of changes by itself. */
export function isPushed({ suppliers }: EsimDependencies, { supplier }: EsimRecord): boolean {
  return supplierNamed(suppliers, supplier).verifyPush !== undefined;
}
