/** Writes further sources of items to the database of the stack. */
import { query } from '../../stack/postgres';
import { extraSources, type ExtraSource } from '../plan/extra-sources';
import type { Family } from '../plan/orders';

const itemQueries: Readonly<Record<Family, string>> = {
  VOUCHER: 'SELECT id FROM voucher_products WHERE supplier = $1 AND supplier_sku = $2',
  TOPUP: 'SELECT id FROM topup_variants WHERE supplier = $1 AND supplier_sku = $2',
  ESIM: `SELECT v.id FROM esim_variants v JOIN esim_products p ON p.id = v.product_id
          WHERE p.supplier = $1 AND v.supplier_sku = $2`,
};

/** Adds every source of the list. Throws if an item is missing, such as an eSIM plan that no client has read yet. */
export async function writeExtraSources(databaseUrl: string): Promise<void> {
  for (const { family, item, supplier, sku, priority } of extraSources) {
    const itemId = await idOf(databaseUrl, family, item);
    await query(
      databaseUrl,
      `INSERT INTO product_sources (family, item_id, supplier, sku, priority) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING`,
      [family, itemId, supplier, sku, priority],
    );
  }
}

async function idOf(url: string, family: Family, { supplier, sku }: ExtraSource['item']): Promise<number> {
  const [found] = await query<{ id: number }>(url, itemQueries[family], [supplier, sku]);
  if (found) return found.id;
  throw new Error(`The catalogue has no ${family} ${sku} of ${supplier}`);
}
