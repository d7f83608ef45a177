/**
 * The answer to a waiting order request: when the timer of its family fires, the workflow answers it with the order as it is, PENDING.
 * Rule: when a request is answered PENDING
 */
import { condition } from '@temporalio/workflow';
import type { RequestAnswer } from '../../src/domain/orders/order-facts';
import { answerNetMs, orderTiming } from '../../src/domain/orders/order-timing';
import type { OrderRun } from './state';
import { answerPending } from './steps';

/** Records how the order request was answered. Does nothing if none waits. */
export function recordAnswer(order: OrderRun, answer: RequestAnswer['answer']): void {
  const afterMs = waitedMs(order);
  if (afterMs !== undefined) order.state.change({ requestAnswer: { answer, afterMs } });
}

/**
 * How long the order request has waited, in milliseconds by Temporal's clock. Undefined if there is none, or if it is answered: after so
 * long, as in a run that an operator has reset, its process has answered it.
 */
export function waitedMs({ start, state }: OrderRun): number | undefined {
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
 * Returns true when the timer fires, because the request has waited for this time, or false once every purchase is concluded. Without a
 * request, the time counts from now on.
 */
export async function timePasses(order: OrderRun, limitMs: number, summary: string): Promise<boolean> {
  const leftMs = Math.max(1, limitMs - (waitedMs(order) ?? 0));
  return !(await condition(() => order.state.isConcluded, leftMs, { summary }));
}

/** The notification may be lost: then the process answers a second later. */
export async function answerRequest(order: OrderRun): Promise<void> {
  if (waitedMs(order) === undefined) return;
  await answerPending(order.start).catch(() => undefined);
  recordAnswer(order, 'PENDING');
}
