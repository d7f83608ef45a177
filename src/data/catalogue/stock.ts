/** Takes over what a supplier reports of its stock. */
import type { StockReport } from '../../domain/prices/supplier-catalogue';
import { firstRow, type Database } from '../database/database';

/**
 * What a supplier does not sell at present counts as none left. Cached charges name the stock as the
 * most that can be ordered, so a change drops them; other changes of prices do that by triggers.
 */
const takeOver = `
  WITH report AS (
    SELECT sku, CASE WHEN active THEN available ELSE 0 END AS available
      FROM jsonb_to_recordset($reports::jsonb) AS report (sku text, active boolean, available integer)),
  vouchers AS (
    UPDATE voucher_products product SET stock = report.available, stock_at = $now FROM report
     WHERE product.supplier = $supplier AND product.supplier_sku = report.sku
       AND product.stock IS DISTINCT FROM report.available RETURNING id),
  topups AS (
    UPDATE topup_variants variant SET stock = report.available, stock_at = $now FROM report
     WHERE variant.supplier = $supplier AND variant.supplier_sku = report.sku
       AND variant.stock IS DISTINCT FROM report.available RETURNING id),
  charges AS (
    UPDATE pricing_version SET version = version + 1 WHERE EXISTS (SELECT FROM vouchers))
  SELECT (SELECT count(*) FROM vouchers) + (SELECT count(*) FROM topups) AS changes`;

/** Stores one page of the supplier's report. Returns how many products and variants changed. */
export async function storeStock(
  database: Database,
  supplier: string,
  reports: StockReport[],
  now: Date,
): Promise<number> {
  const row = await firstRow<{ changes: number }>(database, takeOver, {
    supplier,
    reports: JSON.stringify(reports),
    now,
  });
  return row?.changes ?? 0;
}
