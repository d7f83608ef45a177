/** `products`: what the service sells, by family. */
import type { Command } from 'commander';
import { findProduct, listProducts, type ProductReport } from '../../data/catalogue/operated-products';
import type { Family } from '../../domain/orders/families';
import * as read from '../arguments';
import { jsonText, shortened, table, wantsJson } from '../output';
import { LONG_STATEMENTS_MS, onDatabase } from '../session';

interface ListOptions {
  family?: Family;
  supplier?: string;
  active?: boolean;
}

export function addProductCommands(program: Command): void {
  const products = program.command('products').description('The products of all families');
  products
    .command('list')
    .description('Products that match all options, with their suppliers and why no client can buy them')
    .option('--family <family>', 'vouchers, topups or esim', read.family)
    .option('--supplier <name>', 'only those that this supplier lists or can deliver')
    .option('--active', 'only those that are not taken off sale')
    .option('--no-active', 'only those that are taken off sale')
    .action(
      onDatabase(
        ({ database }, { family, supplier, active }: ListOptions) =>
          listProducts(database, { family, supplier, active }),
        LONG_STATEMENTS_MS,
      ),
    );

  products
    .command('show')
    .description('One product with its denominations or variants, and their sources')
    .argument('<family>', 'vouchers, topups or esim', read.family)
    .argument('<product>', 'id', read.positiveInteger)
    .action(
      onDatabase(async ({ database, command }, family: Family, productId: number) => {
        const product = await findProduct(database, family, productId);
        if (!product)
          throw new Error(`There is no ${family} product ${productId}. See them with: products list`);
        return wantsJson(command) ? jsonText(product) : productText(product);
      }),
    );
}

function productText(product: ProductReport): string {
  const { family, id, name, state, fields, items, sources } = product;
  const values = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== '')
    .map(([field, value]) => ({
      field,
      value: shortened(typeof value === 'string' ? value : JSON.stringify(value)),
    }));
  const title = family === 'VOUCHER' ? 'Denominations' : 'Variants';
  return [
    `${family} product ${id}, ${name}: ${state}`,
    table(values),
    `${title}\n${table(items)}`,
    `Sources\n${table(sources)}`,
  ].join('\n\n');
}
