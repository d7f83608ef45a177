-- What an order that fails or is cancelled keeps, and what it gives back. The one computation of it: refunds,
-- the list of refunds that are due and the daily cap all call these. In SQL, because the amount must follow
-- from the row that the statement has just moved, not from one that was read before.

-- What stays debited: the delivered share of the price, rounded once, half-up, to the wallet's currency. The
-- quotient is taken to 20 decimals: numeric division may stop at 4, and rounding its result again would bring
-- 0.004999... up to a cent. Quantities are at most 5,000, so no quotient comes as close to a half as 20 decimals.
CREATE OR REPLACE FUNCTION kept_share(o orders) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT round(round(o.total_payable * o.delivered_quantity, 20) / o.quantity,
               (SELECT minor_unit FROM currencies WHERE code = o.deduction_currency))
$$;

-- What goes back to the wallet when the order fails or is cancelled as it stands: what was debited less what is
-- kept, so that the two add up to the price. An order beyond its client's daily cap has debited nothing.
CREATE OR REPLACE FUNCTION refund_due(o orders) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN o.transaction_id IS NULL THEN 0 ELSE o.total_payable - kept_share(o) END
$$;

-- Credits what is due, once: entries are unique by order and kind. Returns the entry; no row where nothing is
-- due or the wallet is closed.
CREATE OR REPLACE FUNCTION post_refund(o orders) RETURNS SETOF transactions LANGUAGE plpgsql AS $$
DECLARE
  amount    numeric := refund_due(o);
  converted boolean := o.forex_rate IS NOT NULL;
BEGIN
  IF amount > 0 THEN
    RETURN QUERY SELECT * FROM post_entry(o.wallet_id, 'REFUND', 'CREDIT', amount, o.id, 'order-' || o.id,
      'Refund of order ' || o.id || ': ' || o.product_name,
      CASE WHEN converted THEN o.base_currency END, CASE WHEN converted THEN o.deduction_currency END,
      o.forex_rate, CASE WHEN converted THEN 0 END);
  END IF;
END $$;
