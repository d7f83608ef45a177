-- Where a supplier takes one purchase of a product at a time, whatever ends the state SENT of the purchase that
-- holds the product sets it free. The trigger runs for purchases that hold one only.
CREATE OR REPLACE FUNCTION free_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.holds_product := NULL;
  RETURN NEW;
END $$;
