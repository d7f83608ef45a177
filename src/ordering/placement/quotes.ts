/**
 * The quote of an order: which wallet pays, which exchange rate applies, and the price in the wallet's currency.
 * `findPaymentTerms` reads wallet, rate and conversion fee.
 */
import type Decimal from 'decimal.js';
import type { Offer } from '../../data/catalogue/offers';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { findPaymentTerms } from '../../data/prices/exchange-rates';
import { errors } from '../../domain/errors';
import { Exact } from '../../domain/prices/money';
import { priceOrder, type Pricing } from '../../domain/prices/pricing';

export interface Wanted {
  quantity: number;
  /** The wallet that the client named, if any. */
  walletId: number | undefined;
}

export interface Quote {
  wallet: { id: number; currencyCode: string; balance: Decimal };
  pricing: Pricing;
}

/**
 * Quotes an order, for the charges endpoints and for orders alike. Throws `Wallet not found` (404), `Exchange rate not
 * available for the wallet currency` (400), and `VALIDATION_FAILURE` (400) if the price rounds to 0.
 * docs/specification.md#money.
 */
export async function quoteOrder(
  database: Database,
  client: Client,
  offer: Offer,
  { quantity, walletId: named }: Wanted,
): Promise<Quote> {
  const { family, currencyCode: productCurrency } = offer;
  const payment = { clientId: client.id, family, productCurrency, walletId: named };
  const terms = await findPaymentTerms(database, payment);
  if (!terms) throw errors.notFound('Wallet');
  const { walletId, walletCurrency, balance, rate, feePercent } = terms;
  const sameCurrency = walletCurrency === productCurrency;
  if (!sameCurrency && rate === null) throw errors.exchangeRateUnavailable();
  const pricing = priceOrder({
    ...offer,
    quantity,
    productCurrency: { code: productCurrency, minorUnit: terms.productMinorUnit },
    walletCurrency: { code: walletCurrency, minorUnit: terms.walletMinorUnit },
    conversion: rate === null ? null : { rate: new Exact(rate), feePercent: new Exact(feePercent) },
  });
  // A discount of 100 % sells at 0. Any other price of 0 comes from rounding.
  if (pricing.price.isZero() && offer.discountPercent.lessThan(100)) throw errors.priceRoundsToZero(family);
  return { wallet: { id: walletId, currencyCode: walletCurrency, balance: new Exact(balance) }, pricing };
}
