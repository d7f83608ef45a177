/** Statements in the document. */
import { csv, type Operations } from '../openapi/operation';
import { periodQuery } from '../shared/csv-answer';

export const statementOperations: Operations = {
  'GET /api/v1/statements/orders': {
    id: 'getOrdersStatement',
    tag: 'Statements',
    summary: 'Read a statement of orders',
    description:
      '`ORDER` for each order of any family that was placed in the period, the oldest first, then `END`. An answer without the last line broke off.',
    query: periodQuery,
    answers: {
      200: csv(
        'The statement.',
        'line,placed_at,family,id,client_reference,product_id,product,quantity,delivered_quantity,status,failure_code,' +
          'wallet_id,charged_amount,charged_currency,refunded_amount,transaction_id,refund_transaction_id,completed_at\n' +
          'ORDER,2026-11-02T10:15:00.000Z,VOUCHER,17,my-first-order,1,Harbour Coffee Gift Card,1,1,DELIVERED,,' +
          '1,9.80,USD,0.00,5021,,2026-11-02T10:15:00.400Z\n' +
          'END,2026-12-01T00:00:00.000Z,,,,,,,,,,,,,,,,\n',
      ),
    },
  },
};
