/** What was not delivered went back, once and to the last digit. docs/specification.md#money. */
import { money, type Scan } from './scan';

// Not by the function that refunds call: a proof must not believe what it proves. The price less the delivered
// share, which is rounded half-up. The quotient is taken to 20 decimals, so that it is on the right side of a
// half whatever the price: quantities are at most 5,000.
const due = `
  CASE WHEN o.status IN ('FAILED', 'CANCELLED') AND o.transaction_id IS NOT NULL
       THEN o.total_payable
            - round(round(o.total_payable * o.delivered_quantity, 20) / o.quantity, currency.minor_unit)
       ELSE 0 END`;

const refunds: Scan = {
  subject: 'order',
  rows: `
    SELECT o.id, o.status, o.delivered_quantity AS delivered, o.quantity, o.deduction_currency AS currency,
           ${due} AS due, coalesce(refund.amount, 0) AS refunded, listed.order_id IS NOT NULL AS is_listed
      FROM orders o
      JOIN currencies currency ON currency.code = o.deduction_currency
      LEFT JOIN (SELECT order_id, sum(amount) AS amount FROM transactions
                  WHERE kind = 'REFUND' AND order_id IS NOT NULL GROUP BY order_id) refund ON refund.order_id = o.id
      LEFT JOIN (SELECT DISTINCT order_id FROM attention
                  WHERE kind = 'REFUND_DUE' AND cleared_at IS NULL) listed ON listed.order_id = o.id`,
  checks: {
    'refund-amount': {
      wrong: 'refunded <> due AND NOT (refunded = 0 AND is_listed)',
      says: `format('is %s with %s of %s delivered: %s is due back, %s was credited', status, delivered, quantity,
               ${money('due', 'currency')}, trim_scale(refunded))`,
    },
    'refund-listed': {
      wrong: 'is_listed AND (due = 0 OR refunded > 0)',
      says: `format('is on the attention list as REFUND_DUE, but %s is due back and %s was credited',
               ${money('due', 'currency')}, trim_scale(refunded))`,
    },
  },
};

export const refundScans = [refunds];
