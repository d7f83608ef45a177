/** How an order, its workflows and its purchases are named. */

/** The text without what people and entries of wallets write before an order's number: `17`, `#17`, `order 17` or `order-17`. */
export function orderNumberIn(text: string): string {
  return text.replace(/^(?:#|order[ -])?(?=[0-9])/i, '');
}

/** The workflow id of an order. If a database restore reuses an order id, the nonce keeps the two orders' workflows apart. */
export function orderWorkflowId(orderId: number, nonce: string): string {
  return `order-${orderId}-${nonce}`;
}

/** The order whose workflow has the id; undefined for other workflows. */
export function orderOfWorkflow(workflowId: string): { orderId: number; nonce: string } | undefined {
  const [, orderId, nonce] = /^order-(\d{1,15})-([0-9a-z]+)$/.exec(workflowId) ?? [];
  return orderId === undefined || nonce === undefined ? undefined : { orderId: Number(orderId), nonce };
}

export function esimWorkflowId(orderId: number, nonce: string): string {
  return `esim-${orderId}-${nonce}`;
}

/**
 * The batch number of a purchase that replaces another one is this step times the number of replacements so far, plus the
 * purchase's first unit. So no two purchases of an order have the same batch number. SQL: `successor_batches`.
 */
export const SUCCESSOR_STEP = 100_000;
/** The largest batch that a reference can hold. */
export const MAX_BATCH = 999_999_999;

/**
 * Our reference for one purchase at a supplier. It has at most 40 characters, the lowest known limit of a supplier. Some suppliers
 * search for substrings, so no reference may contain another: hence the two fixed widths. SQL: `purchase_reference`.
 */
export function purchaseReference(orderId: number, nonce: string, batch: number): string {
  const number = batch < 10_000 ? String(batch).padStart(4, '0') : `x${String(batch).padStart(9, '0')}`;
  return `${orderWorkflowId(orderId, nonce)}-${number}`;
}

/** The workflow id of the order to which the purchase belongs; undefined for references that are not ours. */
export function workflowOfPurchase(reference: string): string | undefined {
  return /^(order-\d+-[0-9a-z]+)-(?:\d{4}|x\d{9})$/.exec(reference)?.[1];
}
