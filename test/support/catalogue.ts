/** Products of a single test, imported into the stack's catalogue as operators import them. */
import { randomUUID } from 'node:crypto';
import type {
  EsimProductInput,
  TopupProductInput,
  TopupVariantInput,
  VoucherProductInput,
} from '../../src/data/catalogue/import/product-inputs';
import type { Database } from '../../src/data/database/database';
import type { CatalogueFile } from '../../src/operators/operations/catalogue/catalogue-file';
import { importCatalogue } from '../../src/operators/operations/catalogue/import-catalogue';

/** A text that occurs in no other test's product names. A search for it finds only these products. */
export function newMark(): string {
  return `mark-${randomUUID().slice(0, 13)}`;
}

/** An active voucher product; `special` overrides its fields. */
export function voucherProduct(name: string, special: Partial<VoucherProductInput> = {}): VoucherProductInput {
  return {
    sku: `TEST-${randomUUID()}`,
    name,
    category: 'Sandbox',
    subCategory: null,
    countryCode: 'USA',
    currencyCode: 'USD',
    imageUrl: null,
    deliveryMode: 'URL',
    deliveryTime: 'Instant',
    validity: null,
    denominations: [{ min: '5', max: '500', discount: '0' }],
    terms: null,
    details: null,
    howToUse: null,
    gstRate: '0',
    active: true,
    redeemable: false,
    ...special,
  };
}

export function topupProduct(
  name: string,
  variants: Partial<TopupVariantInput>[],
  special: Partial<TopupProductInput> = {},
): TopupProductInput {
  return {
    sku: `TEST-${randomUUID()}`,
    name,
    topupType: 'GAMING',
    countryCode: 'GLO',
    currencyCode: 'USD',
    imageUrl: '',
    inputFields: [],
    variants: variants.map(topupVariant),
    ...special,
  };
}

function topupVariant(special: Partial<TopupVariantInput>): TopupVariantInput {
  const sku = `TEST-${randomUUID()}`;
  return {
    sku,
    supplierSku: sku,
    costPercent: '95',
    name: 'Plan',
    category: '',
    currencyCode: 'USD',
    availableIn: [],
    fields: [],
    active: true,
    ...special,
  };
}

/** An eSIM product of the simulator. Without `sku`, the simulator has no plans for it. */
export function esimProduct(name: string, special: Partial<EsimProductInput> = {}): EsimProductInput {
  return { sku: `TEST-${randomUUID()}`, name, countryCode: 'GLO', currencyCode: 'USD', imageUrl: '', ...special };
}

/** Imports the products; returns their ids by SKU. Throws if one is rejected. */
export async function importProducts(
  database: Database,
  products: Partial<CatalogueFile>,
): Promise<ReadonlyMap<string, number>> {
  const nothing = { supplier: 'simulator', categories: [], voucherProducts: [], topupProducts: [], esimProducts: [] };
  const file = { ...nothing, ...products };
  const report = await importCatalogue(database, new Map([[file.supplier, undefined]]), file);
  return new Map(
    report.map(({ sku, productId, problem }) => {
      if (productId === null) throw new Error(`${sku}: ${problem}`);
      return [sku, productId];
    }),
  );
}
