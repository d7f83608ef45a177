/**
 * A callback of a supplier is only a hint, on which the service polls the supplier at once instead of at the next scheduled time.
 * docs/specification.md#supplier-callbacks.
 * Rule: a callback of a supplier is never believed: it makes the service ask earlier
 */
import { findOrdersByIccid } from '../../data/esims/stored-esims';
import { hastenLateCheck, scheduleReversalCheck } from '../../data/purchases/purchase-polls';
import { normalIccid } from '../../domain/esims/profile-codes';
import { esimWorkflowId, workflowOfPurchase } from '../../domain/orders/order-ids';
import type { PushHint } from '../../domain/suppliers/port';
import { retryNow } from '../../ordering/order-workflow';
import type { Dependencies } from '../dependencies';

/** Triggers the poll that checks the hint. A hint about an unknown purchase or profile changes nothing. */
export async function pollAsHinted(deps: Dependencies, hint: PushHint): Promise<void> {
  if (hint.kind === 'esim') return pollEsim(deps, hint.iccid);
  const { kind, reference } = hint;
  if (kind === 'reversal') return scheduleReversalCheck(deps.database, reference);
  const workflowId = workflowOfPurchase(reference);
  if (workflowId !== undefined) await retryNow(deps.temporal, workflowId);
  // No workflow polls a purchase that was given up or replaced. The late check, a maintenance task, polls it and quarantines
  // any goods. For any other purchase, the call changes nothing.
  await hastenLateCheck(deps.database, reference);
}

async function pollEsim({ database, sealer, temporal }: Dependencies, iccid: string): Promise<void> {
  const orders = await findOrdersByIccid(database, sealer.lookupHashes(normalIccid(iccid)));
  for (const { orderId, nonce } of orders) await retryNow(temporal, esimWorkflowId(orderId, nonce));
}
