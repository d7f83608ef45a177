-- The debit that a failed or cancelled order keeps, and its refund. Refunds, the list of due refunds and the daily cap all use
-- this computation. In SQL, because the amount must follow from the row that the statement has just changed.
-- Rule: the automatic refund of undelivered units

-- The kept debit: the delivered share of the price, rounded once, half-up, to the wallet's currency. The quotient has 20
-- decimals: numeric division may stop at 4, and a second rounding would turn 0.004999... into a cent. Quantities are at most
-- 5,000, so no quotient is closer to a half than 20 decimals can show.
CREATE OR REPLACE FUNCTION kept_share(o orders) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT round(round(o.total_payable * o.delivered_quantity, 20) / o.quantity,
               (SELECT minor_unit FROM currencies WHERE code = o.deduction_currency))
$$;

-- The refund if the order failed or was cancelled now: the debit less the kept share. An order beyond its client's daily
-- cap has no debit.
CREATE OR REPLACE FUNCTION refund_due(o orders) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN o.transaction_id IS NULL THEN 0 ELSE o.total_payable - kept_share(o) END
$$;

-- Credits the due refund once: an order has one entry of this kind. Returns the entry, or no row if nothing is due or the
-- wallet is closed.
CREATE OR REPLACE FUNCTION post_refund(o orders) RETURNS SETOF transactions LANGUAGE plpgsql AS $$
DECLARE
  amount    numeric := refund_due(o);
  converted boolean := o.forex_rate IS NOT NULL;
BEGIN
  IF amount > 0 THEN
    RETURN QUERY SELECT * FROM post_entry(o.wallet_id, 'REFUND', 'CREDIT', amount, o.id, 'order-' || o.id,
      'Refund of order ' || o.id || ': ' || o.product_name,
      CASE WHEN converted THEN o.base_currency END, CASE WHEN converted THEN o.deduction_currency END,
      o.forex_rate, CASE WHEN converted THEN 0 END, o.family);
  END IF;
END $$;

-- Credits the due refund of an ended order that waited for its wallet, and ends its entry on the attention list. Changes nothing if none
-- is due, it is credited, or the wallet is closed. Returns whether it credited. Locks the wallet first, so that only one caller finds the
-- refund not credited.
CREATE OR REPLACE FUNCTION carry_out_due_refund(in_order_id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  o orders;
BEGIN
  PERFORM FROM wallets WHERE id = (SELECT wallet_id FROM orders WHERE id = in_order_id) FOR NO KEY UPDATE;
  SELECT * INTO o FROM orders
   WHERE id = in_order_id AND status IN ('FAILED', 'CANCELLED')
     AND NOT EXISTS (SELECT FROM transactions WHERE order_id = in_order_id AND kind = 'REFUND');
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM FROM post_refund(o);
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE attention SET cleared_at = now(), mirrored = false
   WHERE order_id = in_order_id AND kind = 'REFUND_DUE' AND cleared_at IS NULL;
  RETURN true;
END $$;
