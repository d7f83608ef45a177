/** The codes that products may name. */
import type { Currency } from '../../domain/prices/money';
import { rows, type Database } from '../database/database';

export interface KnownCodes {
  /** By ISO 4217 code. */
  currencies: ReadonlyMap<string, Currency>;
  /** Alpha-3 codes of ISO 3166-1, and `GLO`. */
  countries: ReadonlySet<string>;
}

/** Currencies and countries of the reference data. */
export async function knownCodes(database: Database): Promise<KnownCodes> {
  const currencies = await rows<Currency>(database, 'SELECT code, minor_unit AS "minorUnit" FROM currencies');
  const countries = await rows<{ code: string }>(database, 'SELECT alpha_3 AS code FROM countries');
  return {
    currencies: new Map(currencies.map((currency) => [currency.code, currency])),
    countries: new Set(['GLO', ...countries.map((country) => country.code)]),
  };
}
