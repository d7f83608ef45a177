/** What the guard compares if products are made from offers. */
import { findOffer, type NamedOffer } from '../../../data/catalogue/offer-links';
import { esimCurrency, sourceTerms, topupAmounts, voucherPrices } from '../../../data/catalogue/present-product-prices';
import { redeemable } from '../../../data/catalogue/redeemable-products';
import type { Database } from '../../../data/database/database';
import type { GuardedValue } from '../../../data/prices/stored-confirmed-values';

/** The values of the products of the offers, each once: several plans make one product. */
export async function valuesOfProducts(database: Database, offerIds: readonly number[]): Promise<GuardedValue[]> {
  const values = new Map<string, GuardedValue>();
  for (const id of offerIds)
    for (const value of await valuesOf(database, await findOffer(database, id)))
      values.set(JSON.stringify(value.name), value);
  return [...values.values()];
}

async function valuesOf(
  database: Database,
  { supplier, terms: { family, sku, productSku } }: NamedOffer,
): Promise<GuardedValue[]> {
  const named = { supplier, sku };
  switch (family) {
    case 'VOUCHER':
      return [
        withoutFirst(voucherPrices(database, named)),
        redeemable(database, named),
        await sourceTerms(database, { ...named, family }),
      ];
    case 'TOPUP':
      return [topupAmounts(database, named), await sourceTerms(database, { ...named, family })];
    case 'ESIM':
      return [esimCurrency(database, { supplier, sku: productSku ?? sku })];
  }
}

/** A first price is compared with the cost of the offer (`firstPriceChanges`), and not with the list price. */
function withoutFirst(value: GuardedValue): GuardedValue {
  return {
    ...value,
    changes: (confirmed, after, before) => (confirmed === null ? [] : value.changes(confirmed, after, before)),
  };
}
