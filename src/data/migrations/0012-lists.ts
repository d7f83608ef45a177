import type { Migration } from './migration';

/**
 * Lists that are newest first whatever happens at the same time, and that stay quick as they grow: one
 * clock for each client, counters by everything a list filters by, one row for each day under a cap.
 */
export const lists: Migration = {
  name: '0012-lists',
  sql: `
-- The moments at which a client's orders are placed and its ledger entries are made. Whoever takes one
-- holds the row until commit, so moments rise in the order of commit, across families and wallets: a
-- snapshot that shows one of them shows every earlier one. They rise too where the server's clock is
-- set back. Taken last, when the wallet is held already, so that orders of one wallet wait no longer.
CREATE TABLE client_clocks (
  client_id integer PRIMARY KEY REFERENCES clients,
  moment    timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE FUNCTION next_moment(in_client_id integer) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  INSERT INTO client_clocks AS clock (client_id, moment) VALUES (in_client_id, clock_timestamp())
  ON CONFLICT (client_id) DO UPDATE
    SET moment = greatest(clock.moment + interval '1 microsecond', clock_timestamp())
  RETURNING moment
$$;

-- As before, but the entry's time is the client's next moment.
CREATE OR REPLACE FUNCTION post_entry(
  in_wallet_id integer, in_kind text, in_type text, in_amount numeric, in_order_id bigint,
  in_reference text, in_remarks text, in_source_currency text, in_destination_currency text,
  in_forex_rate numeric, in_conversion_charges numeric
) RETURNS SETOF transactions LANGUAGE plpgsql AS $$
DECLARE
  change numeric := CASE in_type WHEN 'CREDIT' THEN in_amount ELSE -in_amount END;
  wallet wallets;
  entry  transactions;
  tell_low boolean;
BEGIN
  UPDATE wallets SET balance = balance + change, entry_count = entry_count + 1, updated_at = now()
   WHERE id = in_wallet_id AND closed_at IS NULL AND balance + change >= 0
  RETURNING * INTO wallet;
  IF NOT FOUND THEN RETURN; END IF;

  INSERT INTO transactions (wallet_id, client_id, sequence, kind, order_id, transaction_type, amount,
    balance_after, source_currency, destination_currency, forex_rate, conversion_charges,
    reference_number, remarks, created_at)
  VALUES (wallet.id, wallet.client_id, wallet.entry_count, in_kind, in_order_id, in_type, in_amount,
    wallet.balance, in_source_currency, in_destination_currency, in_forex_rate, in_conversion_charges,
    in_reference, in_remarks, next_moment(wallet.client_id))
  RETURNING * INTO entry;

  INSERT INTO events (client_id, order_id, type, data)
  VALUES (wallet.client_id, in_order_id,
    CASE in_type WHEN 'CREDIT' THEN 'wallet.credited' ELSE 'wallet.debited' END,
    jsonb_build_object('wallet_id', wallet.id, 'ledger_id', entry.id,
      'amount', decimal_text(in_amount, wallet.currency_code), 'currency', wallet.currency_code,
      'reference_number', in_reference, 'remarks', in_remarks));

  IF wallet.low_balance_threshold IS NOT NULL THEN
    tell_low := wallet.balance < wallet.low_balance_threshold;
    IF tell_low AND NOT wallet.low_balance_told AND in_type = 'DEBIT' THEN
      INSERT INTO events (client_id, order_id, type, data)
      VALUES (wallet.client_id, in_order_id, 'wallet.low_balance',
        jsonb_build_object('wallet_id', wallet.id,
          'balance', decimal_text(wallet.balance, wallet.currency_code),
          'threshold', decimal_text(wallet.low_balance_threshold, wallet.currency_code),
          'currency', wallet.currency_code));
    END IF;
    IF tell_low <> wallet.low_balance_told THEN
      UPDATE wallets SET low_balance_told = tell_low WHERE id = wallet.id;
    END IF;
  END IF;

  RETURN NEXT entry;
END $$;

-- Each list reads one of these in order, status by status, and merges: so no filter has to skip rows.
DROP INDEX orders_of_client;
DROP INDEX orders_of_client_by_status;
CREATE INDEX orders_listed ON orders (client_id, family, status, placed_at DESC, id DESC);
CREATE INDEX orders_listed_by_product ON orders (client_id, product_id, status, placed_at DESC, id DESC)
  WHERE family = 'TOPUP';
CREATE INDEX orders_listed_by_country ON orders (client_id, country_code, status, placed_at DESC, id DESC)
  WHERE family = 'TOPUP';
DROP INDEX transactions_of_client;
CREATE INDEX transactions_listed ON transactions (client_id, created_at DESC, id DESC);

-- Counted by everything a list filters by; product and country are null in families that do not.
DROP INDEX order_counts_key;
TRUNCATE order_counts;
ALTER TABLE order_counts ADD COLUMN product_id integer, ADD COLUMN country_code text;
INSERT INTO order_counts (client_id, family, status, change, product_id, country_code)
SELECT client_id, family, status, count(*), CASE family WHEN 'TOPUP' THEN product_id END,
       CASE family WHEN 'TOPUP' THEN country_code END
  FROM orders GROUP BY 1, 2, 3, 5, 6;
CREATE INDEX order_counts_key ON order_counts (client_id, family, status, product_id, country_code)
  INCLUDE (change);

CREATE OR REPLACE FUNCTION count_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  product integer := CASE NEW.family WHEN 'TOPUP' THEN NEW.product_id END;
  country text := CASE NEW.family WHEN 'TOPUP' THEN NEW.country_code END;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO order_counts (client_id, family, status, change, product_id, country_code)
    VALUES (OLD.client_id, OLD.family, OLD.status, -1, product, country);
  END IF;
  INSERT INTO order_counts (client_id, family, status, change, product_id, country_code)
  VALUES (NEW.client_id, NEW.family, NEW.status, 1, product, country);
  RETURN NULL;
END $$;

-- What counts towards a daily cap: the orders of one client, family, day (UTC) and wallet currency, and
-- what was debited for them less what is due back. One row is changed where a sum over the day was read.
CREATE TABLE daily_orders (
  client_id integer NOT NULL,
  family    text NOT NULL,
  day       date NOT NULL,
  currency  text NOT NULL,
  ordered   bigint NOT NULL,
  debited   numeric(24, 4) NOT NULL,
  PRIMARY KEY (client_id, family, day, currency)
) WITH (fillfactor = 50);

CREATE FUNCTION day_of(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT (moment AT TIME ZONE 'UTC')::date
$$;

-- What stays debited of an order that failed or was cancelled; rounded like the refund.
CREATE FUNCTION kept_share(o orders) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT round(o.total_payable * o.delivered_quantity / o.quantity,
               (SELECT minor_unit FROM currencies WHERE code = o.deduction_currency))
$$;

INSERT INTO daily_orders
SELECT client_id, family, day_of(placed_at), deduction_currency, count(*),
       sum(CASE WHEN status IN ('FAILED', 'CANCELLED') THEN kept_share(orders) ELSE total_payable END)
  FROM orders
 WHERE placed_at >= date_trunc('day', now(), 'UTC')
   AND (delivered_quantity > 0 OR (failure_code IS NULL AND status <> 'CANCELLED'))
 GROUP BY 1, 2, 3, 4;

CREATE FUNCTION count_daily_order() RETURNS trigger LANGUAGE plpgsql AS $$
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
-- An order that has a failure code when it is placed is beyond the cap itself.
CREATE TRIGGER count_daily_placed AFTER INSERT ON orders
  FOR EACH ROW WHEN (NEW.failure_code IS NULL) EXECUTE FUNCTION count_daily_order();
CREATE TRIGGER count_daily_ended AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.failure_code IS NULL AND OLD.status <> NEW.status
                     AND NEW.status IN ('FAILED', 'CANCELLED'))
  EXECUTE FUNCTION count_daily_order();

-- Whether an order of this price is more than the client may order of the family in a day (UTC).
-- Orders of a client that has a cap wait for one another here.
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
   WHERE client_id = in_client_id AND family = in_family AND day = day_of(clock_timestamp());

  RETURN coalesce(sold >= (cap ->> 'count')::bigint, false)
      OR coalesce(spent + in_total_payable > (cap -> 'value' ->> in_currency)::numeric, false);
END $$;

-- Every read of an eSIM asks: when one last did is of no use any more.
ALTER TABLE esim_orders DROP COLUMN refreshed_at;

-- Event data as before, but a reference is shown only where one was given.
CREATE FUNCTION reference_data(o orders) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object('client_reference', o.client_reference))
$$;

CREATE OR REPLACE FUNCTION voucher_event_data(o orders) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT reference_data(o) || jsonb_build_object(
    'id', o.id, 'status', o.status,
    'product_name', o.product_name, 'denomination', trim_scale(o.unit_amount), 'quantity', o.quantity,
    'amount', trim_scale(o.amount),
    'delivered_quantity', CASE WHEN o.status IN ('FAILED', 'CANCELLED') THEN 0 ELSE o.delivered_quantity END,
    'fulfilled_quantity', o.delivered_quantity,
    'delivered_on', CASE WHEN o.status IN ('FAILED', 'CANCELLED') THEN NULL
                         ELSE rfc3339(coalesce(o.completed_at, now())) END,
    'created_at', rfc3339(o.placed_at))
$$;

CREATE OR REPLACE FUNCTION topup_event_data(o orders) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT reference_data(o) || jsonb_build_object(
    'id', o.id, 'status', o.status,
    'product_name', o.product_name, 'variant_name', t.variant_name, 'country_code', o.country_code,
    'amount', trim_scale(o.total_payable), 'currency', o.deduction_currency,
    'failure_code', o.failure_code, 'created_at', rfc3339(o.placed_at),
    'completed_at', rfc3339(o.completed_at))
    FROM topup_orders t WHERE t.order_id = o.id
$$;

CREATE OR REPLACE FUNCTION esim_event_data(o orders, e esim_orders) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT reference_data(o) || jsonb_build_object(
    'id', o.id, 'status', o.status,
    'activation_status', e.activation_status, 'product_name', o.product_name,
    'country_code', o.country_code, 'data_amount_gb', trim_scale(e.data_amount_gb),
    'validity_days', e.validity_days, 'amount', trim_scale(o.total_payable),
    'currency', o.deduction_currency)
    || CASE WHEN o.status = 'FAILED' THEN jsonb_build_object('failure_code', o.failure_code) ELSE '{}' END
$$;
`,
};
