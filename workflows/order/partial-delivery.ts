/**
 * Which units of an order a client sees before the others are delivered.
 * Rule: from when on a client sees a part of an order
 */
import { condition } from '@temporalio/workflow';
import { answerPendingAfter, answerRequest, timePasses, waitedMs } from './answer';
import type { OrderRun } from './state';
import { orderSteps } from './steps';

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
