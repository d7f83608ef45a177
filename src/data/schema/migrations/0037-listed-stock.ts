import { versionTriggers } from './0024-catalogue-versions';
import { triggerFunctions, type InTransaction } from './migration';

/** One trigger for each kind of statement, because only such a trigger has the changed rows. */
const limitTriggers = (table: string): string =>
  ['INSERT', 'UPDATE']
    .map(
      (kind) => `
CREATE TRIGGER limit_prices_${kind.toLowerCase()} AFTER ${kind} ON ${table}
  REFERENCING NEW TABLE AS changed${kind === 'UPDATE' ? ' OLD TABLE AS former' : ''}
  FOR EACH STATEMENT EXECUTE FUNCTION limit_prices();`,
    )
    .join('');

/**
 * The stock that price lists use, which changes with their version, and the limit of a product's prices.
 * docs/decisions/0085-version-price-lists-by-counted-changes.md.
 */
export const listedStock: InTransaction = {
  name: '0037-listed-stock',
  sql: `
${triggerFunctions('list_first_stock', 'limit_prices')}
-- The stock as price lists show it: that of the last announcement. Orders and charges use the present stock.
ALTER TABLE product_sources ADD COLUMN listed_stock integer;
-- On an empty database, the functions of triggers do not exist yet.
DO $$ BEGIN
  IF EXISTS (SELECT FROM product_sources) THEN
    UPDATE product_sources SET listed_stock = stock WHERE stock IS NOT NULL;
  END IF;
END $$;
CREATE INDEX product_sources_unlisted_stock ON product_sources (id) WHERE listed_stock IS DISTINCT FROM stock;
CREATE TRIGGER list_first_stock BEFORE INSERT ON product_sources FOR EACH ROW EXECUTE FUNCTION list_first_stock();

-- As source_states, with the stock of price lists.
CREATE VIEW listed_sources AS
SELECT source.id, source.family, source.item_id, source.supplier, source.sku, source.data, source.fixed_amounts, source.min_amount,
       source.max_amount, source.cost_percent, source.cost_fixed, source.fee, source.cost_currency, source.held_cost,
       source.reported_cost, source.priority, source.listed_stock AS stock,
       CASE WHEN NOT source.active THEN 'inactive'
            WHEN source.listed_stock = 0 THEN 'out of stock'
            WHEN EXISTS (SELECT FROM supplier_pauses pause
                          WHERE pause.supplier = source.supplier AND pause.family IN ('', source.family)) THEN 'paused'
       END AS obstacle
  FROM product_sources source;

-- The announcement finds changed stock by itself.
ALTER TABLE catalogue_changes ALTER COLUMN is_stock SET DEFAULT false;
${versionTriggers('currencies', { family: 'NULL', columns: 'code, minor_unit' }).join('')}

${['voucher_denominations', 'topup_variants', 'esim_variants'].map(limitTriggers).join('')}
`,
};
