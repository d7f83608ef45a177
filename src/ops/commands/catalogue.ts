/** `catalogue` and `stock`: what is sold. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { recordOperation } from '../../data/operations/audit';
import type { PriceJudge } from '../../data/catalogue/import';
import type { Database } from '../../data/database/database';
import { syncStockOf } from '../../catalogue/stock-sync';
import { withEachSupplier } from '../../suppliers/registry';
import { supplierNamed, suppliersFrom } from '../../suppliers/registry';
import { checkedCatalogue } from '../catalogue-file';
import { productsOfCsv } from '../catalogue-csv';
import { importCatalogue, importProducts, type ImportedRow, type ImportWatchers } from '../import-catalogue';
import * as read from '../arguments';
import { requireReason } from '../confirmation';
import { show } from '../output';
import { ForceRequired, forceable, requireForce } from '../price-changes';
import { withProgress } from '../progress';
import { withDatabase } from '../session';

export function addCatalogueCommands(program: Command): void {
  const catalogue = program.command('catalogue').description('Products of all families');
  forceable(catalogue.command('import'))
    .description('Create and change products from a JSON or CSV file (formats: docs/operators/operations.md)')
    .argument('<file>', 'a name that ends in .csv is read as CSV')
    .option('--supplier <name>', 'of a CSV file: who sells all of it')
    .option(
      '--reason <text>',
      'why, kept in the audit; needed where the price of a product changes',
      read.reason,
    )
    .action((path: string, { supplier }: { supplier?: string }, command: Command) =>
      withDatabase(async (database, config) => {
        const suppliers = suppliersFrom(config);
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
        const report = await withProgress((tell) =>
          isCsv(path)
            ? importCsv(database, suppliers, path, supplier, { tell, judge })
            : importCatalogue(database, suppliers, checkedCatalogue(parse(path), path), { tell, judge }),
        );
        show(
          command,
          report.map(({ productId, ...row }) => ({ ...row, product_id: productId })),
        );
        if (report.some((row) => row.outcome === 'rejected')) process.exitCode = needsForce ? 2 : 1;
      }),
    );

  program
    .command('stock')
    .description('Inventory')
    .command('refresh')
    .description('Take over the stock that suppliers report')
    .argument('[supplier]', 'name; all where none is given')
    .action((name: string | undefined, _options: object, command: Command) =>
      withDatabase(async (database, config) => {
        const known = suppliersFrom(config);
        const suppliers = name ? new Map([[name, supplierNamed(known, name)]]) : known;
        await withEachSupplier(suppliers, async (supplier) => {
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
  watchers: ImportWatchers,
): Promise<ImportedRow[]> {
  if (supplier === undefined) throw new Error('Say who sells what the file names: --supplier <name>');
  try {
    return await importProducts(database, suppliers, { supplier, products: productsOfCsv(path) }, watchers);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read as JSON: ${(error as Error).message}`);
  }
}
