import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
} from '@temporalio/workflow';
import { families } from '../src/domain/orders/families';
import { esimAtDelivery } from '../src/domain/esims/esim-lifecycle';
import type { FirstStep, OrderStart, Placed, Placement, Settled } from '../src/domain/orders/order-flow';
import { refundText } from '../src/domain/orders/order-snapshot';
import type { EsimLabel } from '../src/temporal/esim-monitor';
import { mailOrder, placeAndFulfil, startEsimMonitor, steps } from './activities';
import { Fulfilment, type FulfilmentProgress } from './fulfilment';
import { receiveMessages } from './order-handlers';
import { OrderRequests } from './order-requests';
import { OrderState } from './order-state';
import { showToOperators } from './order-view';

/** How an order's workflow ends: settled, or not placed at all. */
export type OrderEnd = Settled | Exclude<Placement, Placed>;

/**
 * Sells an order of any family (docs/developers/orders.md). Every step can be repeated, so a run may begin from the top at
 * any time: `resumed` only keeps the polling schedule. `esim`: the metadata of the eSIM monitor that a delivered eSIM gets.
 * An order that ended FAILED fails its workflow. docs/decisions/0035-fail-the-workflow-of-a-failed-order.md.
 */
export async function sellOrder(
  order: OrderStart,
  resumed: FulfilmentProgress = { polls: 0, since: Date.now(), bought: false },
  esim?: EsimLabel,
): Promise<OrderEnd> {
  const state = new OrderState(order);
  const requests = new OrderRequests();
  showToOperators(state);
  receiveMessages(order, state, requests);
  const workflow = CancellationScope.current();
  const end = await CancellationScope.nonCancellable(async () => {
    const onlyPlaces = order.asynchronous || resumed.polls > 0 || requests.isCancellationPending;
    const first = await placeAndFulfil(order, esim, { onlyPlaces });
    const { placement } = first;
    state.placement = placement;
    if (placement.outcome !== 'PLACED') return endUnplaced(placement, state);
    const settled =
      first.settled ?? (await fulfilAndSettle(order, { ...first, placement }, resumed, state, requests));
    showEnd(state, settled);
    const ended = await finish(order, settled, first.isMonitored ? undefined : esim, state, requests);
    state.change({ step: 'ENDED' });
    await condition(allHandlersFinished);
    return ended;
  });
  return asWorkflowEnd(end, workflow.consideredCancelled);
}

async function endUnplaced<NotPlaced extends Exclude<Placement, Placed>>(
  placement: NotPlaced,
  state: OrderState,
): Promise<NotPlaced> {
  const refusal = placement.outcome === 'REFUSED' ? placement.refusal : null;
  state.change({ step: 'ENDED', end: placement.outcome, refusal, attention: null });
  await condition(allHandlersFinished);
  return placement;
}

/** Buys what the first step has not bought, and settles the order once every purchase is concluded. */
async function fulfilAndSettle(
  order: OrderStart,
  { placement, attempt }: FirstStep & { placement: Placed },
  resumed: FulfilmentProgress,
  state: OrderState,
  requests: OrderRequests,
): Promise<Settled> {
  const ending = new Fulfilment(order, placement, attempt, resumed, state, requests).run();
  if (placement.units > 1) await Promise.race([ending, announcePartialDelivery(order, state)]);
  const settlement = await ending;
  state.change({ step: 'SETTLING', cancellationAskedFor: false });
  return steps.settleOrder(order, settlement);
}

/** Shows the client the units that are there, once the supplier has answered for every purchase or the request was answered. */
async function announcePartialDelivery(order: OrderStart, state: OrderState): Promise<void> {
  const isAnsweredOrOver = () => state.isAnswered || state.isConcluded;
  await condition(isAnsweredOrOver, families[order.family].timing.responseDeadlineMs, {
    summary: 'Show a partial delivery at the earliest now',
  });
  while (!state.isConcluded) {
    if (state.isAnswered) await condition(() => state.facts.delivered > 0 || state.isConcluded);
    if (state.isConcluded || state.facts.delivered === state.facts.units) return;
    if (await steps.markPartiallyDelivered(order)) return;
    await condition(isAnsweredOrOver, '1m', { summary: 'Check again for a partial delivery' });
  }
}

function showEnd(state: OrderState, settled: Settled): void {
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
async function finish(
  order: OrderStart,
  settled: Settled,
  esim: EsimLabel | undefined,
  state: OrderState,
  requests: OrderRequests,
): Promise<Settled> {
  const unmonitored = settled.status === 'DELIVERED' ? esim : undefined;
  // Each promise of a workflow costs a stack trace.
  if (!isRefundOwed(settled) && !settled.mail && !unmonitored) return settled;
  const [ended] = await Promise.all([
    untilRefunded(order, settled, state, requests),
    settled.mail && mailCustomer(order, state),
    unmonitored && startEsimMonitor(order, unmonitored, esimAtDelivery(Date.now())).catch(() => undefined),
  ]);
  return ended;
}

/** Waits until an operator has opened the wallet that could not take the refund. */
async function untilRefunded(
  order: OrderStart,
  settled: Settled,
  state: OrderState,
  requests: OrderRequests,
): Promise<Settled> {
  let end = settled;
  while (isRefundOwed(end)) {
    requests.sleep();
    await condition(() => requests.isWoken);
    end = await steps.creditRefund(order);
    state.change({ refund: end.refund, ...(end.refund?.credited && { attention: end.attention }) });
  }
  return end;
}

function isRefundOwed({ refund }: Settled): boolean {
  return refund !== null && !refund.credited;
}

/** A mail that cannot be sent changes nothing about the order. The attention list tells operators. */
async function mailCustomer(order: OrderStart, state: OrderState): Promise<void> {
  try {
    await mailOrder(order);
  } catch {
    await steps.reportUndeliverableMail(order);
    state.change({ mailGivenUp: true, attention: await steps.attentionOf(order) });
  }
}

/** Ends the workflow as Temporal shows it: red if the order failed, cancelled if its workflow was cancelled. */
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
