/** `products stop|resume|stopped`: what the service does not sell at present. docs/operators/stopped-sales.md. */
import {
  findDenomination,
  findProductOfVariant,
  findStoppedSale,
  findSubcategories,
  listStoppedSales,
  overlappingStops,
  resumeSale,
  stopSale,
  type StoppedSale,
  stoppedSaleColumns,
} from '../../../data/catalogue/operated-stops';
import type { Database } from '../../../data/database/database';
import { holdOrdersOfStop } from '../../../data/orders/held-orders';
import { passToOtherStops } from '../../../data/orders/stopped-orders';
import { alpha3Of } from '../../../domain/countries';
import { features, type Family } from '../../../domain/orders/families';
import { STOP_REVIEW_HOURS, type SaleScope, type StopScope } from '../../../domain/orders/stop-scopes';
import { flag, InvalidArgument, inTerminal, option, word, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { family, id, kindBy, nameText, positiveDecimal } from '../kinds';
import { everyRole, neededReason, operation } from '../operation';
import { nameOfProduct } from '../product-named';
import { plural } from '../text';
import { tried } from '../tried';
import { kindsOf } from '../../../domain/row-columns';

const stopped = operation({
  name: 'products stopped',
  button: 'Show what is stopped',
  about: 'What operators have stopped selling, with the open orders that go on',
  roles: everyRole,
  effect: 'reads',
  arguments: {},
  columns: kindsOf(stoppedSaleColumns),
  run: ({ database }) => listStoppedSales(database),
});

const country = kindBy('code', (written) => {
  const code = written.toUpperCase() === 'GLO' ? 'GLO' : alpha3Of(written);
  if (code !== undefined) return code;
  throw new InvalidArgument('Give an ISO 3166 code such as TR or TUR, or GLO for products of all countries.');
});

const scopeArguments = {
  family: option(family, `${features.join(', ')}; needed unless you name a country or a subcategory`),
  product: option(id, 'only this product of the family'),
  denomination: inTerminal(
    option(positiveDecimal, 'only the denomination of the gift card with this face value'),
    'with --product: only the denomination of the gift card with this face value',
  ),
  variant: option(id, 'only this variant of a top-up or an eSIM'),
  subcategory: option(nameText, 'only gift cards of the subcategory with this name'),
  country: option(country, 'only products of this country'),
};

type GivenScope = Partial<ArgumentValues<typeof scopeArguments>>;

const stop = operation({
  name: 'products stop',
  about: 'Stop selling a family, a country, a subcategory, a product, or a denomination or variant. Open orders go on',
  roles: ['support', 'catalogue'],
  effect: 'changes',
  givesAccess: false,
  alternatives: [['product', 'denomination'], ['variant'], ['subcategory'], ['country']],
  arguments: {
    ...scopeArguments,
    hold: flag(
      'also hold its open orders of which nothing was sent. They are cancelled and refunded after 24 hours, unless they are released',
    ),
    reason: neededReason,
  },
  check: async ({ database }, known) => {
    if (Object.keys(scopeArguments).some((name) => name in known)) await scopeOf(database, known);
  },
  trial: 'PREVIEW',
  async preview(context, given) {
    const {
      what,
      open_orders: open,
      unsent,
    } = await tried(context, async (trial) => stoppedSale(trial.database, await stoppedIn(trial, given)));
    const held = given.hold
      ? `${plural(unsent, 'order')} of which nothing was sent ${unsent === 1 ? 'is' : 'are'} held for ${STOP_REVIEW_HOURS} hours`
      : `nothing was sent of ${unsent}`;
    const orders = open === 0 ? 'No order is open.' : `${plural(open, 'open order')}: ${held}, the others go on.`;
    return `Stops the sale of ${what}. ${orders}`;
  },
  async run(context, given) {
    const { database } = context;
    const id = await stoppedIn(context, given);
    const { what } = await stoppedSale(database, id);
    const because = `The sale is stopped (stop ${id})`;
    if (given.hold) {
      const held = await holdOrdersOfStop(database, id, { because, hours: STOP_REVIEW_HOURS });
      context.remark(`${plural(held, 'order is', 'orders are')} held.`);
    }
    return `The sale of ${what} is stopped. Resume it with: products resume ${id}`;
  },
});

/** Stops the sale, and returns the id of the stop. */
async function stoppedIn(
  { database, operator }: Context,
  { reason, ...given }: GivenScope & { reason: string },
): Promise<number> {
  return stopSale(database, await scopeOf(database, given), { reason, by: operator });
}

const resume = operation({
  name: 'products resume',
  about: 'Sell again what was stopped, and release the orders that the stop has held',
  roles: ['catalogue'],
  effect: 'changes',
  givesAccess: false,
  isLong: true,
  arguments: { stop: word(id, 'the number of the stop'), reason: neededReason },
  trial: 'NONE',
  check: async ({ database }, { stop: stopId }) => (stopId === undefined ? undefined : stoppedSale(database, stopId)),
  preview: (context, { stop: stopId }) =>
    tried(context, async ({ database }) => {
      const { what, except, held, kept } = await ending(database, stopId);
      const orders = held === 0 ? '' : ` Releases ${plural(held, 'order')} that the stop has held: they are bought.`;
      return `Sells ${what} again${except}.${orders}${keptText(kept)}`;
    }),
  async run(context, { stop: stopId, reason }) {
    const { database } = context;
    const { what, except, held, kept } = await ending(database, stopId);
    // Before the stop ends, so that an interrupted call can be repeated.
    const released = held === 0 ? '' : await releasedText(context, stopId, reason);
    await resumeSale(database, stopId);
    return `${what} is sold again${except}.${released}${keptText(kept)}`;
  },
});

/** What the end of the stop does. Orders that another stop covers stay held under that one (`kept`). */
async function ending(
  database: Database,
  stopId: number,
): Promise<{ what: string; except: string; held: number; kept: number }> {
  const others = await overlappingStops(database, stopId);
  const kept = others.length === 0 ? 0 : await passToOtherStops(database, stopId);
  const { what, held } = await stoppedSale(database, stopId);
  const except = others.length === 0 ? '' : `, except what stop ${others.join(' and stop ')} still stops`;
  return { what, except, held, kept };
}

function keptText(kept: number): string {
  return kept === 0 ? '' : ` ${plural(kept, 'order stays', 'orders stay')} held under another stop.`;
}

async function releasedText(context: Context, stopId: number, reason: string): Promise<string> {
  // A lazy import: commands that do not need Temporal start in a fraction of the time.
  const { releaseAll } = await import('../orders/open-order.js');
  const { released, failures } = await context.withTemporal((temporal) =>
    releaseAll(context, temporal, { stopId, reason }),
  );
  for (const failure of failures) context.remark(failure);
  if (failures.length > 0) context.mark(1);
  const others =
    failures.length === 0
      ? ''
      : ` ${plural(failures.length, 'order stays', 'orders stay')} held: release each, or cancel it.`;
  return ` ${plural(released, 'held order is', 'held orders are')} released.${others}`;
}

async function stoppedSale(database: Database, stopId: number): Promise<StoppedSale> {
  const found = await findStoppedSale(database, stopId);
  if (!found) throw new Error(`There is no stop ${stopId}. See them with: products stopped`);
  return found;
}

/** What the arguments name. Throws if they name nothing, too much, or something that does not exist. */
async function scopeOf(database: Database, given: GivenScope): Promise<SaleScope> {
  const { family: ofFamily, product, denomination, variant, subcategory, country: code } = given;
  const ways = [product, variant, subcategory, code].filter((value) => value !== undefined);
  if (ways.length > 1) throw new Error('Name only one of a product, a variant, a subcategory and a country');
  if (subcategory !== undefined) return subcategoryScope(database, subcategory, ofFamily);
  if (code !== undefined) return { ...scope('COUNTRY', ofFamily ?? null), countryCode: code };
  if (ofFamily === undefined) throw new Error('Name a family, a subcategory or a country');
  if (variant !== undefined) return variantScope(database, variant, ofFamily);
  if (product === undefined) {
    if (denomination !== undefined) throw new Error('Name the product of the denomination');
    return scope('FAMILY', ofFamily);
  }
  await nameOfProduct(database, ofFamily, product);
  if (denomination === undefined) return { ...scope('PRODUCT', ofFamily), productId: product };
  if (ofFamily !== 'VOUCHER') throw new Error('Only gift cards have denominations: name a variant');
  const found = await findDenomination(database, product, denomination.toFixed());
  if (!found)
    throw new Error(
      `Product ${product} has no denomination ${denomination.toFixed()}. See them with: products show vouchers ${product}`,
    );
  return { ...scope('DENOMINATION', ofFamily), productId: product, minAmount: found.min, maxAmount: found.max };
}

const scope = (kind: StopScope, ofFamily: Family | null): SaleScope => ({
  scope: kind,
  family: ofFamily,
  countryCode: null,
  subcategoryId: null,
  productId: null,
  variantId: null,
  minAmount: null,
  maxAmount: null,
});

async function variantScope(database: Database, variant: number, ofFamily: Family): Promise<SaleScope> {
  if (ofFamily === 'VOUCHER') throw new Error('A gift card has no variants: name a denomination');
  const product = await findProductOfVariant(database, ofFamily, variant);
  if (product === undefined)
    throw new Error(`There is no ${ofFamily} variant ${variant}. See them with: products show <family> <product>`);
  return { ...scope('VARIANT', ofFamily), productId: product, variantId: variant };
}

async function subcategoryScope(database: Database, name: string, ofFamily: Family | undefined): Promise<SaleScope> {
  if (ofFamily !== undefined && ofFamily !== 'VOUCHER') throw new Error('Only gift cards have subcategories');
  const [found, ...others] = await findSubcategories(database, name);
  if (!found) throw new Error(`There is no subcategory "${name}"`);
  if (others.length > 0)
    throw new Error(
      `More than one subcategory has this name. Give one of: ${[found, ...others].map((each) => each.name).join(', ')}`,
    );
  return { ...scope('SUBCATEGORY', 'VOUCHER'), subcategoryId: found.id };
}

export const stoppedSaleOperations = [stopped, stop, resume];
