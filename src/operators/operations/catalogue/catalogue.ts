/** `catalogue import|export` and `stock`: the products on sale. */
import { exportProducts } from '../../../data/catalogue/export';
import type { ImportChecks } from '../../../data/catalogue/import';
import { atomically } from '../../../data/database/acting-person';
import { recordOperation } from '../../../data/audit/audit-entries';
import { syncStockOf } from '../../../catalogue/supplier-reports';
import { isRemoval, type FieldDifference } from '../../../domain/differences';
import type { PriceChange } from '../../../domain/prices/price-changes';
import { flag, inTerminal, option, optionalWord, word, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { file } from '../files/file-arguments';
import { unpackedRows } from '../files/packed-rows';
import { changesText, ForceRequired, guardPrices, requireForceToRemove, requireReason } from '../guarded-prices';
import { nameText, reasonText } from '../kinds';
import { marginReaders } from '../../../domain/operators/roles';
import { force, operation } from '../operation';
import { assertConfigured, rowsOfSuppliers } from '../supplier-named';
import { jsonText, shortened, table } from '../text';
import { importProducts, type ImportedRow } from './import-catalogue';

const importArguments = {
  file: file('catalogue', 'the file; one whose name ends in .csv is read as CSV'),
  dryRun: flag('show the differences, and change nothing'),
  supplier: option(nameText, 'for a CSV file: the supplier of all its products'),
  reason: option(reasonText, 'the reason, for the audit log; required if a price changes'),
  force: inTerminal(
    force('remove values, and apply changes that are larger than the limit for changes of prices'),
    'remove values, and apply changes that are larger than PRICE_CHANGE_LIMIT_PERCENT',
  ),
};

/** Imports the file. `needsForce`: whether products were rejected only because the operator did not force them. */
async function imported(
  context: Context,
  { file: written, dryRun: isDryRun, supplier, force: isForced }: ArgumentValues<typeof importArguments>,
): Promise<{ report: ImportedRow[]; needsForce: boolean }> {
  const { database, progress } = context;
  const suppliers = context.suppliers();
  let needsForce = false;
  const noting = (error: unknown) => {
    needsForce ||= error instanceof ForceRequired;
    throw error;
  };
  const guarded = guardPrices(context, isForced, ({ kind }, changes) => {
    if (kind !== 'COST' && changes.some(isChange)) requireReason(context, 'A change of a price');
  });
  const checks: ImportChecks = {
    guard: (values, change) => guarded(values, change).catch(noting),
    checkFields(differences) {
      const removed = differences.filter(isRemoval);
      const named = (parts: typeof removed) => parts.map(({ field }) => field);
      try {
        requireForceToRemove(isForced, context, { removed: named(removed), sold: named(removed.filter(isSold)) });
      } catch (error) {
        noting(error);
      }
    },
  };
  const { products, ...catalogue } = await written.read({ supplier });
  const list = { ...catalogue, products: unpackedRows(products) };
  const report = await atomically(database, () =>
    importProducts(database, suppliers, list, { progress, isDryRun, ...checks }),
  );
  return { report, needsForce };
}

/** Whether a known price changes, rather than a first one is set. */
function isChange({ before, after, isFirst }: PriceChange): boolean {
  return isFirst === undefined && before !== null && after !== null && before !== after;
}

/** Whether clients order the part of a product: a denomination, or a variant on sale. */
function isSold({ field, before }: FieldDifference): boolean {
  return field.startsWith('denomination ') || (field.startsWith('variant ') && before === 'listed');
}

/** How many products the import creates and changes, their old and new values, and the faults that keep it from doing anything. */
function previewOf(report: readonly ImportedRow[]): string {
  const faults = report.filter(({ outcome }) => outcome === 'rejected');
  if (faults.length > 0)
    return [
      `Imports nothing, because ${faults.length} of ${report.length} products are rejected.`,
      ...faults.slice(0, MAX_FAULTS).map(({ sku, problem }) => `${sku}: ${problem}`),
    ].join('\n');
  const count = (wanted: ImportedRow['outcome']) => report.filter(({ outcome }) => outcome === wanted).length;
  const changes = report.flatMap(({ sku, differences }) =>
    differences.map(({ field, ...values }) => ({ what: `${sku}: ${field}`, ...values })),
  );
  return [
    `Creates ${count('created')} products and changes ${count('updated')}.`,
    ...(changes.length > 0 ? [changesText(changes)] : []),
  ].join('\n');
}

/** Rejected products that a preview names. */
const MAX_FAULTS = 5;

const importFile = operation({
  name: 'catalogue import',
  about: 'Create and change products from a file',
  inTerminal: 'Create and change products from a JSON or CSV file (formats: docs/operators/catalogue.md)',
  roles: ['catalogue'],
  effect: 'money',
  isLong: true,
  approval: 'PRICE',
  isUnasked: true,
  arguments: importArguments,
  trial: 'PREVIEW',
  async preview(context, values) {
    if (values.dryRun) return undefined;
    const { report } = await imported(context, { ...values, dryRun: true });
    return previewOf(report);
  },
  async run(context, values) {
    const { dryRun: isDryRun } = values;
    // A dry run changes nothing that another person could approve.
    const guard = isDryRun ? { ...context, beyondGuard: () => false } : context;
    const { report, needsForce } = await imported(guard, values);
    if (report.some((row) => row.outcome === 'rejected')) context.mark(needsForce ? 2 : 1);
    return isDryRun ? report.flatMap(differencesOf) : report.map(outcomeOf);
  },
  text: (rows, { tableColumns }) =>
    table(
      rows.map((row) => ('field' in row ? { ...row, before: cut(row.before), after: cut(row.after) } : row)),
      tableColumns,
    ),
});

function outcomeOf({ productId, differences: _, ...row }: ImportedRow) {
  return { ...row, product_id: productId };
}

/** A row for each difference of the product, or one row if it has none. */
function differencesOf({ family, sku, outcome, differences, problem }: ImportedRow) {
  const none = { field: null, before: null, after: null };
  const found = differences.length > 0 ? differences : [none];
  return found.map(({ field, before, after }) => ({ family, sku, outcome, field, before, after, problem }));
}

const cut = (value: string | null) => value && shortened(value);

const exportFile = operation({
  name: 'catalogue export',
  about: 'The products of a supplier as a catalogue file',
  inTerminal: 'Print the products of a supplier as a catalogue file',
  roles: marginReaders,
  effect: 'reads',
  isLong: true,
  arguments: { supplier: word(nameText, 'name') },
  async run({ database }, { supplier }) {
    const products = await exportProducts(database, supplier);
    const { voucherProducts, topupProducts, esimProducts } = products;
    if (voucherProducts.length + topupProducts.length + esimProducts.length === 0)
      throw new Error(`Supplier ${supplier} lists no product. See them with: products list`);
    return { supplier, ...products };
  },
  text: (content) => jsonText(content),
});

const refreshStock = operation({
  name: 'stock refresh',
  button: 'Refresh the stock',
  about: 'Store the stock that suppliers report',
  roles: ['catalogue'],
  effect: 'changes',
  harmless: 'It only reads stock from suppliers.',
  isLong: true,
  arguments: { supplier: optionalWord(nameText, 'name; default: all suppliers') },
  trial: 'NONE',
  check: (context, { supplier: named }) => Promise.resolve(assertConfigured(context, named)),
  run(context, { supplier: named }) {
    const { database } = context;
    return rowsOfSuppliers(context, named, async (supplier) => {
      const synced = await syncStockOf(database, supplier);
      if (!synced) return void context.remark(`Supplier ${supplier.name} reports no stock.`);
      const object = `supplier/${supplier.name}`;
      if (synced.changed > 0) await recordOperation(database, { action: 'stock.refreshed', object, after: synced });
      return { supplier: supplier.name, ...synced };
    });
  },
});

export const catalogueOperations = [importFile, exportFile];
export const stockOperations = [refreshStock];
