/** The sandbox controls of orders: change an eSIM profile, cancel or release an order. docs/specification.md#sandbox. */
import { recordAudit } from '../data/audit/audit-entries';
import { findEsim } from '../data/esims/stored-esims';
import type { EsimOrderRow } from '../data/purchases/families/esim';
import { findUnfinishedOrder } from '../data/orders/order-search';
import { findOrderOfAnyFamily } from '../data/orders/order-reads';
import type { AuditedCaller } from '../domain/audit';
import { errors } from '../domain/errors';
import { reasonAgainst, type ProfileChange } from '../domain/esims/esim-lifecycle';
import { orderMessages } from '../domain/orders/order-messages';
import type { OrderStatus } from '../domain/orders/order-states';
import type { AllSandboxControls } from '../domain/suppliers/configured-suppliers';
import type { OrderingDependencies } from './dependencies';
import { openIccid, pollEsimNow } from './esims/esim-status';
import { updateOrder, UpdateRejected, UpdateTimedOut } from './order-updates';

export interface SandboxDependencies extends OrderingDependencies {
  sandboxControls: AllSandboxControls;
}

/**
 * Changes the order's eSIM profile as a device or the end of its validity would, and returns the order afterwards. Throws
 * `NOT_POSSIBLE_NOW` with the current state if the change could not happen. `megabytes`: the data to use; a repeated call uses more.
 */
export async function changeProfile(
  deps: SandboxDependencies,
  caller: AuditedCaller,
  order: EsimOrderRow,
  change: ProfileChange,
  megabytes?: number,
): Promise<EsimOrderRow> {
  if (order.status !== 'DELIVERED') throw errors.notPossibleNow(`The order is ${order.status}: it has no eSIM`);
  const esim = await findEsim(deps.database, { orderId: order.id, nonce: order.nonce });
  const controls = deps.sandboxControls.get(esim.supplier);
  if (!controls) throw errors.notPossibleNow('The supplier of the eSIM has no sandbox');
  const reason = reasonAgainst(change, esim, megabytes);
  if (reason !== undefined) throw errors.notPossibleNow(reason);
  await controls.changeProfile(await openIccid(deps, esim), change, megabytes);
  const after = { change, ...(megabytes !== undefined && { megabytes }) };
  const entry = { action: 'sandbox_esim.changed', object: `order/${order.id}`, after } as const;
  await recordAudit(deps.database, caller, entry);
  return pollEsimNow(deps, order);
}

/** Milliseconds to wait for a decision, which waits for a poll in progress. A slower one still takes effect. */
const DECISION_LIMIT_MS = 20_000;

/**
 * Cancels the order as an operator would, and returns once it is CANCELLED. Throws `NOT_POSSIBLE_NOW` if the order has ended or
 * it is too late to cancel, and 503 if the workflow does not answer in time or the process stops.
 */
export async function cancelOrder(
  deps: SandboxDependencies,
  caller: AuditedCaller,
  { id, status }: { id: number; status: OrderStatus },
): Promise<void> {
  await decide(deps, caller, { id, status }, orderMessages.cancel);
  // The update also succeeds if the order has ended in another way in the meantime.
  const after = await findOrderOfAnyFamily(deps.database, caller.clientId, id);
  if (after?.status !== 'CANCELLED') throw errors.notPossibleNow(finalText(after?.status ?? status));
  await recordAudit(deps.database, caller, { action: 'sandbox_order.cancelled', object: `order/${id}` });
}

/** Releases a held order as an operator would. Throws `NOT_POSSIBLE_NOW` if it is not under review, and 503 as `cancelOrder` does. */
export async function releaseOrder(
  deps: SandboxDependencies,
  caller: AuditedCaller,
  order: { id: number; status: OrderStatus },
): Promise<void> {
  await decide(deps, caller, order, orderMessages.release);
  await recordAudit(deps.database, caller, { action: 'sandbox_order.released', object: `order/${order.id}` });
}

/** Sends the update to the order's workflow, with the client as its reason. */
async function decide(
  deps: SandboxDependencies,
  { clientId }: AuditedCaller,
  { id, status }: { id: number; status: OrderStatus },
  name: string,
): Promise<void> {
  const order = await findUnfinishedOrder(deps.database, id);
  if (!order) throw errors.notPossibleNow(finalText(status));
  const argument = `By its client ${clientId}, in the sandbox`;
  try {
    const wait = { limitMs: DECISION_LIMIT_MS, signal: deps.stopping };
    await updateOrder(deps, order, { name, argument, ...wait });
  } catch (error) {
    if (error instanceof UpdateRejected) throw errors.notPossibleNow(error.message);
    throw error instanceof UpdateTimedOut ? errors.serviceUnavailable() : error;
  }
}

const finalText = (status: OrderStatus) => `The order is ${status}: that is final`;
