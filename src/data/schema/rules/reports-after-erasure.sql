-- After an order was erased, suppliers may still report about its purchases, and their reports may repeat the recipient. Triggers keep
-- such a report out, also one of an operator. They take the lock of the erasure, so they see an erasure that has just ended.
-- Rule: after an erasure no report repeats the recipient

CREATE OR REPLACE FUNCTION is_erased(in_order_id bigint) RETURNS boolean LANGUAGE sql AS $$
  SELECT EXISTS (SELECT FROM order_erasures WHERE order_id = in_order_id AND erased_at IS NOT NULL)
$$;

-- The erasure locks the purchase, as this update does.
CREATE OR REPLACE FUNCTION keep_words_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_erased(NEW.order_id) THEN NEW.sealed_words := NULL; END IF;
  RETURN NEW;
END $$;

-- The erasure locks the order.
CREATE OR REPLACE FUNCTION keep_report_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM orders WHERE id = NEW.order_id AND family = 'TOPUP' FOR KEY SHARE;
  IF FOUND AND is_erased(NEW.order_id) THEN NEW.sealed := NULL; END IF;
  RETURN NEW;
END $$;
