/** Tests the adapter of Airalo against a fake. The fake follows Airalo's documentation, not the adapter. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAiralo } from '../../fakes/airalo/airalo';
import { callControl } from '../../dev/stack/controls';
import { startFake, type RunningFake } from '../../fakes/kit/fake';
import type { Modes } from '../../fakes/kit/modes';
import { createAiraloSupplier } from '../../src/suppliers/airalo';
import { stateOfOneProcess } from '../../dev/trial/state-of-one-process';
import {
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  type PurchaseRequest,
  type ReceivedPush,
  type Supplier,
} from '../../src/suppliers/port';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import { lifeAt, usageAt } from '../support/esim-status';
import { salesAt, setModes } from '../support/fake-controls';
import { HostileProxy, type Fault, type PassedRequest } from '../support/hostile-proxy';
import { forgedSignatures, supplierContract, type Situation } from './contract';

const key = 'id-of-the-tests';
const secret = 'secret-of-the-tests';

let fake: RunningFake;
let proxy: HostileProxy;
let supplier: Supplier;
let references = 0;

/** The webhooks that arrived. */
const received: ReceivedPush[] = [];
let receiver: Server;

beforeAll(async () => {
  receiver = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  // The fake then neither caches the status of an eSIM nor limits reads of it.
  process.env['FAKE_TIME_SCALE'] = '0';
  // The fake then signs the JSON that PHP writes from the parsed body. To verify it, the adapter must do the same.
  process.env['FAKE_SIGNS'] = 'reserialised';
  fake = await startFake({ host: '127.0.0.1', port: 0, key, secret, callbackUrl }, createAiralo);
  proxy = await HostileProxy.before(() => fake.url);
});
beforeEach(async () => {
  proxy.meddle = () => undefined;
  await callControl(fake.url, 'POST', 'reset');
  supplier = supplierAt(proxy.url);
});
afterAll(async () => {
  receiver?.close();
  receiver?.closeAllConnections();
  proxy?.close();
  await fake?.close();
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const rawBody = Buffer.concat((await request.toArray()) as Buffer[]);
  const signature = String(request.headers['airalo-signature']);
  if (request.method === 'POST')
    received.push({ headers: { 'airalo-signature': signature }, rawBody, pathSecret: undefined });
  response.writeHead(200).end();
}

/** An adapter with separate tokens, because a reset of the fake deletes all tokens. Its calls are not rate-limited. */
function supplierAt(url: string): Supplier {
  const common = { environment: 'sandbox', purchaseTimeoutMs: 2_000, lookupTimeoutMs: 2_000 } as const;
  const options = { url: `${url}/v2`, clientId: key, clientSecret: secret, ...common };
  return createAiraloSupplier(options, { ...stateOfOneProcess(), turn: async () => undefined });
}

const misbehave = (modes: Modes, sku?: string) => setModes(fake, modes, sku);

const salesOf = (reference: string) => salesAt(fake, reference);

const always = (): boolean => true;
const esim = {
  family: 'ESIM',
  sku: 'nimbus-7days-1gb',
  units: 1,
  unitValue: '4.5',
  currency: 'USD',
} as const;

const requestOf = (wanted: Omit<PurchaseRequest, 'reference'> = esim): PurchaseRequest => ({
  ...wanted,
  reference: purchaseReference(++references, 'nonce1234567', 1),
});
const buy = (request: PurchaseRequest) => supplier.purchase(request, always);
const find = ({ reference, family, sku, units }: PurchaseRequest) =>
  supplier.find({ reference, family, sku, units });

async function boughtIccid(): Promise<string> {
  const { goods } = await buy(requestOf());
  const [unit] = goods;
  if (unit?.kind !== 'esim') throw new Error('No profile');
  return unit.iccid;
}

const change = (iccid: string, step: string) =>
  fetch(`${fake.url}/control-esim/${iccid}/${step}`, { method: 'POST' });

const isPurchase = ({ method, path }: PassedRequest) => method === 'POST' && path === '/v2/orders';

/** An order whose eSIM has no activation code. */
function withoutCode({ body }: PassedRequest): string {
  const description = /name="description"\r\n\r\n(\S+)/.exec(body)?.[1];
  const sims = [{ id: 1, iccid: '8944000000000801234', qrcode: null }];
  return JSON.stringify({ data: { id: 1, description, quantity: '1', sims }, meta: { message: 'success' } });
}

const insteadOf = (status: number, body: string): Fault => ({
  do: 'answer-instead',
  answer: { status, body },
});
const faults: Partial<Record<Situation, (request: PassedRequest) => Fault>> = {
  'answer-lost-before-buying': () => ({ do: 'lose-request' }),
  'answer-lost-after-buying': () => ({ do: 'lose-answer' }),
  'refusing-with-an-echo': ({ body }) =>
    insteadOf(422, JSON.stringify({ data: { package_id: `Invalid: ${body}` }, meta: { message: 'No.' } })),
  'failing-with-an-echo': ({ body }) => insteadOf(500, JSON.stringify({ code: 53, reason: body })),
  'broken-with-an-echo': ({ body }) => insteadOf(502, `<p>${body}</p>`),
  'first-unit-unreadable': (request) => ({
    do: 'answer-over',
    answer: { status: 200, body: withoutCode(request) },
  }),
};
const modesOf: Partial<Record<Situation, Modes>> = {
  'account-blocked': { rejects: { code: '11', count: 1 } },
  'rate-limited': { rejects: { code: '429', count: 1 } },
  'two-rows-for-a-reference': { second_row: true },
};

supplierContract('Airalo', async () => {
  await misbehave({ rejects: { code: '34', count: 1_000 } }, 'terra-15days-1gb');
  return {
    supplier,
    unreachable: supplierAt('http://127.0.0.1:1'),
    arrange: async (situation) => {
      const fault = faults[situation];
      proxy.meddle = (request) => (fault && isPurchase(request) ? fault(request) : undefined);
      await misbehave(modesOf[situation] ?? {});
    },
    soldUnits: async (reference) => (await salesOf(reference)).filter(({ state }) => state === 'sold').length,
    delivered: [esim, { ...esim, sku: 'eurowave-30days-10gb' }],
    refused: { ...esim, sku: 'terra-15days-1gb' },
    // A purchase at Airalo contains no customer input, so the test looks for the package instead.
    secretWords: ['terra-15days-1gb'],
    esimProduct: 'united-states',
    push: () => {
      const push = signed({
        level: '75%',
        package_name: 'A',
        remaining_percentage: 25,
        iccid: '8944000000000801234',
      });
      const changed = Buffer.from(push.rawBody.toString().replace('801234', '801235'));
      return {
        push,
        hint: { kind: 'esim', iccid: '8944000000000801234' },
        // Leaves out the push with white space after its body, because its re-serialised JSON has the same signature.
        forged: [{ ...push, rawBody: changed }, ...forgedSignatures(push).slice(1)],
      };
    },
  };
});

function signed(body: object): ReceivedPush {
  const rawBody = Buffer.from(JSON.stringify(body));
  const signature = createHmac('sha512', secret).update(rawBody).digest('hex');
  return { headers: { 'airalo-signature': signature }, rawBody, pathSecret: undefined };
}

describe('Responses of the Airalo fake', () => {
  test('When digits are JSON numbers, then an ICCID arrives exactly', async () => {
    await misbehave({ numbers: true });
    const request = requestOf();
    const exact = await buy(request);
    await misbehave({});
    expect(await find(request)).toEqual(exact);
  });

  test('When the fake adds fields, then they are ignored', async () => {
    await misbehave({ additional_field: true });
    const request = requestOf();
    const delivered = { state: 'DELIVERED', cost: { amount: '3.6', currency: 'USD' } };
    expect(await buy(request)).toMatchObject(delivered);
    expect(await find(request)).toMatchObject(delivered);
  });

  test('When the fake sends an unknown state, then the outcome is unknown, and a lookup is ambiguous', async () => {
    await misbehave({ unknown_state: true });
    const request = requestOf();
    await expect(buy(request)).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
    expect(await find(request)).toMatchObject({ state: 'AMBIGUOUS', isShown: true });
  });

  test.each(['error-under-200', 'half-json', 'empty'] as const)(
    'When the response to a purchase is %s, then its outcome is unknown and a lookup finds it',
    async (form) => {
      await misbehave({ nonsense: { form, count: 1 } });
      const request = requestOf();
      await expect(buy(request)).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
      expect(await find(request)).toMatchObject({ state: 'DELIVERED' });
    },
  );

  test.each(['53', '500', '503'])(
    'When a purchase gets %s although it ran, then its outcome is unknown and a lookup finds it',
    async (code) => {
      await misbehave({ rejects: { code, count: 1 } });
      const request = requestOf();
      await expect(buy(request)).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
      expect(await find(request)).toMatchObject({ state: 'DELIVERED' });
    },
  );

  test.each(['test-maintenance-mode-7days-1gb', 'test-out-of-stock-7days-1gb'])(
    'When the package %s is rejected with status 200, then the outcome is unknown, and a lookup finds nothing',
    async (sku) => {
      const request = requestOf({ ...esim, sku });
      await expect(buy(request)).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
      expect(await find(request)).toEqual({ state: 'NOT_FOUND' });
    },
  );

  test('When an order fails later, then a lookup reports the rejection', async () => {
    await misbehave({ fails_later: { code: 'failed', count: 1 } });
    const request = requestOf();
    await buy(request).catch(() => undefined);
    expect(await find(request)).toMatchObject({ state: 'REJECTED', failureCode: 'UNKNOWN' });
  });

  test.each(['refunded', 'partially_refunded'])(
    'When an order is %s after its delivery, then a lookup shows the reversal',
    async (code) => {
      await misbehave({ fails_later: { code, count: 1 }, takes_ms: 200 });
      const request = requestOf();
      expect(await buy(request)).toMatchObject({ state: 'DELIVERED' });
      await sleep(600);
      expect(await find(request)).toEqual({ state: 'REVERSED' });
    },
  );
});

test('When all tokens have expired, then a lookup gets a new token, and buys nothing', async () => {
  const request = requestOf();
  await buy(request);
  await fetch(`${fake.url}/control-tokens/expire`, { method: 'POST' });
  expect(await find(request)).toMatchObject({ state: 'DELIVERED' });
  expect(await salesOf(request.reference)).toHaveLength(1);
});

test('When an eSIM needs a confirmation code, then it is unreadable', async () => {
  const report = await buy(requestOf({ ...esim, sku: 'bosfor-15days-3gb' }));
  expect(report).toMatchObject({ state: 'DELIVERED', goods: [{ kind: 'unreadable' }] });
});

test('When the data of a profile is used and then used up, then its status shows both', async () => {
  const iccid = await boughtIccid();
  await change(iccid, 'install');
  expect(await lifeAt(supplier, iccid)).toEqual({});
  await change(iccid, 'activate');
  const firstUsedAt = expect.any(Date) as Date;
  expect(await lifeAt(supplier, iccid)).toEqual({ firstUsedAt });
  await change(iccid, 'use');
  const { totalMb, usedMb } = (await usageAt(supplier, iccid)) ?? {};
  expect(usedMb).toBeGreaterThan((totalMb ?? NaN) * 0.79);
  await change(iccid, 'deplete');
  expect(await lifeAt(supplier, iccid)).toEqual({ firstUsedAt, isDepleted: true });
});

test('When little data is left, then the webhook names the eSIM', async () => {
  const iccid = await boughtIccid();
  received.length = 0;
  await change(iccid, 'use');
  while (received.length === 0) await sleep(20);
  expect(received.map((push) => supplier.verifyPush?.(push))).toEqual([{ kind: 'esim', iccid }]);
});

test('When our account is funded, then the adapter returns its available balance', async () => {
  await callControl(fake.url, 'PUT', 'account', { amount: '123.45' });
  expect(await supplier.balances?.()).toEqual([{ amount: '123.45', currency: 'USD' }]);
});

test('When our account was empty and is funded, then the same purchase succeeds', async () => {
  await callControl(fake.url, 'PUT', 'account', { amount: '1' });
  const request = requestOf();
  await expect(buy(request)).rejects.toBeInstanceOf(SupplierAccountBlocked);
  await callControl(fake.url, 'PUT', 'account', { amount: '100' });
  expect(await buy(request)).toMatchObject({ state: 'DELIVERED' });
  expect(await salesOf(request.reference)).toHaveLength(1);
});
