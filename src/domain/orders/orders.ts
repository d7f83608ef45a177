/** Orders: which state may follow which, and the names their workflows, purchases and paths go by. */
import { families, familyIds, type Family } from './families';
import { orderStatuses, type OrderStatus } from './order-status';

/** The states an order of the family may be in for a move to `to` to be allowed. */
export function statesBefore(family: Family, to: OrderStatus): OrderStatus[] {
  return orderStatuses.filter((from) => families[family].transitions[from].includes(to));
}

/** A terminal order never changes its status again, whatever its family. */
export function isTerminal(status: OrderStatus): boolean {
  return familyIds.every((family) => families[family].transitions[status].length === 0);
}

/** The workflow of an order. The nonce keeps an id that is used twice from meeting an old workflow. */
export function orderWorkflowId(orderId: number, nonce: string): string {
  return `order-${orderId}-${nonce}`;
}

/** The order whose workflow has the id; undefined if it is none of an order. */
export function orderOfWorkflow(workflowId: string): { orderId: number; nonce: string } | undefined {
  const [, orderId, nonce] = /^order-(\d{1,15})-([0-9a-z]+)$/.exec(workflowId) ?? [];
  return orderId === undefined || nonce === undefined ? undefined : { orderId: Number(orderId), nonce };
}

/** The workflow that follows a delivered eSIM. */
export function esimWorkflowId(orderId: number, nonce: string): string {
  return `esim-${orderId}-${nonce}`;
}

/**
 * Our reference of one purchase at a supplier. At most 40 characters (the shortest limit known),
 * and none is part of another, because some suppliers search by "contains".
 */
export function purchaseReference(orderId: number, nonce: string, batch: number): string {
  return `${orderWorkflowId(orderId, nonce)}-${String(batch).padStart(4, '0')}`;
}

/** The workflow whose purchase the reference is; undefined if it is none of ours. */
export function workflowOfPurchase(reference: string): string | undefined {
  return /^(order-\d+-[0-9a-z]+)-\d{4}$/.exec(reference)?.[1];
}

/** The API path of the family's orders. */
export function ordersPath(family: Family): string {
  return `/api/v1/${families[family].ordersPath}`;
}

/** The API path of an order. */
export function orderPath(family: Family, orderId: number): string {
  return `${ordersPath(family)}/${orderId}`;
}
