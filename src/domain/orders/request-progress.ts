/**
 * How far an order request has come, as notifications and polls of the database report it.
 * Rule: how the progress of an order request advances
 */
import { isAccessRejection } from '../errors';
import { orderRejections, type Placement, type OrderRejection } from './order-messages';

/**
 * PLACED: the service works on the order. HANDED_OVER: the order waits for its supplier. UNDER_REVIEW: the order waits for a person,
 * and its request does not. TOLD_PENDING: the time of the request has passed, and the order goes on; only the workflow says so, not the
 * database. ENDED: the order is settled.
 */
const withOrder = ['PLACED', 'HANDED_OVER', 'UNDER_REVIEW', 'TOLD_PENDING', 'ENDED'] as const;

/** ABANDONED or a rejection: there is no order, and never will be. */
export type NoOrder = 'ABANDONED' | OrderRejection;

/** The decision about a reservation, and what has become of its order since. */
export type DecidedProgress = (typeof withOrder)[number] | NoOrder;

export type RequestProgress = 'RESERVED' | DecidedProgress;

/** The progress of a request whose order was placed just now, or was not. */
export function progressOf(placement: Placement): DecidedProgress {
  if (placement.outcome === 'REFUSED') return placement.refusal;
  return placement.outcome === 'PLACED' && placement.held ? 'UNDER_REVIEW' : placement.outcome;
}

/** Reads a decided progress. Undefined if the text is none. */
export function decidedProgress(text: string): DecidedProgress | undefined {
  const known = [...withOrder, 'ABANDONED', ...orderRejections] as const;
  return isAccessRejection(text) ? text : known.find((progress) => progress === text);
}

export function isPlaced(progress: DecidedProgress): progress is Exclude<DecidedProgress, NoOrder> {
  return withOrder.some((placed) => placed === progress);
}

/** Whether the request has nothing more to wait for: the order is settled or under review, there is none, or the time has passed. */
export function isFinal(progress: RequestProgress): boolean {
  return stageOf(progress) === FINAL;
}

/** Whether `next` is further than `current`. A report that arrives late may not be. */
export function isFurther(next: RequestProgress, current: RequestProgress): boolean {
  return stageOf(next) > stageOf(current);
}

const open: readonly RequestProgress[] = ['RESERVED', 'PLACED', 'HANDED_OVER'];
const FINAL = open.length;

function stageOf(progress: RequestProgress): number {
  const stage = open.indexOf(progress);
  return stage === -1 ? FINAL : stage;
}
