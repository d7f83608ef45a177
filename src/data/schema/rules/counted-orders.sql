-- Exact counts of orders for the lists, by every filter of a list; product and country only for top-ups. The trigger only
-- adds rows, so that orders never wait for each other; the worker rolls them up.
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
