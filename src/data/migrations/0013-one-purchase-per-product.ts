import type { Migration } from './migration';

/**
 * Where a supplier takes one purchase of a product at a time, a purchase that is under way holds its product
 * until its outcome is known. Null for every other supplier, so that their purchases' updates stay cheap:
 * the index holds no column that they change.
 */
export const onePurchasePerProduct: Migration = {
  name: '0013-one-purchase-per-product',
  sql: `
ALTER TABLE supplier_purchases ADD COLUMN holds_product text;
CREATE UNIQUE INDEX supplier_purchases_holding ON supplier_purchases (holds_product)
  WHERE holds_product IS NOT NULL;

-- Whatever ends the state SENT sets the product free.
CREATE FUNCTION free_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.holds_product := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER free_product BEFORE UPDATE ON supplier_purchases
  FOR EACH ROW WHEN (OLD.holds_product IS NOT NULL AND NEW.state <> 'SENT') EXECUTE FUNCTION free_product();
`,
};
