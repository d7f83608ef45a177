/** `discounts` and `blacklist`: the discounts and the hidden products of individual clients. */
import type { Command } from 'commander';
import { hasOrdered, type ClientRow } from '../../data/clients/accounts';
import type { Database } from '../../data/database/database';
import { hasProduct, isRedeemable } from '../../data/catalogue/operated-products';
import {
  defaultDiscounts,
  hideProduct,
  listDiscounts,
  listHiddenProducts,
  showProduct,
} from '../../data/prices/pricing-settings';
import type { Exact } from '../../domain/prices/money';
import { appliedDiscount, pricePercentAfter, type PriceChange } from '../../domain/prices/price-changes';
import type { Family } from '../../domain/orders/families';
import * as read from '../arguments';
import { reasoned, requireReason, forceable, setPricedValue } from '../confirmation';
import { marginsText } from '../resulting-margins';
import { onClient } from '../session';

export function addClientPricingCommands(program: Command): void {
  addDiscounts(program.command('discounts').description('Discounts of single clients'));
  addBlacklist(program.command('blacklist').description('Products hidden from single clients'));
}

/** Adds the arguments that name a client and a product. */
function onProduct(command: Command): Command {
  return command
    .addArgument(read.clientArgument())
    .argument('<family>', 'vouchers, topups or esim', read.family)
    .argument('<product>', 'id', read.positiveInteger);
}

/** The key columns of a discount or a hidden product. Throws if the product does not exist. */
async function clientProduct(database: Database, client: ClientRow, family: Family, productId: number) {
  if (!(await hasProduct(database, family, productId)))
    throw new Error(`There is no ${family} product ${productId}. See them with: products list`);
  return { clientId: client.id, family, productId };
}

type ClientProduct = Awaited<ReturnType<typeof clientProduct>>;

/** Throws for a redeemable product: its codes pay their full face value, so a discount would be our loss. */
async function assertNotRedeemable(database: Database, { family, productId }: ClientProduct): Promise<void> {
  if (family !== 'VOUCHER' || !(await isRedeemable(database, productId))) return;
  throw new Error(
    `Product ${productId} is redeemable: it sells at face value. Set discounts of other products only`,
  );
}

function discountOf({ clientId, family, productId }: ClientProduct) {
  return {
    what: `Discount (percent) of client ${clientId} on ${family} product ${productId}`,
    value: { kind: 'discount', key: { client_id: clientId, family, product_id: productId } },
  } as const;
}

/** The prices that a discount changes, in percent of the list price: one for each default discount. */
function priceChangesOf(
  { clientId, family, productId }: ClientProduct,
  defaults: readonly string[],
  before: string | null,
  after: string,
): PriceChange[] {
  const priceOf = (own: string | null, byDefault: string) =>
    pricePercentAfter(appliedDiscount(own, byDefault));
  return defaults.map((byDefault) => ({
    what: `Price in percent of the list price for client ${clientId} of ${family} product ${productId}`,
    before: priceOf(before, byDefault),
    after: priceOf(after, byDefault),
  }));
}

/** The discount that applies: of vouchers, the default one if it is higher. */
function appliesText(
  { clientId, family, productId }: ClientProduct,
  defaults: readonly string[],
  own: string,
): string {
  const applied = [...new Set(defaults.map((byDefault) => appliedDiscount(own, byDefault)))];
  const isOwn = applied.every((percent) => percent === own);
  const why = isOwn ? '' : ': the higher of its own and the default discount of a denomination applies';
  return `Client ${clientId} gets ${applied.join(' % or ')} % off ${family} product ${productId}${why}.`;
}

function addDiscounts(discounts: Command): void {
  onProduct(forceable(discounts.command('set')))
    .description(
      'Give a client a percentage off a product. For vouchers the higher of this and the default discount applies',
    )
    .argument('<percent>', '0 to 100', read.percent)
    .option(
      '--reason <text>',
      'the reason, for the audit log; optional for a client without orders',
      read.reason,
    )
    .action(
      onClient(async (session, client, family: Family, productId: number, percent: Exact) => {
        const { database, command } = session;
        const product = await clientProduct(database, client, family, productId);
        await assertNotRedeemable(database, product);
        const after = percent.toFixed();
        const defaults = family === 'VOUCHER' ? await defaultDiscounts(database, productId) : ['0'];
        const priceChanges = (before: string | null) => priceChangesOf(product, defaults, before, after);
        const changed = await setPricedValue(
          session,
          { ...discountOf(product), after, priceChanges },
          async (before) => {
            if (before !== null || (await hasOrdered(database, product.clientId)))
              requireReason(command, 'A discount of a client');
          },
        );
        const margins = await marginsText(database, product);
        return `${appliesText(product, defaults, after)}\n${changed}\n${margins}`;
      }),
    );

  onProduct(reasoned(discounts.command('clear')))
    .description('Remove a discount')
    .action(
      onClient(async (session, client, family: Family, productId: number) => {
        const product = await clientProduct(session.database, client, family, productId);
        const changed = await setPricedValue(session, { ...discountOf(product), after: null });
        return [
          `Client ${product.clientId} has no discount of its own on ${family} product ${productId}.`,
          changed,
          await marginsText(session.database, product),
        ].join('\n');
      }),
    );

  discounts
    .command('list')
    .description('Discounts of a client')
    .addArgument(read.clientArgument())
    .action(onClient(({ database }, { id }) => listDiscounts(database, id)));
}

function addBlacklist(blacklist: Command): void {
  onProduct(blacklist.command('add'))
    .description('Hide a product from a client')
    .action(
      onClient(async ({ database }, client, family: Family, productId: number) => {
        const product = await clientProduct(database, client, family, productId);
        await hideProduct(database, product);
        return `Client ${product.clientId} no longer sees ${family} product ${productId}.`;
      }),
    );

  onProduct(blacklist.command('remove'))
    .description('Show a hidden product again')
    .action(
      onClient(async ({ database }, client, family: Family, productId: number) => {
        const product = await clientProduct(database, client, family, productId);
        await showProduct(database, product);
        return `Client ${product.clientId} sees ${family} product ${productId}.`;
      }),
    );

  blacklist
    .command('list')
    .description('Products hidden from a client')
    .addArgument(read.clientArgument())
    .action(onClient(({ database }, { id }) => listHiddenProducts(database, id)));
}
