/** The states of an order, and the ids of its workflows and purchases. `families.ts` has the transitions. */

/** The states of an order. docs/specification.md#states-and-transitions. */
export const orderStatuses = ['PENDING', 'PARTIALLY_DELIVERED', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The workflow id of an order. The nonce separates an order id that a database restore repeats from the old workflow. */
export function orderWorkflowId(orderId: number, nonce: string): string {
  return `order-${orderId}-${nonce}`;
}

/** The order of a workflow id; undefined for other workflows. */
export function orderOfWorkflow(workflowId: string): { orderId: number; nonce: string } | undefined {
  const [, orderId, nonce] = /^order-(\d{1,15})-([0-9a-z]+)$/.exec(workflowId) ?? [];
  return orderId === undefined || nonce === undefined ? undefined : { orderId: Number(orderId), nonce };
}

/** The workflow id of an eSIM monitor. */
export function esimWorkflowId(orderId: number, nonce: string): string {
  return `esim-${orderId}-${nonce}`;
}

/**
 * Our reference of one purchase at a supplier. It has at most 40 characters, the lowest known limit. No reference contains
 * another, because some suppliers search by "contains".
 */
export function purchaseReference(orderId: number, nonce: string, batch: number): string {
  return `${orderWorkflowId(orderId, nonce)}-${String(batch).padStart(4, '0')}`;
}

/** The workflow id of a purchase's order; undefined for foreign references. */
export function workflowOfPurchase(reference: string): string | undefined {
  return /^(order-\d+-[0-9a-z]+)-\d{4}$/.exec(reference)?.[1];
}
