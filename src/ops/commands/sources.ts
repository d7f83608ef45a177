/** `sources` and `routes`: which suppliers can deliver an item, and which ones an order would use. */
import type { Command } from 'commander';
import { setSource } from '../../catalogue/offer-decisions';
import { listSources, type SourceSettings } from '../../data/catalogue/source-settings';
import type { Family } from '../../domain/orders/families';
import type { Exact } from '../../domain/prices/money';
import { explainRoutes } from '../../ordering/placement/explain-routes';
import { requireSupplier } from '../../suppliers/registry';
import * as read from '../arguments';
import { onDatabase } from '../session';
import { suppliersOf } from '../suppliers';

export function addSourceCommands(program: Command): void {
  const sources = program.command('sources').description('The suppliers that can deliver an item');
  sources
    .command('list')
    .description('The sources of every item of a product, with their amounts, costs and states')
    .argument('<family>', 'vouchers, topups or esim', read.family)
    .argument('<product>', 'id', read.positiveInteger)
    .action(
      onDatabase(({ database }, family: Family, productId: number) =>
        listSources(database, family, productId),
      ),
    );
  addSet(sources);
  addExplain(program.command('routes').description('The suppliers that an order would use'));
}

interface SetOptions {
  priority?: number;
  costPercent?: Exact;
  cost?: Exact;
  fee?: Exact;
  currency?: string;
  amounts?: string[];
  min?: Exact;
  max?: Exact;
  active?: boolean;
}

function addSet(sources: Command): void {
  sources
    .command('set')
    .description('Add a source to an item, or change it. Omitted options keep their values')
    .argument('<family>', 'vouchers, topups or esim', read.family)
    .argument('<item>', 'id of the voucher product, or of the variant', read.positiveInteger)
    .argument('<supplier>', 'name')
    .argument('<sku>', 'the item at the supplier')
    .option('--priority <n>', 'the smallest is used first; default: 0', read.wholeNumber)
    .option(
      '--cost-percent <percent>',
      'our cost in percent of the amount. If --currency is not the currency of the item, multiply by the exchange rate',
      read.decimal,
    )
    .option('--cost <amount>', 'our cost of one unit', read.decimal)
    .option('--fee <amount>', 'an additional cost of each unit', read.decimal)
    .option('--currency <code>', 'of cost and fee; default: the currency of the item', read.currencyCode)
    .option(
      '--amounts <list>',
      'the amounts that it serves, separated by commas; default: those of the stored offer',
      read.list,
    )
    .option('--min <amount>', 'with --max: the range of amounts that it serves', read.positiveDecimal)
    .option('--max <amount>', 'with --min', read.positiveDecimal)
    .option('--active', 'use it')
    .option('--no-active', 'do not use it any more; open orders keep it')
    .action(
      onDatabase(
        async (
          { database, config },
          family: Family,
          itemId: number,
          supplier: string,
          sku: string,
          options: SetOptions,
        ) => {
          requireSupplier(suppliersOf({ database, config }), supplier);
          const key = { family, itemId, supplier, sku };
          const id = await setSource(database, key, settingsOf(options));
          return `Source ${id} of item ${itemId}: ${supplier} ${sku}.`;
        },
      ),
    );
}

function settingsOf(options: SetOptions): SourceSettings {
  const { priority, costPercent, cost, fee, currency, amounts, min, max, active } = options;
  if (costPercent && cost) throw new Error('Give --cost-percent or --cost, not both');
  if ((min === undefined) !== (max === undefined)) throw new Error('Give --min and --max together');
  if (amounts && min) throw new Error('Give --amounts or a range, not both');
  return {
    ...(priority !== undefined && { priority }),
    ...(costPercent && { cost_percent: costPercent.toFixed(), cost_fixed: null }),
    ...(cost && { cost_fixed: cost.toFixed(), cost_percent: null }),
    ...(fee && { fee: fee.toFixed() }),
    ...(currency !== undefined && { cost_currency: currency }),
    ...(amounts && {
      fixed_amounts: amounts.map((text) => read.positiveDecimal(text).toFixed()),
      min_amount: null,
      max_amount: null,
    }),
    ...(min && max && { min_amount: min.toFixed(), max_amount: max.toFixed(), fixed_amounts: null }),
    ...(active !== undefined && { active }),
  };
}

function addExplain(routes: Command): void {
  routes
    .command('explain')
    .description('The suppliers that an order would use, in sequence, and why it would not use the others')
    .argument('<family>', 'vouchers, topups or esim', read.family)
    .argument('<product>', 'id', read.positiveInteger)
    .argument('<amount>', 'the amount of one unit', read.positiveDecimal)
    .requiredOption('--client <client>', 'id, name or API key')
    .option('--quantity <n>', 'units of the order', read.positiveInteger, 1)
    .action(
      onDatabase(
        async (
          { database, config },
          family: Family,
          productId: number,
          amount: Exact,
          { client: named, quantity }: { client: string; quantity: number },
        ) => {
          const { id: clientId } = await read.clientNamed(database, named);
          const suppliers = suppliersOf({ database, config });
          const order = { clientId, family, productId, amount, quantity, walletId: undefined };
          const routes = await explainRoutes({ database, suppliers }, order);
          if (routes.length === 0)
            throw new Error(
              `Product ${productId} has no item of this amount. See its items with: products show`,
            );
          return routes.flatMap(({ item, walletCurrency, judged }) => {
            let uses = 0;
            return judged.map(({ source, cost, obstacle }) => ({
              item: `${item.id} ${item.name}`,
              use: obstacle === undefined ? String(++uses) : 'no',
              supplier: source.supplier,
              sku: source.sku,
              priority: source.priority,
              cost: cost ? `${cost.toDecimalPlaces(4).toFixed()} ${walletCurrency}` : 'unknown',
              why: obstacle ?? (source.isCircuitOpen ? 'circuit open: used last' : ''),
            }));
          });
        },
      ),
    );
}
