/** An order of any family as its own path shows it. */
import type { Response } from 'express';
import { findOrder } from '../../data/orders/order-reads';
import { errors } from '../../domain/errors';
import type { Family } from '../../domain/orders/families';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/authenticate';
import { esimOrderViews } from '../esim/order-routes';
import { sendOrder } from '../shared/create-order';
import type { OrderViews } from '../shared/order-routes';
import { topupOrderViews } from '../topups/order-routes';
import { voucherOrderViews } from '../vouchers/order-routes';

const views: { readonly [F in Family]: (deps: Dependencies) => OrderViews<F> } = {
  VOUCHER: voucherOrderViews,
  TOPUP: topupOrderViews,
  ESIM: esimOrderViews,
};

/** Answers with the client's order as it stands. 404 where there is none. */
export async function answerWithOrder<F extends Family>(
  deps: Dependencies,
  response: Response,
  family: F,
  id: number,
): Promise<void> {
  const order = await findOrder(deps.database, family, clientOf(response).id, id);
  if (!order) throw errors.notFound('Order');
  await sendOrder(response, order, views[family](deps).single);
}
