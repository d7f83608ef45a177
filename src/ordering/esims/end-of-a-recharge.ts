/**
 * What follows the end of a recharge. docs/developers/esim-monitor.md.
 * Rule: the end of a recharge makes the service ask at once about the first plan of the profile
 */
import { findEsim } from '../../data/esims/stored-esims';
import { esimWorkflowId } from '../../domain/orders/order-ids';
import type { OrderKey } from '../../domain/orders/order-messages';
import type { OrderingDependencies } from '../dependencies';
import { retryNow } from '../order-workflow';

/**
 * Wakes the monitor of the order that the ended order recharges; changes nothing for an order with a profile of its own. While the recharge
 * was monitored, the state at the supplier said nothing about the first plan, whose monitor may wait for a day.
 */
export async function wakeRechargedPlan(
  { database, temporal }: Pick<OrderingDependencies, 'database' | 'temporal'>,
  ended: OrderKey,
): Promise<void> {
  const { isRecharge, profileOrderId, profileNonce } = await findEsim(database, ended);
  if (isRecharge) await retryNow(temporal, esimWorkflowId(profileOrderId, profileNonce));
}
