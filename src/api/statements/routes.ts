/** Statements of what a client did, in whichever family. docs/specification.md#statements. */
import { Router } from 'express';
import { statedOrders } from '../../data/orders/order-statement';
import { orderColumns, orderLines } from '../../statements/order-lines';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/authenticate';
import { fileName, periodOf, sendCsv } from '../shared/csv-answer';

/** GET /orders. */
export function statementRoutes({ database }: Dependencies): Router {
  const router = Router();

  router.get('/orders', async (request, response) => {
    const period = periodOf(request);
    const orders = statedOrders(database, clientOf(response).id, period);
    await sendCsv(response, fileName('orders', period), orderColumns, orderLines(orders, period));
  });

  return router;
}
