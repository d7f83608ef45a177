/** Reference data: countries, currencies and categories. Clients read only what is active, in alphabetical order. */
import { firstRow, rows, type Database } from '../database/database';
import type { Currency as KnownCurrency } from '../../domain/prices/money';

/** Fields as the specification names them: the rows are what the API answers with. */
export interface Country {
  id: number;
  name: string;
  official_name: string;
  alpha_2: string;
  alpha_3: string;
  numeric_code: string;
  dialing_prefix: string;
}

export interface Currency {
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

export async function listCountries(database: Database): Promise<Country[]> {
  return rows<Country>(database, `${activeCountries} ORDER BY name`);
}

export async function findCountry(database: Database, id: number): Promise<Country | undefined> {
  return firstRow<Country>(database, `${activeCountries} AND id = $id`, { id });
}

export async function listCurrencies(database: Database): Promise<Currency[]> {
  return rows<Currency>(
    database,
    'SELECT id, name, code, numeric_code, symbol, minor_unit FROM currencies ORDER BY code',
  );
}

export async function listCategories(database: Database): Promise<Category[]> {
  return rows<Category>(database, 'SELECT id, name FROM categories WHERE active ORDER BY name');
}

export async function findCategory(database: Database, id: number): Promise<Category | undefined> {
  return firstRow<Category>(database, 'SELECT id, name FROM categories WHERE active AND id = $id', { id });
}

/** A subcategory goes with its category: it is active only where both are. */
const activeSubcategories = `
  SELECT subcategories.id, subcategories.name
    FROM subcategories JOIN categories ON categories.id = category_id
   WHERE subcategories.active AND categories.active`;

export async function listSubcategories(database: Database): Promise<Category[]> {
  return rows<Category>(database, `${activeSubcategories} ORDER BY subcategories.name, subcategories.id`);
}

export async function findSubcategory(database: Database, id: number): Promise<Category | undefined> {
  return firstRow<Category>(database, `${activeSubcategories} AND subcategories.id = $id`, { id });
}

export interface KnownCodes {
  /** By ISO 4217 code. */
  currencies: ReadonlyMap<string, KnownCurrency>;
  /** Alpha-3 codes of ISO 3166-1, and `GLO`. */
  countries: ReadonlySet<string>;
}

/** Currencies and countries of the reference data. */
export async function knownCodes(database: Database): Promise<KnownCodes> {
  const currencies = await rows<KnownCurrency>(
    database,
    'SELECT code, minor_unit AS "minorUnit" FROM currencies',
  );
  const countries = await rows<{ code: string }>(database, 'SELECT alpha_3 AS code FROM countries');
  return {
    currencies: new Map(currencies.map((currency) => [currency.code, currency])),
    countries: new Set(['GLO', ...countries.map((country) => country.code)]),
  };
}
