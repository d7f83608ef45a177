/** Amounts in the currency of a wallet. */
import { errors, type ApiError } from '../../domain/errors';
import { isPayable } from '../../domain/prices/money';
import type Decimal from 'decimal.js';
import type { Wallet } from '../../data/wallets/wallets';

type WalletCurrency = Pick<Wallet, 'currencyCode' | 'minorUnit'>;

/** The rejection of an amount that the currency cannot pay without rounding. */
export function tooManyDecimals(field: string, { currencyCode, minorUnit }: WalletCurrency): ApiError {
  return errors.validation(`${field} has more than ${minorUnit} decimals (${currencyCode})`, field);
}

/** Throws `tooManyDecimals` for such an amount. */
export function assertDecimals(field: string, wallet: WalletCurrency, amount: Decimal.Value): void {
  const { currencyCode: code, minorUnit } = wallet;
  if (!isPayable({ code, minorUnit }, amount)) throw tooManyDecimals(field, wallet);
}
