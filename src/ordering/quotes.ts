/** The quote of an order: which wallet pays, and the price in its currency. */
import type Decimal from 'decimal.js';
import type { Database } from '../data/database';
import { findPaymentTerms, type Payment } from '../data/payment-terms';
import { errors } from '../domain/errors';
import { Exact } from '../domain/money';
import { price, type Price } from '../domain/pricing';

export interface QuoteInput extends Payment {
  unitAmount: Decimal.Value;
  quantity: number;
  discountPercent: Decimal.Value;
  gstPercent: Decimal.Value;
}

export interface Quote {
  wallet: { id: number; currencyCode: string; balance: Decimal };
  price: Price;
}

/**
 * Quotes an order. Throws `Wallet not found` (404) and `Exchange rate not available for the wallet
 * currency` (400). Specification, charges endpoints; decisions, "Orders".
 */
export async function quoteOrder(database: Database, input: QuoteInput): Promise<Quote> {
  const terms = await findPaymentTerms(database, input);
  if (!terms) throw errors.notFound('Wallet');
  const { walletId, walletCurrency, balance, rate, feePercent } = terms;
  const sameCurrency = walletCurrency === input.productCurrency;
  if (!sameCurrency && rate === null) throw errors.exchangeRateUnavailable();
  return {
    wallet: { id: walletId, currencyCode: walletCurrency, balance: new Exact(balance) },
    price: price({
      ...input,
      productCurrency: { code: input.productCurrency, minorUnit: terms.productMinorUnit },
      walletCurrency: { code: walletCurrency, minorUnit: terms.walletMinorUnit },
      conversion: rate === null ? null : { rate: new Exact(rate), feePercent: new Exact(feePercent) },
    }),
  };
}
