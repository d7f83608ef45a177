-- Rule: the spend rules that hold an order for review

-- The review of an order (`Held`) from now on.
CREATE OR REPLACE FUNCTION held_for(because text, hours integer) RETURNS jsonb LANGUAGE sql VOLATILE AS $$
  SELECT jsonb_build_object('because', because,
    'until', (extract(epoch FROM clock_timestamp() + hours * interval '1 hour') * 1000)::bigint)
$$;

-- The review that a rule demands for an order; null if none does. Orders of a client with a rule that counts wait for each other here: its client's row is locked. The function is plpgsql, so that each statement sees the orders that were
-- committed while the previous statement waited. Orders are counted by `coming_moment`, because the server's clock may have been
-- set back. docs/operators/holds.md.
CREATE OR REPLACE FUNCTION hold_of(
  in_client_id integer, in_family text, in_product_id integer, in_unit_amount numeric, in_currency text, in_total_payable numeric,
  in_email_hash bytea, in_phone_hash bytea, in_network cidr
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  rule    spend_rules;
  counted RECORD;
  since   timestamptz;
BEGIN
  FOR rule IN
    SELECT * FROM spend_rules r
     WHERE (r.client_id = in_client_id
            OR r.client_id IS NULL AND NOT EXISTS (SELECT FROM spend_rules own WHERE own.kind = r.kind AND own.client_id = in_client_id))
       AND (r.kind <> 'DENOMINATION' OR (r.family, r.product_id, r.denomination) = (in_family, in_product_id, in_unit_amount))
     ORDER BY r.id
  LOOP
    IF rule.kind = 'DENOMINATION' THEN
      RETURN held_for(format('Rule %s: every order of this denomination', rule.id), rule.review_hours);
    END IF;
    PERFORM FROM clients WHERE id = in_client_id FOR NO KEY UPDATE;
    since := coming_moment(in_client_id) - CASE rule.kind WHEN 'PER_HOUR' THEN interval '1 hour' ELSE interval '1 day' END;

    IF rule.kind = 'NEW_NETWORK' THEN
      CONTINUE WHEN in_network IS NULL;
      INSERT INTO client_networks VALUES (in_client_id, in_network, clock_timestamp()) ON CONFLICT DO NOTHING;
      CONTINUE WHEN EXISTS (SELECT FROM client_networks
                             WHERE client_id = in_client_id AND network = in_network AND first_used_at < since);
    END IF;

    IF rule.kind = 'PER_RECIPIENT' THEN
      CONTINUE WHEN coalesce(in_phone_hash, in_email_hash) IS NULL;
      SELECT count(*) AS orders, coalesce(sum(total_payable) FILTER (WHERE deduction_currency = in_currency), 0) AS amount INTO counted
        FROM orders_for_recipient(in_client_id, in_email_hash, in_phone_hash, since);
    ELSE
      -- The conditions on family and status make `orders_listed` find the few orders of this time.
      SELECT count(*) AS orders, coalesce(sum(total_payable) FILTER (WHERE deduction_currency = in_currency), 0) AS amount INTO counted
        FROM orders
       WHERE client_id = in_client_id AND family IN ('VOUCHER', 'TOPUP', 'ESIM')
         AND status IN ('PENDING', 'PARTIALLY_DELIVERED', 'DELIVERED', 'FAILED', 'CANCELLED')
         AND replaces_order_id IS NULL AND placed_at > since AND (rule.kind <> 'NEW_NETWORK' OR network = in_network);
    END IF;

    IF counted.orders >= rule.max_orders OR rule.currency = in_currency AND counted.amount + in_total_payable > rule.max_amount THEN
      RETURN held_for(format('Rule %s: more than %s %s', rule.id,
        CASE WHEN counted.orders >= rule.max_orders THEN rule.max_orders || ' orders'
             ELSE trim_scale(rule.max_amount) || ' ' || rule.currency END,
        CASE rule.kind WHEN 'PER_HOUR' THEN 'within an hour'
                       WHEN 'PER_RECIPIENT' THEN 'for one recipient within 24 hours'
                       ELSE 'within 24 hours from the new network ' || in_network END), rule.review_hours);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- The client's orders for the recipient since then: for the phone number, or, of an order without one, for the mailbox. `in_email_hash`: the
-- hash of the mailbox, which is that of the address if the address is its plain form.
CREATE OR REPLACE FUNCTION orders_for_recipient(in_client_id integer, in_email_hash bytea, in_phone_hash bytea, in_since timestamptz)
RETURNS SETOF orders LANGUAGE sql STABLE AS $$
  SELECT o.* FROM topup_orders t JOIN orders o ON o.id = t.order_id
   WHERE t.phone_hash = in_phone_hash AND o.client_id = in_client_id AND o.placed_at > in_since AND o.replaces_order_id IS NULL
  UNION ALL
  SELECT o.* FROM orders o
   WHERE in_phone_hash IS NULL AND o.email_hash = in_email_hash AND o.client_id = in_client_id AND o.placed_at > in_since
     AND o.mailbox_hash IS NULL AND o.family <> 'TOPUP' AND o.replaces_order_id IS NULL
  UNION ALL
  SELECT o.* FROM orders o
   WHERE in_phone_hash IS NULL AND o.mailbox_hash = in_email_hash AND o.client_id = in_client_id AND o.placed_at > in_since
     AND o.family <> 'TOPUP' AND o.replaces_order_id IS NULL
$$;
