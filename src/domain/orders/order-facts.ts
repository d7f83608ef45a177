/**
 * What the workflow of an order knows of it, for operators. It never contains goods or input.
 * Rule: where an order stands
 */
import type { FailureCode } from './failure-codes';
import type { Family } from './families';
import type { OrderRejection, OrderStart, Placed, PurchaseSummary, Refund } from './order-messages';
import type { OrderStatus } from './order-states';

/** What the order is doing. */
export type OrderStep =
  | 'DEBITING'
  | 'BUYING_AT_ONCE'
  | 'UNDER_REVIEW'
  | 'BUYING'
  | 'WAITING_FOR_SUPPLIER'
  | 'POLLING_SUPPLIER'
  | 'CANCELLING'
  | 'CARRYING_OUT_DECISION'
  | 'SETTLING'
  | 'MAILING'
  | 'WAITING_FOR_REFUND'
  | 'ENDED';

/** The debit of an order. `amount`: a decimal string. `transactionId`: null if nothing was debited. */
interface DebitFact extends Pick<OrderStart, 'walletId' | 'currency'> {
  amount: string;
  transactionId: number | null;
  /** Why nothing was debited; null if something was. */
  nothingBecause: string | null;
}

/** How the order request was answered. REJECTED: with an error, because there is no order. */
export interface RequestAnswer {
  answer: 'ENDED' | 'PENDING' | 'UNDER_REVIEW' | 'REJECTED';
  /** Milliseconds from the arrival of the request. */
  afterMs: number;
}

/** The workflow's knowledge of its order. Times in milliseconds since 1970. */
export interface OrderFacts {
  orderId: number;
  family: Family;
  step: OrderStep;
  /** Null before the debit, and if the order was not placed. */
  debit: DebitFact | null;
  /** How the order request was answered; null while it waits, if there was none, and if the order was abandoned. */
  requestAnswer: RequestAnswer | null;
  /** When the order's situation (`situationOf`) began. */
  since: number;
  /** When the workflow acts next; null if it acts now, or if the activity determines the time. */
  nextAttemptAt: number | null;
  /** When the workflow gives up buying; null while it does not buy. */
  retriedUntil: number | null;
  units: number;
  delivered: number;
  /** Purchases that are ready to be sent. */
  toSend: number;
  /** Purchases that the supplier accepted or may have accepted. */
  withSupplier: number;
  /** The newest purchases, each with its source. */
  purchases: PurchaseSummary[];
  /** Why the outcome of a purchase is unknown; null if it is known. */
  outcomeUnknown: string | null;
  /** Why the order is on the attention list; null if it is not. */
  attention: string | null;
  cancellationRequested: boolean;
  cancellationRejection: string | null;
  /** How the order ended; null while it is open. */
  end: OrderStatus | 'REFUSED' | 'ABANDONED' | null;
  /** Why placing the order was rejected; null if it was not. */
  refusal: OrderRejection | null;
  failureCode: FailureCode | null;
  refund: Refund | null;
  mailGivenUp: boolean;
}

/** The phase that `since` measures. Waiting for the supplier and polling it are one situation. */
export function situationOf({ step, outcomeUnknown }: OrderFacts): string {
  if (outcomeUnknown !== null) return 'OUTCOME_UNKNOWN';
  return isWithSupplier(step) ? 'WITH_SUPPLIER' : step;
}

/** The facts of an order before its first step. */
export function factsAtStart({ orderId, family }: OrderStart, now: number): OrderFacts {
  return {
    orderId,
    family,
    step: 'DEBITING',
    debit: null,
    requestAnswer: null,
    since: now,
    nextAttemptAt: null,
    retriedUntil: null,
    units: 0,
    delivered: 0,
    toSend: 0,
    withSupplier: 0,
    purchases: [],
    outcomeUnknown: null,
    attention: null,
    cancellationRequested: false,
    cancellationRejection: null,
    end: null,
    refusal: null,
    failureCode: null,
    refund: null,
    mailGivenUp: false,
  };
}

/** The debit of a placed order. */
export function debitOf(
  { price: amount, currency, walletId }: OrderStart,
  { transactionId, toBuy }: Placed,
): DebitFact {
  const why = toBuy === 0 ? "the order is beyond the client's daily cap" : 'the price is 0';
  return { amount, currency, walletId, transactionId, nothingBecause: transactionId === null ? why : null };
}

/** The refund with as many decimals as the price of its order. */
export function refundOf({ price }: OrderStart, refund: Refund | null): Refund | null {
  if (refund === null) return null;
  const [whole, decimals = ''] = refund.amount.split('.');
  const [, ofPrice = ''] = price.split('.');
  const shown = decimals.padEnd(ofPrice.length, '0');
  return { ...refund, amount: shown === '' ? `${whole}` : `${whole}.${shown}` };
}

/** Such as `1 unit`. */
export function unitsText(units: number): string {
  return units === 1 ? '1 unit' : `${units} units`;
}

/** Whether the order waits for a supplier that has accepted its purchase. */
export function isWithSupplier(step: OrderStep): boolean {
  return step === 'WAITING_FOR_SUPPLIER' || step === 'POLLING_SUPPLIER';
}
