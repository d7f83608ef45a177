import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { families } from '../src/domain/families';
import { readReason, type OrderStart, type Placement, type Settled } from '../src/domain/order-flow';
import { attention, orderStatus } from '../src/temporal/search-attributes';
import { mails, steps } from './activities';
import { CancellationRequest } from './cancellation-request';
import { Fulfilment, type FulfilmentProgress } from './fulfilment';
import { answerUpdate, cancelOrderUpdate } from './messages';
import { refusal } from './operator-decisions';

/** How an order's workflow ends: settled, or not placed at all. */
export type OrderEnd = Settled | Exclude<Placement, { outcome: 'PLACED' }>;

/** How far an order has come. */
interface Progress {
  placement?: Placement;
  fulfilment?: Fulfilment;
  end?: Settled;
}

/**
 * The life of an order of any family: placed (or refused), bought, settled, and afterwards whatever
 * the family adds. The create that waits is answered as soon as there is something to show. Every step
 * can be repeated, so a run may begin from the top at any time: `resumed` only keeps the polling schedule.
 */
export async function sellOrder(
  order: OrderStart,
  resumed: FulfilmentProgress = { polls: 0, since: Date.now(), bought: false },
  onSettled: (end: Settled) => Promise<void> = async () => undefined,
): Promise<OrderEnd> {
  const cancellation = new CancellationRequest();
  const progress: Progress = {};
  listen(order, progress, cancellation);

  return CancellationScope.nonCancellable(async () => {
    const placement = (progress.placement = await steps.placeOrder(order));
    if (placement.outcome !== 'PLACED') {
      showEnd(placement.outcome, placement.outcome === 'REFUSED' ? placement.refusal : 'Nobody waits for it');
      await condition(allHandlersFinished);
      return placement;
    }
    const continueRun = (reached: FulfilmentProgress) => continueAsNew<typeof sellOrder>(order, reached);
    const fulfilment = (progress.fulfilment = new Fulfilment(
      order,
      placement,
      cancellation,
      resumed,
      continueRun,
    ));
    const end = (progress.end = await fulfilAndSettle(order, placement.units, fulfilment));
    showEnd(end.status, `${end.delivered} units delivered`, end.attention);
    await Promise.all([end.mail && mailEnd(order), onSettled(end)]);
    await condition(allHandlersFinished);
    return end;
  });
}

function listen(order: OrderStart, progress: Progress, cancellation: CancellationRequest): void {
  const requestCancellation = () => {
    cancellation.request();
    progress.fulfilment?.wake();
  };
  setHandler(answerUpdate, () => CancellationScope.nonCancellable(() => answer(order, progress)));
  setHandler(
    cancelOrderUpdate,
    () => {
      requestCancellation();
      return CancellationScope.nonCancellable(() => answerCancellation(order, progress, cancellation));
    },
    {
      validator: (reason) => validateCancellation(progress, reason),
      description: 'Calls the order off if nothing was bought yet. Argument: the reason (text).',
    },
  );
  CancellationScope.current().cancelRequested.catch(requestCancellation);
}

/** Waits as long as the family's create does; the handler then shows how the order stands. */
async function answer(order: OrderStart, progress: Progress) {
  await condition(() => progress.placement !== undefined);
  const placement = progress.placement as Placement;
  if (placement.outcome !== 'PLACED') return placement;
  if (!order.asynchronous) {
    // The create counts its own time, from its arrival: no clock is compared with another machine's.
    await condition(() => progress.end !== undefined, families[order.family].timing.responseDeadlineMs, {
      summary: 'Answer the create at the latest now',
    });
  }
  return { outcome: placement.outcome };
}

function validateCancellation({ end }: Progress, reason: unknown): void {
  if (end) throw new Error(`The order is ${end.status}: that is final`);
  if (readReason(reason) === undefined) throw new Error('Calling an order off needs a reason');
}

async function answerCancellation(
  { orderId }: OrderStart,
  progress: Progress,
  cancellation: CancellationRequest,
): Promise<string> {
  const isRefused = () => progress.placement !== undefined && progress.placement.outcome !== 'PLACED';
  await condition(() => progress.end !== undefined || cancellation.rejection !== undefined || isRefused());
  if (cancellation.rejection !== undefined) throw refusal(`Too late: ${cancellation.rejection}`);
  return `Order ${orderId} is ${progress.end?.status ?? 'not placed'}`;
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
  );
  while (!fulfilment.isOver) {
    if (fulfilment.isAnswered) await condition(() => fulfilment.delivered > 0 || fulfilment.isOver);
    if (fulfilment.isOver || fulfilment.delivered === units) return;
    if (await steps.markPartiallyDelivered(order)) return;
    await condition(() => fulfilment.isAnswered || fulfilment.isOver, '1m');
  }
}

/** A mail that cannot be sent changes nothing about the order; operators find the order by it. */
async function mailEnd(order: OrderStart): Promise<void> {
  const summary = `Mail how order ${order.orderId} ended`;
  try {
    await mails.mailOrder.executeWithOptions({ summary }, [order]);
  } catch {
    await steps.reportUndeliverableMail(order);
    upsertSearchAttributes([{ key: attention, value: await steps.attentionOf(order) }]);
  }
}

function showEnd(status: string, detail: string, reason: string | null = null): void {
  upsertSearchAttributes([
    { key: orderStatus, value: status },
    { key: attention, value: reason },
  ]);
  setCurrentDetails(`${status}: ${detail}`);
}
