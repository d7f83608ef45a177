/** Adds the source that an import implies: the supplier of an imported item can deliver that item. */
import type { Database, Transaction } from '../../database/database';
import type { SourceKey } from '../source-settings';
import { acceptsTerms } from '../source-conditions';
import { countChanges } from './upsert';

interface ListedSource extends SourceKey {
  /** Our cost in percent of the amount; null if the file has none. */
  costPercent: string | null;
}

// Does not use ON CONFLICT, which uses up an id even if it inserts nothing.
const linkStatement = `
WITH known AS (
  SELECT id FROM product_sources
   WHERE family = $family AND item_id = $itemId AND supplier = $supplier AND sku = $sku
), changed AS (
  UPDATE product_sources SET cost_percent = $costPercent::numeric, cost_fixed = NULL, ${acceptsTerms}
   WHERE id = (SELECT id FROM known) AND $costPercent::numeric IS NOT NULL AND cost_percent IS DISTINCT FROM $costPercent::numeric
  RETURNING id
), added AS (
  INSERT INTO product_sources (family, item_id, supplier, sku, cost_percent)
  SELECT $family, $itemId, $supplier, $sku, $costPercent::numeric WHERE NOT EXISTS (SELECT FROM known) RETURNING id
)
SELECT (SELECT count(*) FROM changed) + (SELECT count(*) FROM added) AS changes`;

/** Adds the source, or replaces its cost if the file has one. Keeps its other settings. Returns the number of changes. */
export function linkListedSource(database: Database, source: ListedSource, transaction: Transaction): Promise<number> {
  return countChanges(database, linkStatement, { ...source }, transaction);
}
