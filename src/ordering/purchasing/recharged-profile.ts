/** The profile that a purchase recharges, and whether its supplier can look such a purchase up. */
import type { Purchase } from '../../data/purchases/purchase-reads';
import { esimField, type Sealer } from '../../security/sealing';
import type { Supplier } from '../../suppliers/port';

/** Whether a lookup can find the purchase. */
export function hasLookup({ traits }: Supplier, { rechargesOrderId }: Purchase): boolean {
  const { lookup, rechargeLookup = lookup } = traits;
  return (rechargesOrderId === null ? lookup : rechargeLookup) !== 'none';
}

/** The ICCID of the profile that the purchase recharges; empty if it recharges none. */
export function profileOf(
  { sealer }: { sealer: Sealer },
  { rechargesOrderId, rechargedIccid }: Purchase,
): { iccid?: string } {
  if (rechargesOrderId === null) return {};
  if (!rechargedIccid) throw new Error(`Order ${rechargesOrderId} has no ICCID`);
  return { iccid: sealer.open(esimField(rechargesOrderId, 'iccid'), rechargedIccid) };
}
