-- Recharges: orders that add a plan to the profile of an earlier eSIM order. docs/decisions/0086-recharge-by-an-order-of-its-own.md.
-- Rule: when an eSIM can be recharged

-- Whether the profile of the eSIM order can be recharged: it was delivered and installed, and the order is not replaced, has no open claim
-- and no refund after delivery. The profile of a recharge is that of the order that it recharges.
CREATE OR REPLACE FUNCTION is_rechargeable(in_order_id bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM orders o
      JOIN esim_orders e ON e.order_id = o.id
      JOIN esim_orders profile ON profile.order_id = coalesce(e.recharges_order_id, e.order_id)
     WHERE o.id = in_order_id AND o.status = 'DELIVERED' AND profile.installed_at IS NOT NULL AND profile.iccid IS NOT NULL
       AND NOT EXISTS (SELECT FROM orders other WHERE other.replaces_order_id = o.id AND other.status NOT IN ('FAILED', 'CANCELLED'))
       AND NOT EXISTS (SELECT FROM claims WHERE order_id = o.id AND state IN ('OPEN', 'AT_SUPPLIER'))
       AND NOT EXISTS (SELECT FROM order_refunds WHERE order_id = (paid_unit(o.id, 1)).order_id))
$$;

-- The same under the lock of the order, which a refund and a replacement take, too. A refund locks its wallet before its order: this locks the
-- wallet that pays first, so that neither waits for the other in a circle. Volatile, so that it sees what was committed before the lock.
CREATE OR REPLACE FUNCTION may_recharge(in_order_id bigint, in_wallet_id integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM wallets WHERE id = in_wallet_id FOR NO KEY UPDATE;
  PERFORM FROM orders WHERE id = in_order_id FOR NO KEY UPDATE;
  RETURN is_rechargeable(in_order_id);
END $$;
