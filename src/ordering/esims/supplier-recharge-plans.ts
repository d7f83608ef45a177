/** Recharges: which profile gets the plan, and which plans its supplier offers. docs/decisions/0086-recharge-by-an-order-of-its-own.md. */
import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../../async/promises';
import { findOrderedProfile, type RechargePlans } from '../../data/esims/recharge-reads';
import { errors } from '../../domain/errors';
import { safeText } from '../../domain/safe-text';
import { second } from '../../domain/time';
import { esimField } from '../../security/sealing';
import { ProfileUnknown } from '../../domain/suppliers/supplier-errors';
import type { EsimDependencies } from './esim-status';

/** A profile that can be recharged now, with the plans that its supplier offers for it. */
export interface RechargedEsim extends RechargePlans {
  /** The order that came with the profile. */
  profileOrderId: number;
}

const flights = new SingleFlight<string[]>();
/** The plans by profile, so that a charges request and its order poll the supplier once. */
const offered = new LRUCache<number, string[]>({ max: 10_000, ttl: 10 * second });

/**
 * The profile of the client's eSIM order. Undefined if it cannot be recharged, also because its supplier has no plan for it. Throws 404
 * if the client has no eSIM order with the id, and `SupplierUnavailable` if its supplier cannot list the plans, or does not know the
 * profile: then nothing shows whether the eSIM was installed.
 */
export async function rechargedEsim(
  deps: EsimDependencies,
  clientId: number,
  orderId: number,
): Promise<RechargedEsim | undefined> {
  const found = await findOrderedProfile(deps.database, clientId, orderId);
  if (!found) throw errors.notFound('Order', 'recharge_order_id');
  if (found.isUnknown) throw new ProfileUnknown(safeText`The supplier does not know the eSIM`);
  const { profileOrderId, supplier, sku } = found;
  const iccid = found.isRechargeable ? deps.sealer.openForView(esimField(profileOrderId, 'iccid'), found.iccid) : null;
  const rechargePlans = deps.suppliers.get(supplier ?? '')?.rechargePlans;
  if (iccid === null || supplier === null || sku === null || !rechargePlans) return undefined;
  const poll = async () => {
    const skus = await rechargePlans({ iccid, sku });
    offered.set(profileOrderId, skus);
    return skus;
  };
  const skus = offered.get(profileOrderId) ?? (await flights.run(poll, String(profileOrderId)));
  return skus.length > 0 ? { profileOrderId, supplier, skus } : undefined;
}
