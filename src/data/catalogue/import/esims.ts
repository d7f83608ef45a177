import type { Database } from '../../database/database';
import type { EsimProductInput } from './product-inputs';
import { upsert, type Imported } from './upsert';

/** Brings an eSIM product into the catalogue. */
export async function importEsimProduct(
  database: Database,
  supplier: string,
  product: EsimProductInput,
): Promise<Imported> {
  return upsert(database, 'esim_products', ['supplier', 'supplier_sku'], {
    supplier,
    supplier_sku: product.sku,
    name: product.name,
    country_code: product.countryCode,
    currency_code: product.currencyCode,
    image_url: product.imageUrl,
    active: product.active ?? true,
  });
}
