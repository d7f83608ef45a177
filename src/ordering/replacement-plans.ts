/** Orders that replace claimed units: chosen like an order of the client, charged 0, and bought by the ordinary workflow. docs/operators/claims.md. */
import { findUnfinishedOrder } from '../data/orders/order-search';
import { findReplacedItem, type PlannedReplacement } from '../data/orders/replacement-orders';
import { orderField } from '../security/sealing';
import type { OrderingDependencies } from './dependencies';
import { restartIfLost, type RestartDependencies } from './maintenance/order-restarts';
import { newNonce } from './placement/check-and-reserve';
import { sourcesNow } from './placement/sources-now';

/** No order can replace the unit now. The message is for the operator. */
export class NotReplaceable extends Error {
  override readonly name: string = 'NotReplaceable';
}

/** Only operators can replace the unit now, by force, because the sale of its product is stopped. */
export class SaleStopped extends NotReplaceable {
  override readonly name = 'SaleStopped';
}

/**
 * Plans the order that replaces the unit of the claim. The sources are judged by the price that the client has paid for the unit. Throws
 * `NotReplaceable` if none can sell the item now, or the recipient was erased; `SaleStopped` if the sale is stopped, unless it is forced.
 */
export async function planReplacement(
  deps: Pick<OrderingDependencies, 'database' | 'suppliers' | 'sealer'>,
  claimId: number,
  { isForced = false }: { isForced?: boolean } = {},
): Promise<PlannedReplacement> {
  const item = await findReplacedItem(deps.database, claimId);
  if (!item) throw new NotReplaceable(`There is no claim ${claimId}. See them with: claims list`);
  if (item.family === 'TOPUP' && item.sealedInput === null)
    throw new NotReplaceable('The recipient of the order was erased: refund the claim instead');
  const sources = await sourcesNow(deps, item, { heedsStops: !isForced });
  if (sources.length === 0 && !isForced && (await sourcesNow(deps, item)).length > 0)
    throw new SaleStopped('The sale of the product is stopped');
  if (sources.length === 0) throw new NotReplaceable('No source can sell the product now: refund the claim instead');
  const nonce = newNonce();
  const movedTo = (field: 'email' | 'input', sealed: Buffer | null) =>
    deps.sealer.sealOptional(orderField(nonce, field), deps.sealer.openOptional(orderField(item.nonce, field), sealed));
  return {
    claimId,
    nonce,
    sources,
    sealedEmail: movedTo('email', item.sealedEmail),
    sealedInput: movedTo('input', item.sealedInput),
  };
}

/** Starts the workflow of a placed order. If this fails, maintenance starts it within 5 minutes. */
export async function startReplacement(deps: RestartDependencies, orderId: number): Promise<void> {
  const order = await findUnfinishedOrder(deps.database, orderId);
  if (order) await restartIfLost(deps, order);
}
