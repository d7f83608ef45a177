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
  since   timestamptz;
  earlier bigint;
  beyond  text;
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

    CONTINUE WHEN rule.kind = 'PER_RECIPIENT' AND coalesce(in_phone_hash, in_email_hash) IS NULL;
    earlier := CASE rule.kind WHEN 'PER_RECIPIENT' THEN id_before(in_client_id, since) END;

    beyond := NULL;
    -- Each read stops at the order that decides.
    IF rule.max_orders <= (
         SELECT count(*) FROM (
           SELECT FROM orders_under_rule(rule.kind, in_client_id, in_email_hash, in_phone_hash, in_network, since, earlier)
            LIMIT coalesce(rule.max_orders, 0)) counted) THEN
      beyond := rule.max_orders || ' orders';
    ELSIF rule.currency = in_currency AND (in_total_payable > rule.max_amount OR EXISTS (
         SELECT FROM (
           SELECT sum(total_payable) OVER (ROWS UNBOUNDED PRECEDING) AS amount
             FROM orders_under_rule(rule.kind, in_client_id, in_email_hash, in_phone_hash, in_network, since, earlier)
            WHERE deduction_currency = in_currency) running
          WHERE amount + in_total_payable > rule.max_amount)) THEN
      beyond := trim_scale(rule.max_amount) || ' ' || rule.currency;
    END IF;

    IF beyond IS NOT NULL THEN
      RETURN held_for(format('Rule %s: more than %s %s', rule.id, beyond,
        CASE rule.kind WHEN 'PER_HOUR' THEN 'within an hour'
                       WHEN 'PER_RECIPIENT' THEN 'for one recipient within 24 hours'
                       ELSE 'within 24 hours from the new network ' || in_network END), rule.review_hours);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- The id of an order of the client from at least a day before that moment; 0 if it has none. All orders that the client has placed since
-- then have higher ids, because an order is placed within seconds of its id.
CREATE OR REPLACE FUNCTION id_before(in_client_id integer, in_since timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(max(former.id), 0)
    FROM unnest(ARRAY['VOUCHER', 'TOPUP', 'ESIM']) AS one (family)
   CROSS JOIN LATERAL (
     SELECT id FROM orders
      WHERE client_id = in_client_id AND orders.family = one.family AND status = 'DELIVERED' AND placed_at <= in_since - interval '1 day'
      ORDER BY placed_at DESC, id DESC LIMIT 1) former
$$;

-- The client's orders since then that a rule of the kind counts. `in_earlier`: an id before all of them, for PER_RECIPIENT. That kind counts
-- the orders for the phone number, or, of an order without one, for the mailbox. `in_email_hash`: the hash of the mailbox, which is that
-- of the address if the address is its plain form.
CREATE OR REPLACE FUNCTION orders_under_rule(
  in_kind text, in_client_id integer, in_email_hash bytea, in_phone_hash bytea, in_network cidr, in_since timestamptz, in_earlier bigint
) RETURNS SETOF orders LANGUAGE sql STABLE AS $$
  -- The conditions on family and status make `orders_listed` find the few orders of this time.
  SELECT o.* FROM orders o
   WHERE in_kind <> 'PER_RECIPIENT' AND o.client_id = in_client_id AND o.family IN ('VOUCHER', 'TOPUP', 'ESIM')
     AND o.status IN ('PENDING', 'PARTIALLY_DELIVERED', 'DELIVERED', 'FAILED', 'CANCELLED')
     AND o.placed_at > in_since AND o.replaces_order_id IS NULL AND (in_kind <> 'NEW_NETWORK' OR o.network = in_network)
  UNION ALL
  -- OFFSET 0, so that the planner reads one order after the other.
  SELECT o.* FROM (
      SELECT order_id FROM topup_orders
       WHERE in_kind = 'PER_RECIPIENT' AND phone_hash = in_phone_hash AND order_id > in_earlier ORDER BY order_id DESC) t
   CROSS JOIN LATERAL (SELECT * FROM orders WHERE id = t.order_id OFFSET 0) o
   WHERE o.client_id = in_client_id AND o.placed_at > in_since AND o.replaces_order_id IS NULL
  UNION ALL
  SELECT o.* FROM orders o
   WHERE in_kind = 'PER_RECIPIENT' AND in_phone_hash IS NULL AND o.email_hash = in_email_hash AND o.id > in_earlier
     AND o.client_id = in_client_id AND o.placed_at > in_since AND o.mailbox_hash IS NULL AND o.family <> 'TOPUP' AND o.replaces_order_id IS NULL
  UNION ALL
  SELECT o.* FROM orders o
   WHERE in_kind = 'PER_RECIPIENT' AND in_phone_hash IS NULL AND o.mailbox_hash = in_email_hash AND o.id > in_earlier
     AND o.client_id = in_client_id AND o.placed_at > in_since AND o.family <> 'TOPUP' AND o.replaces_order_id IS NULL
$$;
