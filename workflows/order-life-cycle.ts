import {
  allHandlersFinished,
  CancellationScope,
  condition,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { OrderStart, Placement, Settled } from '../src/domain/order-flow';
import { patience } from '../src/domain/patience';
import { attention, orderStatus } from '../src/temporal/search-attributes';
import { mails, steps } from './activities';
import { CancelWish } from './cancellation';
import { Fulfilment } from './fulfilment';
import { answerUpdate } from './messages';

/** How an order's workflow ends: settled, or not placed at all. */
export type OrderEnd = Settled | Exclude<Placement, { outcome: 'PLACED' }>;

/**
 * The life of an order of any family: placed (or refused), bought, settled, and afterwards whatever
 * the family adds. The create that waits is answered as soon as there is something to show.
 */
export async function sellOrder(
  order: OrderStart,
  afterwards: (end: Settled) => Promise<void> = async () => undefined,
): Promise<OrderEnd> {
  const cancel = new CancelWish();
  const progress: { placement?: Placement; end?: Settled } = {};
  setHandler(answerUpdate, () => CancellationScope.nonCancellable(() => answer(order, progress)));

  return CancellationScope.nonCancellable(async () => {
    const placement = (progress.placement = await steps.placeOrder(order));
    if (placement.outcome !== 'PLACED') {
      showEnd(placement.outcome, placement.outcome === 'REFUSED' ? placement.refusal : 'Nobody waits for it');
      await condition(allHandlersFinished);
      return placement;
    }
    const end = (progress.end = await fulfilAndSettle(order, placement, cancel));
    showEnd(end.status, `${end.delivered} units delivered`);
    await Promise.all([end.mail && mailEnd(order), afterwards(end)]);
    await condition(allHandlersFinished);
    return end;
  });
}

/** Waits as long as the family's create does; the handler then shows how the order stands. */
async function answer(order: OrderStart, progress: { placement?: Placement; end?: Settled }) {
  await condition(() => progress.placement !== undefined);
  const placement = progress.placement as Placement;
  if (placement.outcome !== 'PLACED') return placement;
  if (!order.asynchronous) {
    // A create that waited in line has waited already.
    const answerBy = order.answerBy ?? Date.now() + patience[order.family].answerWithin;
    await condition(() => progress.end !== undefined, Math.max(1, answerBy - Date.now()), {
      summary: 'Answer the create at the latest now',
    });
  }
  return { outcome: placement.outcome };
}

async function fulfilAndSettle(
  order: OrderStart,
  placement: Placement & { outcome: 'PLACED' },
  cancel: CancelWish,
): Promise<Settled> {
  const fulfilment = new Fulfilment(order, placement.batches, cancel);
  const ending = fulfilment.run();
  if (fulfilment.units > 1) await tellOfPart(order, fulfilment, ending);
  return steps.settleOrder(order, await ending);
}

/** Once every batch was answered, what is there already is shown to the client without the rest. */
async function tellOfPart(
  order: OrderStart,
  fulfilment: Fulfilment,
  ending: Promise<unknown>,
): Promise<void> {
  const partIsThere = async () => {
    await condition(() => fulfilment.underWay, patience[order.family].answerWithin);
    await condition(() => fulfilment.delivered > 0);
  };
  await Promise.race([ending, partIsThere()]);
  if (fulfilment.delivered > 0 && fulfilment.delivered < fulfilment.units) {
    await steps.markPartiallyDelivered(order);
  }
}

/** A mail that cannot be sent changes nothing about the order; operators find the order by it. */
async function mailEnd(order: OrderStart): Promise<void> {
  const summary = `Mail how order ${order.orderId} ended`;
  try {
    await mails.mailOrder.executeWithOptions({ summary }, [order]);
  } catch {
    upsertSearchAttributes([{ key: attention, value: 'The notification mail could not be sent' }]);
  }
}

function showEnd(status: string, detail: string): void {
  upsertSearchAttributes([{ key: orderStatus, value: status }]);
  setCurrentDetails(`${status}: ${detail}`);
}
