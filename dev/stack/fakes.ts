/** The fake suppliers of `npm start -- --suppliers`. A new fake is one more entry of the table. */

/** The address and the credentials of a running fake. */
export interface FakeAccess {
  url: string;
  key: string;
  secret: string;
  /** The service's address for its callbacks, without a secret. */
  callbackUrl: string;
  /** For the path or the signature of callbacks. */
  callbackSecret: string;
}

interface Fake {
  /** The default port. `FAKE_<NAME>_PORT` changes it. */
  port: number;
  /** The program in `dist`. */
  program: string;
  /** Its demo products, and an order for each. */
  catalogue: string;
  /** The settings of the service for this supplier. */
  service: (access: FakeAccess) => NodeJS.ProcessEnv;
  /** Settings of the fake besides FAKE_PORT, FAKE_KEY and FAKE_SECRET. */
  own?: (access: FakeAccess) => NodeJS.ProcessEnv;
}

/** Each fake under the supplier's name in the catalogue. */
const table = {
  dtone: {
    port: 4011,
    program: 'fakes/dtone/main.js',
    catalogue: 'dev/sandbox/suppliers/dtone.json',
    service: ({ url, key, secret, callbackUrl, callbackSecret }) => ({
      DTONE_URL: `${url}/v1`,
      DTONE_KEY: key,
      DTONE_SECRET: secret,
      DTONE_CALLBACK_URL: `${callbackUrl}/${callbackSecret}`,
    }),
  },
  reloadly: {
    port: 4012,
    program: 'fakes/reloadly/main.js',
    catalogue: 'dev/sandbox/suppliers/reloadly.json',
    service: ({ url, key, secret }) => ({
      RELOADLY_AUTH_URL: `${url}/auth`,
      RELOADLY_GIFT_CARDS_URL: `${url}/giftcards`,
      RELOADLY_TOPUPS_URL: `${url}/topups`,
      RELOADLY_UTILITIES_URL: `${url}/utilities`,
      RELOADLY_CLIENT_ID: key,
      RELOADLY_CLIENT_SECRET: secret,
      RELOADLY_WEBHOOK_SECRET: secret,
    }),
    // No time between two top-ups of one number, so that the demo order can be repeated at once.
    own: ({ callbackUrl }) => ({ FAKE_CALLBACK_URL: callbackUrl, FAKE_RECHARGE_SECONDS: '0' }),
  },
  zendit: {
    port: 4013,
    program: 'fakes/zendit/main.js',
    catalogue: 'dev/sandbox/suppliers/zendit.json',
    service: ({ url, key, secret }) => ({
      ZENDIT_URL: `${url}/v1`,
      ZENDIT_KEY: key,
      ZENDIT_ENVIRONMENT: 'sandbox',
      ZENDIT_WEBHOOK_SECRET: secret,
    }),
    own: ({ callbackUrl }) => ({ FAKE_CALLBACK_URL: callbackUrl }),
  },
  airalo: {
    port: 4014,
    program: 'fakes/airalo/main.js',
    catalogue: 'dev/sandbox/suppliers/airalo.json',
    service: ({ url, key, secret }) => ({
      AIRALO_URL: `${url}/v2`,
      AIRALO_CLIENT_ID: key,
      AIRALO_CLIENT_SECRET: secret,
      AIRALO_ENVIRONMENT: 'sandbox',
    }),
    own: ({ callbackUrl }) => ({ FAKE_CALLBACK_URL: callbackUrl }),
  },
} satisfies Record<string, Fake>;

export type FakeName = keyof typeof table;
export type FakePortName = `FAKE_${Uppercase<FakeName>}_PORT`;

export const FAKES: Readonly<Record<FakeName, Fake>> = table;
export const FAKE_NAMES = Object.keys(table) as FakeName[];

/** The variable with the port of a proxy in front of the fake, for the service alone (see dev/faults). */
export function proxyPortNameOf(name: FakeName): string {
  return `FAKE_${name.toUpperCase()}_PROXY_PORT`;
}

/** The variable that changes the port of the fake. */
export function portNameOf(name: FakeName): FakePortName {
  return `FAKE_${name.toUpperCase() as Uppercase<FakeName>}_PORT`;
}

/** Each default port, under the variable that changes it. */
export const FAKE_PORTS = Object.fromEntries(FAKE_NAMES.map((name) => [portNameOf(name), FAKES[name].port])) as Record<
  FakePortName,
  number
>;
