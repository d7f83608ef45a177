/** Loads countries (ISO 3166-1) and currencies (ISO 4217) from maintained packages into the database. */
import { byWord } from '../../domain/by-word';
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js';
import type pg from 'pg';
import type { Country as CountryRecord } from 'world-countries';
import { knownCountries } from '../../domain/countries';
import { knownCurrencies } from '../../domain/prices/currencies';
import { bound } from '../database/binds';

/** Writes only differences, as the owner of the schema. Returns whether there were any. Operators set `active`. */
export async function loadReferenceData(client: pg.Client): Promise<boolean> {
  const written = [
    await client.query(bound(upsertCountries, { countries: JSON.stringify(countries()) })),
    await client.query(bound(upsertCurrencies, { currencies: JSON.stringify(currencies()) })),
  ];
  return written.some(({ rowCount }) => rowCount !== null && rowCount > 0);
}

/** The currencies of this release that the database lacks. */
export async function missingCurrencies(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ code: string }>('SELECT code FROM currencies');
  const stored = new Set(rows.map(({ code }) => code));
  return knownCurrencies.map(({ code }) => code).filter((code) => !stored.has(code));
}

const upsertCountries = `
  INSERT INTO countries (name, official_name, alpha_2, alpha_3, numeric_code, dialing_prefix)
  SELECT name, official_name, alpha_2, alpha_3, numeric_code, dialing_prefix
    FROM jsonb_populate_recordset(NULL::countries, $countries) WITH ORDINALITY
   ORDER BY ordinality
  ON CONFLICT (alpha_3) DO UPDATE
     SET name = excluded.name, official_name = excluded.official_name, alpha_2 = excluded.alpha_2,
         numeric_code = excluded.numeric_code, dialing_prefix = excluded.dialing_prefix
   WHERE (countries.name, countries.official_name, countries.alpha_2, countries.numeric_code, countries.dialing_prefix)
         IS DISTINCT FROM
         (excluded.name, excluded.official_name, excluded.alpha_2, excluded.numeric_code, excluded.dialing_prefix)`;

const upsertCurrencies = `
  INSERT INTO currencies (name, code, numeric_code, symbol, minor_unit)
  SELECT name, code, numeric_code, symbol, minor_unit
    FROM jsonb_populate_recordset(NULL::currencies, $currencies) WITH ORDINALITY
   ORDER BY ordinality
  ON CONFLICT (code) DO UPDATE
     SET name = excluded.name, numeric_code = excluded.numeric_code, symbol = excluded.symbol,
         minor_unit = excluded.minor_unit
   WHERE (currencies.name, currencies.numeric_code, currencies.symbol, currencies.minor_unit)
         IS DISTINCT FROM
         (excluded.name, excluded.numeric_code, excluded.symbol, excluded.minor_unit)`;

function countries(): object[] {
  return knownCountries.map(({ alpha2, alpha3, numericCode, record }) => ({
    name: record.name.common,
    official_name: record.name.official,
    alpha_2: alpha2,
    alpha_3: alpha3,
    numeric_code: numericCode,
    dialing_prefix: dialingPrefix(record),
  }));
}

/** Territories without a numbering plan use that of their administering country. */
const borrowedCallingCodes = byWord({ AQ: '672', BV: '47', GS: '500', HM: '672', PN: '64', TF: '262', UM: '1' });

/** `+` and the calling code; within +1 also the area code if the country has a single one (`+1876`). */
function dialingPrefix({ cca2, idd }: CountryRecord): string {
  const callingCode = isSupportedCountry(cca2) ? getCountryCallingCode(cca2) : borrowedCallingCodes[cca2];
  const [areaCode, ...otherAreaCodes] = idd.suffixes;
  const isOneArea = idd.root === '+1' && areaCode !== undefined && otherAreaCodes.length === 0;
  return isOneArea ? `+1${areaCode}` : `+${callingCode}`;
}

function currencies(): object[] {
  return knownCurrencies.map(({ code, number, digits, currency }) => ({
    name: currency,
    code,
    numeric_code: number,
    symbol: symbolOf(code),
    minor_unit: digits,
  }));
}

function symbolOf(code: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' });
  return format.formatToParts(0).find((part) => part.type === 'currency')?.value ?? code;
}
