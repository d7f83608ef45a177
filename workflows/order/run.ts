import { allHandlersFinished, CancellationScope, condition } from '@temporalio/workflow';
import type { OrderStart } from '../../src/domain/orders/order-messages';
import { workflowEnd, type OrderEnd } from './end';
import { receiveMessages } from './handlers';
import type { OrderProgress } from './progress';
import { newRun, type OrderRun } from './state';

/**
 * Runs the story of an order, and returns how it ended (`workflowEnd`). Every step can be repeated, so a run may begin from the top at
 * any time. `resumed`: the progress of the previous run, if there was one. A cancellation of the workflow asks the story to cancel the
 * order, and interrupts no step.
 */
export async function runOrder(
  start: OrderStart,
  resumed: OrderProgress | undefined,
  story: (order: OrderRun) => Promise<void>,
): Promise<OrderEnd> {
  const order = newRun(start, resumed);
  receiveMessages(order);
  const workflow = CancellationScope.current();
  await CancellationScope.nonCancellable(async () => {
    await story(order);
    order.state.change({ step: 'ENDED' });
    await condition(allHandlersFinished);
  });
  return workflowEnd(order.state, workflow.consideredCancelled);
}
