/** What must be so before an operator can do something with an order. Offers, previews and operations check the same. */
import type { Database } from '../../../data/database/database';
import { findHeldOrder } from '../../../data/orders/held-orders';
import { readOrderMoney } from '../../../data/orders/order-story';
import {
  findOrderOutcome,
  findOrderState,
  type OrderOutcome,
  type OrderStanding,
} from '../../../data/orders/operator-reads';
import { findUnfinishedOrder, type UnfinishedOrder } from '../../../data/orders/order-search';
import { listPurchases, openStates, purchaseProgress, type Purchase } from '../../../data/purchases/purchase-reads';
import { isMovedFor, movePurchaseElsewhere } from '../../../data/purchases/purchases';
import { endUnusable } from '../../../data/purchases/unmade-purchases';
import { obstacleToChoice, type OpenOrderChoice } from '../../../domain/orders/order-choices';
import type { Resolution } from '../../../domain/orders/order-messages';
import { sourcesNow } from '../../../ordering/placement/sources-now';
import type { Context } from '../context';
import { tried, UNSAID } from '../tried';

/** The order. Throws if there is none with the id. */
export async function orderStanding(database: Database, orderId: number): Promise<OrderStanding> {
  const standing = await findOrderState(database, orderId);
  if (!standing) throw new Error(`There is no order ${orderId}. Find it with: orders find`);
  return standing;
}

/** Throws if the order does not exist or has ended. */
export async function unfinishedOrder(database: Database, orderId: number): Promise<UnfinishedOrder> {
  const order = await findUnfinishedOrder(database, orderId);
  if (order) return order;
  const { status } = await orderStanding(database, orderId);
  throw new Error(`Order ${orderId} is ${status}: that is final`);
}

/** How the order ended, after a sentence that names it. */
export function endedText({ status, delivered, quantity, refunded, currency }: OrderOutcome): string {
  const refund = refunded === null ? '' : `, and ${refunded} ${currency} are refunded`;
  return `It is ${status}: ${delivered} of ${quantity} units are delivered${refund}.`;
}

const done: Readonly<Record<OpenOrderChoice, string>> = {
  RELEASE: 'released',
  RETRY: 'retried',
  CANCEL: 'cancelled',
  RESOLVE: 'resolved',
};

/** Throws if the order has ended, or if its state prevents this. */
export async function assertChoice(
  { database, suppliers }: Context,
  orderId: number,
  choice: OpenOrderChoice,
): Promise<void> {
  const order = await unfinishedOrder(database, orderId);
  const [{ isHeld, attention }, { delivered, unresolved }, open] = await Promise.all([
    findOrderOutcome(database, orderId),
    purchaseProgress(database, order),
    listPurchases(database, order, openStates),
  ]);
  const of = (purchase: Purchase) => suppliers().get(purchase.supplier);
  const lost = open.some((purchase) => purchase.state === 'SENT' && of(purchase)?.traits.lookup === 'none');
  const accepted = open.find((purchase) => purchase.state === 'PENDING' && !of(purchase)?.withdraw);
  const obstacle = obstacleToChoice(choice, {
    isHeld,
    attention,
    delivered,
    cancellationRequested: false,
    outcomeUnknown: unresolved ?? (lost ? 'The response to a purchase was lost' : null),
    acceptedBy: accepted?.supplier,
  });
  if (obstacle !== undefined) throw new Error(`Order ${orderId} cannot be ${done[choice]}: ${obstacle}`);
}

/** Whether a purchase of the order can move to the next source, unless the supplier has sold it, or has moved for this reason. */
async function canMove(context: Context, order: UnfinishedOrder, reason = UNSAID): Promise<boolean> {
  const open = await listPurchases(context.database, order, openStates);
  if (open.some(({ confirmed }) => confirmed)) return false;
  if (open.some((purchase) => isMovedFor(purchase, reason))) return true;
  return tried(context, async ({ database }) => {
    // One after the other, because they share a transaction.
    for (const purchase of open) if (await movePurchaseElsewhere(database, purchase, UNSAID)) return true;
    return false;
  });
}

/** Throws if the order is not under review, or if no source can sell it now. */
export async function assertReleasable(context: Context, orderId: number): Promise<void> {
  const { database, suppliers } = context;
  await assertChoice(context, orderId, 'RELEASE');
  const held = await findHeldOrder(database, await unfinishedOrder(database, orderId));
  if (held && (await sourcesNow({ database, suppliers: suppliers() }, held)).length === 0)
    throw new Error(
      `Order ${orderId} cannot be released. No source can sell it now and leave the margin: change the margin, or cancel the order`,
    );
}

interface KnownDecision {
  order?: number;
  decision?: Resolution;
  reason?: string | undefined;
  /** The file; undefined if none is given. */
  goods?: unknown;
}

/** Throws if the order cannot be decided, or not in this way. Every open order can be looked up once more. */
export async function assertDecision(context: Context, known: KnownDecision): Promise<void> {
  const { order: orderId, decision } = known;
  if (orderId === undefined) return;
  const isPoll = decision === 'ASK_AGAIN';
  await assertChoice(context, orderId, isPoll ? 'RETRY' : 'RESOLVE');
  if (decision === undefined || isPoll) return;
  const reject = (why: string) => {
    throw new Error(`Order ${orderId} cannot be decided in this way: ${why}`);
  };
  if ('reason' in known && known.reason === undefined) reject('give the reason');
  const order = await unfinishedOrder(context.database, orderId);
  if (decision === 'ELSEWHERE' && !(await canMove(context, order, known.reason)))
    reject('the supplier may still deliver, or no other supplier is left');
  if (decision === 'UNUSABLE' && !(await tried(context, (trial) => endUnusable(trial.database, order, UNSAID))))
    reject('no purchase has unusable goods only');
  if (decision !== 'DELIVERED' || !('goods' in known)) return;
  if (order.family === 'TOPUP' && known.goods) reject('a top-up has no goods');
  if (order.family !== 'TOPUP' && !known.goods) reject('give the goods');
}

interface KnownRefund {
  order?: number;
  units?: unknown;
  unit?: unknown;
  amount?: unknown;
}

/** Throws if the order is open, or if nothing is left to refund. The refund itself says what an extent lacks. */
export async function assertRefundable(
  { database }: Context,
  { order: orderId, units, unit, amount }: KnownRefund,
): Promise<void> {
  if (orderId === undefined) return;
  const { isOver, status } = await orderStanding(database, orderId);
  if (!isOver) throw new Error(`Order ${orderId} is ${status}: only an order that has ended can be refunded`);
  if ([units, unit, amount].flat().some((extent) => extent !== undefined)) return;
  const { refundable, refundDue, isWalletClosed } = await readOrderMoney(database, orderId);
  if (Number(refundable) > 0 || (refundDue !== null && !isWalletClosed)) return;
  throw new Error(
    refundDue === null
      ? `Nothing of order ${orderId} is left to refund`
      : `Order ${orderId} waits for its wallet, which is closed: reopen it first`,
  );
}
