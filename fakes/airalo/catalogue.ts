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

type Terms = Pick<Package, 'id' | 'operator' | 'day'> & Partial<Package>;

/** A package of so many gigabytes, at its retail and net prices. */
function plan(gigabytes: number, [price, netPrice]: readonly [number, number] | [null, null], terms: Terms): Package {
  const volume = terms.isUnlimited ? 'Unlimited' : `${gigabytes} GB`;
  return {
    title: `${volume} - ${terms.day} Days`,
    price,
    netPrice,
    amount: gigabytes * 1_024,
    isUnlimited: false,
    isTopup: false,
    fairUsagePolicy: null,
    voice: null,
    text: null,
    hasConfirmationCode: false,
    ...terms,
  };
}

/** The packages that `GET /v2/packages` lists. */
export const packages: readonly Package[] = [
  plan(1, [4.5, 3.6], { id: 'nimbus-7days-1gb', operator: nimbus, day: 7 }),
  plan(5, [16, 12.35], { id: 'nimbus-30days-5gb', operator: nimbus, day: 30 }),
  plan(20, [42, 31.18], { id: 'nimbus-30days-20gb', operator: nimbus, day: 30 }),
  plan(2, [8, 6.4], { id: 'nimbus-7days-2gb-topup', operator: nimbus, day: 7, isTopup: true }),
  plan(1, [5, 3.95], { id: 'sakura-7days-1gb', operator: sakura, day: 7 }),
  // Has the same retail price as the plan before it.
  plan(1, [5, 4.1], { id: 'sakura-15days-1gb', operator: sakura, day: 15 }),
  plan(0, [29, 22.4], {
    id: 'sakura-10days-unlimited',
    operator: sakura,
    day: 10,
    isUnlimited: true,
    fairUsagePolicy: 'After 3 GB a day, the speed is 1 Mbps.',
  }),
  // Comes with a telephone number. Nine are in stock.
  plan(5, [19.5, 15.07], {
    id: 'lumen-30days-5gb-60mins-50sms',
    operator: lumen,
    day: 30,
    voice: 60,
    text: 50,
    stock: 9,
  }),
  // Its eSIMs have a confirmation code.
  plan(3, [9, 6.755], { id: 'bosfor-15days-3gb', operator: bosfor, day: 15, hasConfirmationCode: true }),
  plan(10, [37, 28.1], { id: 'eurowave-30days-10gb', operator: eurowave, day: 30 }),
  plan(1, [9.5, 7.2], { id: 'terra-15days-1gb', operator: terra, day: 15 }),
  // Has no price in any currency, so it cannot be sold.
  plan(1, [null, null], { id: 'drift-7days-1gb', operator: drift, day: 7 }),
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
  plan(1, [4.5, 3.6], { id: `test-${name}-7days-1gb`, operator: tests, day: 7, forcedError }),
);

/** The packages that recharge an eSIM of this package. */
export function topupsOf({ operator }: Package): Package[] {
  return packages.filter((one) => one.isTopup && one.operator === operator);
}

/** The package with this id, listed or not. */
export function findPackage(id: string): Package | undefined {
  return [...packages, ...testPackages].find((one) => one.id === id);
}
