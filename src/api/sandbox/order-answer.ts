/** An order of any family as its own path shows it. */
import { findOrder } from '../../data/orders/order-reads';
import { errors } from '../../domain/errors';
import type { Family } from '../../domain/families';
import type { Dependencies } from '../dependencies';
import { esimOrderViews } from '../esim/order-routes';
import type { OrderViews } from '../shared/order-routes';
import { topupOrderViews } from '../topups/order-routes';
import { voucherOrderViews } from '../vouchers/order-routes';

const views: { readonly [F in Family]: (deps: Dependencies) => OrderViews<F> } = {
  VOUCHER: voucherOrderViews,
  TOPUP: topupOrderViews,
  ESIM: esimOrderViews,
};

/** The client's order as it stands. 404 where there is none. */
export async function showOrder<F extends Family>(
  deps: Dependencies,
  family: F,
  clientId: number,
  id: number,
): Promise<object> {
  const order = await findOrder(deps.database, family, clientId, id);
  if (!order) throw errors.notFound('Order');
  return views[family](deps).single(order);
}
