/**
 * The wait of an order that is held for review.
 * Rule: what becomes of a held order without a decision
 */
import { condition } from '@temporalio/workflow';
import type { Held } from '../../src/domain/orders/order-messages';
import type { OrderRun } from './state';

/** Waits until an operator releases or cancels the order. Without a decision, the order is cancelled when its time has ended. */
export async function awaitReview(
  { state, requests }: Pick<OrderRun, 'state' | 'requests'>,
  { until }: Held,
): Promise<void> {
  if (requests.hasPending) return;
  state.change({ step: 'UNDER_REVIEW', nextAttemptAt: until });
  const wait = Math.max(1, until - Date.now());
  const summary = 'Wait for an operator to release or cancel the order';
  if (!(await condition(() => requests.hasPending, wait, { summary }))) requests.cancel();
}
