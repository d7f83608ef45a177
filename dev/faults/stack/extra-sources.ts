/** Writes further sources of items to the database of the stack. */
import { Client } from 'pg';
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
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const source of extraSources) await write(client, source);
  } finally {
    await client.end();
  }
}

async function write(client: Client, { family, item, supplier, sku, priority }: ExtraSource): Promise<void> {
  const itemId = await idOf(client, family, item);
  await client.query(
    `INSERT INTO product_sources (family, item_id, supplier, sku, priority) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [family, itemId, supplier, sku, priority],
  );
}

async function idOf(client: Client, family: Family, { supplier, sku }: ExtraSource['item']): Promise<number> {
  const { rows } = await client.query<{ id: number }>(itemQueries[family], [supplier, sku]);
  if (rows[0]) return rows[0].id;
  throw new Error(`The catalogue has no ${family} ${sku} of ${supplier}`);
}
