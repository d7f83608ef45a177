/** What workflow, activities and API tell each other about an order. Ids and counts only, never secrets. */
import type { AccessRefusal } from '../errors';
import type { FailureCode } from './failure-codes';
import type { Family } from './families';
import type { OrderStatus } from './orders';

/** An order's identity: its id and the nonce that keeps a reused id from meeting an old workflow. */
export interface OrderKey {
  orderId: number;
  nonce: string;
}

/** What an order's workflow is started with. */
export interface OrderStart extends OrderKey {
  family: Family;
  /** No request waits for the goods: the update `answer` returns as soon as the order is placed. */
  asynchronous: boolean;
  /** The id of the order request. Absent where maintenance started the workflow again. */
  requestId?: string;
}

/** What the workflow of an order can be told (see `workflows/messages.ts`). */
export const orderMessages = {
  answer: 'answer',
  cancel: 'cancelOrder',
  resolve: 'resolveOrder',
  retryNow: 'retryNow',
  attentionChanged: 'attentionChanged',
  state: 'state',
} as const;

/** Why an order was refused when it was placed; nothing moved. */
export type Refusal =
  | AccessRefusal
  | 'INSUFFICIENT_BALANCE'
  | 'DUPLICATE_CLIENT_REFERENCE'
  | 'VOUCHER_NOT_REDEEMABLE'
  | 'CLIENT_LIMIT_EXCEEDED';

/**
 * How an order's placement ended. ABANDONED: the API gave up before, so nothing may happen. `toBuy`:
 * units, 0 where the order is only placed to fail.
 */
export type Placement =
  | { outcome: 'PLACED'; units: number; toBuy: number }
  | { outcome: 'REFUSED'; refusal: Refusal }
  | { outcome: 'ABANDONED' };

export type Placed = Extract<Placement, { outcome: 'PLACED' }>;
export type NotPlaced = Exclude<Placement, Placed>;

/** The result of the update `answer`, which the order request waits for. */
export type Answer = NotPlaced | { outcome: 'PLACED' };

/** Where the purchases of an order stand, as the database counts them. */
export interface PurchaseProgress {
  /** Units that were ordered, and that are stored. */
  units: number;
  delivered: number;
  /** Purchases that may be sent. */
  ready: number;
  /** Purchases that may have happened and are not over: the supplier is asked about them. */
  open: number;
  /** A purchase was not made and will not be. */
  withdrawn: boolean;
  /** Why the first purchase that was refused was. */
  failureCode: FailureCode | null;
}

/** Every purchase is over. */
export function isConcluded({ ready, open }: PurchaseProgress): boolean {
  return ready === 0 && open === 0;
}

/** What a call of the supplier came to. */
export interface FulfilmentReport extends PurchaseProgress {
  /** Why an operator must look at a purchase that is open; null if none need to. */
  unresolved: string | null;
}

/** How far the first step brought an order. */
export interface FirstStep {
  placement: Placement;
  /** Where the inline attempt left the purchases. Null if there was none, or if the activity `buy` has to finish it. */
  attempt: FulfilmentReport | null;
  /** Present if the attempt concluded every purchase. */
  settled?: Settled;
  /** The workflow that monitors the delivered profile runs. */
  isMonitored?: boolean;
}

/** How an order has to end whose purchases are over. */
export function settlementOf({ units, delivered, failureCode, withdrawn }: PurchaseProgress): Settlement {
  if (delivered === units) return { delivered };
  return failureCode === null ? { cancelled: withdrawn } : { failureCode };
}

/** How an order is brought to its end. The database counts what was delivered. */
export interface Settlement {
  /** All units, where all were seen to be there. */
  delivered?: number;
  /** Why not everything was delivered; absent where everything was. */
  failureCode?: FailureCode;
  cancelled?: boolean;
}

/** The status in which an order ends of which so many units were delivered. */
export function endOf(
  { quantity, delivered }: { quantity: number; delivered: number },
  { cancelled = false }: Settlement,
): OrderStatus {
  if (delivered === quantity) return 'DELIVERED';
  return cancelled && delivered === 0 ? 'CANCELLED' : 'FAILED';
}

/** What goes back to the wallet for what was not delivered. `amount`: a decimal string. */
export interface Refund {
  amount: string;
  currency: string;
  walletId: number;
  /** False while the wallet is closed. */
  credited: boolean;
}

export interface Settled {
  status: OrderStatus;
  delivered: number;
  /** An address is attached that a mail is due to. */
  mail: boolean;
  /** Why the order needs a person all the same. */
  attention: string | null;
  /** Why it failed; null where it did not. */
  failureCode: FailureCode | null;
  /** Null where nothing goes back. */
  refund: Refund | null;
}

/**
 * What an operator can decide about an order that waits for one.
 * docs/decisions/0025-give-operators-a-cli-and-the-temporal-ui.md.
 */
export const resolutions = ['ASK_AGAIN', 'NOT_BOUGHT', 'DELIVERED'] as const;
export type Resolution = (typeof resolutions)[number];

/**
 * A decision of an operator. All but ASK_AGAIN move money and need a reason. `goods`: with DELIVERED, the
 * number under which the operators' tool has stored the goods; top-ups have none.
 */
export interface OperatorDecision {
  resolution: Resolution;
  reason?: string;
  goods?: number;
}

/** The type of the failure that tells an operator why something was refused. Its message is a sentence of ours. */
export const refusedType = 'Refused';

/** What an operator is told: how the order stands after what was asked for. */
export type OrderStatusText = string;

/**
 * The decision in what an operator sent: a word alone, a word and a reason, or an object with
 * `resolution` (or `word`), `reason` and `goods`. Throws a sentence that lists the words, or asks for
 * the reason.
 */
export function readDecision(sent: unknown, reasonSent?: unknown): OperatorDecision {
  const word = typeof sent === 'string' ? sent : (fieldOf(sent, 'resolution') ?? fieldOf(sent, 'word'));
  const resolution = resolutions.find((known) => known === word);
  if (!resolution) throw new Error(`The decision is one of ${resolutions.join(', ')}`);
  const reason = readReason(reasonSent ?? fieldOf(sent, 'reason'));
  if (resolution !== 'ASK_AGAIN' && reason === undefined) throw new Error(`${resolution} needs a reason`);
  const goods = fieldOf(sent, 'goods');
  if (goods !== undefined && !Number.isInteger(goods)) throw new Error('goods is the number the tool gave');
  return { resolution, ...(reason !== undefined && { reason }), ...(typeof goods === 'number' && { goods }) };
}

/** The reason in what an operator sent: text, or an object with `reason`. Undefined if there is none. */
export function readReason(sent: unknown): string | undefined {
  const reason = typeof sent === 'string' ? sent : fieldOf(sent, 'reason');
  return typeof reason === 'string' && reason.trim() !== '' ? reason.trim() : undefined;
}

function fieldOf(sent: unknown, name: string): unknown {
  return typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>)[name] : undefined;
}
