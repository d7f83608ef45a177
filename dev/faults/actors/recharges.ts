/** A client that recharges the eSIMs of its travellers. */
import { collections } from '../plan/orders';
import { share } from '../random';
import { picked } from './after-sale';
import type { OrderView } from './api';
import type { ApiUser } from './client';
import type { Suppliers } from './suppliers';

interface Plan {
  esim_product_id: number;
  amount: number;
}

/**
 * Recharges an eSIM that a device has installed, under one reference twice at once. If the client has none, a device installs one of its
 * delivered eSIMs. `choice`, from 0 to 1, selects the eSIM and the plan. Returns what happened.
 */
export async function rechargeEsim(user: ApiUser, choice: number, suppliers: Suppliers): Promise<string> {
  const { status, body } = await user.api.call<OrderView[]>('GET', `${collections.ESIM}?status=DELIVERED`);
  const esims = status === 200 ? body.filter(({ iccid, recharges }) => iccid && !recharges) : [];
  const installed = esims.filter(({ is_installed: isInstalled }) => isInstalled);
  const fresh = picked(
    esims.filter((esim) => !installed.includes(esim)),
    choice,
  );
  if (fresh) await install(user, fresh, suppliers);
  const esim = picked(installed, choice);
  if (!esim) return fresh ? `a device installs the eSIM of order ${fresh.id}` : `${user.name} has no eSIM`;
  const plans = await user.api.call<Plan[]>('GET', `${collections.ESIM}/${esim.id}/recharge-plans`);
  const plan = plans.status === 200 ? picked(plans.body, share(choice, 4)) : undefined;
  if (!plan) return `order ${esim.id} has no recharge plan: ${plans.status}`;
  return `order ${esim.id}: ${await user.recharge(esim.id, plan.esim_product_id, plan.amount)}`;
}

async function install(user: ApiUser, { id, iccid }: OrderView, suppliers: Suppliers): Promise<void> {
  const supplier = user.supplierOf(id);
  if (supplier === 'simulator') await user.api.call('POST', `/api/v1/sandbox/esims/${id}/install`, {});
  else await suppliers.fake(supplier).activate(iccid ?? '');
}
