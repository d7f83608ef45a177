/** Stores the stock that a supplier reports. */
import type { StockReport } from '../../domain/prices/supplier-catalogue';
import { oneRow, type Database } from '../database/database';

/**
 * Stores 0 for a SKU that the supplier does not sell at present. A price quote contains the maximum quantity of a voucher order,
 * which depends on the stock. So `charges` invalidates cached quotes if the stock of a voucher changed.
 */
const storeStatement = `
  WITH report AS (
    SELECT sku, CASE WHEN active THEN available ELSE 0 END AS available
      FROM jsonb_to_recordset($reports::jsonb) AS report (sku text, active boolean, available integer)),
  changed AS (
    UPDATE product_sources source SET stock = report.available, stock_at = $now FROM report
     WHERE source.supplier = $supplier AND source.sku = report.sku
       AND source.stock IS DISTINCT FROM report.available RETURNING source.family),
  charges AS (
    UPDATE pricing_version SET version = version + 1 WHERE EXISTS (SELECT FROM changed WHERE family = 'VOUCHER'))
  SELECT count(*) AS changes FROM changed`;

/** Stores one page of a supplier's stock reports, one report for each SKU. Returns the number of changed sources. */
export async function storeStock(
  database: Database,
  supplier: string,
  reports: StockReport[],
  now: Date,
): Promise<number> {
  const binds = { supplier, reports: JSON.stringify(reports), now };
  return (await oneRow<{ changes: number }>(database, storeStatement, binds)).changes;
}
