/** Reference data: countries, currencies and categories. Clients read only active countries and categories. */
import { firstRow, rows, type Database } from '../database/database';
import { withdrawnCurrencies } from '../../domain/prices/currencies';
import type { Currency as KnownCurrency } from '../../domain/prices/money';

/** The API returns these rows unchanged, so their fields have the names of the specification. */
export interface Country {
  id: number;
  name: string;
  official_name: string;
  alpha_2: string;
  alpha_3: string;
  numeric_code: string;
  dialing_prefix: string;
}

export interface ListedCurrency {
  id: number;
  name: string;
  code: string;
  numeric_code: string;
  symbol: string;
  minor_unit: number;
}

/** A category or a subcategory. */
export interface Category {
  id: number;
  name: string;
}

const activeCountries = `
  SELECT id, name, official_name, alpha_2, alpha_3, numeric_code, dialing_prefix FROM countries WHERE active`;

export function listCountries(database: Database) {
  return rows<Country>(database, `${activeCountries} ORDER BY name`);
}

export function findCountry(database: Database, id: number) {
  return firstRow<Country>(database, `${activeCountries} AND id = $id`, { id });
}

/** The currencies of ISO 4217. A withdrawn one is listed only while a wallet or a product uses it. */
export function listCurrencies(database: Database) {
  return rows<ListedCurrency>(
    database,
    `SELECT id, name, code, numeric_code, symbol, minor_unit FROM currencies currency
      WHERE code <> ALL ($withdrawn::text[])
         OR EXISTS (SELECT FROM wallets WHERE currency_code = currency.code)
         OR EXISTS (SELECT FROM voucher_products WHERE currency_code = currency.code)
         OR EXISTS (SELECT FROM topup_variants WHERE currency_code = currency.code)
         OR EXISTS (SELECT FROM esim_variants WHERE currency_code = currency.code)
      ORDER BY code`,
    { withdrawn: withdrawnCurrencies },
  );
}

export function listCategories(database: Database) {
  return rows<Category>(database, 'SELECT id, name FROM categories WHERE active ORDER BY name');
}

export function findCategory(database: Database, id: number) {
  return firstRow<Category>(database, 'SELECT id, name FROM categories WHERE active AND id = $id', { id });
}

/** A subcategory is active only if its category is, too. */
const activeSubcategories = `
  SELECT subcategories.id, subcategories.name
    FROM subcategories JOIN categories ON categories.id = category_id
   WHERE subcategories.active AND categories.active`;

export function listSubcategories(database: Database) {
  return rows<Category>(database, `${activeSubcategories} ORDER BY subcategories.name, subcategories.id`);
}

export function findSubcategory(database: Database, id: number) {
  return firstRow<Category>(database, `${activeSubcategories} AND subcategories.id = $id`, { id });
}

export interface KnownCodes {
  /** By ISO 4217 code. */
  currencies: ReadonlyMap<string, KnownCurrency>;
  /** Alpha-3 codes of ISO 3166-1, and `GLO`. */
  countries: ReadonlySet<string>;
}

/** The codes that catalogue data may use. */
export async function knownCodes(database: Database): Promise<KnownCodes> {
  const currencies = await rows<KnownCurrency>(database, 'SELECT code, minor_unit AS "minorUnit" FROM currencies');
  const countries = await rows<{ code: string }>(database, 'SELECT alpha_3 AS code FROM countries');
  return {
    currencies: new Map(currencies.map((currency) => [currency.code, currency])),
    countries: new Set(['GLO', ...countries.map((country) => country.code)]),
  };
}
