-- Rule: one purchase of a product at a time, for suppliers that need it

-- For suppliers that accept one purchase of a product at a time: frees the product when the purchase that holds it is no longer
-- SENT. The trigger runs only for purchases that hold a product.
CREATE OR REPLACE FUNCTION free_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.holds_product := NULL;
  RETURN NEW;
END $$;
