/** The packages of Airalo: their fields, and their form in the catalogue. */
import { Decimal } from 'decimal.js';

/** A country or a region of the catalogue. */
export interface Place {
  readonly slug: string;
  /** Null for regions, because the documentation does not say what regions have here. */
  readonly country_code: string | null;
  readonly title: string;
}

export interface Country {
  readonly country_code: string;
  readonly title: string;
}

export interface Operator {
  readonly place: Place;
  readonly title: string;
  readonly type: 'local' | 'global';
  readonly plan_type: string;
  readonly activation_policy: string;
  readonly is_roaming: boolean;
  readonly countries: readonly Country[];
}

export interface Package {
  readonly id: string;
  readonly operator: Operator;
  readonly title: string;
  /** The retail price. A package without prices cannot be bought. */
  readonly price: number | null;
  readonly netPrice: number | null;
  /** Megabytes. 0 for unlimited packages. */
  readonly amount: number;
  readonly day: number;
  readonly isUnlimited: boolean;
  /** Whether it recharges an eSIM of its operator. */
  readonly isTopup: boolean;
  readonly fairUsagePolicy: string | null;
  readonly voice: number | null;
  readonly text: number | null;
  /** The number of eSIMs in stock; absent if it is unlimited. */
  readonly stock?: number;
  readonly hasConfirmationCode: boolean;
  /** Rejects every order with the error of this word (`errorOf`). */
  readonly forcedError?: string;
}

/** The other pricing model is `discount_pricing`. */
export const pricing = { model: 'net_pricing', discount_percentage: 0 };

/** Units of the currency for one US dollar. */
const rates: readonly (readonly [currency: string, rate: string])[] = [
  ['USD', '1'],
  ['EUR', '0.92'],
  ['GBP', '0.78'],
];

/** The package as JSON. */
export function viewPackage(one: Package) {
  return {
    id: one.id,
    type: one.isTopup ? 'topup' : 'sim',
    price: one.price,
    net_price: one.netPrice,
    prices: { net_price: converted(one.netPrice), recommended_retail_price: converted(one.price) },
    amount: one.amount,
    day: one.day,
    is_unlimited: one.isUnlimited,
    is_fair_usage_policy: one.fairUsagePolicy !== null,
    fair_usage_policy: one.fairUsagePolicy,
    title: one.title,
    data: dataOf(one),
    voice: one.voice,
    text: one.text,
    short_info: null,
  };
}

/** The data volume as a text. */
export function dataOf({ amount, isUnlimited }: Package): string {
  if (isUnlimited) return 'Unlimited';
  return amount % 1_024 === 0 ? `${amount / 1_024} GB` : `${amount} MB`;
}

/** The catalogue of `GET /v2/packages`: places, their operators, their packages. */
export function viewPlaces(packages: readonly Package[]) {
  const operators = [...new Set(packages.map(({ operator }) => operator))];
  const places = [...new Set(operators.map(({ place }) => place))];
  return places.map((place) => {
    const own = packages.filter(({ operator }) => operator.place === place);
    const prices = own.flatMap(({ price }) => price ?? []);
    return {
      ...place,
      image: imageOf(place.slug),
      min_price: prices.length > 0 ? Math.min(...prices) : null,
      operators: operators
        .filter((operator) => operator.place === place)
        .map((operator) => viewOperator(operator, own)),
    };
  });
}

function viewOperator(operator: Operator, packages: readonly Package[]) {
  const { title, type, plan_type, activation_policy, is_roaming, countries } = operator;
  return {
    title,
    type,
    plan_type,
    activation_policy,
    is_roaming,
    // The documentation does not say what a country is here. It has the fields of a place.
    countries: countries.map((country) => ({ ...country, image: imageOf(country.country_code) })),
    other_info: null,
    packages: packages.filter((one) => one.operator === operator).map(viewPackage),
  };
}

function imageOf(name: string) {
  return { width: 132, height: 99, url: `https://cdn.fake-airalo.example/${name}.png` };
}

function converted(price: number | null): Record<string, number> {
  if (price === null) return {};
  return Object.fromEntries(
    rates.map(([currency, rate]) => [currency, new Decimal(price).times(rate).toDecimalPlaces(2).toNumber()]),
  );
}
