/** Why something needs a person. Each kind stands at most once for its order, supplier or endpoint. */
export const attentionKinds = [
  // Of orders.
  'OUTCOME_UNKNOWN',
  'PURCHASE_OVERDUE',
  'SUPPLIER_BLOCKED',
  'ANSWER_LOST',
  'REFUND_DUE',
  'GOODS_APART',
  'PURCHASE_REVERSED',
  'WORKFLOW_ENDED',
  'WORKFLOW_FAILING',
  'MAIL_UNDELIVERABLE',
  'ICCID_UNREADABLE',
  // Of suppliers.
  'SUPPLIER_DOWN',
  'ACCOUNT_BLOCKED',
  // Of webhook endpoints.
  'ENDPOINT_FAILING',
  'SECRET_UNREADABLE',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** What goes off the list only when a person says what was done: the service cannot see it. */
export const settledByHand: readonly AttentionKind[] = ['GOODS_APART', 'PURCHASE_REVERSED'];

/** Whom it is about. */
export type AttentionSubject = { orderId: number } | { supplier: string } | { endpointId: number };
