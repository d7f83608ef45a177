/** `catalogue` and `stock`: the products on sale. */
import type { Command } from 'commander';
import { recordOperation } from '../../data/operations/audit';
import { exportProducts } from '../../data/catalogue/export';
import type { ImportCheck } from '../../data/catalogue/import';
import type { Database } from '../../data/database/database';
import { isRemoval } from '../../domain/differences';
import { syncStockOf } from '../../catalogue/supplier-reports';
import { withEachSupplier } from '../../suppliers/registry';
import { checkedCatalogue } from '../catalogue-file';
import { productsOfCsv } from '../catalogue-csv';
import { importCatalogue, importProducts, type ImportedRow, type ImportOptions } from '../import-catalogue';
import * as read from '../arguments';
import { requireReason, ForceRequired, forceable, requireForce, requireForceToRemove } from '../confirmation';
import { jsonText, shortened, show, wantsJson, withProgress } from '../output';
import { LONG_STATEMENTS_MS, onDatabase } from '../session';
import { suppliersNamed, suppliersOf } from '../suppliers';
import { textOfFile } from '../text-file';
import { addOfferCommands } from './offers';

export function addCatalogueCommands(program: Command): void {
  const catalogue = program.command('catalogue').description('Products of all families');
  forceable(
    catalogue.command('import'),
    'remove values, and apply changes that are larger than PRICE_CHANGE_LIMIT_PERCENT',
  )
    .description('Create and change products from a JSON or CSV file (formats: docs/operators/catalogue.md)')
    .argument('<file>', 'the file; one whose name ends in .csv is read as CSV')
    .option('--dry-run', 'show the differences, and change nothing')
    .option('--supplier <name>', 'for a CSV file: the supplier of all its products')
    .option('--reason <text>', 'the reason, for the audit log; required if a price changes', read.reason)
    .action(
      onDatabase(
        async (
          { database, config, command },
          path: string,
          { supplier, dryRun: isDryRun = false }: { supplier?: string; dryRun?: boolean },
        ) => {
          const suppliers = suppliersOf({ database, config });
          let needsForce = false;
          const checkChanges: ImportCheck = ({ prices, differences }) => {
            if (prices.length > 0) requireReason(command, 'A change of a price');
            try {
              requireForce(command, config, prices);
              requireForceToRemove(
                command,
                differences.filter(isRemoval).map(({ field }) => field),
              );
            } catch (error) {
              needsForce ||= error instanceof ForceRequired;
              throw error;
            }
          };
          const report = await withProgress((progress) => {
            const options = { progress, checkChanges, isDryRun };
            return isCsv(path)
              ? importCsv(database, suppliers, path, supplier, options)
              : importCatalogue(database, suppliers, checkedCatalogue(parse(path), path), options);
          });
          if (report.some((row) => row.outcome === 'rejected')) process.exitCode = needsForce ? 2 : 1;
          if (isDryRun) return report.flatMap((row) => differencesOf(row, !wantsJson(command)));
          return report.map(({ productId, differences: _, ...row }) => ({ ...row, product_id: productId }));
        },
      ),
    );
  catalogue
    .command('export')
    .description('Print the products of a supplier as a catalogue file')
    .argument('<supplier>', 'name')
    .action(
      onDatabase(async ({ database }, supplier: string) => {
        const products = await exportProducts(database, supplier);
        const { voucherProducts, topupProducts, esimProducts } = products;
        if (voucherProducts.length + topupProducts.length + esimProducts.length === 0)
          throw new Error(`Supplier ${supplier} lists no product. See them with: products list`);
        return jsonText({ supplier, ...products });
      }, LONG_STATEMENTS_MS),
    );
  addOfferCommands(catalogue);

  program
    .command('stock')
    .description('Inventory')
    .command('refresh')
    .description('Store the stock that suppliers report')
    .argument('[supplier]', 'name; default: all suppliers')
    .action(
      onDatabase(async ({ database, config, command }, name: string | undefined) => {
        await withEachSupplier(suppliersNamed({ database, config }, name), async (supplier) => {
          const synced = await syncStockOf(database, supplier);
          if (!synced) return console.error(`Supplier ${supplier.name} reports no stock.`);
          const object = `supplier/${supplier.name}`;
          if (synced.changed > 0)
            await recordOperation(database, { action: 'stock.refreshed', object, after: synced });
          show(command, [{ supplier: supplier.name, ...synced }]);
        });
      }),
    );
}

/** A line for each difference of the product, or one line if it has none. `isShort`: cuts long values. */
function differencesOf(
  { family, sku, outcome, differences, problem }: ImportedRow,
  isShort: boolean,
): object[] {
  const cut = (value: string | null) => (isShort && value !== null ? shortened(value) : value);
  const none = { field: null, before: null, after: null };
  const lines = differences.length > 0 ? differences : [none];
  return lines.map(({ field, before, after }) => ({
    ...{ family, sku, outcome, field, before: cut(before), after: cut(after), problem },
  }));
}

function isCsv(path: string): boolean {
  return path.toLowerCase().endsWith('.csv');
}

async function importCsv(
  database: Database,
  suppliers: ReadonlyMap<string, unknown>,
  path: string,
  supplier: string | undefined,
  options: ImportOptions,
): Promise<ImportedRow[]> {
  if (supplier === undefined) throw new Error('Name the supplier of the products: --supplier <name>');
  try {
    return await importProducts(database, suppliers, { supplier, products: productsOfCsv(path) }, options);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

function parse(path: string): unknown {
  try {
    return JSON.parse(textOfFile(path));
  } catch (error) {
    throw new Error(`${path} cannot be read as JSON: ${(error as Error).message}`);
  }
}
