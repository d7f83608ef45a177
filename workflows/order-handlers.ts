/** What an order's workflow does when it is told something. */
import { CancellationScope, condition, setHandler } from '@temporalio/workflow';
import { families } from '../src/domain/families';
import {
  readReason,
  type OrderStart,
  type OrderStatusText,
  type Placement,
  type Settled,
} from '../src/domain/order-flow';
import { listReads, steps } from './activities';
import type { CancellationRequest } from './cancellation-request';
import type { Fulfilment } from './fulfilment';
import {
  answerUpdate,
  attentionChangedSignal,
  cancelOrderUpdate,
  resolveOrderUpdate,
  retryNowSignal,
} from './messages';
import { decisionIn, refusal } from './operator-decisions';
import type { OrderView } from './order-view';

/** How far an order has come. */
export interface Progress {
  placement?: Placement;
  fulfilment?: Fulfilment;
  end?: Settled;
  /** Somebody asked to act at once, or the operators' list changed. */
  isWoken: boolean;
}

/** Takes messages in from now on. */
export function listen(
  order: OrderStart,
  progress: Progress,
  cancellation: CancellationRequest,
  view: OrderView,
): void {
  const requestCancellation = () => {
    if (progress.end) return;
    cancellation.request();
    view.show({ cancellationAskedFor: true, cancellationRefused: null });
    progress.fulfilment?.wake();
  };
  setHandler(answerUpdate, () => CancellationScope.nonCancellable(() => answer(order, progress)), {
    description: 'What the create that waits is told. Sent by the API, not by people.',
  });
  setHandler(
    cancelOrderUpdate,
    () => {
      requestCancellation();
      return CancellationScope.nonCancellable(() => answerCancellation(order, progress, cancellation));
    },
    {
      validator: (reason) => validateCancellation(progress, reason),
      description:
        'Calls the order off if nothing was bought yet. Argument: the reason, as text: "The customer changed their mind".',
    },
  );
  const wake = () => {
    progress.isWoken = true;
    progress.fulfilment?.wake();
  };
  setHandler(retryNowSignal, wake, {
    description:
      'Asks the supplier, or buys, at once; credits a refund that waited for its wallet. No argument.',
  });
  const showList = async () => {
    // Orders of earlier releases go on as they began.
    const { attentionOf } = order.sellsAtOnce === undefined ? steps : listReads;
    view.showAttention(await attentionOf(order));
    // The tool may have credited the refund.
    if (progress.end) progress.isWoken = true;
  };
  setHandler(
    attentionChangedSignal,
    () => CancellationScope.nonCancellable(() => oncePlaced(progress, showList)),
    {
      description: "Shows what the operators' list says of the order. Sent by the service. No argument.",
    },
  );
  setHandler(
    resolveOrderUpdate,
    (sent: unknown, reason?: unknown) => oncePlaced(progress, async () => decide(progress, sent, reason)),
    {
      validator: (sent: unknown, reason?: unknown) => {
        const decision = decisionIn(sent, reason);
        progress.fulfilment?.refuseUnlessItFits(decision);
      },
      description:
        'Decides an order that needs attention. Argument, one of: "ASK_AGAIN"; {"resolution": "NOT_BOUGHT", "reason": ' +
        '"..."} fails and refunds it; {"resolution": "DELIVERED", "reason": "..."} for a top-up. Other goods are handed ' +
        'in by the tool: orders resolve <order> delivered.',
    },
  );
  CancellationScope.current().cancelRequested.catch(requestCancellation);
}

/**
 * Acts once the first step is over. No handler starts a step before: when a task times out at the server while its first step
 * runs, a replay meets the messages that came meanwhile before that step, and steps are told apart by their order. Where the
 * first step is over already it acts at once, so that runs of earlier releases replay.
 */
function oncePlaced<T>(progress: Progress, act: () => Promise<T>): Promise<T> {
  if (progress.placement !== undefined) return act();
  const placed = () => condition(() => progress.placement !== undefined);
  return CancellationScope.nonCancellable(placed).then(act);
}

/** Waits as long as the family's create does; the handler then shows how the order stands. */
async function answer(order: OrderStart, progress: Progress) {
  await condition(() => progress.placement !== undefined);
  const placement = progress.placement as Placement;
  if (placement.outcome !== 'PLACED') return placement;
  if (!order.asynchronous && !progress.end) {
    // The create counts its own time, from its arrival: no clock is compared with another machine's.
    await condition(() => progress.end !== undefined, families[order.family].timing.responseDeadlineMs, {
      summary: 'Answer the create at the latest now',
    });
  }
  return { outcome: placement.outcome };
}

/** Hands a decision over. It is checked once more: the order may have changed since it was taken in. */
function decide({ fulfilment }: Progress, sent: unknown, reason: unknown): Promise<OrderStatusText> {
  if (!fulfilment) throw refusal('The order was not placed');
  const decision = decisionIn(sent, reason);
  fulfilment.refuseUnlessItFits(decision);
  return fulfilment.decideBy(decision);
}

function validateCancellation({ end }: Progress, reason: unknown): void {
  if (end) throw refusal(`The order is ${end.status}: that is final`);
  if (readReason(reason) === undefined) throw refusal('Calling an order off needs a reason, as text');
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
