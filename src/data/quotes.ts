/** The quote of an order: which wallet pays, and the price in its currency. */
import type Decimal from 'decimal.js';
import { errors } from '../domain/errors';
import { Exact } from '../domain/money';
import type { Family } from '../domain/orders';
import { price, type Price } from '../domain/pricing';
import { firstRow, type Database } from './database';

export interface QuoteInput {
  clientId: number;
  family: Family;
  unitAmount: Decimal.Value;
  quantity: number;
  discountPercent: Decimal.Value;
  gstPercent: Decimal.Value;
  productCurrency: string;
  /** The wallet the client named, if any. */
  walletId: number | undefined;
}

export interface Quote {
  wallet: { id: number; currencyCode: string; balance: Decimal };
  price: Price;
}

interface QuoteRow {
  product_minor_unit: number;
  wallet_id: number | null;
  wallet_currency: string;
  wallet_minor_unit: number;
  balance: string;
  rate: string | null;
  fee_percent: string;
}

/**
 * A wallet the client names must be its own; without one the wallet in the product's currency pays,
 * and for top-ups and eSIMs, where there is none, the default wallet.
 */
const walletAndRates = `
  SELECT product.minor_unit AS product_minor_unit, wallet.id AS wallet_id,
         wallet.currency_code AS wallet_currency, paid.minor_unit AS wallet_minor_unit, wallet.balance,
         forex.rate, coalesce(fee.fee_percent, 0) AS fee_percent
    FROM currencies product
    LEFT JOIN LATERAL (
      SELECT * FROM wallets
       WHERE client_id = $1 AND closed_at IS NULL
         AND CASE WHEN $2::bigint IS NOT NULL THEN id = $2
                  ELSE currency_code = $3 OR (is_default AND $4 <> 'VOUCHER') END
       ORDER BY currency_code = $3 DESC LIMIT 1) wallet ON true
    LEFT JOIN currencies paid ON paid.code = wallet.currency_code
    LEFT JOIN forex_rates forex
      ON forex.source_currency = $3 AND forex.destination_currency = wallet.currency_code
    LEFT JOIN conversion_fees fee
      ON fee.source_currency = $3 AND fee.destination_currency = wallet.currency_code AND fee.family = $4
   WHERE product.code = $3`;

/**
 * Quotes an order in one round trip. Throws `Wallet not found` (404) and `Exchange rate not
 * available for the wallet currency` (400). Specification, charges endpoints; decisions, "Orders".
 */
export async function quoteOrder(database: Database, input: QuoteInput): Promise<Quote> {
  const row = await firstRow<QuoteRow>(database, walletAndRates, [
    input.clientId,
    input.walletId ?? null,
    input.productCurrency,
    input.family,
  ]);
  if (!row || row.wallet_id === null) throw errors.notFound('Wallet');
  const sameCurrency = row.wallet_currency === input.productCurrency;
  if (!sameCurrency && row.rate === null) throw errors.exchangeRateUnavailable();
  return {
    wallet: { id: row.wallet_id, currencyCode: row.wallet_currency, balance: new Exact(row.balance) },
    price: price({
      ...input,
      productCurrency: { code: input.productCurrency, minorUnit: row.product_minor_unit },
      walletCurrency: { code: row.wallet_currency, minorUnit: row.wallet_minor_unit },
      conversion: sameCurrency
        ? null
        : { rate: new Exact(row.rate as string), feePercent: new Exact(row.fee_percent) },
    }),
  };
}
