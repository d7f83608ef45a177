/** Makes products from suppliers' offers, by the import that catalogue files use. */
import {
  activateMade,
  findOffer,
  hasTopupProduct,
  linkOffer,
  listedAmounts,
  recordMade,
  variantIds,
  type NamedOffer,
} from '../../../data/catalogue/offer-links';
import type {
  EsimProductInput,
  InputFieldInput,
  TopupProductInput,
  TopupVariantInput,
  VoucherProductInput,
} from '../../../data/catalogue/import/product-inputs';
import type { Database } from '../../../data/database/database';
import { findMarkup } from '../../../data/prices/stored-margin-rules';
import { findCostRate } from '../../../data/prices/reference-rates';
import {
  firstPriceChanges,
  listDiscountOf,
  lowestListMargin,
  type ListedAmount,
} from '../../../domain/prices/offer-margins';
import type { PriceChange } from '../../../domain/prices/price-changes';
import { termsOf } from '../../../domain/prices/source-terms';
import { countryCodeOf, countryFault, type SupplierOffer } from '../../../domain/prices/supplier-catalogue';
import { checkedProduct } from './checked-product';
import { importProducts } from './import-catalogue';

/** Fields of a product that its offer does not contain. */
export interface ProductOptions {
  /** The category of a gift card. */
  category: string;
  /** Replaces the name of the offer. */
  name?: string | undefined;
  type?: TopupProductInput['topupType'] | undefined;
  /** Whether the product is on sale. */
  active: boolean;
}

/** A product that was made from an offer, with the lowest margin that the offer leaves at its list prices. */
export interface MadeProduct {
  offer: number;
  sku: string;
  family: string;
  product_id: number;
  on_sale: boolean;
  price: string | null;
  cost: string | null;
  margin_percent: string | null;
}

/** The made products, and their prices, each compared with the cost of its offer. Those of products that were made before are known. */
export interface MadeProducts {
  made: MadeProduct[];
  firstPrices: PriceChange[];
}

/**
 * Makes products from the offers. The offer of an eSIM plan makes its product with all plans. With `active`, puts the products on sale,
 * also those that were made before. It works within the guard of `valuesOfProducts`.
 */
export async function makeProducts(
  database: Database,
  suppliers: ReadonlyMap<string, unknown>,
  offerIds: readonly number[],
  options: ProductOptions,
): Promise<MadeProducts> {
  const found: NamedOffer[] = [];
  for (const id of offerIds) found.push(requireSellable(await findOffer(database, id)));
  const made: MadeProduct[] = [];
  const firstPrices: PriceChange[] = [];
  const fresh: NamedOffer[] = [];
  for (const offer of found) {
    const { madeItemId, terms } = offer;
    if (!options.active || madeItemId === null) fresh.push(requireNew(offer));
    else {
      const productId = await activateMade(database, terms.family, madeItemId);
      made.push(madeFrom(offer, productId, await pricesOf(database, offer, productId), true));
    }
  }
  for (const group of groupsOf(fresh)) {
    const productId = await makeProduct(database, suppliers, group, options);
    for (const offer of group) {
      const prices = await pricesOf(database, offer, productId);
      made.push(madeFrom(offer, productId, prices, options.active));
      firstPrices.push(...firstPriceChanges(offer.id, offer.terms, prices));
    }
  }
  return { made, firstPrices };
}

function requireSellable(offer: NamedOffer): NamedOffer {
  const { id, unsellable, isGone } = offer;
  if (unsellable !== null)
    throw new Error(`Offer ${id} cannot be sold: ${unsellable}. Choose another with: catalogue review`);
  if (isGone)
    throw new Error(`Offer ${id} is gone: its supplier no longer lists it. Choose another with: catalogue review`);
  return offer;
}

function requireNew(offer: NamedOffer): NamedOffer {
  const { id, madeItemId } = offer;
  if (madeItemId !== null) throw new Error(`Item ${madeItemId} was made from offer ${id} before: omit the offer`);
  return offer;
}

/** The offers of each product. Top-ups of one supplier with the same name and country become variants of one product. */
function groupsOf(offers: readonly NamedOffer[]): NamedOffer[][] {
  const groups = new Map<string, NamedOffer[]>();
  for (const offer of offers) {
    const { family, name, country, sku, productSku } = offer.terms;
    const keyParts = { VOUCHER: [sku], TOPUP: [name, country], ESIM: [productSku] };
    const key = JSON.stringify([offer.supplier, family, ...keyParts[family]]);
    groups.set(key, [...(groups.get(key) ?? []), offer]);
  }
  return [...groups.values()];
}

async function makeProduct(
  database: Database,
  suppliers: ReadonlyMap<string, unknown>,
  group: readonly NamedOffer[],
  options: ProductOptions,
): Promise<number> {
  const [first] = group;
  if (!first) throw new Error('There is no offer');
  const { supplier, terms } = first;
  const { family } = terms;
  const countryCode = countryCodeOf(terms);
  if (countryCode === undefined) throw new Error(`Offer ${first.id} cannot be sold: ${countryFault(terms)}`);
  const markup = await findMarkup(database, family, null);
  const product = productOf(group, { ...options, countryCode, markup });
  if (family === 'TOPUP' && (await hasTopupProduct(database, product.name, countryCode)))
    throw new Error(
      `A top-up "${product.name}" exists in ${countryCode}. Map the offer to it, or give another name with --name.`,
    );
  const categories = family === 'VOUCHER' ? [{ name: options.category, subCategories: [] }] : [];
  const listed = checkedProduct({ family, product, categories });
  const [row] = await importProducts(database, suppliers, { supplier, products: [listed] });
  if (!row || row.productId === null) throw new Error(`Offer ${first.id}: ${row?.problem}`);
  const { productId, outcome } = row;
  if (family === 'VOUCHER' && outcome !== 'created')
    throw new Error(
      `Product ${productId} has the SKU of offer ${first.id}. Make the offer its source with: catalogue map`,
    );
  await linkToItems(database, supplier, group, productId);
  return productId;
}

/** The amounts of the offer with their discounts, and the value of the cost's currency. */
interface OfferPrices {
  listed: readonly ListedAmount[];
  costRate: string | undefined;
}

async function pricesOf(
  database: Database,
  { terms: { family, currency, amounts, cost } }: NamedOffer,
  productId: number,
): Promise<OfferPrices> {
  const offered = 'fixed' in amounts ? amounts.fixed : [amounts.min, amounts.max];
  const listed =
    family === 'VOUCHER'
      ? await listedAmounts(database, productId)
      : offered.map((amount) => ({ amount, discount: '0' }));
  const costRate = cost && (await findCostRate(database, { source: cost.currency, destination: currency }));
  return { listed, costRate };
}

function madeFrom(
  { id, terms }: NamedOffer,
  productId: number,
  { listed, costRate }: OfferPrices,
  isOnSale: boolean,
): MadeProduct {
  const { family, sku, currency } = terms;
  const lowest = lowestListMargin(terms, listed, costRate);
  const inCurrency = (value: string | null | undefined) => (value ? `${value} ${currency}` : null);
  return {
    offer: id,
    sku,
    family,
    product_id: productId,
    on_sale: isOnSale,
    price: inCurrency(lowest?.price),
    cost: inCurrency(lowest?.cost),
    margin_percent: lowest?.marginPercent ?? null,
  };
}

/** Makes the offers the sources of their items. eSIM plans get their sources later, when the variants are read. */
async function linkToItems(
  database: Database,
  supplier: string,
  group: readonly NamedOffer[],
  productId: number,
): Promise<void> {
  const variants = await variantIds(database, supplier, productId);
  for (const { id: offerId, terms } of group) {
    const itemId = terms.family === 'TOPUP' ? variants.get(terms.sku) : productId;
    if (itemId === undefined) throw new Error(`The product has no variant for offer ${offerId}`);
    if (terms.family !== 'ESIM') await linkOffer(database, { offerId, itemId, priority: 0, terms: termsOf(terms) });
    await recordMade(database, offerId, itemId);
  }
}

function productOf(
  group: readonly NamedOffer[],
  { countryCode, markup, ...options }: ProductOptions & { countryCode: string; markup: string | undefined },
): VoucherProductInput | TopupProductInput | EsimProductInput {
  const [first] = group;
  if (!first) throw new Error('There is no offer');
  const { terms } = first;
  const common = {
    name: options.name ?? (terms.family === 'ESIM' ? `${terms.operator ?? terms.name} eSIM` : terms.name),
    countryCode,
    currencyCode: terms.currency,
    active: options.active,
  };
  const imageUrl = terms.imageUrl ?? '';
  switch (terms.family) {
    case 'VOUCHER':
      return { ...common, ...voucherOf(terms, markup), imageUrl: terms.imageUrl ?? null, category: options.category };
    case 'TOPUP':
      return {
        ...common,
        imageUrl,
        sku: terms.sku,
        operatorName: terms.operator ?? terms.name,
        topupType: options.type ?? (terms.inputs.includes('account_number') ? 'UTILITY' : 'MOBILE'),
        inputFields: terms.inputs.map(inputFieldOf),
        variants: group.map((offer) => variantOf(offer.terms)),
      };
    case 'ESIM':
      return { ...common, imageUrl, sku: terms.productSku ?? terms.sku };
  }
}

function voucherOf(offer: SupplierOffer, markup: string | undefined) {
  const { sku, amounts, cost, currency, terms, redemption, installation } = offer;
  const ranges = 'fixed' in amounts ? amounts.fixed.map((amount) => ({ min: amount, max: amount })) : [amounts];
  const isPriced = markup !== undefined && cost?.currency === currency;
  const discountOn = (amount: string) => (isPriced ? listDiscountOf(amount, cost, markup) : '0');
  return {
    sku,
    subCategory: null,
    deliveryMode: null,
    deliveryTime: null,
    validity: null,
    details: null,
    denominations: ranges.map(({ min, max }) => ({ min, max, discount: discountOn(min) })),
    terms: terms ?? null,
    howToUse: [redemption, installation].filter(Boolean).join('\n\n') || null,
    gstRate: '0',
    redeemable: false,
  };
}

function inputFieldOf(name: string): InputFieldInput {
  const isPhone = name === 'phone_number';
  return {
    fieldName: name,
    fieldLabel: isPhone ? 'Phone number' : 'Account number',
    fieldType: isPhone ? 'phone' : 'text',
    isRequired: true,
  };
}

function variantOf({ sku, name, currency, amounts }: SupplierOffer): TopupVariantInput {
  const isFixed = 'fixed' in amounts;
  return {
    sku,
    supplierSku: sku,
    currencyCode: currency,
    unit: currency,
    category: 'Airtime',
    name: isFixed ? `${name} ${amounts.fixed.join(', ')} ${currency}` : name,
    // A placeholder: the cost of the offer is stored with the source.
    costPercent: '100',
    ...(isFixed ? { fixedAmounts: amounts.fixed } : { minAmount: amounts.min, maxAmount: amounts.max }),
    availableIn: [],
    fields: [],
    active: true,
  };
}
