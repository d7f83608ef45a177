/** Purchases cover an order exactly, hold what was delivered of it, and are closed when it ends. */
import { hasEnded, type Scan } from './scan';

// An order that costs something and debited nothing was placed to fail: it buys nothing. Goods that an
// operator typed in may have come by another way than the purchase.
const purchases: Scan = {
  subject: 'order',
  rows: `
    SELECT o.id, o.status, o.quantity, o.delivered_quantity AS delivered,
           (o.transaction_id IS NOT NULL OR o.total_payable = 0) AS buys,
           coalesce(bought.purchases, 0) AS purchases, coalesce(bought.open, 0) AS open,
           coalesce(bought.stored, 0) AS stored, coalesce(bought.last_unit, 0) AS last_unit,
           coalesce(bought.is_torn, false) AS is_torn, coalesce(typed_in.units, 0) AS typed_in
      FROM orders o
      LEFT JOIN (
        SELECT order_id, count(*) AS purchases, sum(stored) AS stored, max(first_unit + units - 1) AS last_unit,
               count(*) FILTER (WHERE state IN ('READY', 'SENT', 'PENDING')) AS open,
               bool_or(first_unit <> follows) AS is_torn
          FROM (SELECT *, lag(first_unit + units, 1, 1)
                            OVER (PARTITION BY order_id ORDER BY first_unit, batch) AS follows
                  FROM supplier_purchases) purchase
         GROUP BY order_id
      ) bought ON bought.order_id = o.id
      LEFT JOIN (SELECT order_id, sum(units) AS units FROM goods_apart
                  WHERE reason = 'OPERATOR' AND used_at IS NOT NULL GROUP BY order_id) typed_in
        ON typed_in.order_id = o.id`,
  checks: {
    'purchase-open': {
      wrong: `${hasEnded('status')} AND open > 0`,
      says: `format('is %s, but %s of its purchases are open', status, open)`,
    },
    'purchase-units': {
      wrong: 'CASE WHEN buys THEN purchases = 0 OR is_torn OR last_unit <> quantity ELSE purchases > 0 END',
      says: `format('has %s units, which its %s purchases do not cover exactly once', quantity, purchases)`,
    },
    'purchase-stored': {
      wrong: 'stored NOT BETWEEN delivered - typed_in AND delivered',
      says: `format('has %s delivered, its purchases stored %s and operators typed in %s', delivered, stored, typed_in)`,
    },
  },
};

export const purchaseScans = [purchases];
