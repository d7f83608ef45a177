import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
} from '@temporalio/workflow';
import { families } from '../src/domain/families';
import { type OrderStart, type Placement, type Settled, type SoldAtOnce } from '../src/domain/order-flow';
import { refundText, type OrderStep } from '../src/domain/order-snapshot';
import type { EsimLabel } from '../src/temporal/esim-follower';
import { failureCode, orderStatus } from '../src/temporal/search-attributes';
import { mails, steps } from './activities';
import { CancellationRequest } from './cancellation-request';
import { Fulfilment, type FulfilmentProgress } from './fulfilment';
import { listen, type Progress } from './order-handlers';
import { OrderView } from './order-view';

/** How an order's workflow ends: settled, or not placed at all. */
export type OrderEnd = Settled | Exclude<Placement, { outcome: 'PLACED' }>;

/** Of goods that have a life of their own: what their follower is labelled with, and how it is started by a step of its own. */
export interface Follower {
  label: EsimLabel;
  start: () => Promise<void>;
}

/**
 * The life of an order of any family: placed (or refused), bought, settled, and afterwards whatever
 * the family adds. The create that waits is answered as soon as there is something to show. Every step
 * can be repeated, so a run may begin from the top at any time: `resumed` only keeps the polling schedule.
 * An order that ended FAILED fails its workflow. docs/decisions/0035-a-failed-order-is-a-failed-workflow.md.
 */
export async function sellOrder(
  order: OrderStart,
  resumed: FulfilmentProgress = { polls: 0, since: Date.now(), bought: false },
  follower?: Follower,
): Promise<OrderEnd> {
  const cancellation = new CancellationRequest();
  const progress: Progress = { isWoken: false };
  const view = new OrderView(order);
  const workflow = CancellationScope.current();
  listen(order, progress, cancellation, view);

  const end = await CancellationScope.nonCancellable(async () => {
    const sold = await begin(order, resumed, cancellation, follower);
    const { placement, firstTry, settled: atOnce } = sold;
    progress.placement = placement;
    if (placement.outcome !== 'PLACED') return notPlaced(placement, view);
    const continueRun = (reached: FulfilmentProgress) => continueAsNew<typeof sellOrder>(order, reached);
    const fulfilment = (progress.fulfilment = new Fulfilment(
      order,
      placement,
      cancellation,
      view,
      resumed,
      continueRun,
      firstTry,
    ));
    if (progress.isWoken) fulfilment.wake();
    if (atOnce) fulfilment.close();
    const settled = (progress.end = atOnce ?? (await fulfilAndSettle(order, placement.units, fulfilment)));
    showEnd(view, settled);
    // Each promise of a workflow costs a stack trace: most orders need none here.
    const missing = settled.status === 'DELIVERED' && !sold.isFollowed ? follower : undefined;
    const isAllDone = !isRefundOwed(settled) && !settled.mail && !missing;
    const [ended] = isAllDone
      ? [settled]
      : await Promise.all([
          untilRefunded(order, settled, progress, view),
          settled.mail && mailEnd(order, view),
          missing?.start(),
        ]);
    view.show({ step: 'ENDED' });
    await condition(allHandlersFinished);
    return ended;
  });
  return asWorkflowEnd(end, workflow.consideredCancelled);
}

/**
 * What goes well is over with the first step. An order that is to be called off is only placed, to be withdrawn. Whether it is
 * must not decide which step is called: a replay may meet the message before this step that came during it.
 */
async function begin(
  order: OrderStart,
  { polls }: FulfilmentProgress,
  cancellation: CancellationRequest,
  follower: Follower | undefined,
): Promise<SoldAtOnce> {
  if (order.sellsAtOnce && polls === 0) {
    return steps.sellAtOnce(order, follower?.label, { onlyPlaces: cancellation.isPending });
  }
  return { placement: await steps.placeOrder(order) };
}

/** Shows the end as Temporal's own status: red where the order failed, cancelled where its workflow was. */
function asWorkflowEnd(end: OrderEnd, wasCancelled: boolean): OrderEnd {
  if (!('status' in end)) return end;
  if (end.status === 'FAILED') throw failureOf(end);
  if (end.status === 'CANCELLED' && wasCancelled) throw new CancelledFailure('The order was called off');
  return end;
}

/** Words of ours alone, and no stack: nothing went wrong in the program. */
function failureOf({ failureCode, delivered, refund }: Settled): ApplicationFailure {
  const code = failureCode ?? 'UNKNOWN';
  const refunded = refund ? refundText(refund) : 'nothing was to be refunded';
  const failure = ApplicationFailure.nonRetryable(`${code}: ${delivered} units delivered, ${refunded}`, code);
  failure.stack = '';
  return failure;
}

async function notPlaced<NotPlaced extends Exclude<Placement, { outcome: 'PLACED' }>>(
  placement: NotPlaced,
  view: OrderView,
): Promise<NotPlaced> {
  const why = placement.outcome === 'REFUSED' ? placement.refusal : 'nobody waits for it';
  view.show({ step: 'ENDED', end: `${placement.outcome} (${why}): nothing was debited` });
  view.showAttention(null, [{ key: orderStatus, value: placement.outcome }]);
  await condition(allHandlersFinished);
  return placement;
}

async function fulfilAndSettle(order: OrderStart, units: number, fulfilment: Fulfilment): Promise<Settled> {
  const ending = fulfilment.run();
  if (units > 1) await Promise.race([ending, announcePartialDelivery(order, units, fulfilment)]);
  return steps.settleOrder(order, await ending);
}

/** What is there already is shown to the client without the rest, once every purchase was answered or its create was. */
async function announcePartialDelivery(
  order: OrderStart,
  units: number,
  fulfilment: Fulfilment,
): Promise<void> {
  await condition(
    () => fulfilment.isAnswered || fulfilment.isOver,
    families[order.family].timing.responseDeadlineMs,
    { summary: 'Tell the client of a part at the earliest now' },
  );
  while (!fulfilment.isOver) {
    if (fulfilment.isAnswered) await condition(() => fulfilment.delivered > 0 || fulfilment.isOver);
    if (fulfilment.isOver || fulfilment.delivered === units) return;
    if (await steps.markPartiallyDelivered(order)) return;
    await condition(() => fulfilment.isAnswered || fulfilment.isOver, '1m', {
      summary: 'Look again whether a part is there',
    });
  }
}

/** A mail that cannot be sent changes nothing about the order; operators find the order by it. */
async function mailEnd(order: OrderStart, view: OrderView): Promise<void> {
  const summary = 'Mail the customer how the order ended';
  try {
    await mails.mailOrder.executeWithOptions({ summary }, [order]);
  } catch {
    await steps.reportUndeliverableMail(order);
    view.show({ mailGivenUp: true });
    view.showAttention(await steps.attentionOf(order));
  }
}

/** A refund that a closed wallet could not take waits for an operator, and the order's workflow with it. */
async function untilRefunded(
  order: OrderStart,
  settled: Settled,
  progress: Progress,
  view: OrderView,
): Promise<Settled> {
  let end = settled;
  while (isRefundOwed(end)) {
    progress.isWoken = false;
    await condition(() => progress.isWoken);
    end = await steps.creditRefund(order);
    view.show({ refund: end.refund });
    if (end.refund?.credited) view.showAttention(end.attention);
  }
  return end;
}

/** A refund is due that could not be credited. An order that was settled by an earlier release tells of none. */
function isRefundOwed({ refund = null }: Pick<Settled, 'refund'>): boolean {
  return refund !== null && !refund.credited;
}

function stepAfter(end: Settled): OrderStep {
  if (isRefundOwed(end)) return 'WAITING_FOR_REFUND';
  return end.mail ? 'MAILING' : 'ENDED';
}

function showEnd(view: OrderView, end: Settled): void {
  // An order that was settled by an earlier release has neither.
  const { status, delivered, failureCode: code = null, refund = null } = end;
  view.show({
    ...{ step: stepAfter(end), end: status, delivered, failureCode: code, refund },
    ...{ toSend: 0, withSupplier: 0, outcomeUnknown: null },
  });
  view.showAttention(end.attention, [
    { key: orderStatus, value: status },
    ...(code ? [{ key: failureCode, value: code }] : []),
  ]);
}
