/** Stores the stock that a supplier reports. */
import type { StockReport } from '../../domain/prices/supplier-catalogue';
import { oneRow, type Database } from '../database/database';

/**
 * Stores 0 for a product that the supplier does not sell at present. Price quotes name a voucher's stock as the maximum quantity,
 * so a change of the stock invalidates cached quotes.
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

/** Stores one page of the supplier's report. Returns the number of changed sources. */
export async function storeStock(
  database: Database,
  supplier: string,
  reports: StockReport[],
  now: Date,
): Promise<number> {
  const binds = { supplier, reports: JSON.stringify(reports), now };
  return (await oneRow<{ changes: number }>(database, storeStatement, binds)).changes;
}
