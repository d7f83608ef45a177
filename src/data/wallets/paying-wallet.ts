/**
 * Finds the wallet that pays for an order, and the exchange rate and conversion fee that apply.
 * Rule: which wallet pays for an order
 */
import type { Family } from '../../domain/orders/families';
import type { CostRates } from '../../domain/orders/source-costs';
import { firstRow, hasRow, rateStopOf, rows, type Database, type Transaction } from '../database/database';
import { rateEndsInMs, rateExists } from '../prices/rate-ages';

export interface Payment {
  clientId: number;
  family: Family;
  productCurrency: string;
  /** The wallet that the client named, if any. */
  walletId: number | undefined;
}

/** The conversion from a product's currency to a wallet's. Rate and fee are decimal strings. */
export interface ConversionTerms {
  productMinorUnit: number;
  walletCurrency: string;
  walletMinorUnit: number;
  /** The exchange rate from the product's to the wallet's currency; null if none is set or it is too old, and for equal currencies. */
  rate: string | null;
  feePercent: string;
  /** The rates that value costs in the wallet's currency, by the currency of the cost; null if there are none. */
  costRates: CostRates | null;
}

/** The wallet that pays, with the conversion. */
export interface PaymentTerms extends ConversionTerms {
  walletId: number;
  /** The balance and the credit limit together, as a decimal string. */
  available: string;
  /** In how many milliseconds the rate ends, counted from the read; null if it never does. */
  rateEndsInMs: number | null;
  /** When the rate was set, or stated by a file; null without a rate. */
  rateAsOf: Date | null;
  /** The day of the file that set the rate; null if a person did. */
  rateFileDay: string | null;
}

/** SQL: the rates that value costs in the currency, as JSON (`CostRates`). The argument is SQL, never input. */
const costRatesTo = (currency: string) => `
         (SELECT json_object_agg(valued.source_currency, json_build_object('rate', valued.rate::text, 'isReference', valued.is_reference))
            FROM cost_rates valued WHERE valued.destination_currency = ${currency})`;

/**
 * A wallet that the client names must be an open wallet of the client. If the client names none, its wallet in the product's
 * currency pays. If it has no such wallet, its default wallet pays, but only for top-ups and eSIMs.
 */
const termsOf = (family: string) => ({
  columns: `
         product.minor_unit AS "productMinorUnit", wallet.id AS "walletId",
         wallet.currency_code AS "walletCurrency", paid.minor_unit AS "walletMinorUnit",
         wallet.balance + wallet.credit_limit AS available,
         forex.rate, ${rateEndsInMs('forex')} AS "rateEndsInMs",
         forex.as_of AS "rateAsOf", forex.file_day::text AS "rateFileDay", coalesce(fee.fee_percent, 0) AS "feePercent",
         ${costRatesTo('wallet.currency_code')} AS "costRates"`,
  joins: `
   CROSS JOIN LATERAL (
      SELECT * FROM wallets
       WHERE client_id = $clientId AND closed_at IS NULL
         AND CASE WHEN $walletId::bigint IS NOT NULL THEN id = $walletId
                  ELSE currency_code = product.code OR (is_default AND ${family} <> 'VOUCHER') END
       ORDER BY currency_code = product.code DESC LIMIT 1) wallet
    JOIN currencies paid ON paid.code = wallet.currency_code
    LEFT JOIN forex_rates forex
      ON forex.source_currency = product.code AND forex.destination_currency = wallet.currency_code
     AND ${rateExists('forex')}
    LEFT JOIN conversion_fees fee
      ON fee.source_currency = product.code AND fee.destination_currency = wallet.currency_code AND fee.family = ${family}`,
});

const ofOne = termsOf('$family');
const termsStatement = `
  SELECT ${ofOne.columns} FROM currencies product ${ofOne.joins} WHERE product.code = $productCurrency`;

const ofMany = termsOf('wanted.family');
const manyTermsStatement = `
  SELECT wanted.family, product.code AS "productCurrency", ${ofMany.columns}
    FROM unnest($families::text[], $productCurrencies::text[]) AS wanted (family, code)
    JOIN currencies product ON product.code = wanted.code ${ofMany.joins}`;

/** The terms; undefined if no wallet of the client can pay. */
export function findPaymentTerms(
  database: Database,
  { clientId, family, productCurrency, walletId }: Payment,
  transaction?: Transaction,
) {
  const wallet = { clientId, walletId: walletId ?? null };
  const binds = { ...wallet, productCurrency, family, ...rateStopOf(database) };
  return firstRow<PaymentTerms>(database, termsStatement, binds, transaction);
}

/** The products of one family and currency. */
export type PaidProducts = Pick<Payment, 'family' | 'productCurrency'>;

/** The terms for several products, each with its products. Those that no wallet of the client can pay are absent. */
export function listPaymentTerms(
  database: Database,
  { clientId, walletId }: Pick<Payment, 'clientId' | 'walletId'>,
  paid: readonly PaidProducts[],
  transaction?: Transaction,
): Promise<(PaymentTerms & PaidProducts)[]> {
  const families = paid.map(({ family }) => family);
  const productCurrencies = paid.map(({ productCurrency }) => productCurrency);
  const binds = { clientId, walletId: walletId ?? null, families, productCurrencies, ...rateStopOf(database) };
  return rows<PaymentTerms & PaidProducts>(database, manyTermsStatement, binds, transaction);
}

/** Whether the client has the wallet, and it is open. */
export function isOpenWallet(database: Database, clientId: number, walletId: number): Promise<boolean> {
  const open = 'SELECT FROM wallets WHERE id = $walletId AND client_id = $clientId AND closed_at IS NULL';
  return hasRow(database, open, { clientId, walletId });
}

const conversionStatement = `
  SELECT product.minor_unit AS "productMinorUnit", paid.code AS "walletCurrency", paid.minor_unit AS "walletMinorUnit",
         forex.rate, coalesce(fee.fee_percent, 0) AS "feePercent", ${costRatesTo('paid.code')} AS "costRates"
    FROM currencies product
    JOIN currencies paid ON paid.code = $walletCurrency
    LEFT JOIN forex_rates forex ON forex.source_currency = product.code AND forex.destination_currency = paid.code
                                AND ${rateExists('forex')}
    LEFT JOIN conversion_fees fee
      ON fee.source_currency = product.code AND fee.destination_currency = paid.code AND fee.family = $family
   WHERE product.code = $productCurrency`;

/** How clients with a wallet in the currency pay for products in the other one; undefined if a currency is unknown. */
export function findConversionTerms(
  database: Database,
  pair: { family: Family; productCurrency: string; walletCurrency: string },
) {
  return firstRow<ConversionTerms>(database, conversionStatement, { ...pair, ...rateStopOf(database) });
}
