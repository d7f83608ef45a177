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
 * Recharges an eSIM that a device has installed, under one reference twice at once. A device also installs another delivered eSIM of the
 * client. `choice`, from 0 to 1, selects the eSIMs and the plan. Returns what happened.
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
  for (const { id } of rotated(installed, choice)) {
    const plans = await user.api.call<Plan[]>('GET', `${collections.ESIM}/${id}/recharge-plans`);
    const plan = plans.status === 200 ? picked(plans.body, share(choice, 4)) : undefined;
    if (plan) return `order ${id}: ${await user.recharge(id, plan.esim_product_id, plan.amount)}`;
  }
  return `${installed.length} of ${esims.length} eSIMs are installed, and none has a recharge plan now`;
}

function rotated<T>(list: readonly T[], choice: number): T[] {
  const first = Math.floor(choice * list.length);
  return [...list.slice(first), ...list.slice(0, first)];
}

/** Any source of the product may have sold the profile: another one takes over when the first fails. */
async function install(user: ApiUser, { id, iccid }: OrderView, suppliers: Suppliers): Promise<void> {
  const sellers = new Set((await suppliers.bought(id)).map(({ supplier }) => supplier));
  for (const seller of sellers)
    if (seller === 'simulator') await user.api.call('POST', `/api/v1/sandbox/esims/${id}/install`, {});
    else await suppliers.fake(seller).activate(iccid ?? '');
}
