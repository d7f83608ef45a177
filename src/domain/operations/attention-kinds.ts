/** The reasons why a person is needed. Each kind has at most one open entry for its order, supplier, endpoint or service. */
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
  'ESIM_TIMES_IMPLAUSIBLE',
  // Of suppliers.
  'SUPPLIER_DOWN',
  'ACCOUNT_BLOCKED',
  'PLAN_AMOUNT_MOVED',
  'PURCHASES_NOT_SENT',
  'FAILURES_UNUSUAL',
  // Of webhook endpoints.
  'ENDPOINT_FAILING',
  'ENDPOINT_WORKFLOW_FAILING',
  'SECRET_UNREADABLE',
  // Of the service as a whole.
  'UNPLACED_WORKFLOWS_FAILING',
  'SERVICE_WORKFLOWS_FAILING',
  'NO_WORKERS',
  'VERSION_WITHOUT_WORKERS',
  'ORDERS_REJECTED',
  'MAINTENANCE_FAILING',
  'LEDGER_UNSOUND',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** Kinds that only a person can settle, because the service cannot see whether they are solved. */
export const settledByHand: readonly AttentionKind[] = [
  'GOODS_APART',
  'PURCHASE_REVERSED',
  'ESIM_TIMES_IMPLAUSIBLE',
  'PLAN_AMOUNT_MOVED',
];

/** The subject of an entry. */
export type AttentionSubject =
  { orderId: number } | { supplier: string } | { endpointId: number } | typeof wholeService;

/** The subject of entries about the service as a whole. */
export const wholeService = { service: true } as const;

/**
 * The command of the ops CLI that resolves an entry, or that shows whether the remedy helped. `<order>`, `<supplier>`,
 * `<endpoint>` and `<id>` (of the entry) stand for the entry's own.
 */
export const resolvingCommands: Readonly<Record<AttentionKind, string>> = {
  OUTCOME_UNKNOWN: 'orders resolve <order> ask-again|not-bought|delivered --reason <text>',
  PURCHASE_OVERDUE: 'orders retry <order>',
  SUPPLIER_BLOCKED: 'orders retry <order>',
  ANSWER_LOST: 'orders resolve <order> ask-again|not-bought|delivered --reason <text>',
  REFUND_DUE: 'orders refund <order> --reason <text>',
  GOODS_APART: 'attention settle <id> --reason <text>',
  PURCHASE_REVERSED: 'attention settle <id> --reason <text>',
  WORKFLOW_ENDED: 'orders retry <order>',
  WORKFLOW_FAILING: 'orders retry <order>',
  MAIL_UNDELIVERABLE: 'mail resend <order>',
  ICCID_UNREADABLE: 'secret-keys list',
  ESIM_TIMES_IMPLAUSIBLE: 'attention settle <id> --reason <text>',
  SUPPLIER_DOWN: 'orders retry --supplier <supplier>',
  ACCOUNT_BLOCKED: 'orders retry --supplier <supplier>',
  PLAN_AMOUNT_MOVED: 'attention settle <id> --reason <text>',
  PURCHASES_NOT_SENT: 'orders retry --supplier <supplier>',
  FAILURES_UNUSUAL: 'orders find --supplier <supplier> --status FAILED',
  ENDPOINT_FAILING: 'webhooks retry <endpoint>',
  ENDPOINT_WORKFLOW_FAILING: 'webhooks retry <endpoint>',
  SECRET_UNREADABLE: 'secret-keys list',
  UNPLACED_WORKFLOWS_FAILING: 'reconcile',
  SERVICE_WORKFLOWS_FAILING: 'deploy status',
  NO_WORKERS: 'deploy status',
  VERSION_WITHOUT_WORKERS: 'deploy drain --move-stragglers',
  ORDERS_REJECTED: 'deploy status',
  MAINTENANCE_FAILING: 'reconcile',
  LEDGER_UNSOUND: 'ledger verify',
};
