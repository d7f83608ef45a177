/** How an order ends: settled, with its refund and its mail, or not placed at all. */
import { ApplicationFailure, CancelledFailure, condition } from '@temporalio/workflow';
import type { NotPlaced, Settled, Settlement } from '../../src/domain/orders/order-messages';
import { refundOf, unitsText, type OrderFacts } from '../../src/domain/orders/order-facts';
import { refundText } from '../../src/domain/orders/order-snapshot';
import { recordAnswer } from './answer';
import type { OrderRun, OrderState } from './state';
import { mailOrder, orderSteps, settle, startEsimMonitor } from './steps';

/** The result of an order's workflow. */
export type OrderEnd = Settled | NotPlaced;

/** Ends the order whose purchases are all concluded, and refunds what was not delivered. */
export async function settleOrRefund(order: OrderRun, settlement: Settlement): Promise<void> {
  order.state.change({ step: 'SETTLING' });
  const options = { summary: settlementSummary(order, settlement) };
  showSettled(order, await settle.executeWithOptions(options, [order.start, settlement]));
}

/** What the settlement does, for operators. */
export function settlementSummary({ start, state }: OrderRun, { delivered }: Settlement): string {
  if (delivered !== undefined) return 'End the order: everything is delivered';
  if (state.facts.debit?.nothingBecause) return 'End the order: nothing was debited, so nothing is refunded';
  const { price, currency, units } = start;
  const arrived = state.report?.delivered ?? 0;
  return arrived === 0 ? `Refund ${price} ${currency}` : `Refund ${units - arrived} of ${unitsText(units)}`;
}

export function showNotPlaced(order: OrderRun): void {
  const { placement } = order.state;
  if (placement === undefined || placement.outcome === 'PLACED') return;
  const refusal = placement.outcome === 'REFUSED' ? placement.refusal : null;
  const end = placement.outcome;
  order.state.change({ step: 'ENDED', end, refusal, attention: null, cancellationRequested: false });
  // The request of an abandoned order was answered before its workflow found that.
  if (refusal !== null) recordAnswer(order, 'REJECTED');
}

export function showSettled(order: OrderRun, settled: Settled): void {
  const { state, start } = order;
  const { status, delivered, failureCode, refund, attention, mail } = settled;
  const afterRefund = mail ? 'MAILING' : 'ENDED';
  state.settled = settled;
  state.isConcluded = true;
  state.change({
    step: isRefundDue(settled) ? 'WAITING_FOR_REFUND' : afterRefund,
    end: status,
    delivered,
    failureCode,
    refund: refundOf(start, refund),
    attention,
    toSend: 0,
    withSupplier: 0,
    outcomeUnknown: null,
    cancellationRequested: false,
  });
  recordAnswer(order, 'ENDED');
}

/** Credits a refund that is due once an operator has reopened its wallet. Tries whenever a message wakes the order. */
export async function creditDueRefund({ start, state, requests }: OrderRun): Promise<void> {
  while (isRefundDue(state.settled)) {
    await condition(() => requests.isWoken);
    // Called before the step: if the wallet is reopened while the step runs, the signal requests another step.
    requests.sleep();
    const { refund, attention } = (state.settled = await orderSteps.creditRefund(start));
    state.change({ refund: refundOf(start, refund), ...(refund?.credited && { attention }) });
  }
}

function isRefundDue(settled: Settled | undefined): boolean {
  return settled?.refund?.credited === false;
}

/** Mails the customer if a mail is due. One that cannot be sent puts the order on the attention list, and changes nothing else. */
export async function mailCustomer({ start, state }: OrderRun): Promise<void> {
  if (!state.settled?.mail) return;
  try {
    await mailOrder(start);
  } catch {
    await orderSteps.reportUndeliverableMail(start);
    state.change({ mailGivenUp: true, attention: await orderSteps.attentionOf(start) });
  }
}

/** Starts the monitor of a delivered profile, unless the first attempt has. If this fails, maintenance starts it later. */
export async function monitorProfile({ start, state }: OrderRun): Promise<void> {
  if (state.settled?.status !== 'DELIVERED' || state.isMonitored) return;
  await startEsimMonitor(start).catch(() => undefined);
}

/**
 * The end of the workflow: it fails if the order failed, and ends as cancelled if it was cancelled itself and the order is CANCELLED.
 * docs/decisions/0035-fail-the-workflow-of-a-failed-order.md.
 */
export function workflowEnd({ placement, settled, facts }: OrderState, wasCancelled: boolean): OrderEnd {
  if (settled?.status === 'FAILED') throw failureOf(facts);
  if (settled?.status === 'CANCELLED' && wasCancelled) throw new CancelledFailure('The order was cancelled');
  if (settled) return settled;
  if (placement && placement.outcome !== 'PLACED') return placement;
  throw new Error('The order has no end');
}

/** A failure without a stack: nothing went wrong in the program. */
function failureOf({ failureCode, delivered, refund }: OrderFacts): ApplicationFailure {
  const code = failureCode ?? 'UNKNOWN';
  const refunded = refund ? refundText(refund) : 'nothing was to be refunded';
  const failure = ApplicationFailure.nonRetryable(`${code}: ${delivered} units delivered, ${refunded}`, code);
  failure.stack = '';
  return failure;
}
