/**
 * The local activities of an order: up to three, one after the other, in the first workflow task. Only this file has local activities.
 *
 * A message that arrives while they run may be replayed before them. So what follows depends on their recorded results alone, and
 * nothing but `endFirstTask` lets messages take effect. Before it, a workflow issues no command but these activities.
 * docs/decisions/0032-begin-an-order-with-three-local-activities.md.
 */
import { proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities';
import { settlementOf, type NextStep, type OrderStart } from '../../src/domain/orders/order-messages';
import { debitOf, unitsText } from '../../src/domain/orders/order-facts';
import { shortStep } from '../activity-options';
import { recordAnswer } from './answer';
import { settlementSummary, showNotPlaced, showSettled } from './end';
import type { OrderRun } from './state';

type Local = Pick<Activities, 'debitWallet' | 'tryToBuy' | 'settleOrder'>;
const local = proxyLocalActivities<Local>(shortStep);

/**
 * Debits the wallet and places the order, all or nothing. A repeated step finds its own order. It claims a purchase for `tryToBuy` if a
 * request waits for the goods.
 */
export async function debitWallet(order: OrderRun): Promise<NextStep> {
  const { start, resumed, requests, state } = order;
  const onlyDebits = start.asynchronous || resumed !== undefined || requests.isCancellationPending;
  const { runId, originalExecutionRunId } = workflowInfo();
  // An operator's reset keeps the original run.
  const isLookup = resumed !== undefined || start.waitedMs === undefined || runId !== originalExecutionRunId;
  const debit = await local.debitWallet.executeWithOptions({ summary: debitSummary(start, isLookup) }, [
    start,
    { onlyDebits },
  ]);
  state.placement = debit.placement;
  if (debit.next !== 'END') state.change({ units: debit.placement.units, debit: debitOf(start, debit.placement) });
  return debit.next;
}

function debitSummary({ price, currency, walletId }: OrderStart, isLookup: boolean): string {
  if (Number(price) === 0)
    return isLookup ? 'Look up the order: nothing is debited' : 'Place the order: the price is 0';
  return isLookup ? `Look up the debit of ${price} ${currency}` : `Debit ${price} ${currency} from wallet ${walletId}`;
}

/**
 * Makes the first attempt to buy, of at most 1.5 s. It ends an order that it completes. The activity `buy` takes over an attempt that is
 * slow or fails. An attempt that reaches its time limit has recorded nothing, so `buy` looks the purchase up.
 */
export async function tryToBuy(order: OrderRun): Promise<NextStep> {
  const { start, state } = order;
  state.change({ step: 'BUYING_AT_ONCE' });
  const options = { summary: `Buy ${unitsText(start.units)}: ${start.productName}`, retry: { maximumAttempts: 1 } };
  const attempt = await local.tryToBuy
    .executeWithOptions(options, [start])
    .catch(() => ({ next: 'STEPS', report: null }) as const);
  state.isTried = true;
  state.report = attempt.report;
  if (attempt.next !== 'END') return attempt.next;
  state.settled = attempt.settled;
  state.isMonitored = attempt.isMonitored ?? false;
  return attempt.next;
}

/**
 * Refunds what the supplier has rejected, or fails an order that was placed to fail, and ends it. If the database does not answer, a
 * regular activity does so, which operators see.
 */
export async function refundAtOnce(order: OrderRun): Promise<NextStep> {
  const { start, state } = order;
  const settlement = state.report ? settlementOf(state.report) : {};
  state.change({ step: 'SETTLING' });
  const options = { summary: settlementSummary(order, settlement), retry: { maximumAttempts: 1 } };
  state.settled = await local.settleOrder.executeWithOptions(options, [start, settlement]).catch(() => undefined);
  return state.settled ? 'END' : 'STEPS';
}

/** Ends the first task, once for every order: from here on, messages take effect, and operators see what the steps did. */
export function endFirstTask(order: OrderRun): void {
  const { start, state, chainIsOver } = order;
  chainIsOver.resolve();
  const { placement, settled, report } = state;
  if (placement?.outcome !== 'PLACED') return showNotPlaced(order);
  if (report) state.change({ purchases: report.purchases });
  if (settled) return showSettled(order, settled);
  if (start.asynchronous) recordAnswer(order, 'PENDING');
  else if (placement.held) recordAnswer(order, 'UNDER_REVIEW');
}
