-- A product has at most 1,000 prices: denominations of a voucher, fixed amounts and ranges of active top-up variants, and plans of an eSIM.
-- The work of a page of a price list is limited by the rows of whole products. A trigger, so that no writer can pass the limit.
-- Rule: the largest number of prices of a product

-- Rejects prices that are added to a product with more than the limit. A product that has more keeps them, and may lose some. The product's
-- row is locked, so that two transactions cannot each add the last one.
CREATE OR REPLACE FUNCTION limit_prices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  max_prices CONSTANT integer := 1000;
  products CONSTANT text := CASE TG_TABLE_NAME WHEN 'voucher_denominations' THEN 'voucher_products'
                                               WHEN 'topup_variants' THEN 'topup_products' ELSE 'esim_products' END;
  -- The number of prices in a row.
  prices CONSTANT text := CASE TG_TABLE_NAME WHEN 'voucher_denominations' THEN '1'
    WHEN 'topup_variants' THEN 'CASE WHEN active THEN coalesce(cardinality(fixed_amounts), 1) ELSE 0 END'
    ELSE 'CASE WHEN active OR recharge_only THEN 1 ELSE 0 END' END;
  grown integer[];
  excess record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    EXECUTE format('SELECT array_agg(DISTINCT product_id) FROM changed WHERE %s > 0', prices) INTO grown;
  ELSE
    EXECUTE format('SELECT array_agg(product_id) FROM (
                      SELECT product_id FROM (SELECT product_id, %1$s AS count FROM changed
                                              UNION ALL SELECT product_id, - (%1$s) FROM former) difference
                       GROUP BY product_id HAVING sum(count) > 0) product', prices) INTO grown;
  END IF;
  IF grown IS NULL THEN RETURN NULL; END IF;
  EXECUTE format('SELECT FROM %I WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', products) USING grown;
  EXECUTE format('SELECT product_id, sum(%s) AS count FROM %I WHERE product_id = ANY ($1) GROUP BY product_id HAVING sum(%1$s) > $2 LIMIT 1',
                 prices, TG_TABLE_NAME) INTO excess USING grown, max_prices;
  IF excess.count IS NULL THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'The product would have % prices, at most % are possible: remove prices, or make a second product', excess.count, max_prices
    USING ERRCODE = 'DGREF', CONSTRAINT = 'limit_prices', TABLE = products;
END $$;
