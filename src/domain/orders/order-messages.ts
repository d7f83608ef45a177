/**
 * The data that workflow, activities and API exchange about an order. Ids and counts only, never secrets.
 * Rule: what an order workflow accepts from operators
 */
import type { AccessRejection } from '../errors';
import type { FailureCode } from './failure-codes';
import type { Family } from './families';
import type { OrderStatus } from './order-states';
import { propertyOf } from '../unknown-values';

/** The identity of an order. The nonce distinguishes it from another order that got the same id after a database restore. */
export interface OrderKey {
  orderId: number;
  nonce: string;
}

/**
 * The input of an order's workflow: what an operator has to know to follow it. No input of the order and no personal data.
 * docs/decisions/0003-fence-every-order-request.md.
 */
export interface OrderStart extends OrderKey {
  family: Family;
  /** Whether the order request is answered as soon as the order is placed, and does not wait for the goods. */
  asynchronous: boolean;
  units: number;
  productName: string;
  /** The wallet that pays. */
  walletId: number;
  /** The debit: a decimal string in the wallet's currency. */
  price: string;
  currency: string;
  /**
   * How long the order request had waited when it started the workflow, in milliseconds by the clock of its process. Absent if no
   * request started it: maintenance restarts workflows, and operators start those of replacements. Their orders are placed already.
   */
  waitedMs?: number;
  /** The id of the order request. Absent if none started the workflow. */
  requestId?: string;
}

/** The updates, signals and queries of an order's workflow (see `workflows/messages.ts`). */
export const orderMessages = {
  cancel: 'cancelOrder',
  resolve: 'resolveOrder',
  release: 'releaseOrder',
  retryNow: 'retryNow',
  attentionChanged: 'attentionChanged',
  state: 'state',
} as const;

/**
 * The rejections of the placing statement for other reasons than an ended access (`AccessRejection`). The SQL function
 * `exceeds_daily_cap` decides about CLIENT_LIMIT_EXCEEDED. NOT_ON_SALE: operators have stopped the sale since the check of the request.
 */
export const orderRejections = [
  'INSUFFICIENT_BALANCE',
  'DUPLICATE_CLIENT_REFERENCE',
  'VOUCHER_NOT_REDEEMABLE',
  'ESIM_NOT_RECHARGEABLE',
  'CLIENT_LIMIT_EXCEEDED',
  'NOT_ON_SALE',
] as const;

/** Why the placing statement rejects an order. No money moves. */
export type OrderRejection = AccessRejection | (typeof orderRejections)[number];

/**
 * The result of placing an order. ABANDONED: the API or maintenance had fenced off the reservation. `toBuy`: the number of units to
 * buy; 0 if the order must fail. `transactionId`: that of the debit; null if nothing was debited, because the price is 0 or the order
 * is beyond the daily cap. `outcomeUnknown`: the reason of an OUTCOME_UNKNOWN entry by an earlier run of the workflow. `held`: present
 * while the order is under review.
 */
export type Placement =
  | {
      outcome: 'PLACED';
      units: number;
      toBuy: number;
      transactionId: number | null;
      outcomeUnknown?: string;
      held?: Held;
    }
  | { outcome: 'REFUSED'; refusal: OrderRejection }
  | { outcome: 'ABANDONED' };

/**
 * The review of an order. Nothing is bought before an operator releases the order. The SQL function `hold_of` applies the spend rules
 * (src/data/orders/stored-spend-rules.ts) that demand it.
 */
export interface Held {
  /** Why it was held, in words for operators. */
  because: string;
  /** When the order is cancelled unless it is released (milliseconds since 1970). */
  until: number;
  /** The stop of sales (`stopped_sales`) because of which an operator held it. Its end releases the order. */
  stop?: number;
}

export type Placed = Extract<Placement, { outcome: 'PLACED' }>;
export type NotPlaced = Exclude<Placement, Placed>;

/** A purchase as operators see it. */
export interface PurchaseSummary {
  reference: string;
  supplier: string;
  sku: string;
  /** Why this source was chosen. */
  why: string;
  result: string;
}

/** The maximum number of purchases in a `PurchaseProgress`. */
export const MAX_SUMMARIES = 10;

/** The progress of an order's purchases, as the database counts them. */
export interface PurchaseProgress {
  /** Ordered units. */
  units: number;
  /** Units whose goods are stored. */
  delivered: number;
  /** Purchases that are ready to be sent. */
  ready: number;
  /** Purchases that may have run and are not concluded, so they are polled. */
  open: number;
  /** Whether a purchase was withdrawn: it was not made and never will be. */
  withdrawn: boolean;
  /** The failure code of the first rejected purchase, else of the first one that was given up; null without one. */
  failureCode: FailureCode | null;
  /** The newest purchases, at most `MAX_SUMMARIES`. */
  purchases: PurchaseSummary[];
  /** Null or absent unless the order is under review: then its purchases are neither ready nor open. */
  held?: Held | null;
}

export function isConcluded({ ready, open, held }: PurchaseProgress): boolean {
  return ready === 0 && open === 0 && !held;
}

/** The result of one activity call on an order's purchases. */
export interface FulfilmentReport extends PurchaseProgress {
  /** Why an operator must decide about an open purchase; null if none must. */
  unresolved: string | null;
}

/**
 * Why purchases are withdrawn. A cancellation succeeds only if nothing was bought. If the time for buying has ended, the units that
 * were not bought are refunded.
 */
export type WithdrawnBecause = 'CANCELLED' | 'GIVEN_UP';

/**
 * What follows a local activity of the first workflow task. BUY and SETTLE: the next local activity, `tryToBuy` or `settleOrder`. STEPS:
 * regular activities. END: the order has ended, or there is none. The workflow branches on nothing else, so that it replays.
 * docs/decisions/0032-begin-an-order-with-three-local-activities.md.
 */
export type NextStep = 'BUY' | 'SETTLE' | 'STEPS' | 'END';

/** The result of `debitWallet`. */
export type Debit = { next: 'END'; placement: NotPlaced } | { next: Exclude<NextStep, 'END'>; placement: Placed };

/**
 * The result of `tryToBuy`. `report`: that of the attempt; null if there was none, or if the activity `buy` must finish it.
 * `isMonitored`: whether the monitor of the delivered profile was started; absent for other families.
 */
export type FirstAttempt =
  | { next: 'END'; report: FulfilmentReport; settled: Settled; isMonitored?: boolean }
  | { next: 'SETTLE'; report: FulfilmentReport }
  | { next: 'STEPS'; report: FulfilmentReport | null };

/** The settlement of an order whose purchases are all concluded. */
export function settlementOf({ units, delivered, failureCode, withdrawn }: PurchaseProgress): Settlement {
  if (delivered === units) return { delivered };
  return failureCode === null ? { cancelled: withdrawn } : { failureCode };
}

/** How to settle an order. Unless `delivered` is given, the database counts the delivered units. */
export interface Settlement {
  /** The ordered number of units; present only if all were delivered. */
  delivered?: number;
  /** Why units are missing, if a purchase was rejected or given up. */
  failureCode?: FailureCode;
  /** Whether missing units were withdrawn. */
  cancelled?: boolean;
}

/** The final status of an order. */
export function endOf(
  { quantity, delivered }: { quantity: number; delivered: number },
  { cancelled = false }: Settlement,
): OrderStatus {
  if (delivered === quantity) return 'DELIVERED';
  return cancelled && delivered === 0 ? 'CANCELLED' : 'FAILED';
}

/** The refund of undelivered units. `amount`: a decimal string. */
export interface Refund {
  amount: string;
  currency: string;
  walletId: number;
  /** Whether the wallet has received the refund: false while the wallet is closed. */
  credited: boolean;
}

export interface Settled {
  status: OrderStatus;
  delivered: number;
  /** Whether a mail to the customer is due. */
  mail: boolean;
  /** Why the order is on the attention list; null if it is not. */
  attention: string | null;
  /** Null if the order did not fail. */
  failureCode: FailureCode | null;
  /** Null if nothing is refunded. */
  refund: Refund | null;
}

/**
 * The decisions of operators about an order with an unknown outcome.
 * docs/decisions/0025-give-operators-a-cli-and-the-temporal-ui.md.
 */
export const resolutions = ['ASK_AGAIN', 'NOT_BOUGHT', 'DELIVERED', 'ELSEWHERE', 'UNUSABLE'] as const;
export type Resolution = (typeof resolutions)[number];

/** The decision that an order under review is bought. It has an update of its own. */
export const release = 'RELEASE';

/**
 * An operator's decision. Every resolution except ASK_AGAIN moves money, so it needs a reason. ELSEWHERE: the next source buys the
 * units that were not bought. UNUSABLE: the units whose goods arrived and are unusable are refunded. `goods`: for DELIVERED, the number under which the ops CLI has stored the goods; top-ups have none.
 */
export interface OperatorDecision {
  resolution: Resolution | typeof release;
  reason?: string;
  goods?: number;
}

/** The failure type with which a workflow rejects an operator's message. The failure's message is the reason. */
export const rejectionType = 'Refused';

/** The response to an operator: the order's state after the action. */
export type OrderStatusText = string;

/** Reads the word of an operator's decision, or of an object with `resolution` (or `word`). Undefined if there is none. */
export function readResolution(sent: unknown): Resolution | undefined {
  const word = typeof sent === 'string' ? sent : (propertyOf(sent, 'resolution') ?? propertyOf(sent, 'word'));
  return resolutions.find((known) => known === word);
}

/**
 * Reads an operator's decision: a word, a word and a reason, or an object with `resolution` (or `word`), `reason` and `goods`.
 * Throws an error whose message lists the valid words or asks for the reason.
 */
export function readDecision(sent: unknown, reasonSent?: unknown): OperatorDecision {
  const resolution = readResolution(sent);
  if (!resolution) throw new Error(`The decision is one of ${resolutions.join(', ')}`);
  const reason = readReason(reasonSent ?? propertyOf(sent, 'reason'));
  if (resolution !== 'ASK_AGAIN' && reason === undefined) throw new Error(`${resolution} needs a reason`);
  const goods = propertyOf(sent, 'goods');
  if (goods !== undefined && !Number.isInteger(goods)) throw new Error('goods is the number that the ops CLI returned');
  return { resolution, ...(reason !== undefined && { reason }), ...(typeof goods === 'number' && { goods }) };
}

/** Reads an operator's reason: text, or an object with `reason`. Undefined if there is none. */
export function readReason(sent: unknown): string | undefined {
  const reason = typeof sent === 'string' ? sent : propertyOf(sent, 'reason');
  return typeof reason === 'string' && reason.trim() !== '' ? reason.trim() : undefined;
}
