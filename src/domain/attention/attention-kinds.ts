/**
 * The kinds of entries on the attention list, each with the command of the ops CLI that resolves an entry or shows whether the
 * remedy helped. A subject has at most one open entry of each kind. Some kinds of an order have one for each purchase.
 */
import { namesOf } from '../records';

const kinds = {
  // Of orders.
  OUTCOME_UNKNOWN: 'orders resolve <order> ask-again|not-bought|delivered|elsewhere|unusable --reason <text>',
  PURCHASE_OVERDUE: 'orders retry <order>',
  SUPPLIER_BLOCKED: 'orders retry <order>',
  ANSWER_LOST: 'orders resolve <order> ask-again|not-bought|delivered --reason <text>',
  UNDER_REVIEW: 'orders release <order> --reason <text>',
  REFUND_DUE: 'orders show <order>',
  REFUND_AFTER_DUE: 'orders show <order>',
  CLAIM_NEW: 'claims list --order <order> --open',
  CLAIM_DUE: 'claims list --order <order> --open',
  GOODS_APART: 'attention settle <number> --reason <text>',
  PURCHASE_REVERSED: 'attention settle <number> --reason <text>',
  VALUE_DEVIATES: 'attention settle <number> --reason <text>',
  WORKFLOW_ENDED: 'orders retry <order>',
  WORKFLOW_FAILING: 'orders retry <order>',
  MAIL_UNDELIVERABLE: 'mail resend <order>',
  ICCID_UNREADABLE: 'secret-keys list',
  ESIM_UNKNOWN: 'orders show <order>',
  ESIM_POLLS_FAILING: 'orders show <order>',
  ESIM_TIMES_IMPLAUSIBLE: 'attention settle <number> --reason <text>',
  // Of suppliers.
  SUPPLIER_DOWN: 'orders retry --supplier <supplier>',
  ACCOUNT_BLOCKED: 'orders retry --supplier <supplier>',
  SUPPLIER_PAUSED: 'suppliers resume <supplier> --reason <text>',
  BALANCE_LOW: 'suppliers show <supplier>',
  PLAN_AMOUNT_MOVED: 'attention settle <number> --reason <text>',
  TOO_MANY_PRICES: 'attention settle <number> --reason <text>',
  PLAN_CHANGED: 'attention settle <number> --reason <text>',
  PLAN_PRICES_HELD: 'catalogue plans --supplier <supplier>',
  OFFERS_CHANGED: 'catalogue review --supplier <supplier> --state changed',
  CATALOGUE_DOUBTED: 'catalogue sync <supplier> --accept-gone --reason <text>',
  PURCHASES_NOT_SENT: 'orders retry --supplier <supplier>',
  FAILURES_UNUSUAL: 'suppliers pause <supplier> --reason <text>',
  MARGIN_BELOW_FLOOR: 'margins list',
  COST_ABOVE_LISTED: 'sources set <family> <item> <supplier> <sku> --cost <cost>',
  SOLD_AT_LOSS: 'attention settle <number> --reason <text>',
  SETTLEMENT_DIFFERENCE: 'reconcile accept <supplier> <reference> --reason <text>',
  REPORT_IMPLAUSIBLE: 'attention settle <number> --reason <text>',
  REDEEMABLE_ON: 'attention settle <number> --reason <text>',
  // Of webhook endpoints.
  ENDPOINT_FAILING: 'webhooks retry <endpoint>',
  ENDPOINT_WORKFLOW_FAILING: 'webhooks retry <endpoint>',
  ENDPOINT_PAUSED: 'webhooks resume <endpoint>',
  SECRET_UNREADABLE: 'secret-keys list',
  // Of the service as a whole.
  UNPLACED_WORKFLOWS_FAILING: 'reconcile',
  SERVICE_WORKFLOWS_FAILING: 'deploy status',
  NO_WORKERS: 'deploy status',
  VERSION_WITHOUT_WORKERS: 'deploy drain --move-stragglers',
  ORDERS_REJECTED: 'deploy status',
  MAINTENANCE_FAILING: 'reconcile',
  MAIL_FAILING: 'attention --kind MAIL_FAILING',
  LEDGER_UNSOUND: 'ledger verify',
  RATES_OLD: 'rates list',
  RATE_HELD: 'rates list',
  RATES_CIRCLE: 'rates list',
  CLAIMS_UNUSUAL: 'claims list',
  SALES_STOPPED: 'products stopped',
  BANK_ENTRIES_OPEN: 'bank entries',
  FUNDING_REVERSED: 'bank entries',
  STATEMENT_CHANGED: 'attention settle <number> --reason <text>',
  STATEMENTS_MISSING: 'bank gap accept <gap> --reason <text>',
  KEY_WORN: 'secret-keys list',
} as const;

export type AttentionKind = keyof typeof kinds;

export const attentionKinds = namesOf(kinds);
export const resolvingCommands: Readonly<Record<AttentionKind, string>> = kinds;

/**
 * Kinds whose entries a person can settle, because the service cannot see whether the problem is solved. Exception: settling
 * MAIL_UNDELIVERABLE gives the mail up, because its address may never accept a mail.
 */
export const settledByHand = attentionKinds.filter(
  (kind) => kind === 'MAIL_UNDELIVERABLE' || kinds[kind].startsWith('attention settle '),
);

/** The subject of an entry. `reference`: the purchase, for kinds about one purchase of an order. */
export type AttentionSubject =
  | { orderId: number; reference?: string }
  | { supplier: string }
  | { endpointId: number }
  | typeof wholeService;

/** The subject of entries about the service as a whole. */
export const wholeService = { service: true } as const;
