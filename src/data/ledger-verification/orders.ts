/**
 * Checks that each order has exactly the delivered goods, and that its purchases cover its units exactly once. Also checks that
 * counters equal the number of rows that they count, and that a reservation has a matching order exactly if it is PLACED.
 */
import { retention } from '../maintenance/retention';
import { hasEnded, type Scan } from './scan';

// A top-up stores no goods, so the status of an ended order is the only record of the delivery.
const orders: Scan = {
  subject: 'order',
  rows: `
    SELECT o.id, o.family, o.status, o.quantity, o.delivered_quantity AS delivered, o.completed_at,
           (topup.order_id IS NOT NULL) AS has_topup, (esim.order_id IS NOT NULL) AS has_esim,
           CASE o.family WHEN 'VOUCHER' THEN coalesce(voucher.stored, 0)
                         WHEN 'ESIM' THEN CASE WHEN esim.recharges_order_id IS NULL
                                               THEN (esim.iccid IS NOT NULL AND esim.activation_code IS NOT NULL)::integer
                                               -- The profile is that of the recharged order.
                                               ELSE (esim.activation_status IS NOT NULL AND num_nonnulls(esim.iccid, esim.activation_code) = 0
                                                     )::integer END
                         WHEN 'TOPUP' THEN CASE WHEN ${hasEnded('o.status')} THEN (o.status = 'DELIVERED')::integer
                                                ELSE o.delivered_quantity END
                         ELSE -1
           END AS readable
      FROM orders o
      LEFT JOIN topup_orders topup ON topup.order_id = o.id
      LEFT JOIN esim_orders esim ON esim.order_id = o.id
      LEFT JOIN (SELECT order_id, count(*) AS stored FROM vouchers GROUP BY order_id) voucher
        ON voucher.order_id = o.id`,
  checks: {
    'order-detail': {
      wrong: `has_topup <> (family = 'TOPUP') OR has_esim <> (family = 'ESIM')`,
      says: `format('is of family %s and has %s', family, CASE WHEN has_topup THEN 'a top-up row'
               WHEN has_esim THEN 'an eSIM row' ELSE 'no row of its family' END)`,
    },
    'order-state': {
      wrong: `
        (completed_at IS NOT NULL) <> (${hasEnded('status')})
        OR CASE status WHEN 'DELIVERED' THEN delivered <> quantity
                       WHEN 'PARTIALLY_DELIVERED' THEN delivered = 0 OR family <> 'VOUCHER'
                       WHEN 'FAILED' THEN delivered = quantity
                       WHEN 'CANCELLED' THEN delivered > 0
                       ELSE false END`,
      says: `format('is %s with %s of %s delivered and %s', status, delivered, quantity,
               CASE WHEN completed_at IS NULL THEN 'no time of its end' ELSE 'a time of its end' END)`,
    },
    'delivered-quantity': {
      wrong: 'delivered <> readable',
      says: `format('is %s and says that %s of %s are delivered, %s can be read', status, delivered, quantity, readable)`,
    },
  },
};

const vouchers: Scan = {
  subject: 'voucher',
  rows: `
    SELECT voucher.order_id || '/' || voucher.unit AS id, voucher.unit, o.family, o.quantity,
           num_nonnulls(voucher.code_hash, voucher.claim_hash) AS codes,
           voucher.redeemed_at, voucher.redeemed_by_order_id
      FROM vouchers voucher LEFT JOIN orders o ON o.id = voucher.order_id`,
  checks: {
    'voucher-unit': {
      wrong: `family IS DISTINCT FROM 'VOUCHER' OR unit NOT BETWEEN 1 AND quantity`,
      says: `CASE WHEN family IS NULL THEN 'is of no order'
                  ELSE format('is unit %s of an order of %s, family %s', unit, quantity, family) END`,
    },
    'voucher-code': { wrong: 'codes = 0', says: `'has neither card number nor claim URL'` },
    'voucher-mark': {
      wrong: '(redeemed_at IS NULL) <> (redeemed_by_order_id IS NULL)',
      says: `format('was redeemed at %s for order %s', coalesce(redeemed_at::text, 'no time'),
               coalesce(redeemed_by_order_id::text, 'none'))`,
    },
  },
};

const codes: Scan = {
  subject: 'order',
  rows: `
    SELECT min(order_id) AS id, field, array_to_string(array_agg(DISTINCT order_id ORDER BY order_id), ', ') AS holders,
           count(*) AS units
      FROM (SELECT order_id, 'card number' AS field, code_hash AS hash FROM vouchers WHERE code_hash IS NOT NULL
            UNION ALL SELECT order_id, 'claim URL', claim_hash FROM vouchers WHERE claim_hash IS NOT NULL
            UNION ALL SELECT order_id, 'ICCID', iccid_hash FROM esim_orders WHERE iccid_hash IS NOT NULL
            UNION ALL SELECT order_id, 'activation code', activation_hash FROM esim_orders WHERE activation_hash IS NOT NULL) held
     GROUP BY field, hash HAVING count(*) > 1`,
  checks: {
    'shared-code': {
      wrong: 'true',
      says: `format('holds a %s that %s units have, of the orders %s', field, units, holders)`,
    },
  },
};

// An order with a price but no debit was placed as a failed order, and buys nothing. Delivered goods that an operator entered
// (`typed_in`) may be missing from the `stored` counts of its purchases.
const purchases: Scan = {
  subject: 'order',
  rows: `
    SELECT o.id, o.status, o.quantity, o.delivered_quantity AS delivered,
           (o.transaction_id IS NOT NULL OR o.total_payable = 0) AS buys,
           coalesce(bought.purchases, 0) AS purchases, coalesce(bought.open, 0) AS open,
           coalesce(bought.stored, 0) AS stored, coalesce(bought.last_unit, 0) AS last_unit,
           coalesce(bought.is_torn, false) AS is_torn, coalesce(typed_in.units, 0) AS typed_in,
           coalesce(replaced.stored, 0) AS replaced_stored
      FROM orders o
      LEFT JOIN (
        SELECT order_id, count(*) AS purchases, sum(stored) AS stored, max(first_unit + units - 1) AS last_unit,
               count(*) FILTER (WHERE state IN ('READY', 'SENT', 'PENDING')) AS open,
               bool_or(first_unit <> follows) AS is_torn
          FROM (SELECT *, lag(first_unit + units, 1, 1)
                            OVER (PARTITION BY order_id ORDER BY first_unit, batch) AS follows
                  FROM supplier_purchases WHERE state <> 'REPLACED') purchase
         GROUP BY order_id
      ) bought ON bought.order_id = o.id
      LEFT JOIN (SELECT order_id, sum(stored) AS stored FROM supplier_purchases
                  WHERE state = 'REPLACED' GROUP BY order_id) replaced ON replaced.order_id = o.id
      LEFT JOIN (SELECT order_id, sum(units) AS units FROM quarantined_goods
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
    'purchase-replaced': {
      wrong: 'replaced_stored > 0',
      says: `format('has purchases that others replace, with %s stored units', replaced_stored)`,
    },
    'purchase-stored': {
      wrong: 'stored NOT BETWEEN delivered - typed_in AND delivered',
      says: `format('has %s delivered, its purchases stored %s and operators typed in %s', delivered, stored, typed_in)`,
    },
  },
};

// A release of a held order chooses the sources anew, before anything is sent.
const purchaseSources: Scan = {
  subject: 'purchase',
  rows: `
    SELECT p.reference AS id, p.order_id, p.supplier, p.source_id,
           EXISTS (SELECT FROM jsonb_to_recordset(o.sources) AS source (id integer, supplier text)
                    WHERE source.id = p.source_id AND source.supplier = p.supplier) AS is_among
      FROM supplier_purchases p JOIN orders o ON o.id = p.order_id`,
  checks: {
    'purchase-source': {
      wrong: 'NOT is_among',
      says: `format('of order %s is from source %s of %s, which is not among the sources of the order', order_id, source_id, supplier)`,
    },
  },
};

// The entry of a quarantined unit is open until an operator settles it, and kept for 90 days after that.
const quarantine: Scan = {
  subject: 'quarantined goods',
  rows: `
    SELECT quarantined.id, quarantined.order_id, quarantined.reference, quarantined.reason,
           EXISTS (SELECT FROM attention
                    WHERE kind = 'GOODS_APART' AND order_id = quarantined.order_id AND reference = quarantined.reference) AS is_listed
      FROM quarantined_goods quarantined
     WHERE quarantined.reason IN ('LATE', 'EXTRA')
       AND quarantined.received_at > clock_timestamp() - ${retention.clearedAttention} + interval '1 day'`,
  checks: {
    'quarantine-listed': {
      wrong: 'NOT is_listed',
      says: `format('of order %s (%s, %s) never were on the attention list', order_id, reference, reason)`,
    },
  },
};

export const goodsScans = [orders, vouchers, codes, purchases, purchaseSources, quarantine];

const isUnsold = `o.status IN ('FAILED', 'CANCELLED')`;

const counters: Scan = {
  subject: 'counter',
  rows: `
    SELECT concat_ws('/', client_id, family, status) AS id, coalesce(counted, 0) AS counted, coalesce(existing, 0) AS existing
      FROM (SELECT client_id, family, status, sum(change) AS counted FROM order_counts GROUP BY 1, 2, 3) counter
      FULL JOIN (SELECT client_id, family, status, count(*) AS existing FROM orders GROUP BY 1, 2, 3) o
     USING (client_id, family, status)`,
  checks: {
    'order-count': { wrong: 'counted <> existing', says: `format('says %s orders, there are %s', counted, existing)` },
  },
};

const reservations: Scan = {
  subject: 'reservation',
  rows: `
    SELECT reservation.order_id AS id, reservation.state, reservation.total_payable, o.id IS NOT NULL AS has_order,
           (o.nonce, o.client_id, o.wallet_id, o.total_payable)
             IS DISTINCT FROM (reservation.nonce, reservation.client_id, reservation.wallet_id, reservation.total_payable) AS differs
      FROM order_reservations reservation LEFT JOIN orders o ON o.id = reservation.order_id`,
  checks: {
    'reservation-order': {
      wrong: `(state = 'PLACED') <> has_order OR has_order AND differs`,
      says: `format('is %s for %s and has %s', state, trim_scale(total_payable), CASE WHEN NOT has_order THEN 'no order'
               WHEN differs THEN 'an order that differs from it' ELSE 'an order' END)`,
    },
  },
};

const reservedOrders: Scan = {
  subject: 'order',
  rows: `
    SELECT o.id, o.placed_at FROM orders o LEFT JOIN order_reservations reservation ON reservation.order_id = o.id
     WHERE reservation.order_id IS NULL
       AND (o.completed_at IS NULL
            OR o.placed_at > clock_timestamp() - ${retention.decidedReservation} + interval '1 day')`,
  checks: {
    'order-reservation': { wrong: 'true', says: `format('was placed at %s without a reservation', placed_at)` },
  },
};

// The counts for daily caps, of the days that are kept. An order beyond the cap does not count, nor does one that replaces a unit; a failed or cancelled one counts only
// with its delivered units.
const dailyOrders: Scan = {
  subject: 'daily count',
  rows: `
    SELECT concat_ws('/', client_id, family, day, currency) AS id, coalesce(counted.ordered, 0) AS counted,
           coalesce(counted.debited, 0) AS debited, coalesce(placed.orders, 0) AS orders, coalesce(placed.kept, 0) AS kept
      FROM (SELECT * FROM daily_orders WHERE day >= day_of(clock_timestamp()) - 1) counted
      FULL JOIN (
        SELECT o.client_id, o.family, day_of(o.placed_at) AS day, o.deduction_currency AS currency,
               count(*) FILTER (WHERE NOT (${isUnsold} AND o.delivered_quantity = 0)) AS orders,
               sum(CASE WHEN ${isUnsold}
                        THEN round(round(o.total_payable * o.delivered_quantity, 20) / o.quantity, currency.minor_unit)
                        ELSE o.total_payable END) AS kept
          FROM orders o JOIN currencies currency ON currency.code = o.deduction_currency
         WHERE day_of(o.placed_at) >= day_of(clock_timestamp()) - 1 AND o.replaces_order_id IS NULL
           AND NOT (o.transaction_id IS NULL AND coalesce(o.failure_code = 'CLIENT_LIMIT_EXCEEDED', false))
         GROUP BY 1, 2, 3, 4
      ) placed USING (client_id, family, day, currency)`,
  checks: {
    'daily-orders': {
      wrong: 'counted <> orders OR debited <> kept',
      says: `format('says %s orders for %s, there are %s for %s', counted, trim_scale(debited), orders, trim_scale(kept))`,
    },
  },
};

export const countScans = [counters, reservations, reservedOrders, dailyOrders];
