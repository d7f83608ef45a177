/** Countries, operators and services of the fake. The documentation does not give their fields beyond ids, names and regions. */

export interface Region {
  readonly code: string;
  readonly name: string;
}

export interface Country {
  /** ISO 3166-1 alpha-3, or `GXX` for worldwide and `EXX` for Europe. */
  readonly iso_code: string;
  readonly name: string;
  readonly regions: readonly Region[];
}

export interface Operator {
  readonly id: number;
  readonly name: string;
  readonly country: Country;
  readonly regions: readonly Region[];
}

export interface Service {
  readonly id: number;
  readonly name: string;
  readonly subservice: { readonly id: number; readonly name: string } | null;
}

function country(iso_code: string, name: string, regions: Region[] = []): Country {
  return { iso_code, name, regions };
}

const germany = country('DEU', 'Germany');
const europe = country('EXX', 'Europe', [{ code: 'EU', name: 'Europe' }]);
const france = country('FRA', 'France');
const global = country('GXX', 'Global', [{ code: 'WW', name: 'Worldwide' }]);
const india = country('IND', 'India');
const japan = country('JPN', 'Japan');
const mexico = country('MEX', 'Mexico');
const unitedStates = country('USA', 'United States');

function operator(id: number, name: string, place: Country): Operator {
  return { id, name, country: place, regions: place.regions };
}

export const operators = {
  coffee: operator(301, 'Coffee House', unitedStates),
  market: operator(302, 'Everyday Market', unitedStates),
  fashion: operator(303, 'Mode Haus', germany),
  books: operator(304, 'Librairie Centrale', france),
  bharat: operator(311, 'Bharat Mobile', india),
  ganga: operator(312, 'Ganga Telecom', india),
  azteca: operator(321, 'Azteca Celular', mexico),
  luz: operator(331, 'Luz del Valle', mexico),
  roamWorld: operator(341, 'Roam World', global),
  roamEurope: operator(342, 'Roam Europe', europe),
  roamStates: operator(343, 'Roam States', unitedStates),
  roamJapan: operator(344, 'Roam Japan', japan),
};

/** The services that the documentation names. The ids of the subservices are invented. */
export const services = {
  airtime: { id: 1, name: 'Mobile', subservice: { id: 11, name: 'Airtime' } },
  bundle: { id: 1, name: 'Mobile', subservice: { id: 12, name: 'Bundle' } },
  utilities: { id: 3, name: 'Utilities', subservice: { id: 31, name: 'Electricity' } },
  giftCards: { id: 4, name: 'Gift Cards', subservice: null },
  esim: { id: 13, name: 'eSIM', subservice: null },
} satisfies Record<string, Service>;
