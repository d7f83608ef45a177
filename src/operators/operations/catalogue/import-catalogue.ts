/** Imports a catalogue: all its products, or none if one is rejected. The report names the faults of all of them. */
import {
  importCategories,
  importEsimProduct,
  importTopupProduct,
  importVoucherProduct,
  inImport,
  type Imported,
  type ImportChecks,
} from '../../../data/catalogue/import';
import type { CategoryInput, TopupVariantInput } from '../../../data/catalogue/import/product-inputs';
import { knownCodes, type KnownCodes } from '../../../data/catalogue/reference';
import { unguarded } from '../../../data/prices/stored-confirmed-values';
import type { Database, Transaction } from '../../../data/database/database';
import type { FieldDifference } from '../../../domain/differences';
import { isPayable } from '../../../domain/prices/money';
import type { Family } from '../../../domain/orders/families';
import type { Progress } from '../context';
import { sentenceOfPart } from '../failure';
import type { CatalogueFile } from './catalogue-file';
import { checkedProduct, type CheckedProduct } from './checked-product';

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

/** Products of one supplier, in the order of their import. */
export interface ProductList {
  supplier: string;
  /** Categories to add in addition to those that the products need. */
  categories?: readonly CategoryInput[];
  products: Iterable<CheckedProduct>;
}

export interface ImportOptions extends ImportChecks {
  progress: Progress;
  /** Reports what the import would do, and stores nothing. */
  isDryRun?: boolean;
}

/** For sandboxes, and for products that are made from offers, which have a guard of their own. */
const unchecked: ImportOptions = { progress: () => undefined, guard: unguarded, checkFields: () => undefined };

/** Creates or changes the products of the file, or none of them. `suppliers`: the configured ones. Products of any other are rejected. */
export async function importCatalogue(
  database: Database,
  suppliers: ReadonlyMap<string, unknown>,
  { supplier, categories, voucherProducts, topupProducts, esimProducts }: CatalogueFile,
  options: ImportOptions = unchecked,
): Promise<ImportedRow[]> {
  const checkedIn = (family: Family) => (product: unknown) => checkedProduct({ family, product, categories: [] });
  const products = [
    ...voucherProducts.map(checkedIn('VOUCHER')),
    ...topupProducts.map(checkedIn('TOPUP')),
    ...esimProducts.map(checkedIn('ESIM')),
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
      for (const listed of products) {
        report.push(await importListed(listed, context));
        progress(`${report.length} products are read ...`);
      }
      if (isDryRun || report.some(({ outcome }) => outcome === 'rejected')) throw new Undone();
    });
    return report;
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    return report.map((row) =>
      row.outcome === 'rejected' ? row : { ...row, outcome: isDryRun ? row.outcome : 'skipped', productId: null },
    );
  }
}

interface Context {
  database: Database;
  transaction: Transaction;
  supplier: string;
  checks: ImportChecks;
  known: Known;
}

async function importListed(listed: CheckedProduct, context: Context): Promise<ImportedRow> {
  const { family, sku, categories, where } = listed;
  const namedCategories = categories.filter(({ name }) => name !== '');
  if (namedCategories.length > 0) await importCategories(context.database, namedCategories, context.transaction);
  const row = { family, sku, ...(await importRow(listed, context)) };
  if (row.problem === null || where === undefined) return row;
  return { ...row, problem: `${where}: ${row.problem}` };
}

async function importRow(
  listed: CheckedProduct,
  { database, transaction, supplier, known, checks }: Context,
): Promise<Omit<ImportedRow, 'family' | 'sku'>> {
  let differences: readonly FieldDifference[] = [];
  const noteFields = (found: readonly FieldDifference[]) => void (differences = found);
  try {
    if ('problem' in listed) throw new Error(listed.problem);
    requireSupplier(supplier, known);
    requireKnown(listed.product.countryCode, amountsOf(listed), known);
    // A savepoint: a statement that fails must not hide the faults of later products.
    const imported = await database.transaction({ transaction }, (savepoint) =>
      stored(database, supplier, listed, { ...checks, noteFields }, savepoint),
    );
    return { ...imported, differences, problem: null };
  } catch (error) {
    return { outcome: 'rejected', productId: null, differences, problem: sentenceOfPart(error) };
  }
}

type SoundProduct = Exclude<CheckedProduct, { problem: string }>;

/** The amounts of a product, by the code of the currency in which they must be payable. */
function amountsOf(listed: SoundProduct): [currencyCode: string, amounts: string[]][] {
  const { currencyCode } = listed.product;
  switch (listed.family) {
    case 'VOUCHER':
      return [[currencyCode, listed.product.denominations.flatMap(({ min, max }) => [min, max])]];
    case 'TOPUP':
      return [
        [currencyCode, []],
        ...listed.product.variants.map((variant): [string, string[]] => [
          variant.currencyCode,
          amountsOfVariant(variant),
        ]),
      ];
    case 'ESIM':
      return [[currencyCode, []]];
  }
}

function amountsOfVariant({ fixedAmounts = [], minAmount, maxAmount }: TopupVariantInput): string[] {
  return [...fixedAmounts, minAmount, maxAmount].filter((amount) => amount !== undefined);
}

function stored(
  database: Database,
  supplier: string,
  listed: SoundProduct,
  checks: ImportChecks,
  transaction: Transaction,
): Promise<Imported> {
  switch (listed.family) {
    case 'VOUCHER':
      return importVoucherProduct(database, supplier, listed.product, checks, transaction);
    case 'TOPUP':
      return importTopupProduct(database, supplier, listed.product, checks, transaction);
    case 'ESIM':
      return importEsimProduct(database, supplier, listed.product, checks, transaction);
  }
}

interface Known extends KnownCodes {
  suppliers: ReadonlyMap<string, unknown>;
}

function requireSupplier(name: string, { suppliers }: Known): void {
  if (!suppliers.has(name)) throw new Error(`supplier "${name}" is not configured: correct its name, or configure it`);
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
