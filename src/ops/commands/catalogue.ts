/** `catalogue` and `stock`: the products on sale. */
import type { Command } from 'commander';
import { recordOperation } from '../../data/operations/audit';
import type { PriceJudge } from '../../data/catalogue/import';
import type { Database } from '../../data/database/database';
import { syncStockOf } from '../../catalogue/stock-sync';
import { withEachSupplier } from '../../suppliers/registry';
import { checkedCatalogue } from '../catalogue-file';
import { productsOfCsv } from '../catalogue-csv';
import { importCatalogue, importProducts, type ImportedRow, type ImportObservers } from '../import-catalogue';
import * as read from '../arguments';
import { requireReason, ForceRequired, forceable, requireForce } from '../confirmation';
import { show, withProgress } from '../output';
import { onDatabase } from '../session';
import { suppliersNamed, suppliersOf } from '../suppliers';
import { textOfFile } from '../text-file';
import { addOfferCommands } from './offers';

export function addCatalogueCommands(program: Command): void {
  const catalogue = program.command('catalogue').description('Products of all families');
  forceable(catalogue.command('import'))
    .description('Create and change products from a JSON or CSV file (formats: docs/operators/operations.md)')
    .argument('<file>', 'the file; one whose name ends in .csv is read as CSV')
    .option('--supplier <name>', 'for a CSV file: the supplier of all its products')
    .option('--reason <text>', 'the reason, for the audit log; required if a price changes', read.reason)
    .action(
      onDatabase(async ({ database, config, command }, path: string, options: { supplier?: string }) => {
        const suppliers = suppliersOf({ database, config });
        let needsForce = false;
        const judge: PriceJudge = (changes) => {
          requireReason(command, 'A change of a price');
          try {
            requireForce(command, config, changes);
          } catch (error) {
            needsForce ||= error instanceof ForceRequired;
            throw error;
          }
        };
        const report = await withProgress((progress) =>
          isCsv(path)
            ? importCsv(database, suppliers, path, options.supplier, { progress, judge })
            : importCatalogue(database, suppliers, checkedCatalogue(parse(path), path), { progress, judge }),
        );
        if (report.some((row) => row.outcome === 'rejected')) process.exitCode = needsForce ? 2 : 1;
        return report.map(({ productId, ...row }) => ({ ...row, product_id: productId }));
      }),
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

function isCsv(path: string): boolean {
  return path.toLowerCase().endsWith('.csv');
}

async function importCsv(
  database: Database,
  suppliers: ReadonlyMap<string, unknown>,
  path: string,
  supplier: string | undefined,
  observers: ImportObservers,
): Promise<ImportedRow[]> {
  if (supplier === undefined) throw new Error('Name the supplier of the products: --supplier <name>');
  try {
    return await importProducts(database, suppliers, { supplier, products: productsOfCsv(path) }, observers);
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
