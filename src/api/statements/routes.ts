/** Statements of a client's orders in every family. docs/specification.md#statements. */
import { statedOrders } from '../../data/orders/order-statement';
import { orderColumns, orderLines } from '../../statements/statements';
import { clientOf } from '../middleware/caller';
import { csv } from '../openapi/operation';
import type { ApiRoutes } from '../server/route';
import { fileName, periodOf, periodQuery, sendCsv } from '../shared/csv-response';

export const statementRoutes: ApiRoutes = {
  'GET /api/v1/statements/orders': {
    id: 'getOrdersStatement',
    tag: 'Statements',
    scope: 'read',
    summary: 'Read a statement of orders',
    description:
      '`ORDER` for each order of any family that was placed in the period, the oldest first, then `END`. A response without the last line is incomplete.',
    query: periodQuery,
    responses: { 200: csv('The statement.') },
    handler: (deps) => async (request, response) => {
      const period = periodOf(request);
      const orders = statedOrders(deps.database, clientOf(response).id, period);
      await sendCsv(response, fileName('orders', period), orderColumns, orderLines(orders, period));
    },
  },
};
