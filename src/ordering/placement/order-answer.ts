/**
 * Waits for the result of an order request whose workflow was started.
 *
 * The fence: before a request is answered with 503, its reservation becomes ABANDONED in the database, so that it can never become
 * an order. docs/decisions/0003-fence-every-order-request.md, docs/specification.md#stopping.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { timedOut, withTimeout } from '../../async/promises';
import type { Database } from '../../data/database/database';
import {
  fenceOff,
  requestProgress,
  type RequestProgress,
  type DecidedReservation,
} from '../../data/orders/order-reservations';
import { errors } from '../../domain/errors';
import type { Answer, OrderKey, OrderRejection } from '../../domain/orders/order-messages';
import type { OrderDeadlines } from './deadlines';

export interface AnswerDependencies {
  database: Database;
  log: Logger;
  /** Aborted when the process stops: requests whose order is placed are then answered with the order as it is. */
  stopping: AbortSignal;
  /** Aborted a moment after `stopping`: requests whose order is not placed are then answered with 503. */
  closing: AbortSignal;
}

/** Milliseconds between two reads of a request's progress while its workflow has not answered. */
const PROGRESS_INTERVAL_MS = 100;

/** Stands for the answer if the call of the workflow failed. */
const failed = Symbol('failed');

/**
 * Returns the answer to an order request. `answer`: the notified one or the workflow's, whichever arrives first. `decided`:
 * resolves once the reservation is decided. If no answer arrives in time, the fence decides: a placed order is shown as it is, and
 * an undecided reservation is abandoned. Throws 504 if the database does not answer either.
 */
export async function waitForAnswer(
  deps: AnswerDependencies,
  order: OrderKey,
  { placement, response }: OrderDeadlines,
  answer: Promise<Answer>,
  decided: Promise<void>,
): Promise<Answer> {
  const { log, stopping, closing } = deps;
  const answerOrFailure = answer.catch((error: unknown): typeof failed => {
    log.warn({ err: error, orderId: order.orderId }, 'no answer from the order workflow');
    return failed;
  });
  const firstDeadline = response.isBefore(placement) ? response : placement;
  const first = await withTimeout(answerOrFailure, firstDeadline.leftMs, stopping);
  if (first !== timedOut && first !== failed) return first;
  if (first === timedOut)
    await withTimeout(Promise.race([answerOrFailure, decided]), placement.leftMs, closing);
  const decision = await fence(deps, order);
  if (decision.outcome === 'PLACED') await withTimeout(answerOrFailure, response.leftMs, stopping);
  return decision;
}

/** Reports the request's progress from time to time, until the order is HANDED_OVER or the signal aborts. */
export async function pollProgress(
  { database }: AnswerDependencies,
  { orderId }: OrderKey,
  signal: AbortSignal,
  report: (progress: RequestProgress) => void,
): Promise<void> {
  for (;;) {
    await sleep(PROGRESS_INTERVAL_MS);
    if (signal.aborted) return;
    // A failed read is repeated after the next interval.
    const progress = await requestProgress(database, orderId).catch(() => undefined);
    if (progress) report(progress);
    if (progress === 'HANDED_OVER') return;
  }
}

/** Abandons an undecided reservation, or returns the decision. */
async function fence({ database, log }: AnswerDependencies, order: OrderKey): Promise<Answer> {
  try {
    return answerFrom(await fenceOff(database, order));
  } catch (error) {
    log.error({ err: error, orderId: order.orderId }, 'outcome of an order request unknown');
    throw errors.outcomeUnknown();
  }
}

function answerFrom(reservation: DecidedReservation | undefined): Answer {
  if (reservation?.state === 'PLACED') return { outcome: 'PLACED' };
  if (reservation?.state === 'REFUSED')
    return { outcome: 'REFUSED', refusal: reservation.refusal as OrderRejection };
  return { outcome: 'ABANDONED' };
}
