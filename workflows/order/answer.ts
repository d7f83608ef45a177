/**
 * The answer to a waiting order request: when the timer of its family fires, the workflow answers it with the order as it is, PENDING.
 * Rule: when a request is answered PENDING
 */
import { condition } from '@temporalio/workflow';
import type { RequestAnswer } from '../../src/domain/orders/order-facts';
import { answerNetMs, orderTiming } from '../../src/domain/orders/order-timing';
import type { OrderRun } from './state';
import { answerPending, orderSteps } from './steps';

/** Records how the order request was answered. Does nothing if none waits. */
export function recordAnswer(order: OrderRun, answer: RequestAnswer['answer']): void {
  const afterMs = waitedMs(order);
  if (afterMs !== undefined) order.state.change({ requestAnswer: { answer, afterMs } });
}

/**
 * How long the order request has waited, in milliseconds by Temporal's clock. Undefined if there is none, or if it is answered: after so
 * long, as in a run that an operator has reset, its process has answered it.
 */
function waitedMs({ start, state }: OrderRun): number | undefined {
  if (start.waitedMs === undefined || state.facts.requestAnswer !== null) return undefined;
  const waited = start.waitedMs + Date.now() - state.startedAt;
  const { responseDeadlineMs, placementDeadlineMs } = orderTiming[start.family];
  return waited > Math.max(responseDeadlineMs, placementDeadlineMs) + answerNetMs ? undefined : waited;
}

/**
 * Waits until every purchase is concluded, at most until the request has waited for this time, and then answers it: PENDING. Does
 * nothing if no request waits.
 */
export async function answerPendingAfter(order: OrderRun, limitMs: number, summary: string): Promise<void> {
  if (waitedMs(order) === undefined) return;
  if (await timePasses(order, limitMs, summary)) await answerRequest(order);
}

/**
 * Shows the client the units that are delivered while others are open: once the supplier has answered for every purchase, at the latest
 * when the request's time has passed. Then answers a waiting request: PENDING. Looks for units every minute until one is delivered.
 */
export async function showPartsAndAnswerPendingAfter(order: OrderRun, limitMs: number): Promise<void> {
  const { state } = order;
  if (state.facts.units === 1) return answerPendingAfter(order, limitMs, 'Wait for the voucher; then answer PENDING');
  // The times of a held order count from its release.
  if (state.isHeld) await condition(() => !state.isHeld);
  const partsAreKnown = () => state.isAnswered && state.facts.delivered > 0;
  let hasPassed = false;
  const answered = waitedMs(order) === undefined ? '' : ', and answer PENDING';
  const summary = `Wait for the vouchers; then show the delivered ones${answered}`;
  const time = timePasses(order, limitMs, summary).then((passed) => (hasPassed = passed));
  await condition(() => state.isConcluded || hasPassed || partsAreKnown());
  let isShown = await showParts(order);
  if (await time) await answerRequest(order);
  while (!isShown) {
    await untilPartsMayBe(order, partsAreKnown);
    isShown = await showParts(order);
  }
}

/**
 * While a call still buys, it may have stored units of which the workflow does not know: they are looked for every minute. So are units
 * that the workflow knows and the database does not show.
 */
async function untilPartsMayBe({ state }: OrderRun, partsAreKnown: () => boolean): Promise<void> {
  const wereKnown = partsAreKnown();
  const isOver = () => state.isConcluded || (!wereKnown && partsAreKnown());
  if (state.isAnswered && !wereKnown) await condition(isOver);
  else await condition(isOver, '1m', { summary: 'Look again for delivered units' });
}

/** Returns true once the client sees the delivered units, or the order is complete or ends: then there are no parts to show. */
async function showParts({ state, start }: OrderRun): Promise<boolean> {
  if (state.isConcluded || state.facts.delivered >= state.facts.units) return true;
  return orderSteps.markPartiallyDelivered(start);
}

/**
 * Returns true when the timer fires, because the request has waited for this time, or false once every purchase is concluded. Without a
 * request, the time counts from now on.
 */
async function timePasses(order: OrderRun, limitMs: number, summary: string): Promise<boolean> {
  const leftMs = Math.max(1, limitMs - (waitedMs(order) ?? 0));
  return !(await condition(() => order.state.isConcluded, leftMs, { summary }));
}

/** The notification may be lost: then the process answers a second later. */
async function answerRequest(order: OrderRun): Promise<void> {
  if (waitedMs(order) === undefined) return;
  await answerPending(order.start).catch(() => undefined);
  recordAnswer(order, 'PENDING');
}
