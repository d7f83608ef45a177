import type { Migration } from './migration';

/**
 * What the placing statement asks on the way: may the client order so much today, and does a voucher
 * pay for the order. Functions, because each must see what was committed while it waited for a lock.
 */
export const redemptionAndCaps: Migration = {
  name: '0007-redemption-and-caps',
  sql: `
-- When a client's reading last made us ask the supplier (see refresh-topup.ts).
ALTER TABLE supplier_purchases ADD COLUMN asked_at timestamptz;

-- Whether an order of this price is more than the client may order of the family in a day (UTC).
-- What was refunded does not count. Orders of a client that has a cap wait for one another here.
CREATE FUNCTION exceeds_daily_cap(
  in_client_id integer, in_family text, in_currency text, in_total_payable numeric
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  today    timestamptz := date_trunc('day', now(), 'UTC');
  cap      jsonb;
  ordered  bigint;
  debited  numeric;
BEGIN
  SELECT daily_caps -> in_family INTO cap FROM clients WHERE id = in_client_id;
  IF cap IS NULL THEN RETURN false; END IF;
  PERFORM FROM clients WHERE id = in_client_id FOR NO KEY UPDATE;

  SELECT count(*), coalesce(sum(
           CASE WHEN failure_code IS NULL THEN total_payable ELSE total_payable * delivered_quantity / quantity END
         ) FILTER (WHERE deduction_currency = in_currency), 0)
    INTO ordered, debited
    FROM orders
   WHERE client_id = in_client_id AND family = in_family AND placed_at >= today
     -- Ids grow with time but for the seconds a create may take: so only the day's orders are read.
     AND id > coalesce((SELECT id FROM orders
                         WHERE client_id = in_client_id AND family = in_family
                           AND placed_at < today - interval '1 minute'
                         ORDER BY id DESC LIMIT 1), 0)
     AND (delivered_quantity > 0 OR (failure_code IS NULL AND status <> 'CANCELLED'));

  RETURN coalesce(ordered >= (cap ->> 'count')::bigint, false)
      OR coalesce(debited + in_total_payable > (cap -> 'value' ->> in_currency)::numeric, false);
END $$;

-- Redeems a voucher for an order that is being placed: marks it and credits its worth. False, and
-- nothing changed, where it was redeemed before, has expired, or the wallet takes no entries.
CREATE FUNCTION redeem_voucher(
  in_voucher_order_id bigint, in_unit integer, in_order_id bigint, in_wallet_id integer, in_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- Held until the debit that follows: what is credited here can be debited there.
  PERFORM FROM wallets WHERE id = in_wallet_id AND closed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;

  UPDATE vouchers SET redeemed_by_order_id = in_order_id, redeemed_at = in_now
   WHERE order_id = in_voucher_order_id AND unit = in_unit AND redeemed_at IS NULL
     AND (expires_at IS NULL OR expires_at > in_now);
  IF NOT FOUND THEN RETURN false; END IF;

  PERFORM post_entry(in_wallet_id, 'REDEMPTION', 'CREDIT', unit_amount, in_order_id,
            'order-' || in_order_id, 'Voucher of order ' || id || ' redeemed for order ' || in_order_id,
            NULL, NULL, NULL, NULL)
     FROM orders WHERE id = in_voucher_order_id;
  RETURN true;
END $$;
`,
};
