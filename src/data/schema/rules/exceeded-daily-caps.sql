-- Daily caps: the number of a client's orders of a family in a day (UTC), and their debits in each wallet currency. Triggers
-- keep the sums of each day, so that an order need not add up the orders of the day.
-- Rule: the daily caps of a client

CREATE OR REPLACE FUNCTION count_daily_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO daily_orders AS today
    VALUES (NEW.client_id, NEW.family, day_of(NEW.placed_at), NEW.deduction_currency, 1, NEW.total_payable)
    ON CONFLICT (client_id, family, day, currency) DO UPDATE
      SET ordered = today.ordered + 1, debited = today.debited + excluded.debited;
  ELSE
    UPDATE daily_orders
       SET ordered = ordered - CASE NEW.delivered_quantity WHEN 0 THEN 1 ELSE 0 END,
           debited = debited - NEW.total_payable + kept_share(NEW)
     WHERE client_id = NEW.client_id AND family = NEW.family AND day = day_of(NEW.placed_at)
       AND currency = NEW.deduction_currency;
  END IF;
  RETURN NULL;
END $$;

-- Whether an order of this price exceeds the client's daily cap of the family. Concurrent orders of a client with a cap wait
-- for each other here. The function is plpgsql, so that each statement sees the orders that were committed while the previous
-- statement waited. Orders are counted by `coming_moment`, because the server's clock may have been set back.
CREATE OR REPLACE FUNCTION exceeds_daily_cap(
  in_client_id integer, in_family text, in_currency text, in_total_payable numeric
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  cap      jsonb;
  sold     bigint;
  spent    numeric;
BEGIN
  SELECT daily_caps -> in_family INTO cap FROM clients WHERE id = in_client_id;
  IF cap IS NULL THEN RETURN false; END IF;
  PERFORM FROM clients WHERE id = in_client_id FOR NO KEY UPDATE;

  SELECT coalesce(sum(ordered), 0), coalesce(sum(debited) FILTER (WHERE currency = in_currency), 0)
    INTO sold, spent
    FROM daily_orders
   WHERE client_id = in_client_id AND family = in_family AND day = day_of(coming_moment(in_client_id));

  RETURN coalesce(sold >= (cap ->> 'count')::bigint, false)
      OR coalesce(spent + in_total_payable > (cap -> 'value' ->> in_currency)::numeric, false);
END $$;
