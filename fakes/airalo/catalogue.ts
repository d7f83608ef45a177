/** The fake's packages. Ids are stable. */
import type { Country, Operator, Package } from './packages';

const countries = {
  us: { country_code: 'US', title: 'United States' },
  jp: { country_code: 'JP', title: 'Japan' },
  fr: { country_code: 'FR', title: 'France' },
  de: { country_code: 'DE', title: 'Germany' },
  es: { country_code: 'ES', title: 'Spain' },
  tr: { country_code: 'TR', title: 'Turkey' },
  br: { country_code: 'BR', title: 'Brazil' },
} as const satisfies Record<string, Country>;

function local(country: Country, title: string, terms: Partial<Operator> = {}): Operator {
  return {
    place: { slug: country.title.toLowerCase().replaceAll(' ', '-'), ...country },
    title,
    type: 'local',
    plan_type: 'data',
    activation_policy: 'first-usage',
    is_roaming: false,
    countries: [country],
    ...terms,
  };
}

function global(slug: string, place: string, title: string, covered: readonly Country[]): Operator {
  return {
    place: { slug, country_code: null, title: place },
    title,
    type: 'global',
    plan_type: 'data',
    activation_policy: 'first-usage',
    is_roaming: true,
    countries: covered,
  };
}

const nimbus = local(countries.us, 'Nimbus Mobile');
const sakura = local(countries.jp, 'Sakura Link', { activation_policy: 'installation' });
const lumen = local(countries.fr, 'Lumen Tel', { plan_type: 'data-voice-text' });
const bosfor = local(countries.tr, 'Bosfor');
const drift = local(countries.br, 'Drift');
const eurowave = global('europe', 'Europe', 'Eurowave', [countries.fr, countries.de, countries.es]);
const terra = global('world', 'Global', 'Terra', Object.values(countries));
const tests = local(countries.us, 'Test operator', {
  place: { slug: 'test', country_code: 'US', title: 'Test packages' },
});

type Terms = Pick<Package, 'id' | 'operator' | 'amount' | 'day' | 'price' | 'netPrice'> & Partial<Package>;

function plan(terms: Terms): Package {
  const volume = terms.isUnlimited ? 'Unlimited' : `${terms.amount / 1_024} GB`;
  return {
    title: `${volume} - ${terms.day} Days`,
    isUnlimited: false,
    fairUsagePolicy: null,
    voice: null,
    text: null,
    hasConfirmationCode: false,
    ...terms,
  };
}

const gigabyte = 1_024;

/** The packages that `GET /v2/packages` lists. */
export const packages: readonly Package[] = [
  plan({ id: 'nimbus-7days-1gb', operator: nimbus, amount: gigabyte, day: 7, price: 4.5, netPrice: 3.6 }),
  plan({
    id: 'nimbus-30days-5gb',
    operator: nimbus,
    amount: 5 * gigabyte,
    day: 30,
    price: 16,
    netPrice: 12.35,
  }),
  plan({
    id: 'nimbus-30days-20gb',
    operator: nimbus,
    amount: 20 * gigabyte,
    day: 30,
    price: 42,
    netPrice: 31.18,
  }),
  plan({ id: 'sakura-7days-1gb', operator: sakura, amount: gigabyte, day: 7, price: 5, netPrice: 3.95 }),
  // Has the same retail price as the plan before it.
  plan({ id: 'sakura-15days-1gb', operator: sakura, amount: gigabyte, day: 15, price: 5, netPrice: 4.1 }),
  plan({
    id: 'sakura-10days-unlimited',
    operator: sakura,
    amount: 0,
    day: 10,
    price: 29,
    netPrice: 22.4,
    isUnlimited: true,
    fairUsagePolicy: 'After 3 GB a day, the speed is 1 Mbps.',
  }),
  // Comes with a telephone number. Nine are in stock.
  plan({
    id: 'lumen-30days-5gb-60mins-50sms',
    operator: lumen,
    amount: 5 * gigabyte,
    day: 30,
    price: 19.5,
    netPrice: 15.07,
    voice: 60,
    text: 50,
    stock: 9,
  }),
  // Its eSIMs have a confirmation code.
  plan({
    id: 'bosfor-15days-3gb',
    operator: bosfor,
    amount: 3 * gigabyte,
    day: 15,
    price: 9,
    netPrice: 6.755,
    hasConfirmationCode: true,
  }),
  plan({
    id: 'eurowave-30days-10gb',
    operator: eurowave,
    amount: 10 * gigabyte,
    day: 30,
    price: 37,
    netPrice: 28.1,
  }),
  plan({ id: 'terra-15days-1gb', operator: terra, amount: gigabyte, day: 15, price: 9.5, netPrice: 7.2 }),
  // Has no price in any currency, so it cannot be sold.
  plan({ id: 'drift-7days-1gb', operator: drift, amount: gigabyte, day: 7, price: null, netPrice: null }),
];

/**
 * The packages whose orders fail with a certain error. The catalogue does not list them. Two errors have the status 200: the
 * documentation says that some errors have this status, but not which ones.
 */
const testPackages: readonly Package[] = (
  [
    ['insufficient-balance', '11'],
    ['maintenance-mode', '200:13'],
    ['disabled-top-up', '23'],
    ['not-enough', '33'],
    ['out-of-stock', '200:34'],
  ] as const
).map(([name, forcedError]) =>
  plan({
    id: `test-${name}-7days-1gb`,
    operator: tests,
    amount: gigabyte,
    day: 7,
    price: 4.5,
    netPrice: 3.6,
    forcedError,
  }),
);

/** The package with this id, listed or not. */
export function findPackage(id: string): Package | undefined {
  return [...packages, ...testPackages].find((one) => one.id === id);
}
