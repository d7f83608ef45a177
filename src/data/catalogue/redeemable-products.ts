/** Products whose codes pay for orders, as the guard of changes reads them. docs/operators/catalogue.md#redeemable-products. */
import type { Family } from '../../domain/orders/families';
import type { PriceChange } from '../../domain/prices/price-changes';
import { extendAttention } from '../attention/attention';
import { firstRow, type Database, type Transaction } from '../database/database';
import type { GuardedValue } from '../prices/stored-confirmed-values';
import type { SupplierSku } from './present-product-prices';

const statement = `
SELECT coalesce((SELECT jsonb_agg(source.supplier || ' ' || source.sku ORDER BY source.supplier, source.sku)
                   FROM product_sources source WHERE (source.family, source.item_id) = ('VOUCHER', product.id)), '[]')::text AS text
  FROM voucher_products product WHERE (product.supplier, product.supplier_sku) = ($supplier, $sku) AND redeemable`;

/**
 * Whether the product is redeemable, and by which sources it is sold. Whoever confirmed it before, to switch it on is large, and so is a new
 * source. Another person acknowledges it on the attention list.
 */
export function redeemable(
  database: Database,
  { supplier, sku }: SupplierSku,
  transaction?: Transaction,
): GuardedValue {
  return {
    name: { kind: 'REDEEMABLE', key: [supplier, sku] },
    read: async () =>
      (await firstRow<{ text: string }>(database, statement, { supplier, sku }, transaction))?.text ?? null,
    changes: (_confirmed, after, before) => redeemableChanges(`${supplier} ${sku}`, before, after),
    async report(changes, by) {
      const news = changes.map(({ what }) => what).join('. ');
      await extendAttention(database, { supplier }, 'REDEEMABLE_ON', news, { by, transaction });
    },
  };
}

function redeemableChanges(product: string, before: string | null, after: string | null): PriceChange[] {
  if (after === null) return [];
  if (before === null) return [{ what: `Redeemable product ${product}`, before: null, after: 'on' }];
  const [known, sources] = [sourcesIn(before), sourcesIn(after)];
  return sources
    .filter((source) => !known.includes(source))
    .map((source) => ({ what: `Source ${source} of redeemable product ${product}`, before: null, after: 'added' }));
}

const sourcesIn = (json: string) => JSON.parse(json) as string[];

const productStatement = 'SELECT supplier, supplier_sku AS sku FROM voucher_products WHERE id = $itemId';

/** The same for the product with the id; undefined if it is no voucher product. */
export async function redeemableOf(
  database: Database,
  { family, itemId }: { family: Family; itemId: number },
): Promise<GuardedValue | undefined> {
  if (family !== 'VOUCHER') return undefined;
  const product = await firstRow<SupplierSku>(database, productStatement, { itemId });
  return product && redeemable(database, product);
}
