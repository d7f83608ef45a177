-- Exact counts of orders for the lists. The trigger only adds rows, so that no two orders wait for one another;
-- the worker folds them together. Counted by everything a list filters by; product and country only for
-- top-ups, whose lists alone filter by them.
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
