/** `catalogue` and `stock`: what is sold. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { recordOperation } from '../../data/audit';
import { syncStockOf } from '../../catalogue/stock-sync';
import { withEachSupplier } from '../../suppliers/each-supplier';
import { supplierNamed, suppliersFrom } from '../../suppliers/registry';
import { checkedCatalogue } from '../catalogue-file';
import { importCatalogue } from '../import-catalogue';
import { show } from '../output';
import { withDatabase } from '../session';

export function addCatalogueCommands(program: Command): void {
  program
    .command('catalogue')
    .description('Products of all families')
    .command('import')
    .description('Create and change products from a JSON file (format: docs/operators/operations.md)')
    .argument('<file>')
    .action((path: string, _options: object, command: Command) =>
      withDatabase(async (database, config) => {
        const report = await importCatalogue(
          database,
          suppliersFrom(config),
          checkedCatalogue(parse(path), path),
        );
        show(
          command,
          report.map(({ productId, ...row }) => ({ ...row, product_id: productId })),
        );
        if (report.some((row) => row.outcome === 'rejected')) process.exitCode = 1;
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

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read as JSON: ${(error as Error).message}`);
  }
}
