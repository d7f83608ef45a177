/** Goods are there exactly for what was paid: as many as were delivered, each readable, each with one owner. */
import { hasEnded, type Scan } from './scan';

// Of a top-up nothing is kept: it was delivered where the order says so.
const orders: Scan = {
  subject: 'order',
  rows: `
    SELECT o.id, o.family, o.status, o.quantity, o.delivered_quantity AS delivered, o.completed_at,
           (topup.order_id IS NOT NULL) AS has_topup, (esim.order_id IS NOT NULL) AS has_esim,
           CASE o.family WHEN 'VOUCHER' THEN coalesce(voucher.stored, 0)
                         WHEN 'ESIM' THEN (esim.iccid IS NOT NULL AND esim.activation_code IS NOT NULL)::integer
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
           num_nonnulls(voucher.card_number, voucher.pin_code, voucher.claim_url) AS codes,
           voucher.redeemed_at, voucher.redeemed_by_order_id
      FROM vouchers voucher JOIN orders o ON o.id = voucher.order_id`,
  checks: {
    'voucher-unit': {
      wrong: `family <> 'VOUCHER' OR unit NOT BETWEEN 1 AND quantity`,
      says: `format('is unit %s of an order of %s, family %s', unit, quantity, family)`,
    },
    'voucher-code': {
      wrong: 'codes = 0',
      says: `'has neither card number nor PIN nor claim URL'`,
    },
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
            UNION ALL SELECT order_id, 'ICCID', iccid_hash FROM esim_orders WHERE iccid_hash IS NOT NULL) held
     GROUP BY field, hash HAVING count(*) > 1`,
  checks: {
    'shared-code': {
      wrong: 'true',
      says: `format('holds a %s that %s units have, of the orders %s', field, units, holders)`,
    },
  },
};

export const goodsScans = [orders, vouchers, codes];
