import type { Duration } from '@temporalio/common';
import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
} from '@temporalio/workflow';
import { families } from '../src/domain/orders/families';
import type { FirstStep, NotPlaced, OrderStart, Placed, Settled } from '../src/domain/orders/order-messages';
import { refundText } from '../src/domain/orders/order-snapshot';
import { mailOrder, placeAndFulfil, startEsimMonitor, orderSteps } from './activities';
import { Fulfilment, type FulfilmentProgress } from './fulfilment';
import { receiveMessages } from './order-handlers';
import { newRun, type OrderRun, type OrderState } from './order-run';

/** How an order's workflow ends: settled, or not placed at all. */
export type OrderEnd = Settled | NotPlaced;

/**
 * Sells an order of any family (docs/developers/orders.md). Every step can be repeated, so a run may begin from the top at
 * any time. `resumed`: the progress of the previous run, if there was one. An order that ended FAILED fails its workflow.
 * docs/decisions/0035-fail-the-workflow-of-a-failed-order.md.
 */
export async function sellOrder(order: OrderStart, resumed?: FulfilmentProgress): Promise<OrderEnd> {
  const run = newRun(order);
  receiveMessages(run);
  const workflow = CancellationScope.current();
  const end = await CancellationScope.nonCancellable(async () => {
    const reached = await placeAndSell(run, resumed);
    await condition(allHandlersFinished);
    return reached;
  });
  return asWorkflowEnd(end, workflow.consideredCancelled);
}

async function placeAndSell(run: OrderRun, resumed: FulfilmentProgress | undefined): Promise<OrderEnd> {
  const { order, state, requests } = run;
  const onlyPlaces = order.asynchronous || resumed !== undefined || requests.isCancellationPending;
  const first = await placeAndFulfil(order, { onlyPlaces });
  const { placement } = first;
  state.placement = placement;
  if (placement.outcome !== 'PLACED') {
    showNotPlaced(run, placement);
    return placement;
  }
  const settled = first.settled ?? (await fulfilAndSettle(run, placement, first.attempt, resumed));
  showSettled(run, settled);
  const end = await finish(run, settled, first.isMonitored);
  state.change({ step: 'ENDED' });
  return end;
}

/** Buys the remaining units, and settles the order once every purchase is concluded. */
async function fulfilAndSettle(
  run: OrderRun,
  placed: Placed,
  attempt: FirstStep['attempt'],
  progress: FulfilmentProgress = { since: Date.now(), bought: false },
): Promise<Settled> {
  const fulfilment = new Fulfilment(run, placed, attempt, progress).run();
  if (placed.units > 1) await Promise.race([fulfilment, showPartialDelivery(run)]);
  const settlement = await fulfilment;
  run.state.change({ step: 'SETTLING', cancellationRequested: false });
  return orderSteps.settleOrder(run.order, settlement);
}

/**
 * Shows the client a partial delivery: first when the supplier has answered for every purchase, at the latest after the family's
 * response deadline. Checks again every minute until a unit is delivered.
 */
async function showPartialDelivery({ order, state }: OrderRun): Promise<void> {
  const { responseDeadlineMs } = families[order.family].timing;
  // The family's times count from the release of a held order.
  if (state.isHeld) await condition(() => !state.isHeld);
  await untilAnswered(state, responseDeadlineMs, 'Wait before showing a partial delivery');
  while (await mayBePartial(state)) {
    if (await orderSteps.markPartiallyDelivered(order)) return;
    await untilAnswered(state, '1m', 'Check again for a partial delivery');
  }
}

/** Waits until the supplier has answered for every purchase, or until all are concluded, but not longer than the limit. */
function untilAnswered(state: OrderState, limit: Duration, summary: string): Promise<boolean> {
  return condition(() => state.isAnswered || state.isConcluded, limit, { summary });
}

/**
 * Whether the database may show a partial delivery. Once the supplier has answered for every purchase, first waits until the workflow
 * knows of a delivered unit. Before that, a call that still buys may have stored units of which the workflow does not know.
 */
async function mayBePartial(state: OrderState): Promise<boolean> {
  if (state.isAnswered) await condition(() => state.facts.delivered > 0 || state.isConcluded);
  return !state.isConcluded && state.facts.delivered < state.facts.units;
}

function showNotPlaced({ state }: OrderRun, placement: NotPlaced): void {
  const refusal = placement.outcome === 'REFUSED' ? placement.refusal : null;
  state.change({ step: 'ENDED', end: placement.outcome, refusal, attention: null });
}

function showSettled({ state }: OrderRun, settled: Settled): void {
  const { status, delivered, failureCode, refund, attention, mail } = settled;
  const afterRefund = mail ? 'MAILING' : 'ENDED';
  state.settled = settled;
  state.isConcluded = true;
  state.change({
    step: isRefundOwed(settled) ? 'WAITING_FOR_REFUND' : afterRefund,
    end: status,
    delivered,
    failureCode,
    refund,
    attention,
    toSend: 0,
    withSupplier: 0,
    outcomeUnknown: null,
  });
}

/** Credits an owed refund, mails the customer and starts the eSIM monitor. Most orders need none of these. */
async function finish(run: OrderRun, settled: Settled, isMonitored = false): Promise<Settled> {
  const { order } = run;
  const isUnmonitored = order.family === 'ESIM' && settled.status === 'DELIVERED' && !isMonitored;
  // Returns early, because the SDK records a stack trace for each promise of a workflow.
  if (!isRefundOwed(settled) && !settled.mail && !isUnmonitored) return settled;
  const [end] = await Promise.all([
    untilRefunded(run, settled),
    settled.mail && mailCustomer(run),
    // If the start fails, maintenance starts the monitor later.
    isUnmonitored && startEsimMonitor(order).catch(() => undefined),
  ]);
  return end;
}

/** Credits an owed refund once an operator has reopened its wallet. Tries whenever a message wakes the order. */
async function untilRefunded({ order, state, requests }: OrderRun, settled: Settled): Promise<Settled> {
  let end = settled;
  while (isRefundOwed(end)) {
    await condition(() => requests.isWoken);
    // Called before the step: if the wallet is reopened while the step runs, the signal requests another step.
    requests.sleep();
    end = await orderSteps.creditRefund(order);
    state.change({ refund: end.refund, ...(end.refund?.credited && { attention: end.attention }) });
  }
  return end;
}

function isRefundOwed({ refund }: Settled): boolean {
  return refund !== null && !refund.credited;
}

/** A mail that cannot be sent puts the order on the attention list, and changes nothing else about the order. */
async function mailCustomer({ order, state }: OrderRun): Promise<void> {
  try {
    await mailOrder(order);
  } catch {
    await orderSteps.reportUndeliverableMail(order);
    state.change({ mailGivenUp: true, attention: await orderSteps.attentionOf(order) });
  }
}

/** Fails the workflow of a failed order. Ends it as cancelled if the workflow was cancelled and the order is CANCELLED. */
function asWorkflowEnd(end: OrderEnd, wasCancelled: boolean): OrderEnd {
  if (!('status' in end)) return end;
  if (end.status === 'FAILED') throw failureOf(end);
  if (end.status === 'CANCELLED' && wasCancelled) throw new CancelledFailure('The order was cancelled');
  return end;
}

/** A failure without a stack: nothing went wrong in the program. */
function failureOf({ failureCode, delivered, refund }: Settled): ApplicationFailure {
  const code = failureCode ?? 'UNKNOWN';
  const refunded = refund ? refundText(refund) : 'nothing was to be refunded';
  const failure = ApplicationFailure.nonRetryable(`${code}: ${delivered} units delivered, ${refunded}`, code);
  failure.stack = '';
  return failure;
}
