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
    summary: 'Read a statement of orders',
    description:
      '`ORDER` for each order of any family that was placed in the period, the oldest first, then `END`. A response without the last line is incomplete.',
    query: periodQuery,
    responses: {
      200: csv(
        'The statement.',
        'line,placed_at,family,id,client_reference,product_id,product,quantity,delivered_quantity,status,failure_code,' +
          'wallet_id,charged_amount,charged_currency,refunded_amount,transaction_id,refund_transaction_id,completed_at\n' +
          'ORDER,2026-11-02T10:15:00.000Z,VOUCHER,17,my-first-order,1,Harbour Coffee Gift Card,1,1,DELIVERED,,' +
          '1,9.80,USD,0.00,5021,,2026-11-02T10:15:00.400Z\n' +
          'END,2026-12-01T00:00:00.000Z,,,,,,,,,,,,,,,,\n',
      ),
    },
    handler: (deps) => async (request, response) => {
      const period = periodOf(request);
      const orders = statedOrders(deps.database, clientOf(response).id, period);
      await sendCsv(response, fileName('orders', period), orderColumns, orderLines(orders, period));
    },
  },
};
