/** Imports a catalogue: all its products, or none if one is rejected. The report names the faults of all of them. */
import type Joi from 'joi';
import {
  importCategories,
  importEsimProduct,
  importTopupProduct,
  importVoucherProduct,
  inImport,
  type Imported,
  type ImportChecks,
} from '../../../data/catalogue/import';
import type {
  CategoryInput,
  EsimProductInput,
  TopupProductInput,
  TopupVariantInput,
  VoucherProductInput,
} from '../../../data/catalogue/import/product-inputs';
import { knownCodes, type KnownCodes } from '../../../data/catalogue/reference';
import { unguarded } from '../../../data/prices/confirmed-values';
import type { Database, Transaction } from '../../../data/database/database';
import type { FieldDifference } from '../../../domain/differences';
import { isPayable } from '../../../domain/prices/money';
import type { Family } from '../../../domain/orders/families';
import type { Progress } from '../context';
import { sentenceOfPart } from '../failure';
import { esimProduct, topupProduct, voucherProduct, type CatalogueFile } from './catalogue-file';
import { propertyOf } from '../../../domain/unknown-values';

/** The result for one product of the file. */
export interface ImportedRow {
  family: Family;
  sku: string;
  /** `skipped`: the product is sound, but another one was rejected. */
  outcome: Imported['outcome'] | 'rejected' | 'skipped';
  /** Null if nothing was stored. */
  productId: number | null;
  /** What the import changes in a known product. */
  differences: readonly FieldDifference[];
  /** Why the product was rejected. */
  problem: string | null;
}

/** An unchecked product, with the categories that it needs. `where`: its place in the file, if known. */
export interface ListedProduct {
  family: Family;
  product: unknown;
  categories: readonly CategoryInput[];
  where?: string;
}

/** Products of one supplier, in the order of their import. */
export interface ProductList {
  supplier: string;
  /** Categories to add in addition to those that the products need. */
  categories?: readonly CategoryInput[];
  products: Iterable<ListedProduct> | AsyncIterable<ListedProduct>;
}

export interface ImportOptions extends ImportChecks {
  progress: Progress;
  /** Reports what the import would do, and stores nothing. */
  isDryRun?: boolean;
}

/** For sandboxes, and for products that are made from offers, which have a guard of their own. */
const unchecked: ImportOptions = {
  progress: () => undefined,
  guard: unguarded,
  checkFields: () => undefined,
};

/** Creates or changes the products of the file, or none of them. `suppliers`: the configured ones. Products of any other are rejected. */
export async function importCatalogue(
  database: Database,
  suppliers: ReadonlyMap<string, unknown>,
  { supplier, categories, voucherProducts, topupProducts, esimProducts }: CatalogueFile,
  options: ImportOptions = unchecked,
): Promise<ImportedRow[]> {
  const listedIn = (family: Family) => (product: unknown) => ({ family, product, categories: [] });
  const products: ListedProduct[] = [
    ...voucherProducts.map(listedIn('VOUCHER')),
    ...topupProducts.map(listedIn('TOPUP')),
    ...esimProducts.map(listedIn('ESIM')),
  ];
  return importProducts(database, suppliers, { supplier, categories, products }, options);
}

/** Ends the transaction of an import without a change. */
class Undone extends Error {}

/** Creates or changes the products, or none of them if one is rejected. */
export async function importProducts(
  database: Database,
  suppliers: ReadonlyMap<string, unknown>,
  { supplier, categories = [], products }: ProductList,
  { progress, isDryRun = false, ...checks }: ImportOptions = unchecked,
): Promise<ImportedRow[]> {
  const known = { ...(await knownCodes(database)), suppliers };
  const report: ImportedRow[] = [];
  try {
    await inImport(database, async (transaction) => {
      await importCategories(database, categories, transaction);
      const context = { database, transaction, supplier, known, checks };
      for await (const listed of products) {
        report.push(await importListed(listed, context));
        progress(`${report.length} products are read ...`);
      }
      if (isDryRun || report.some(({ outcome }) => outcome === 'rejected')) throw new Undone();
    });
    return report;
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    return report.map((row) =>
      row.outcome === 'rejected'
        ? row
        : { ...row, outcome: isDryRun ? row.outcome : 'skipped', productId: null },
    );
  }
}

async function importListed(
  { family, product, categories, where }: ListedProduct,
  context: Context,
): Promise<ImportedRow> {
  const namedCategories = categories.filter(({ name }) => name !== '');
  if (namedCategories.length > 0)
    await importCategories(context.database, namedCategories, context.transaction);
  const row = { family, ...(await importOf[family](product, context)) };
  if (row.problem === null || where === undefined) return row;
  return { ...row, problem: `${where}: ${row.problem}` };
}

/** How the products of one family are checked and stored. */
interface FamilyImport<Product> {
  schema: Joi.ObjectSchema<Product>;
  /** The amounts of a product, by the code of the currency in which they must be payable. */
  amountsOf: (product: Product) => [currencyCode: string, amounts: string[]][];
  store: (
    database: Database,
    supplier: string,
    product: Product,
    checks: ImportChecks,
    transaction: Transaction,
  ) => Promise<Imported>;
}

const vouchers: FamilyImport<VoucherProductInput> = {
  schema: voucherProduct,
  amountsOf: ({ currencyCode, denominations }) => [
    [currencyCode, denominations.flatMap(({ min, max }) => [min, max])],
  ],
  store: importVoucherProduct,
};

const topups: FamilyImport<TopupProductInput> = {
  schema: topupProduct,
  amountsOf: ({ currencyCode, variants }) => [
    [currencyCode, []],
    ...variants.map((variant): [string, string[]] => [variant.currencyCode, amountsOfVariant(variant)]),
  ],
  store: importTopupProduct,
};

function amountsOfVariant({ fixedAmounts = [], minAmount, maxAmount }: TopupVariantInput): string[] {
  return [...fixedAmounts, minAmount, maxAmount].filter((amount) => amount !== undefined);
}

const esims: FamilyImport<EsimProductInput> = {
  schema: esimProduct,
  amountsOf: ({ currencyCode }) => [[currencyCode, []]],
  store: importEsimProduct,
};

const importOf: Readonly<
  Record<Family, (product: unknown, context: Context) => Promise<Omit<ImportedRow, 'family'>>>
> = {
  VOUCHER: (product, context) => importRow(vouchers, product, context),
  TOPUP: (product, context) => importRow(topups, product, context),
  ESIM: (product, context) => importRow(esims, product, context),
};

interface Context {
  database: Database;
  transaction: Transaction;
  supplier: string;
  checks: ImportChecks;
  known: Known;
}

async function importRow<Product extends { sku: string; countryCode: string }>(
  { schema, amountsOf, store }: FamilyImport<Product>,
  product: unknown,
  { database, transaction, supplier, known, checks }: Context,
): Promise<Omit<ImportedRow, 'family'>> {
  // A product in the file may be null.
  const sku = String(propertyOf(product, 'sku'));
  let differences: readonly FieldDifference[] = [];
  const noteFields = (found: readonly FieldDifference[]) => void (differences = found);
  try {
    const checked = schema.validate(product);
    if (checked.error) throw checked.error;
    requireSupplier(supplier, known);
    requireKnown(checked.value.countryCode, amountsOf(checked.value), known);
    // A savepoint: a statement that fails must not hide the faults of later products.
    const imported = await database.transaction({ transaction }, (savepoint) =>
      store(database, supplier, checked.value, { ...checks, noteFields }, savepoint),
    );
    return { sku, ...imported, differences, problem: null };
  } catch (error) {
    return { sku, outcome: 'rejected', productId: null, differences, problem: sentenceOfPart(error) };
  }
}

interface Known extends KnownCodes {
  suppliers: ReadonlyMap<string, unknown>;
}

function requireSupplier(name: string, { suppliers }: Known): void {
  if (!suppliers.has(name))
    throw new Error(`supplier "${name}" is not configured: correct its name, or configure it`);
}

function requireKnown(countryCode: string, amounts: [string, string[]][], known: KnownCodes): void {
  if (!known.countries.has(countryCode)) throw new Error(`"${countryCode}" is not a country of ISO 3166-1`);
  for (const [code, values] of amounts) {
    const currency = known.currencies.get(code);
    if (!currency) throw new Error(`"${code}" is not a currency of ISO 4217`);
    const faulty = values.find((value) => !isPayable(currency, value));
    if (faulty !== undefined) {
      throw new Error(`${faulty} is not payable in ${code}, which has ${currency.minorUnit} decimals`);
    }
  }
}
