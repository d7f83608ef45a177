/** Each adapter at its fake, and the helpers of a buyer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { callControl } from '../../dev/stack/controls';
import { stateOfOneProcess } from '../../dev/trial/state-of-one-process';
import { createAiralo } from '../../fakes/airalo/airalo';
import { createDtone } from '../../fakes/dtone/dtone';
import { startFake, type RunningFake } from '../../fakes/kit/fake';
import type { Sale } from '../../fakes/kit/ledger';
import type { Modes } from '../../fakes/kit/modes';
import { createReloadly } from '../../fakes/reloadly/reloadly';
import { createZendit } from '../../fakes/zendit/zendit';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import { createAiraloSupplier } from '../../src/suppliers/airalo';
import { createDtoneSupplier } from '../../src/suppliers/dtone';
import type { SharedState } from '../../src/domain/suppliers/shared-state';
import type {
  LookupReport,
  PurchaseLookup,
  PurchaseReport,
  PurchaseRequest,
  Supplier,
} from '../../src/domain/suppliers/port';
import { createReloadlySupplier } from '../../src/suppliers/reloadly';
import { createZenditSupplier } from '../../src/suppliers/zendit';
import { salesAt, setModes } from './fake-controls';
import { HostileProxy, type Fault } from './hostile-proxy';

export const key = 'key-of-the-tests';
/** Of the API and of webhooks. */
export const secret = 'a-secret-of-the-tests-for-all-suppliers';
/** The secret in the path of the callbacks of DT One. */
export const pathSecret = 'a-secret-of-the-tests-in-the-path';

interface Adapter {
  create: Parameters<typeof startFake>[1];
  /** The adapter for the fake, or for a proxy before it, at this URL. */
  at: (url: string, state: SharedState, own: { secret: string; timeoutMs: number }) => Supplier;
}

const limits = (ms: number) => ({ purchaseTimeoutMs: ms, lookupTimeoutMs: ms });

export const adapters = {
  airalo: {
    create: createAiralo,
    at: (url, state, { secret: clientSecret, timeoutMs }) =>
      createAiraloSupplier(
        { url: `${url}/v2`, clientId: key, clientSecret, environment: 'sandbox', ...limits(timeoutMs) },
        state,
      ),
  },
  dtone: {
    create: createDtone,
    at: (url, state, { secret: own, timeoutMs }) => {
      const callbackUrl = `https://api.example.com/suppliers/dtone/callbacks/${pathSecret}`;
      const options = { url: `${url}/v1`, key, secret: own, callbackUrl, ...limits(timeoutMs) };
      return createDtoneSupplier(options, state);
    },
  },
  reloadly: {
    create: createReloadly,
    at: (url, state, { secret: clientSecret, timeoutMs }) =>
      createReloadlySupplier(
        {
          authUrl: `${url}/auth`,
          giftCardsUrl: `${url}/giftcards`,
          topupsUrl: `${url}/topups`,
          utilitiesUrl: `${url}/utilities`,
          clientId: key,
          clientSecret,
          webhookSecret: secret,
          ...limits(timeoutMs),
        },
        state,
      ),
  },
  zendit: {
    create: createZendit,
    at: (url, _state, { timeoutMs }) =>
      createZenditSupplier({ url: `${url}/v1`, key, webhookSecret: secret, ...limits(timeoutMs) }),
  },
} as const satisfies Record<string, Adapter>;

export type FakeName = keyof typeof adapters;
export const fakeNames = Object.keys(adapters) as FakeName[];

/** A state without a limit of calls, which would slow the tests down. */
const quickState = (): SharedState => ({ ...stateOfOneProcess(), turn: async () => undefined });

/** An adapter for the URL, with tokens of its own. */
export function adapterAt(
  name: FakeName,
  url: string,
  { state = quickState(), secret: own = secret, timeoutMs = 2_000 }: AdapterOptions = {},
): Supplier {
  return adapters[name].at(url, state, { secret: own, timeoutMs });
}

interface AdapterOptions {
  state?: SharedState;
  secret?: string;
  timeoutMs?: number;
}

export interface FakeBuyer {
  readonly fake: RunningFake;
  readonly proxy: HostileProxy;
  readonly supplier: Supplier;
  /** Sets the modes in addition to the usual ones. */
  misbehave: (modes?: Modes, sku?: string) => Promise<void>;
  /** The sales of the reference. */
  salesOf: (reference: string) => Promise<Sale[]>;
  soldUnits: (reference: string) => Promise<number>;
  /** Sets the available amount of our account. */
  fund: (amount: string) => Promise<void>;
  /** Moves an eSIM as a device would. */
  change: (iccid: string, step: string) => Promise<Response>;
  requestOf: (wanted: Omit<PurchaseRequest, 'reference'>) => PurchaseRequest;
  buy: (request: PurchaseRequest) => Promise<PurchaseReport>;
  /** The report, or the error that the adapter throws. */
  outcome: (request: PurchaseRequest) => Promise<unknown>;
  find: (purchase: PurchaseLookup, supplierOrderId?: string) => Promise<LookupReport>;
  /** Looks the purchase up until it is not pending. */
  concluded: (purchase: PurchaseLookup, supplierOrderId?: string) => Promise<LookupReport>;
}

export interface BuyerOptions {
  /** The modes with which each test begins. */
  usual?: Modes;
  timeoutMs?: number;
  /** The address for webhooks of the fake. */
  callbackUrl?: () => Promise<string>;
}

/** Buys at the fake through a proxy. Each test begins with empty records, without tokens and with a new adapter. */
export function buysFrom(name: FakeName, { usual = {}, timeoutMs = 2_000, callbackUrl }: BuyerOptions = {}): FakeBuyer {
  let opened: { fake: RunningFake; proxy: HostileProxy; supplier: Supplier } | undefined;
  let references = 0;
  const shop = () => {
    if (!opened) throw new Error('The fake runs only while hooks and tests run.');
    return opened;
  };

  beforeAll(async () => {
    const settings = { host: '127.0.0.1', port: 0, key, secret, callbackUrl: await callbackUrl?.() };
    const fake = await startFake(settings, adapters[name].create);
    const proxy = await HostileProxy.before(() => fake.url);
    opened = { fake, proxy, supplier: adapterAt(name, proxy.url, { timeoutMs }) };
  });
  beforeEach(async () => {
    const { fake, proxy } = shop();
    proxy.meddle = () => undefined;
    shop().supplier = adapterAt(name, proxy.url, { timeoutMs });
    await callControl(fake.url, 'POST', 'reset');
    await buyer.misbehave();
  });
  afterAll(async () => {
    opened?.proxy.close();
    await opened?.fake.close();
  });

  const buyer: FakeBuyer = {
    get fake() {
      return shop().fake;
    },
    get proxy() {
      return shop().proxy;
    },
    get supplier() {
      return shop().supplier;
    },
    misbehave: (modes, sku) => setModes(shop().fake, { ...usual, ...modes }, sku),
    salesOf: (reference) => salesAt(shop().fake, reference),
    soldUnits: async (reference) => (await buyer.salesOf(reference)).filter(({ state }) => state === 'sold').length,
    fund: (amount) => callControl(shop().fake.url, 'PUT', 'account', { amount }),
    change: (iccid, step) => fetch(`${shop().fake.url}/control/esims/${iccid}/${step}`, { method: 'POST' }),
    requestOf: (wanted) => ({ ...wanted, reference: purchaseReference(++references, 'nonce1234567', 1) }),
    buy: (request) => shop().supplier.purchase(request, () => true),
    outcome: (request) => buyer.buy(request).catch((error: unknown) => error),
    find: ({ reference, family, sku, units, recharged }, supplierOrderId) =>
      shop().supplier.find({
        reference,
        family,
        sku,
        units,
        ...(recharged && { recharged }),
        ...(supplierOrderId !== undefined && { supplierOrderId }),
      }),
    concluded: async (purchase, supplierOrderId) => {
      const report = await buyer.find(purchase, supplierOrderId);
      if (report.state !== 'PENDING') return report;
      await sleep(5);
      return buyer.concluded(purchase, supplierOrderId);
    },
  };
  return buyer;
}

/** The response, in place of that of the supplier. */
export const instead = (status: number, body: unknown): Fault => ({
  do: 'answer-instead',
  answer: { status, body: typeof body === 'string' ? body : JSON.stringify(body) },
});
