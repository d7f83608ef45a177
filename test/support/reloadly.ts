/** The adapter of Reloadly at its fake, and the helpers of a buyer. */
import { callControl } from '../../dev/stack/controls';
import { startFake, type RunningFake } from '../../fakes/kit/fake';
import type { Modes } from '../../fakes/kit/modes';
import { createReloadly } from '../../fakes/reloadly/reloadly';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import { stateOfOneProcess } from '../../dev/trial/state-of-one-process';
import type { LookupReport, PurchaseRequest, Supplier } from '../../src/suppliers/port';
import { createReloadlySupplier } from '../../src/suppliers/reloadly';
import { salesAt, setModes } from './fake-controls';
import { HostileProxy, type Fault, type PassedRequest } from './hostile-proxy';

const clientId = 'client-of-the-tests';
export const clientSecret = 'secret-of-the-tests';
export const webhookSecret = 'webhook-secret-of-the-tests';

export let fake: RunningFake;
export let proxy: HostileProxy;
export let supplier: Supplier;
let references = 0;

/** Runs the tests against a fake behind a proxy. Each test begins with empty records and without tokens. */
export function buysFromReloadly(): void {
  beforeAll(async () => {
    fake = await startFake(
      { host: '127.0.0.1', port: 0, key: clientId, secret: clientSecret },
      createReloadly,
    );
    proxy = await HostileProxy.before(() => fake.url);
    supplier = supplierAt(proxy.url);
  });
  beforeEach(async () => {
    proxy.meddle = () => undefined;
    await callControl(fake.url, 'POST', 'reset');
  });
  afterAll(async () => {
    proxy?.close();
    await fake?.close();
  });
}

export function supplierAt(url: string, secret = clientSecret): Supplier {
  return createReloadlySupplier(
    {
      authUrl: `${url}/auth`,
      giftCardsUrl: `${url}/giftcards`,
      topupsUrl: `${url}/topups`,
      utilitiesUrl: `${url}/utilities`,
      clientId,
      clientSecret: secret,
      webhookSecret,
      purchaseTimeoutMs: 2_000,
      lookupTimeoutMs: 2_000,
    },
    stateOfOneProcess(),
  );
}

export const misbehave = (modes: Modes) => setModes(fake, modes);

export const salesOf = (reference: string) => salesAt(fake, reference);

export const always = (): boolean => true;
export const card = {
  family: 'VOUCHER',
  sku: 'gift:101:EUR:25',
  units: 1,
  unitValue: '25',
  currency: 'EUR',
} as const;
export const topup = {
  family: 'TOPUP',
  sku: 'topup:201:IN:INR',
  units: 1,
  unitValue: '100',
  currency: 'INR',
  input: { phone_number: '+919820000555' },
} as const;
export const bill = {
  family: 'TOPUP',
  sku: 'bill:302:NGN',
  units: 1,
  unitValue: '5000.50',
  currency: 'NGN',
  input: { account_number: '04512345678' },
} as const;

export const requestOf = (wanted: Omit<PurchaseRequest, 'reference'>): PurchaseRequest => ({
  ...wanted,
  reference: purchaseReference(++references, 'nonce1234567', 1),
});
export const buy = (request: PurchaseRequest) => supplier.purchase(request, always);
export const outcome = (request: PurchaseRequest) => buy(request).catch((error: unknown) => error);
export const find = ({ reference, family, sku, units }: PurchaseRequest, supplierOrderId?: string) =>
  supplier.find({ reference, family, sku, units, ...(supplierOrderId !== undefined && { supplierOrderId }) });

/** Looks the purchase up with Reloadly's id until it is not pending. */
export async function concluded(request: PurchaseRequest, id?: string): Promise<LookupReport> {
  const report = await find(request, id);
  return report.state === 'PENDING' ? concluded(request, id) : report;
}

/** Buys, and looks the accepted purchase up until it has ended. */
export async function bought(request: PurchaseRequest): Promise<LookupReport> {
  const report = await buy(request);
  expect(report).toMatchObject({ state: 'PENDING', supplierOrderId: expect.any(String) as string });
  return concluded(request, report.supplierOrderId);
}

export const isPurchase = ({ method, path }: PassedRequest) => method === 'POST' && !path.startsWith('/auth');
export const isOfCards = ({ path }: PassedRequest) => path.endsWith('/cards');
export const isSearch = ({ path }: PassedRequest) => path.includes('transactions?');
export const isStatus = ({ path }: PassedRequest) => path.endsWith('/status');

export const refusal = (errorCode: string | null, message = 'No.') =>
  JSON.stringify({
    timeStamp: '2026-10-08 10:00:00',
    message,
    path: '/orders',
    errorCode,
    infoLink: null,
    details: [],
  });
export const answer = (status: number, body: unknown): Fault => ({
  do: 'answer-instead',
  answer: { status, body: typeof body === 'string' ? body : JSON.stringify(body) },
});
/** Replaces the responses to the requests. */
export function replace(isMeant: (request: PassedRequest) => boolean, status: number, body: unknown): void {
  proxy.meddle = (request) => (isMeant(request) ? answer(status, body) : undefined);
}
