/** The margins that settings leave, by product: what `discounts`, `margins` and `rates` print after a change. */
import { listPricedItems, type PricedItem, type PricedScope } from '../../../data/catalogue/priced-items';
import type { AdoptedTerms } from '../../../data/catalogue/supplier-offers';
import type { Database } from '../../../data/database/database';
import { findConversionTerms, findPaymentTerms, type ConversionTerms } from '../../../data/wallets/paying-wallet';
import { judgeSources, type JudgedSource } from '../../../domain/orders/sources';
import { Exact } from '../../../domain/prices/money';
import { pricingBy } from '../../../ordering/placement/quotes';
import { table } from '../text';

/** The products whose margins are printed. Without `currency`, those of all currencies. */
type MarginsOf = Omit<PricedScope, 'currency'> & {
  currency?: string;
  /** The currency in which clients pay. Without it: that of the client's wallet or, without a client, that of the product. */
  walletCurrency?: string;
  /** Terms that sources would get. If they are given, the changes that wait do not count. */
  adopted?: readonly AdoptedTerms[];
};

/** The lowest margin of a product. `margin`: in percent of the price; undefined if the cost or the price is unknown. */
interface ProductMargin {
  item: PricedItem;
  price: Exact | undefined;
  cost: Exact | undefined;
  margin: Exact | undefined;
  walletCurrency: string;
  /** Why no source delivers the item because of the minimum margin; undefined if one delivers it. */
  rejected: string | undefined;
}

/** The maximum number of products that are printed. */
const MAX_PRODUCTS = 10;

/** The lowest margins of the products, the worst first: a row each, of at most `MAX_PRODUCTS` products. */
export async function marginRows(database: Database, scope: MarginsOf): Promise<MarginLine[]> {
  return (await lowestMargins(database, scope)).slice(0, MAX_PRODUCTS).map(rowOf);
}

/** The products with the lowest margins as a table, and how many others there are. Counts the products that are not sold any more. */
export async function marginsText(database: Database, scope: MarginsOf): Promise<string> {
  const products = await lowestMargins(database, scope);
  if (products.length === 0) return 'No product on sale is concerned.';
  const rejected = products.filter((product) => product.rejected !== undefined).length;
  const more = products.length - MAX_PRODUCTS;
  return [
    'Lowest margin of each product, in percent of the price:',
    table(products.slice(0, MAX_PRODUCTS).map(rowOf)),
    ...(more > 0 ? [`... and ${more} more products.`] : []),
    ...(rejected > 0
      ? [`${rejected} of ${products.length} products cannot be bought: every source is below the minimum margin.`]
      : []),
  ].join('\n');
}

async function lowestMargins(database: Database, scope: MarginsOf): Promise<ProductMargin[]> {
  const { family, productId, clientId, currency: only = null, adopted } = scope;
  const listed = await listPricedItems(database, { family, productId, clientId, currency: only });
  const items = adopted ? listed.map((item) => withTerms(item, adopted)) : listed;
  const terms = new Map<string, ConversionTerms | undefined>();
  for (const currency of new Set(items.map((item) => item.currency)))
    terms.set(currency, await termsOf(database, scope, currency));
  const lowest = new Map<number, ProductMargin>();
  for (const item of items) {
    const found = marginOf(item, terms.get(item.currency));
    const known = lowest.get(item.productId);
    if (found && (!known || compare(found, known) < 0)) lowest.set(item.productId, found);
  }
  return [...lowest.values()].sort(compare);
}

/** The item if its sources had the terms, and no other change waited. A cost that a supplier reported does not count with new terms. */
function withTerms(item: PricedItem, adopted: readonly AdoptedTerms[]): PricedItem {
  const sources = item.sources.map((source) => {
    const terms = adopted.find(({ sourceId }) => sourceId === source.id);
    if (!terms) return { ...source, heldCost: null };
    const { costPercent, costFixed, fee, costCurrency } = terms;
    const currency = costCurrency === item.currency ? null : costCurrency;
    return { ...source, costPercent, costFixed, fee, costCurrency: currency, reportedCost: null, heldCost: null };
  });
  return { ...item, sources };
}

/** How the client, or a client with the wallet, pays for products in the currency. */
async function termsOf(
  database: Database,
  { family, clientId, walletCurrency: named }: MarginsOf,
  productCurrency: string,
): Promise<ConversionTerms | undefined> {
  const payment = clientId !== null &&
    named === undefined && { clientId, family, productCurrency, walletId: undefined };
  const ofClient = payment ? await findPaymentTerms(database, payment) : undefined;
  const walletCurrency = named ?? productCurrency;
  return ofClient ?? findConversionTerms(database, { family, productCurrency, walletCurrency });
}

/** Undefined if the item is not on sale for another reason than the margin. */
function marginOf(item: PricedItem, terms: ConversionTerms | undefined): ProductMargin | undefined {
  const { currency, amount, discountPercent, minMarginPercent } = item;
  const faceValue = new Exact(amount);
  const units = { faceValue, quantity: 1, discountPercent, gstPercent: 0 };
  const price = terms && pricingBy(terms, currency, units)?.price;
  const walletCurrency = terms?.walletCurrency ?? currency;
  const judged = judgeSources(item.sources, {
    quantity: 1,
    faceValue,
    itemCurrency: currency,
    walletCurrency,
    costRates: terms?.costRates ?? {},
    floor: price && minMarginPercent !== null ? { percent: new Exact(minMarginPercent), unitPrice: price } : undefined,
    maxUnitsAt: () => 1,
  });
  const used = usedOf(judged);
  if (!used) return undefined;
  const { cost } = used;
  const margin = price && cost && !price.isZero() ? price.minus(cost).div(price).times(100) : undefined;
  return { item, price, cost, margin, walletCurrency, rejected: used.obstacle };
}

/** The source that an order uses, or else the first that leaves too little margin. */
function usedOf(judged: readonly JudgedSource[]): JudgedSource | undefined {
  return judged.find(({ obstacle }) => obstacle === undefined) ?? judged.find(({ isBelowFloor }) => isBelowFloor);
}

/** Products that are not sold come first, then unknown margins, then low ones. */
function compare(a: ProductMargin, b: ProductMargin): number {
  return (
    Number(b.rejected !== undefined) - Number(a.rejected !== undefined) ||
    (a.margin ?? unknown).comparedTo(b.margin ?? unknown)
  );
}

const unknown = new Exact(-Infinity);

/** The margin of a product for people. */
interface MarginLine {
  product: number;
  name: string;
  amount: string;
  price: string;
  cost: string;
  margin: string;
  sold: string;
}

function rowOf({ item, price, cost, margin, walletCurrency, rejected }: ProductMargin): MarginLine {
  const inWallet = (value: Exact | undefined) =>
    value ? `${value.toDecimalPlaces(4).toFixed()} ${walletCurrency}` : 'unknown';
  return {
    product: item.productId,
    name: item.product.slice(0, 30),
    amount: `${item.amount} ${item.currency}`,
    price: inWallet(price),
    cost: inWallet(cost),
    margin: margin?.toFixed(2, Exact.ROUND_FLOOR) ?? 'unknown',
    sold: rejected === undefined ? 'yes' : `no: ${rejected}`,
  };
}
