-- Stops of sales. docs/decisions/0093-stop-sales-beside-the-catalogue.md.
-- Rule: when an order is refused because operators have stopped the sale

-- A check at the end of the placement of an order: true, or SQLSTATE DG404, which rolls the debit back. In plpgsql, where each
-- statement sees what was committed while the placement waited for the wallet. `in_item_id`: the product of a voucher, or the variant.
CREATE OR REPLACE FUNCTION require_sale(in_family text, in_product_id integer, in_item_id integer, in_amount numeric)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM stopped_sales) THEN RETURN true; END IF;
  IF EXISTS (SELECT FROM stopped_items WHERE family = in_family AND item_id = in_item_id)
     OR in_family = 'VOUCHER' AND EXISTS (SELECT FROM stopped_sales
                                           WHERE product_id = in_product_id AND family = 'VOUCHER' AND in_amount BETWEEN min_amount AND max_amount)
  THEN RAISE EXCEPTION USING ERRCODE = 'DG404', MESSAGE = 'NOT_ON_SALE'; END IF;
  RETURN true;
END $$;
