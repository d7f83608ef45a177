/** Finds the wallet that pays for an order, and the exchange rate and conversion fee that apply. */
import type { Family } from '../../domain/orders/families';
import type { CostRates } from '../../domain/orders/source-costs';
import { firstRow, type Database } from '../database/database';

export interface Payment {
  clientId: number;
  family: Family;
  productCurrency: string;
  /** The wallet that the client named, if any. */
  walletId: number | undefined;
}

/** The wallet that pays, with the conversion from the product's currency. Balance, rate and fee are decimal strings. */
export interface PaymentTerms {
  productMinorUnit: number;
  walletId: number;
  walletCurrency: string;
  walletMinorUnit: number;
  balance: string;
  /** The exchange rate from the product's to the wallet's currency; null if none is set, as for equal currencies. */
  rate: string | null;
  feePercent: string;
  /** The rates that value costs in the wallet's currency, by the currency of the cost; null if there are none. */
  costRates: CostRates | null;
}

/**
 * A wallet that the client names must be an open wallet of the client. If the client names none, its wallet in the product's
 * currency pays. If it has no such wallet, its default wallet pays, but only for top-ups and eSIMs.
 */
const termsStatement = `
  SELECT product.minor_unit AS "productMinorUnit", wallet.id AS "walletId",
         wallet.currency_code AS "walletCurrency", paid.minor_unit AS "walletMinorUnit", wallet.balance,
         forex.rate, coalesce(fee.fee_percent, 0) AS "feePercent",
         (SELECT json_object_agg(valued.source_currency, json_build_object('rate', valued.rate::text, 'isReference', valued.is_reference))
            FROM cost_rates valued WHERE valued.destination_currency = wallet.currency_code) AS "costRates"
    FROM currencies product
   CROSS JOIN LATERAL (
      SELECT * FROM wallets
       WHERE client_id = $clientId AND closed_at IS NULL
         AND CASE WHEN $walletId::bigint IS NOT NULL THEN id = $walletId
                  ELSE currency_code = $productCurrency OR (is_default AND $family <> 'VOUCHER') END
       ORDER BY currency_code = $productCurrency DESC LIMIT 1) wallet
    JOIN currencies paid ON paid.code = wallet.currency_code
    LEFT JOIN forex_rates forex
      ON forex.source_currency = $productCurrency AND forex.destination_currency = wallet.currency_code
    LEFT JOIN conversion_fees fee
      ON fee.source_currency = $productCurrency AND fee.destination_currency = wallet.currency_code AND fee.family = $family
   WHERE product.code = $productCurrency`;

/** The terms; undefined if no wallet of the client can pay. */
export function findPaymentTerms(
  database: Database,
  { clientId, family, productCurrency, walletId }: Payment,
) {
  return firstRow<PaymentTerms>(database, termsStatement, {
    clientId,
    walletId: walletId ?? null,
    productCurrency,
    family,
  });
}
