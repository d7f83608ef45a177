/** `discounts` and `blacklist`: the discounts and the hidden products of individual clients. */
import { hasOrdered } from '../../../data/clients/accounts';
import type { Database } from '../../../data/database/database';
import { isRedeemable } from '../../../data/catalogue/operated-products';
import { voucherPricesOf } from '../../../data/catalogue/present-product-prices';
import { findBasis } from '../../../data/prices/stored-confirmed-values';
import { hideProduct, listDiscounts, listHiddenProducts, showProduct } from '../../../data/prices/pricing-settings';
import { defaultDiscounts } from '../../../domain/prices/product-price-changes';
import {
  appliedDiscount,
  priceChangeText,
  pricePercentAfter,
  type PriceChange,
} from '../../../domain/prices/price-changes';
import { option, word, type ArgumentValues } from '../arguments';
import { clientNamed } from '../client-named';
import type { Context } from '../context';
import { changesText, requireReason, setPricedValue } from '../guarded-prices';
import { client, count, family, id, percent, reasonText } from '../kinds';
import { everyRole, force, neededReason, operation } from '../operation';
import { inFamily, nameOfProduct, productName } from '../product-named';
import { tried } from '../tried';
import { marginsText } from './resulting-margins';

const onClient = { client: word(client, 'id, name or API key') };
const onProduct = { ...onClient, family: word(family, 'vouchers, topups or esim'), product: word(id, 'id') };

const productsOfClient = {
  ...onClient,
  family: option(family, 'only products of this family: vouchers, topups or esim'),
  product: option(id, 'only this product, within the family'),
  after: option(productName, 'only products behind this one, for the next page: family/id such as vouchers/12'),
  limit: option(count, 'maximum number of products; default: all'),
};

async function pageOf(
  database: Database,
  { client: named, product: productId, after, ...page }: ArgumentValues<typeof productsOfClient>,
) {
  const { id: clientId } = await clientNamed(database, named);
  return { ...page, clientId, productId, after: after && inFamily(after, page.family) };
}

/** The key columns of a discount or a hidden product, and the names of both. Throws if the client or the product does not exist. */
async function clientProduct(database: Database, named: ArgumentValues<typeof onProduct>) {
  const { family: ofFamily, product: productId } = named;
  const { id: clientId, name: client } = await clientNamed(database, named.client);
  const product = await nameOfProduct(database, ofFamily, productId);
  return { clientId, family: ofFamily, productId, client, product };
}

type ClientProduct = Awaited<ReturnType<typeof clientProduct>>;

/** Throws for a redeemable product: its codes pay their full face value, so a discount would be our loss. */
async function assertNotRedeemable(database: Database, { family, productId }: ClientProduct): Promise<void> {
  if (family !== 'VOUCHER' || !(await isRedeemable(database, productId))) return;
  throw new Error(`Product ${productId} is redeemable: it sells at face value. Set discounts of other products only`);
}

function discountOf({ clientId, family, productId, client, product }: ClientProduct) {
  return {
    what: `Discount in percent of ${client} on ${product}`,
    value: { kind: 'discount', key: { client_id: clientId, family, product_id: productId } },
  } as const;
}

/** A default discount of a denomination, and the one that was confirmed last for the same amounts. */
interface DefaultDiscount {
  confirmed: string;
  present: string;
}

/** The different default discounts of the product, the lowest first. */
async function defaultsOf(database: Database, { family, productId }: ClientProduct): Promise<DefaultDiscount[]> {
  const prices = await voucherPricesOf(database, family, productId);
  const present = (await prices?.read()) ?? null;
  if (!prices || present === null) return [{ confirmed: '0', present: '0' }];
  const { confirmed, isFirst } = await findBasis(database, prices);
  return defaultDiscounts(isFirst ? null : confirmed, present);
}

/**
 * The prices that a discount changes, in percent of the list price: one for each default discount. A client that pays less, because a
 * default discount was raised, has not paid a confirmed price before.
 */
function priceChangesOf({ client, product }: ClientProduct, defaults: readonly DefaultDiscount[]) {
  const priceOf = (own: string | null, byDefault: string) => pricePercentAfter(appliedDiscount(own, byDefault));
  return (before: string | null, after: string | null): PriceChange[] =>
    defaults.map(({ confirmed, present }) => ({
      what: `Price in percent of the list price for ${client} of ${product}`,
      before: priceOf(before, confirmed),
      after: priceOf(after, present),
    }));
}

/** The discount that applies: of vouchers, the default one if it is higher. */
function appliesText({ client, product }: ClientProduct, defaults: readonly DefaultDiscount[], own: string): string {
  const applied = [...new Set(defaults.map(({ present }) => appliedDiscount(own, present)))];
  const isOwn = applied.every((percent) => percent === own);
  const why = isOwn ? '' : ': the higher of its own and the default discount of a denomination applies';
  return `${client} gets ${applied.join(' % or ')} % off ${product}${why}.`;
}

const discountArguments = {
  ...onProduct,
  percent: word(percent, '0 to 100'),
  force: force(),
  reason: option(reasonText, 'the reason, for the audit log; optional for a client without orders'),
};

/** Sets the discount. `applies`: the discount that the client then gets, as text. */
async function changeDiscount(
  context: Context,
  { percent: exact, force: isForced, ...named }: ArgumentValues<typeof discountArguments>,
): Promise<{ product: ClientProduct; change: PriceChange; applies: string }> {
  const { database } = context;
  const product = await clientProduct(database, named);
  await assertNotRedeemable(database, product);
  const after = exact.toFixed();
  const defaults = await defaultsOf(database, product);
  const changes = priceChangesOf(product, defaults);
  const wanted = { ...discountOf(product), after, force: isForced, changes };
  const change = await setPricedValue(context, wanted, async (before) => {
    if (before !== null || (await hasOrdered(database, product.clientId)))
      requireReason(context, 'A discount of a client');
  });
  return { product, change, applies: appliesText(product, defaults, after) };
}

const setDiscount = operation({
  name: 'discounts set',
  button: 'Set a discount',
  about: 'Give a client a percentage off a product. For vouchers the higher of this and the default discount applies',
  roles: ['catalogue'],
  effect: 'money',
  approval: 'PRICE',
  isUnasked: true,
  arguments: discountArguments,
  trial: 'PREVIEW',
  async preview(context, values) {
    const { change, applies } = await tried(context, (trial) => changeDiscount(trial, values));
    return `${changesText([change])} ${applies}`;
  },
  async run(context, values) {
    const { product, change, applies } = await changeDiscount(context, values);
    return `${applies}\n${priceChangeText(change)}\n${await marginsText(context.database, product)}`;
  },
});

const removalArguments = { ...onProduct, force: force(), reason: neededReason };

async function removeDiscount(
  context: Context,
  { force: isForced, ...named }: ArgumentValues<typeof removalArguments>,
): Promise<{ product: ClientProduct; change: PriceChange }> {
  const { database } = context;
  const product = await clientProduct(database, named);
  const changes = priceChangesOf(product, await defaultsOf(database, product));
  const removal = { ...discountOf(product), after: null, force: isForced, changes };
  return { product, change: await setPricedValue(context, removal) };
}

const clearDiscount = operation({
  name: 'discounts clear',
  about: 'Remove a discount',
  roles: ['catalogue'],
  effect: 'money',
  approval: 'PRICE',
  isUnasked: true,
  arguments: removalArguments,
  trial: 'PREVIEW',
  async preview(context, values) {
    const { change } = await tried(context, (trial) => removeDiscount(trial, values));
    return changesText([change]);
  },
  async run(context, values) {
    const { product, change } = await removeDiscount(context, values);
    return [
      `${product.client} has no discount of its own on ${product.product}.`,
      priceChangeText(change),
      await marginsText(context.database, product),
    ].join('\n');
  },
});

export const listDiscountsOf = operation({
  name: 'discounts list',
  about: 'Discounts of a client',
  roles: everyRole,
  effect: 'reads',
  arguments: productsOfClient,
  columns: { family: 'text', product_id: 'number', product_name: 'text', percent: 'text' },
  run: async ({ database }, given) => listDiscounts(database, await pageOf(database, given)),
});

/** Whether the client sees the product. */
async function visibility({ database }: Context, named: ArgumentValues<typeof onProduct>) {
  const { client: owner, product, ...key } = await clientProduct(database, named);
  const hidden = await listHiddenProducts(database, { ...key, limit: 1 });
  return { of: `${product} for ${owner}`, values: { hidden: hidden.length > 0 } };
}

const hide = operation({
  name: 'blacklist add',
  button: 'Hide a product',
  about: 'Hide a product from a client',
  roles: ['catalogue'],
  effect: 'changes',
  givesAccess: false,
  arguments: onProduct,
  compared: visibility,
  async run({ database }, named) {
    const product = await clientProduct(database, named);
    await hideProduct(database, product);
    return `${product.client} no longer sees ${product.product}.`;
  },
});

const show = operation({
  name: 'blacklist remove',
  button: 'Show again',
  about: 'Show a hidden product again',
  roles: ['catalogue'],
  effect: 'changes',
  givesAccess: false,
  arguments: onProduct,
  compared: visibility,
  async run({ database }, named) {
    const product = await clientProduct(database, named);
    await showProduct(database, product);
    return `${product.client} sees ${product.product}.`;
  },
});

export const listBlacklist = operation({
  name: 'blacklist list',
  about: 'Products hidden from a client',
  roles: everyRole,
  effect: 'reads',
  arguments: productsOfClient,
  columns: { family: 'text', product_id: 'number', product_name: 'text' },
  run: async ({ database }, given) => listHiddenProducts(database, await pageOf(database, given)),
});

export const clientPricingOperations = [setDiscount, clearDiscount, listDiscountsOf, hide, show, listBlacklist];
