/** Tests the adapter of Airalo against a fake. The fake follows Airalo's documentation, not the adapter. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Modes } from '../../fakes/kit/modes';
import type { ReceivedPush } from '../../src/domain/suppliers/port';
import { SupplierAccountBlocked, SupplierOutcomeUnknown } from '../../src/domain/suppliers/supplier-errors';
import { lifeAt, usageAt } from '../support/esim-status';
import { adapterAt, buysFrom, instead, secret } from '../support/fake-suppliers';
import type { Fault, PassedRequest } from '../support/hostile-proxy';
import { forgedSignatures, supplierContract, type Situation } from './contract';
import { withstandsFaults } from './faults';

/** The webhooks that arrived. */
const received: ReceivedPush[] = [];
let receiver: Server;

const shop = buysFrom('airalo', {
  callbackUrl: async () => {
    receiver = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    // The fake then neither caches the status of an eSIM nor limits reads of it.
    process.env['FAKE_TIME_SCALE'] = '0';
    // The fake then signs the JSON that PHP writes from the parsed body. To verify it, the adapter must do the same.
    process.env['FAKE_SIGNS'] = 'reserialised';
    return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  },
});
const { misbehave, salesOf, fund, change, buy, find } = shop;
afterAll(() => {
  receiver?.close();
  receiver?.closeAllConnections();
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const rawBody = Buffer.concat((await request.toArray()) as Buffer[]);
  const signature = String(request.headers['airalo-signature']);
  if (request.method === 'POST')
    received.push({ headers: { 'airalo-signature': signature }, rawBody, pathSecret: undefined });
  response.writeHead(200).end();
}

const esim = { family: 'ESIM', sku: 'nimbus-7days-1gb', units: 1, unitValue: '4.5', currency: 'USD' } as const;

const requestOf = (wanted: Parameters<typeof shop.requestOf>[0] = esim) => shop.requestOf(wanted);

async function boughtIccid(): Promise<string> {
  const { goods } = await buy(requestOf());
  const [unit] = goods;
  if (unit?.kind !== 'esim') throw new Error('No profile');
  return unit.iccid;
}

const isPurchase = ({ method, path }: PassedRequest) => method === 'POST' && path === '/v2/orders';

/** An order whose eSIM has no activation code. */
function withoutCode({ body }: PassedRequest): string {
  const description = /name="description"\r\n\r\n(\S+)/.exec(body)?.[1];
  const sims = [{ id: 1, iccid: '8944000000000801234', qrcode: null }];
  return JSON.stringify({ data: { id: 1, description, quantity: '1', sims }, meta: { message: 'success' } });
}

const faults: Partial<Record<Situation, (request: PassedRequest) => Fault>> = {
  'answer-lost-before-buying': () => ({ do: 'lose-request' }),
  'answer-lost-after-buying': () => ({ do: 'lose-answer' }),
  'refusing-with-an-echo': ({ body }) =>
    instead(422, { data: { package_id: `Invalid: ${body}` }, meta: { message: 'No.' } }),
  'failing-with-an-echo': ({ body }) => instead(500, { code: 53, reason: body }),
  'broken-with-an-echo': ({ body }) => instead(502, `<p>${body}</p>`),
  'first-unit-unreadable': (request) => ({ do: 'answer-over', answer: { status: 200, body: withoutCode(request) } }),
};
const modesOf: Partial<Record<Situation, Modes>> = {
  'account-blocked': { rejects: { code: '11', count: 1 } },
  'rate-limited': { rejects: { code: '429', count: 1 } },
  'two-rows-for-a-reference': { second_row: true },
};

supplierContract('Airalo', async () => {
  await misbehave({ rejects: { code: '34', count: 1_000 } }, 'terra-15days-1gb');
  return {
    supplier: shop.supplier,
    unreachable: adapterAt('airalo', 'http://127.0.0.1:1'),
    arrange: async (situation) => {
      const fault = faults[situation];
      shop.proxy.meddle = (request) => (fault && isPurchase(request) ? fault(request) : undefined);
      await misbehave(modesOf[situation] ?? {});
    },
    soldUnits: shop.soldUnits,
    delivered: [esim, { ...esim, sku: 'eurowave-30days-10gb' }],
    refused: { ...esim, sku: 'terra-15days-1gb' },
    // A purchase at Airalo contains no customer input, so the test looks for the package instead.
    secretWords: ['terra-15days-1gb'],
    esimProduct: 'united-states',
    push: () => {
      const push = signed({ level: '75%', package_name: 'A', remaining_percentage: 25, iccid: '8944000000000801234' });
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

  withstandsFaults(shop, [esim]);

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
  await fetch(`${shop.fake.url}/control/tokens/expire`, { method: 'POST' });
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
  expect(await lifeAt(shop.supplier, iccid)).toEqual({});
  await change(iccid, 'activate');
  const firstUsedAt = expect.any(Date) as Date;
  expect(await lifeAt(shop.supplier, iccid)).toEqual({ firstUsedAt });
  await change(iccid, 'use');
  const { totalMb, usedMb } = (await usageAt(shop.supplier, iccid)) ?? {};
  expect(usedMb).toBeGreaterThan((totalMb ?? NaN) * 0.79);
  await change(iccid, 'deplete');
  expect(await lifeAt(shop.supplier, iccid)).toEqual({ firstUsedAt, isDepleted: true });
});

test('When little data is left, then the webhook names the eSIM', async () => {
  const iccid = await boughtIccid();
  received.length = 0;
  await change(iccid, 'use');
  while (received.length === 0) await sleep(20);
  expect(received.map((push) => shop.supplier.verifyPush?.(push))).toEqual([{ kind: 'esim', iccid }]);
});

test('When our account is funded, then the adapter returns its available balance', async () => {
  await fund('123.45');
  expect(await shop.supplier.balances?.()).toEqual([{ amount: '123.45', currency: 'USD' }]);
});

test('When our account was empty and is funded, then the same purchase succeeds', async () => {
  await fund('1');
  const request = requestOf();
  await expect(buy(request)).rejects.toBeInstanceOf(SupplierAccountBlocked);
  await fund('100');
  expect(await buy(request)).toMatchObject({ state: 'DELIVERED' });
  expect(await salesOf(request.reference)).toHaveLength(1);
});
