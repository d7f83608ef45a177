/** `discounts` and `blacklist`: what single clients pay for a product, and what they cannot buy. */
import type { Command } from 'commander';
import { hasOrdered } from '../../data/clients/accounts';
import type { Database } from '../../data/database/database';
import { catalogueModels } from '../../data/catalogue/catalogue-models';
import { clientPricingModels } from '../../data/prices/pricing-settings';
import type { Exact } from '../../domain/prices/money';
import type { Family } from '../../domain/orders/families';
import * as read from '../arguments';
import { reasoned, requireReason } from '../confirmation';
import { show } from '../output';
import { forceable, setPricedValue } from '../price-changes';
import { withDatabase } from '../session';
import { clientArgument, clientNamed } from './client-argument';

export function addClientPricingCommands(program: Command): void {
  addDiscounts(program.command('discounts').description('Discounts of single clients'));
  addBlacklist(program.command('blacklist').description('Products hidden from single clients'));
}

/** Adds the arguments that name a client's product. */
function onProduct(command: Command): Command {
  return command
    .addArgument(clientArgument())
    .argument('<family>', 'vouchers, topups or esim', read.family)
    .argument('<product>', 'id', read.positiveInteger);
}

/** The columns that name a client's product. Throws a sentence if one of the two is missing. */
async function clientProduct(database: Database, named: string, family: Family, productId: number) {
  const { id: clientId } = await clientNamed(database, named);
  const { voucherProducts, topupProducts, esimProducts } = catalogueModels(database);
  const found = await {
    VOUCHER: () => voucherProducts.count({ where: { id: productId } }),
    TOPUP: () => topupProducts.count({ where: { id: productId } }),
    ESIM: () => esimProducts.count({ where: { id: productId } }),
  }[family]();
  if (found === 0) throw new Error(`There is no ${family} product ${productId}`);
  return { clientId, family, productId };
}

/** What can be redeemed is sold at its face value: a discount on it would be paid back in full. */
async function refuseRedeemable(
  database: Database,
  { family, productId }: { family: Family; productId: number },
): Promise<void> {
  const where = { id: productId, redeemable: true };
  if (family !== 'VOUCHER' || (await catalogueModels(database).voucherProducts.count({ where })) === 0)
    return;
  throw new Error(`Product ${productId} can be redeemed: it is sold at its face value, without discounts`);
}

type ClientProduct = Awaited<ReturnType<typeof clientProduct>>;

function discountOf({ clientId, family, productId }: ClientProduct) {
  return {
    what: `Discount in percent of client ${clientId} on ${family} product ${productId}`,
    value: { kind: 'discount', key: { client_id: clientId, family, product_id: productId } },
  } as const;
}

function addDiscounts(discounts: Command): void {
  onProduct(forceable(discounts.command('set')))
    .description(
      'Give a client a percentage off a product; for vouchers the higher of this and the default counts',
    )
    .argument('<percent>', '0 to 100', read.percent)
    .option(
      '--reason <text>',
      'why, kept in the audit; a client that has not ordered yet needs none',
      read.reason,
    )
    .action(
      (
        named: string,
        family: Family,
        productId: number,
        percent: Exact,
        _options: object,
        command: Command,
      ) =>
        withDatabase(async (database, config) => {
          const product = await clientProduct(database, named, family, productId);
          await refuseRedeemable(database, product);
          const changed = await setPricedValue(
            { command, database, config },
            { ...discountOf(product), after: percent.toFixed() },
            async (before) => {
              if (before !== null || (await hasOrdered(database, product.clientId)))
                requireReason(command, 'A discount of a client');
            },
          );
          const text = `Client ${product.clientId} gets ${percent.toFixed()} % off ${family} product ${productId}.`;
          console.log(`${text}\n${changed}`);
        }),
    );

  onProduct(reasoned(discounts.command('clear')))
    .description('Take a discount back')
    .action((named: string, family: Family, productId: number, _options: object, command: Command) =>
      withDatabase(async (database, config) => {
        const product = await clientProduct(database, named, family, productId);
        const changed = await setPricedValue(
          { command, database, config },
          { ...discountOf(product), after: null },
        );
        const text = `Client ${product.clientId} has no discount of its own on ${family} product ${productId}.`;
        console.log(`${text}\n${changed}`);
      }),
    );

  discounts
    .command('list')
    .description('Discounts of a client')
    .addArgument(clientArgument())
    .action((named: string, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const { id: clientId } = await clientNamed(database, named);
        const order = ['family', 'productId'];
        const found = await clientPricingModels(database).discounts.findAll({ where: { clientId }, order });
        show(
          command,
          found.map(({ family, productId, discountPercent }) => ({
            family,
            product_id: productId,
            percent: discountPercent,
          })),
        );
      }),
    );
}

function addBlacklist(blacklist: Command): void {
  onProduct(blacklist.command('add'))
    .description('Hide a product from a client')
    .action((named: string, family: Family, productId: number) =>
      withDatabase(async (database) => {
        const product = await clientProduct(database, named, family, productId);
        await clientPricingModels(database).blacklist.upsert(product);
        console.log(`Client ${product.clientId} no longer sees ${family} product ${productId}.`);
      }),
    );

  onProduct(blacklist.command('remove'))
    .description('Show a hidden product again')
    .action((named: string, family: Family, productId: number) =>
      withDatabase(async (database) => {
        const product = await clientProduct(database, named, family, productId);
        await clientPricingModels(database).blacklist.destroy({ where: product });
        console.log(`Client ${product.clientId} sees ${family} product ${productId}.`);
      }),
    );

  blacklist
    .command('list')
    .description('Products hidden from a client')
    .addArgument(clientArgument())
    .action((named: string, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const { id: clientId } = await clientNamed(database, named);
        const order = ['family', 'productId'];
        const found = await clientPricingModels(database).blacklist.findAll({ where: { clientId }, order });
        show(
          command,
          found.map(({ family, productId }) => ({ family, product_id: productId })),
        );
      }),
    );
}
