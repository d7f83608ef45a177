/** The countries of ISO 3166-1 and Kosovo. docs/specification.md#reference-data. */
import worldCountries, { type Country as CountryRecord } from 'world-countries';

/** A country with the codes that clients see. */
export interface KnownCountry {
  alpha2: string;
  alpha3: string;
  numericCode: string;
  record: CountryRecord;
}

/** The 249 countries of ISO 3166-1, which have a numeric code, sorted by their alpha-3 code. */
const ofIso: readonly KnownCountry[] = worldCountries
  .filter(({ ccn3 }) => ccn3 !== '')
  .map((record) => ({ alpha2: record.cca2, alpha3: record.cca3, numericCode: record.ccn3, record }))
  .sort((one, other) => (one.alpha3 < other.alpha3 ? -1 : 1));

/** Kosovo has no code in ISO 3166-1. These are the codes that others use for it. */
const ofOthers: readonly KnownCountry[] = worldCountries
  .filter(({ cca2 }) => cca2 === 'XK')
  .map((record) => ({ alpha2: 'XK', alpha3: 'XKX', numericCode: '983', record }));

/** Every country. A country that was added later stands at the end, so that no country changes its id in a new database. */
export const knownCountries: readonly KnownCountry[] = [...ofIso, ...ofOthers];

const alpha3ByCode: ReadonlyMap<string, string> = new Map(
  knownCountries.flatMap(({ alpha2, alpha3 }): [string, string][] => [
    [alpha2, alpha3],
    [alpha3, alpha3],
  ]),
);

/** The alpha-3 code of a country from its alpha-2 or alpha-3 code; undefined if there is no such country. */
export function alpha3Of(code: string): string | undefined {
  return alpha3ByCode.get(code.toUpperCase());
}
