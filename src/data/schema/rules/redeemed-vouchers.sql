-- Redeemable vouchers, which pay for an order. docs/decisions/0005-place-an-order-with-one-statement.md.
-- Rule: what the code of a redeemable voucher pays, and when it pays

-- What the code of an order's voucher pays, in the product's currency: its face value, or what was paid for the unit that the order replaces.
CREATE OR REPLACE FUNCTION redemption_value(o orders) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN o.replaces_order_id IS NULL THEN o.unit_amount ELSE (
    SELECT trunc((paid.amount - paid.discount) / paid.quantity, (SELECT minor_unit FROM currencies WHERE code = paid.base_currency))
      FROM orders paid WHERE paid.id = (paid_unit(o.id, o.quantity)).order_id) END
$$;

-- Redeems a voucher in the placement of an order: marks the voucher and credits its value. Changes nothing and returns
-- false if the voucher was redeemed or refunded before or has expired, or if the wallet is closed. In plpgsql, where each statement sees what
-- was committed while the previous one waited.
CREATE OR REPLACE FUNCTION redeem_voucher(
  in_voucher_order_id bigint, in_unit integer, in_order_id bigint, in_wallet_id integer, in_now timestamptz,
  in_order_family text
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- Locked until after the debit that follows, so that no other debit spends the credit first.
  PERFORM FROM wallets WHERE id = in_wallet_id AND closed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;

  UPDATE vouchers SET redeemed_by_order_id = in_order_id, redeemed_at = in_now
   WHERE order_id = in_voucher_order_id AND unit = in_unit AND redeemed_at IS NULL AND voided_at IS NULL
     AND (expires_at IS NULL OR expires_at > in_now);
  IF NOT FOUND THEN RETURN false; END IF;

  PERFORM post_entry(in_wallet_id, 'REDEMPTION', 'CREDIT', redemption_value(orders), in_order_id,
            'order-' || in_order_id, 'Voucher of order ' || id || ' redeemed for order ' || in_order_id,
            NULL, NULL, NULL, NULL, in_order_family)
     FROM orders WHERE id = in_voucher_order_id;
  RETURN true;
END $$;
