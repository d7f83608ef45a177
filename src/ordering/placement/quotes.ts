/**
 * The quote of an order: which wallet pays, which exchange rate applies, and the price in the wallet's currency.
 * `findPaymentTerms` reads wallet, rate and conversion fee.
 */
import type Decimal from 'decimal.js';
import type { Offer } from '../../data/catalogue/sellable-items';
import { recordMarginRejection } from '../../data/prices/margin-rejections';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { findPaymentTerms, type ConversionTerms, type PaymentTerms } from '../../data/wallets/paying-wallet';
import { errors, type ApiError } from '../../domain/errors';
import { profitableSources, type SoldUnit } from '../../domain/orders/sources';
import { Exact } from '../../domain/prices/money';
import { priceOrder, roundsToZero, type Pricing, type PricingInput } from '../../domain/prices/pricing';

export interface QuoteRequest {
  quantity: number;
  /** The wallet that the client named, if any. */
  walletId: number | undefined;
  /** The error if no source meets the margin that a rule demands: the same error as for a product that is out of stock. */
  notOnSale: () => ApiError;
}

export interface Quote {
  wallet: { id: number; currencyCode: string; minorUnit: number; available: Decimal };
  pricing: Pricing;
  /** One unit of the order, by which its sources are chosen. */
  unit: SoldUnit;
  /** The largest stock among the sources that meet the margin; infinite without a margin rule, or if one reports no stock. */
  stock: number;
  /** In how many milliseconds the exchange rate ends, counted from the call; null if it never does. */
  rateEndsInMs: number | null;
  /** The origin of the exchange rate. Both are null without one. */
  rate: Pick<PaymentTerms, 'rateAsOf' | 'rateFileDay'>;
}

/**
 * Quotes an order, for the charges endpoints and for orders alike. Throws `Wallet not found` (404), `Exchange rate not available
 * for the wallet currency` (400), `VALIDATION_FAILURE` (400) if the price rounds to 0, `Quantity exceeds the maximum` (400) if no
 * source that meets the margin has enough stock, and `notOnSale` if no source meets the margin, which it also records.
 * docs/specification.md#money.
 */
export async function quoteOrder(
  database: Database,
  client: Client,
  offer: Offer,
  request: QuoteRequest,
): Promise<Quote> {
  const { quantity, walletId: named } = request;
  const { family, currencyCode: productCurrency } = offer;
  const payment = { clientId: client.id, family, productCurrency, walletId: named };
  const terms = await findPaymentTerms(database, payment);
  if (!terms) throw errors.notFound('Wallet', named === undefined ? undefined : 'wallet_id');
  const { walletId: id, walletCurrency: currencyCode, walletMinorUnit: minorUnit, rateEndsInMs } = terms;
  const { rateAsOf, rateFileDay } = terms;
  const priced = priceByTerms(offer, terms, quantity);
  if (priced === 'no-rate') throw errors.exchangeRateUnavailable();
  if (priced === 'rounds-to-zero') throw errors.priceRoundsToZero(family);
  const { pricing, unit } = priced;
  const stock = await stockOf(database, client, offer, unit, request);
  return {
    wallet: { id, currencyCode, minorUnit, available: new Exact(terms.available) },
    pricing,
    unit,
    stock,
    rateEndsInMs,
    rate: { rateAsOf, rateFileDay },
  };
}

/** The fields of an offer from which its price follows. */
export type PricedOffer = Pick<
  Offer,
  'currencyCode' | 'faceValue' | 'discountPercent' | 'gstPercent' | 'minMarginPercent'
>;

/** The price of an offer by the terms of the wallet that pays, or why it has none. Orders, charges and price lists use it. */
export function priceByTerms(
  offer: PricedOffer,
  terms: PaymentTerms,
  quantity: number,
): Pick<Quote, 'pricing' | 'unit'> | 'no-rate' | 'rounds-to-zero' {
  const pricing = pricingBy(terms, offer.currencyCode, { ...offer, quantity });
  if (!pricing) return 'no-rate';
  if (roundsToZero(pricing)) return 'rounds-to-zero';
  return { pricing, unit: unitOf(offer, pricing, terms, quantity) };
}

/** The pricing of the units by the terms of the wallet; undefined if the exchange rate is missing. */
export function pricingBy(
  { productMinorUnit, walletCurrency, walletMinorUnit, rate, feePercent }: ConversionTerms,
  productCurrency: string,
  units: Omit<PricingInput, 'productCurrency' | 'walletCurrency' | 'conversion'>,
): Pricing | undefined {
  if (rate === null && walletCurrency !== productCurrency) return undefined;
  return priceOrder({
    ...units,
    productCurrency: { code: productCurrency, minorUnit: productMinorUnit },
    walletCurrency: { code: walletCurrency, minorUnit: walletMinorUnit },
    conversion: rate === null ? null : { rate: new Exact(rate), feePercent: new Exact(feePercent) },
  });
}

function unitOf(
  { faceValue, minMarginPercent }: PricedOffer,
  { price, productCurrency, walletCurrency }: Pricing,
  { costRates }: PaymentTerms,
  quantity: number,
): SoldUnit {
  return {
    faceValue,
    itemCurrency: productCurrency,
    walletCurrency,
    costRates: costRates ?? {},
    floor: minMarginPercent ? { percent: minMarginPercent, unitPrice: price.div(quantity) } : undefined,
  };
}

/** Returns `Quote.stock`. Throws if no source meets the margin, or if the stock is less than the quantity. */
async function stockOf(
  database: Database,
  client: Client,
  { family, productId, sources }: Offer,
  unit: SoldUnit,
  { quantity, walletId, notOnSale }: QuoteRequest,
): Promise<number> {
  if (!unit.floor) return Infinity;
  const profitable = profitableSources(sources, unit);
  if (profitable.length === 0) {
    const sourceIds = sources.map(({ id }) => id);
    const amount = unit.faceValue.toFixed();
    await recordMarginRejection(database, { clientId: client.id, family, productId, amount, walletId, sourceIds });
    throw notOnSale();
  }
  const stock = Math.max(...profitable.map((source) => source.stock ?? Infinity));
  if (quantity > stock) throw errors.bulkLimitExceeded(stock);
  return stock;
}
