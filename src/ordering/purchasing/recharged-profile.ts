/** The profile that a purchase recharges, and whether its supplier can look such a purchase up. */
import type { Purchase } from '../../data/purchases/purchase-reads';
import { esimField, type Sealer } from '../../security/sealing';
import type { PurchaseRequest, Supplier } from '../../domain/suppliers/port';

/** Whether a lookup can find the purchase. */
export function hasLookup({ traits }: Supplier, { rechargesOrderId }: Purchase): boolean {
  const { lookup, rechargeLookup = lookup } = traits;
  return (rechargesOrderId === null ? lookup : rechargeLookup) !== 'none';
}

/** The profile that the purchase recharges; empty if it recharges none. */
export function profileOf(
  { sealer }: { sealer: Sealer },
  { rechargesOrderId, rechargedIccid, rechargedActivationCode }: Purchase,
): Pick<PurchaseRequest, 'recharged'> {
  if (rechargesOrderId === null) return {};
  if (!rechargedIccid || !rechargedActivationCode) throw new Error(`Order ${rechargesOrderId} has no profile`);
  const iccid = sealer.open(esimField(rechargesOrderId, 'iccid'), rechargedIccid);
  const activationCode = sealer.open(esimField(rechargesOrderId, 'activation_code'), rechargedActivationCode);
  return { recharged: { iccid, activationCode } };
}
