/** What orders move in wallets: the debit, and the refund of what is not delivered. Each is one transaction, and can be repeated. */
import { heartbeat } from '@temporalio/activity';
import { placeAndClaim, placeOrder } from '../src/data/orders/place-order';
import { carryOutRefunds } from '../src/data/orders/refund-imports';
import { creditRefundIfOpen, settleDelivered, settleOrder, type Ended } from '../src/data/orders/settle-order';
import type { RefundImportKey, RefundRun } from '../src/domain/orders/refund-imports';
import type { Debit, OrderKey, OrderStart, Settled, Settlement } from '../src/domain/orders/order-messages';
import { progressOf } from '../src/domain/orders/request-progress';
import type { InlineAttempts } from '../src/ordering/purchasing/inline-attempts';
import type { ActivityDependencies } from './dependencies';

type WalletDependencies = Pick<ActivityDependencies, 'database' | 'countEnd' | 'notifyProgress'>;

export const wallets = (deps: WalletDependencies, inlineAttempts: InlineAttempts) => ({
  /**
   * Places the order and debits its wallet, in one transaction: all of it or nothing. Unless `onlyDebits`, it also claims the first
   * purchase for `tryToBuy`, if this process has a slot for an attempt. Repeated, it finds its own order and claims nothing.
   */
  async debitWallet(order: OrderStart, { onlyDebits }: { onlyDebits: boolean }): Promise<Debit> {
    const claimed = onlyDebits ? undefined : await inlineAttempts.prepare(order, () => debitAndClaim(deps, order));
    const placement = claimed?.placement ?? (await placeOrder(deps.database, order));
    if (order.asynchronous || placement.outcome !== 'PLACED' || placement.held)
      deps.notifyProgress(order, progressOf(placement));
    if (placement.outcome !== 'PLACED') return { next: 'END', placement };
    if (claimed?.claim) return { next: 'BUY', placement };
    return { next: !onlyDebits && placement.toBuy === 0 ? 'SETTLE' : 'STEPS', placement };
  },

  /** Ends the order, refunds undelivered units and writes the events. */
  async settleOrder(order: OrderStart, outcome: Settlement): Promise<Settled> {
    // The workflow's history does not need `endedNow`.
    const { endedNow: _endedNow, ...settled } = await endOrder(deps, order, outcome);
    return settled;
  },

  /** Credits a refund that waits for its wallet, if the wallet is open. */
  creditRefund: ({ orderId }: OrderKey) => creditRefundIfOpen(deps.database, orderId),

  /** Credits the next refunds of the import after the line. Repeated, it credits none twice. */
  carryOutRefunds: (key: RefundImportKey, after: number): Promise<RefundRun> =>
    carryOutRefunds(deps.database, key, after, heartbeat),
});

async function debitAndClaim({ database }: WalletDependencies, order: OrderKey) {
  const claimedAt = performance.now();
  const { placement, claimed: purchase } = await placeAndClaim(database, order);
  return { placement, claim: purchase && { purchase, claimedAt } };
}

/** Ends the order, refunds undelivered units and writes the events. Counts each end once. Answers the waiting request. */
export async function endOrder(deps: WalletDependencies, order: OrderStart, outcome: Settlement): Promise<Ended> {
  const { database } = deps;
  // If all units are delivered, ends the order without reading it.
  const endedInFull =
    outcome.delivered === undefined ? undefined : await settleDelivered(database, order, outcome.delivered);
  const ended = endedInFull ?? (await settleOrder(database, order.orderId, outcome));
  reportEnd(deps, order, ended);
  return ended;
}

/** Answers the request that waits for the order, and counts the end if it was now. */
export function reportEnd(
  { countEnd, notifyProgress }: Pick<WalletDependencies, 'countEnd' | 'notifyProgress'>,
  { nonce, family, asynchronous }: OrderStart,
  { endedNow, status, failureCode }: Ended,
): void {
  // The request of an asynchronous order got its response at placement, so none waits.
  if (!asynchronous) notifyProgress({ nonce }, 'ENDED');
  if (endedNow) countEnd({ family, status, failureCode: failureCode ?? '' });
}
