-- Frees the product that a purchase holds when the purchase is no longer SENT, for suppliers that accept one purchase of a
-- product at a time. The trigger runs only for purchases that hold a product.
CREATE OR REPLACE FUNCTION free_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.holds_product := NULL;
  RETURN NEW;
END $$;
