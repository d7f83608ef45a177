/**
 * Waiting for what a create is answered with. Its limits, all counted from the arrival of the request on
 * this process's monotonic clock (`src/domain/orders/purchase-timing.ts`):
 *
 *     arrival ── waits for its turn ── checked, reserved, placed ── bought, delivered
 *                                                              │                    │
 *                                       placement: not placed, │   response: placed,│
 *                                       so fenced off and 503  │   so shown as it is│
 *     vouchers                                            10 s │     10 s and grace │
 *     top-ups                                             10 s │      4 s and grace │  whichever is later
 *     eSIM                                                30 s │     60 s and grace │
 *
 * The fence: whenever the answer is "unavailable", the intake was abandoned first, in the database,
 * so that no order can come of it any more. docs/decisions/0003-fence-every-order-request.md,
 * docs/specification.md#stopping.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../data/database/database';
import {
  abandonIntake,
  createProgress,
  decidedIntake,
  type CreateProgress,
  type DecidedIntake,
} from '../../data/orders/order-reservations';
import { errors } from '../../domain/errors';
import type { Answer, OrderKey, Refusal } from '../../domain/orders/order-flow';
import { families, type Family } from '../../domain/orders/families';
import { Deadline } from './deadline';
import { timedOut, withTimeout } from '../../async/promises';

/** Until when a create must be placed, and when it is answered at the latest. */
export interface OrderDeadlines {
  placement: Deadline;
  response: Deadline;
}

/** Milliseconds for the answer of a workflow that ended in the last moment to arrive. */
const GRACE_MS = 1_500;

/** The limits of a create that arrived at `arrivedAt`, a reading of `performance.now()`. */
export function deadlinesOf(family: Family, arrivedAt: number): OrderDeadlines {
  const { placementDeadlineMs, responseDeadlineMs } = families[family].timing;
  return {
    placement: Deadline.after(placementDeadlineMs, arrivedAt),
    response: Deadline.after(responseDeadlineMs + GRACE_MS, arrivedAt),
  };
}

export interface AnswerDependencies {
  database: Database;
  log: Logger;
  /** Aborted when the process stops: then nobody waits for goods any more. */
  stopping: AbortSignal;
  /** Aborted a moment later: then nobody waits to be placed any more. */
  closing: AbortSignal;
}

/** How often it is looked how far a create has come whose workflow has not answered, in milliseconds. */
const PROGRESS_INTERVAL_MS = 100;

/** In the place of an answer where the workflow could not be asked. */
const failed = Symbol('failed');

/**
 * The answer to a create whose workflow was started. `decided` is fulfilled once the intake is. Where
 * the workflow fails or stays silent the fence decides: an order that stands is shown as it stands, any
 * other will never be. Throws 504 if even that cannot be found out.
 */
export async function answerOf(
  deps: AnswerDependencies,
  order: OrderKey,
  { placement, response }: OrderDeadlines,
  started: Promise<Answer>,
  decided: Promise<void>,
): Promise<Answer> {
  const { log, stopping, closing } = deps;
  const answer = started.catch((error: unknown): typeof failed => {
    log.warn({ err: error, orderId: order.orderId }, 'no answer from the order workflow');
    return failed;
  });
  const soonest = response.isBefore(placement) ? response : placement;
  const first = await withTimeout(answer, soonest.leftMs, stopping);
  if (first !== timedOut && first !== failed) return first;
  if (first === timedOut) await withTimeout(Promise.race([answer, decided]), placement.leftMs, closing);
  const answered = await fence(deps, order);
  if (answered.outcome === 'PLACED') await withTimeout(answer, response.leftMs, stopping);
  return answered;
}

/** Looks how far the create has come, again and again, and tells it, until it is handed over or the signal aborts. */
export async function pollProgress(
  { database }: AnswerDependencies,
  { orderId }: OrderKey,
  signal: AbortSignal,
  tell: (progress: CreateProgress) => void,
): Promise<void> {
  for (;;) {
    await sleep(PROGRESS_INTERVAL_MS);
    if (signal.aborted) return;
    // Not knowing it costs a longer wait, nothing else.
    const progress = await createProgress(database, orderId).catch(() => undefined);
    if (progress) tell(progress);
    if (progress === 'HANDED_OVER') return;
  }
}

/** Makes sure that an undecided intake never becomes an order, and tells what was decided. */
async function fence({ database, log }: AnswerDependencies, { orderId }: OrderKey): Promise<Answer> {
  try {
    if (await abandonIntake(database, orderId)) return { outcome: 'ABANDONED' };
    return answerFrom(await decidedIntake(database, orderId));
  } catch (error) {
    log.error({ err: error, orderId }, 'outcome of a create unknown');
    throw errors.outcomeUnknown();
  }
}

function answerFrom(intake: DecidedIntake | undefined): Answer {
  if (intake?.state === 'PLACED') return { outcome: 'PLACED' };
  if (intake?.state === 'REFUSED') return { outcome: 'REFUSED', refusal: intake.refusal as Refusal };
  return { outcome: 'ABANDONED' };
}
