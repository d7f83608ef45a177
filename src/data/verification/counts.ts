/** Counters equal what they count, and each create came to exactly what was decided about it. */
import type { Scan } from './scan';

const counters: Scan = {
  subject: 'counter',
  rows: `
    SELECT concat_ws('/', client_id, family, status) AS id, coalesce(counted, 0) AS counted, coalesce(existing, 0) AS existing
      FROM (SELECT client_id, family, status, sum(change) AS counted FROM order_counts GROUP BY 1, 2, 3) counter
      FULL JOIN (SELECT client_id, family, status, count(*) AS existing FROM orders GROUP BY 1, 2, 3) o
     USING (client_id, family, status)`,
  checks: {
    'order-count': {
      wrong: 'counted <> existing',
      says: `format('says %s orders, there are %s', counted, existing)`,
    },
  },
};

const intakes: Scan = {
  subject: 'intake',
  rows: `
    SELECT intake.order_id AS id, intake.state, intake.total_payable, o.id IS NOT NULL AS has_order,
           (o.nonce, o.client_id, o.wallet_id, o.total_payable)
             IS DISTINCT FROM (intake.nonce, intake.client_id, intake.wallet_id, intake.total_payable) AS differs
      FROM order_intakes intake LEFT JOIN orders o ON o.id = intake.order_id`,
  checks: {
    'intake-order': {
      wrong: `(state = 'PLACED') <> has_order OR has_order AND differs`,
      says: `format('is %s for %s and has %s', state, trim_scale(total_payable), CASE WHEN NOT has_order THEN 'no order'
               WHEN differs THEN 'an order that differs from it' ELSE 'an order' END)`,
    },
  },
};

export const countScans = [counters, intakes];
