/** The brands of the offers. */

export interface Brand {
  readonly brand: string;
  readonly brandName: string;
  /** Absent for brands of several countries. */
  readonly country?: string;
  readonly regions: readonly string[];
}

function brand(code: string, brandName: string, country: string | undefined, region: string): Brand {
  return { brand: code, brandName, ...(country !== undefined && { country }), regions: [region] };
}

export const brands = {
  coffee: brand('COFFEEHOUSE_US', 'Coffee House', 'US', 'North America'),
  market: brand('EVERYDAYMARKET_US', 'Everyday Market', 'US', 'North America'),
  fashion: brand('MODEHAUS_DE', 'Mode Haus', 'DE', 'Europe'),
  books: brand('LIBRAIRIE_FR', 'Librairie Centrale', 'FR', 'Europe'),
  games: brand('KAWAGAMES_JP', 'Kawa Games', 'JP', 'Asia'),
  purse: brand('MONEDERO_MX', 'Monedero Azul', 'MX', 'Central America'),
  bharat: brand('BHARATMOBILE_IN', 'Bharat Mobile', 'IN', 'Asia'),
  ganga: brand('GANGATELECOM_IN', 'Ganga Telecom', 'IN', 'Asia'),
  azteca: brand('AZTECACELULAR_MX', 'Azteca Celular', 'MX', 'Central America'),
  habana: brand('HABANAMOVIL_CU', 'Habana Movil', 'CU', 'Caribbean'),
  roamWorld: brand('ROAMWORLD', 'Roam World', undefined, 'Global'),
  roamEurope: brand('ROAMEUROPE', 'Roam Europe', undefined, 'Europe'),
  roamStates: brand('ROAMSTATES_US', 'Roam States', 'US', 'North America'),
  roamJapan: brand('ROAMJAPAN_JP', 'Roam Japan', 'JP', 'Asia'),
} as const satisfies Readonly<Record<string, Brand>>;
