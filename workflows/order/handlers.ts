/**
 * The handlers of the messages that an order's workflow accepts. They record requests, and the story acts on them.
 *
 * A message that arrives during a local activity may be replayed before it. So every handler waits for `chainIsOver` before it acts, and
 * before that it may only record a request, which the next local activity may get as an argument.
 * docs/decisions/0032-begin-an-order-with-three-local-activities.md.
 */
import { CancellationScope, condition, setHandler } from '@temporalio/workflow';
import {
  readReason,
  release,
  type OperatorDecision,
  type OrderStatusText,
} from '../../src/domain/orders/order-messages';
import {
  attentionChangedSignal,
  cancelOrderUpdate,
  releaseOrderUpdate,
  resolveOrderUpdate,
  retryNowSignal,
} from '../messages';
import { rejection } from '../rejection';
import { rejectUnlessAcceptable } from './acceptable-decisions';
import { parseDecision } from './pending-decisions';
import type { OrderRun, OrderState } from './state';
import { orderSteps } from './steps';

export function receiveMessages(run: OrderRun): void {
  const { state, requests } = run;
  const cancel = () => {
    if (state.isConcluded) return;
    requests.cancel();
    state.change({ cancellationRequested: true, cancellationRejection: null });
  };
  CancellationScope.current().cancelRequested.catch(cancel);

  setHandler(
    cancelOrderUpdate,
    () => {
      cancel();
      return nonCancellable(() => cancellationResult(run));
    },
    {
      validator: (reason) => validateCancellation(state, reason),
      description:
        'Cancels the order if nothing was bought yet. Argument: the reason, as text: "The customer changed their mind".',
    },
  );
  setHandler(retryNowSignal, () => requests.wake(), {
    description:
      'At once polls the supplier or sends the purchase; credits a refund that waited for its wallet. No argument.',
  });
  setHandler(attentionChangedSignal, () => nonCancellable(() => readAttention(run)), {
    description: 'Shows the entry of the attention list. Sent by the service. No argument.',
  });
  setHandler(
    resolveOrderUpdate,
    (sent: unknown, reason?: unknown) => nonCancellable(() => decide(run, parseDecision(sent, reason))),
    {
      validator: (sent: unknown, reason?: unknown) => {
        const decision = parseDecision(sent, reason);
        if (run.chainIsOver.isOpen) rejectUnlessAcceptable(run, decision);
      },
      description:
        'Decides an order that needs attention. Argument, one of: "ASK_AGAIN"; {"resolution": "NOT_BOUGHT", "reason": ' +
        '"..."} fails and refunds it; {"resolution": "DELIVERED", "reason": "..."} for a top-up; {"resolution": "ELSEWHERE", "reason": "..."} buys from the ' +
        'next source what was not bought; {"resolution": "UNUSABLE", "reason": "..."} refunds units whose goods are unusable. Other goods are handed ' +
        'in by the ops CLI: orders resolve <order> delivered.',
    },
  );
  setHandler(releaseOrderUpdate, (reason) => nonCancellable(() => decide(run, releaseFor(reason))), {
    validator: (reason) => {
      const decision = releaseFor(reason);
      if (run.chainIsOver.isOpen) rejectUnlessAcceptable(run, decision);
    },
    description:
      'Buys an order that is held for review. Argument: the reason, as text: "The client confirmed the order".',
  });
}

/** Runs the handler outside the cancellation of its workflow, so that a cancelled workflow still answers messages. */
function nonCancellable<T>(handle: () => Promise<T>): Promise<T> {
  return CancellationScope.nonCancellable(handle);
}

async function cancellationResult({ start, state, requests, chainIsOver }: OrderRun): Promise<string> {
  await chainIsOver.opened;
  const isRejected = () => requests.cancellationRejection !== undefined;
  await condition(() => state.facts.end !== null || isRejected());
  if (isRejected()) throw rejection(`Too late: ${requests.cancellationRejection}`);
  return `Order ${start.orderId} is ${state.settled?.status ?? 'not placed'}`;
}

function validateCancellation({ settled }: OrderState, reason: unknown): void {
  if (settled) throw rejection(`The order is ${settled.status}: that is final`);
  if (readReason(reason) === undefined) throw rejection('Cancelling an order needs a reason, as text');
}

function releaseFor(sent: unknown): OperatorDecision {
  const reason = readReason(sent);
  if (reason === undefined) throw rejection('Releasing an order needs a reason, as text');
  return { resolution: release, reason };
}

async function readAttention({ start, state, requests, chainIsOver }: OrderRun): Promise<void> {
  await chainIsOver.opened;
  await untilMessagesHandled();
  state.change({ attention: await orderSteps.attentionOf(start) });
  // The ops CLI may have credited a refund that was due.
  if (state.settled) requests.wake();
}

async function decide(run: OrderRun, decision: OperatorDecision): Promise<OrderStatusText> {
  await run.chainIsOver.opened;
  // The order may have changed since the validator accepted the decision.
  rejectUnlessAcceptable(run, decision);
  return run.requests.decide(decision);
}

/**
 * Waits until all messages of this workflow task are handled. After a reset, a replay may handle an update that Temporal applied
 * again before or after the signals, so no signal's command comes before the update's timer.
 */
async function untilMessagesHandled(): Promise<void> {
  let isChecked = false;
  await condition(() => {
    const wasChecked = isChecked;
    isChecked = true;
    return wasChecked;
  });
}
