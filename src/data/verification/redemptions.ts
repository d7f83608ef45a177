/** A voucher that pays is marked once and credited with its worth. docs/decisions/0024-let-a-voucher-pay.md. */
import { money, type Scan } from './scan';

const redemptions: Scan = {
  subject: 'order',
  rows: `
    SELECT coalesce(credit.order_id, voucher.order_id) AS id, coalesce(credit.amount, 0) AS credited,
           coalesce(credit.entries, 0) AS entries, coalesce(voucher.worth, 0) AS worth,
           coalesce(voucher.marked, 0) AS marked, o.total_payable, o.deduction_currency AS currency,
           coalesce(voucher.was_expired, false) AS was_expired,
           coalesce(o.client_id <> voucher.client_id OR o.deduction_currency <> voucher.currency, false) AS is_foreign
      FROM (SELECT order_id, sum(amount) AS amount, count(*) AS entries
              FROM transactions WHERE kind = 'REDEMPTION' AND order_id IS NOT NULL GROUP BY order_id) credit
      FULL JOIN (
        SELECT redeemed_by_order_id AS order_id, count(*) AS marked, sum(sold.unit_amount) AS worth,
               min(sold.client_id) AS client_id, min(sold.base_currency) AS currency,
               bool_or(expires_at <= redeemed_at) AS was_expired
          FROM vouchers JOIN orders sold ON sold.id = order_id
         WHERE redeemed_by_order_id IS NOT NULL GROUP BY redeemed_by_order_id
      ) voucher ON voucher.order_id = credit.order_id
      LEFT JOIN orders o ON o.id = coalesce(credit.order_id, voucher.order_id)`,
  checks: {
    'redemption-credit': {
      wrong: 'entries <> 1 OR marked <> 1 OR credited <> worth',
      says: `format('%s vouchers worth %s are marked as redeemed for it, %s credits of %s were posted',
               marked, trim_scale(worth), entries, trim_scale(credited))`,
    },
    'redemption-voucher': {
      wrong: 'marked > 0 AND (was_expired OR is_foreign OR coalesce(worth < total_payable, false))',
      says: `format('costs %s and was paid with a voucher worth %s that %s', ${money('total_payable', 'currency')},
               trim_scale(worth), CASE WHEN was_expired THEN 'had expired'
                 WHEN is_foreign THEN 'is of another client or currency' ELSE 'is not enough' END)`,
    },
  },
};

export const redemptionScans = [redemptions];
