/** The requests that the client library repeats, and those it never repeats, when calls and answers are lost. */
import {
  ConnectionError,
  DigitalGoods,
  DuplicateClientReferenceError,
  InsufficientBalanceError,
  OutcomeUnknownError,
  PriceChangedError,
  RateLimitError,
  ServerError,
  ServiceUnavailableError,
  TimeoutError,
  type TopupOrderRequest,
  type VoucherOrderRequest,
} from '@digital-goods/client';
import { randomUUID } from 'node:crypto';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { HostileProxy, type Fault } from '../support/hostile-proxy';
import { orderOf } from '../support/orders';
import { entriesOf, orderCount } from '../support/records';
import { loadStack } from '../../dev/testbed/loaded-stack';

const database = useDatabase();
let own: OwnClient;
let proxy: HostileProxy;
beforeEach(async () => {
  own = await newClient(database, { USD: 1_000 });
  proxy = await HostileProxy.before(() => loadStack().api_url);
});
afterEach(() => proxy.close());

function library(settings: { maxRetries?: number; timeouts?: { create?: number; other?: number } } = {}) {
  const { api_key: apiKey, api_secret: apiSecret } = own.credentials;
  return new DigitalGoods({ baseUrl: proxy.url, apiKey, apiSecret, ...settings });
}

const voucher = orderOf('voucher_instant') as unknown as VoucherOrderRequest;
const isCreate = ({ method, path }: { method: string; path: string }) => method === 'POST' && /\/orders$/.test(path);
const creates = () => proxy.requests.filter(isCreate);

/** Applies these faults to the first calls of the kind, one fault for each call. Later calls pass. */
function spoil(isMeant: (request: { method: string; path: string }) => boolean, ...faults: Fault[]): void {
  const left = [...faults];
  proxy.meddle = (request) => (isMeant(request) ? left.shift() : undefined);
}

const envelope = (code: string) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { name: 'Error', code, message: code } }),
});
const answered = (status: number, code: string, headers = {}): Fault => {
  const { headers: type, body } = envelope(code);
  return { do: 'answer-instead', answer: { status, headers: { ...type, ...headers }, body } };
};
const unavailable = answered(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' });
const keyInUse = answered(409, 'IDEMPOTENCY_KEY_IN_USE');
const tooMany = answered(429, 'TOO_MANY_REQUESTS', { 'retry-after': '1' });
const unknownAfterwards: Fault = { do: 'answer-over', answer: { status: 504, ...envelope('OUTCOME_UNKNOWN') } };

async function oneOrder(id: number): Promise<void> {
  expect(await orderCount(database, own.id)).toBe(1);
  expect(await entriesOf(database, id)).toMatchObject([{ kind: 'ORDER' }]);
}

describe('An order request', () => {
  test.each<[string, Fault[]]>([
    ['its request is lost', [{ do: 'lose-request' }]],
    ['its answer is lost twice', [{ do: 'lose-answer' }, { do: 'lose-answer' }]],
    ['its answer is cut', [{ do: 'cut-answer' }]],
    ['it arrives after its time limit', [{ do: 'late-request', ms: 700 }]],
    ['the service reports an unknown outcome', [unknownAfterwards]],
    ['a gateway answers after its time limit', [{ do: 'answer-over', answer: { status: 502, body: '<html>' } }]],
    ['it is rejected for a while', [unavailable, tooMany]],
    ['the service reports that its key is in use', [keyInUse, keyInUse]],
    ['all of these happen', [{ do: 'lose-answer' }, unavailable, tooMany, unknownAfterwards]],
  ])('When %s, then one order exists, and the call returns it', async (_, faults) => {
    spoil(isCreate, ...faults);
    const order = await library().vouchers.orders.create(voucher);
    await oneOrder(order.id);
    expect(new Set(creates().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(creates().map(({ body }) => body)).size).toBe(1);
    expect(creates()).toHaveLength(faults.length + 1);
  });

  test('When an order request exceeds its time limit, then it is repeated under its key until the response', async () => {
    const slow = orderOf('topup_pending') as unknown as TopupOrderRequest;
    const order = await library({ timeouts: { create: 1_000 } }).topups.orders.create(slow);
    await oneOrder(order.id);
    expect(creates().length).toBeGreaterThan(1);
  });

  test('When the service reports a duplicate reference after a lost response, then the call returns the existing order', async () => {
    const taken = answered(400, 'DUPLICATE_CLIENT_REFERENCE', { location: '/api/v1/orders/1' });
    spoil(isCreate, { do: 'lose-answer' }, taken);
    const order = await library().vouchers.orders.create({ ...voucher, client_reference: randomUUID() });
    expect(order.vouchers).toHaveLength(voucher.quantity);
    await oneOrder(order.id);
  });

  test('When the product requires another input after a lost response, then the call returns the existing order', async () => {
    const topup = orderOf('topup_instant') as unknown as TopupOrderRequest;
    spoil(isCreate, { do: 'lose-answer' }, answered(400, 'VALIDATION_FAILURE'));
    const order = await library().topups.orders.create(topup);
    await oneOrder(order.id);
  });

  test('When the reference belongs to another order, then the error says so', async () => {
    const reference = randomUUID();
    await library().vouchers.orders.create({ ...voucher, client_reference: reference });
    spoil(isCreate, { do: 'lose-request' });
    const another = { ...voucher, quantity: voucher.quantity + 1, client_reference: reference };
    await expect(library().vouchers.orders.create(another)).rejects.toBeInstanceOf(DuplicateClientReferenceError);
    expect(await orderCount(database, own.id)).toBe(1);
  });

  test('When the repeat of a lost request is rejected, then no order exists, and the call throws the rejection', async () => {
    own = await newClient(database, { USD: 1 });
    spoil(isCreate, { do: 'lose-request' });
    await expect(library().vouchers.orders.create(voucher)).rejects.toBeInstanceOf(InsufficientBalanceError);
    spoil(isCreate, { do: 'lose-request' });
    const dear = { ...voucher, max_total_payable: 0.01 };
    await expect(library().vouchers.orders.create(dear)).rejects.toBeInstanceOf(PriceChangedError);
  });

  test('When no attempt reaches the service, then the error says that nothing was placed', async () => {
    proxy.meddle = (request) => (isCreate(request) ? unavailable : undefined);
    const error: unknown = await library({ maxRetries: 1 })
      .vouchers.orders.create(voucher)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(creates()).toHaveLength(2);
  });

  test('When every response is lost, then the order is looked up by its reference', async () => {
    proxy.meddle = (request) => (isCreate(request) ? { do: 'lose-answer' } : undefined);
    const order = await library({ maxRetries: 1 }).vouchers.orders.create(voucher);
    await oneOrder(order.id);
  });

  test('When the lookup also fails, then the error explains the lookup, which succeeds later', async () => {
    proxy.meddle = ({ path }) => (path.startsWith('/auth/') ? undefined : { do: 'lose-answer' });
    const create = library({ maxRetries: 0 }).vouchers.orders.create(voucher);
    const error: unknown = await create.catch((reason: unknown) => reason);
    if (!(error instanceof OutcomeUnknownError)) throw error;
    expect(error).toMatchObject({ mayHaveTakenEffect: true, cause: expect.any(ConnectionError) });
    expect(error.message).toContain(error.clientReference);
    proxy.meddle = () => undefined;
    const found = (await error.lookUp()) as { id: number; client_reference: string };
    expect(found.client_reference).toBe(error.clientReference);
    await oneOrder(found.id);
    const again = { ...voucher, client_reference: error.clientReference };
    const { idempotencyKey } = error;
    expect(await library().vouchers.orders.create(again, { idempotencyKey })).toMatchObject({ id: found.id });
  });

  test('When a call is aborted during the request, and not before it, then the outcome is unknown', async () => {
    const end = new AbortController();
    proxy.meddle = (request) => {
      if (isCreate(request)) setTimeout(() => end.abort(new Error('enough')), 50);
      return isCreate(request) ? { do: 'hold-answer', ms: 2_000 } : undefined;
    };
    const create = library().vouchers.orders.create(voucher, { signal: end.signal });
    await expect(create).rejects.toMatchObject({ name: 'OutcomeUnknownError', cause: new Error('enough') });
    const calls = proxy.requests.length;
    await expect(library().vouchers.orders.create(voucher, { signal: end.signal })).rejects.toThrow('enough');
    expect(proxy.requests).toHaveLength(calls);
  });
});

describe('Other calls', () => {
  const isRead = ({ path }: { path: string }) => path === '/api/v1/wallets';

  test('When a read is lost, cut, rejected or late, then it is repeated', async () => {
    spoil(isRead, { do: 'lose-answer' }, { do: 'cut-answer' }, unavailable, { do: 'hold-answer', ms: 1_500 });
    expect(await library({ timeouts: { other: 1_000 } }).wallets.list()).toHaveLength(1);
    expect(proxy.requests.filter(isRead)).toHaveLength(5);
  });

  test('When a read is rejected for too long, then the error contains the time to wait', async () => {
    spoil(isRead, answered(429, 'TOO_MANY_REQUESTS', { 'retry-after': '90' }));
    const error: unknown = await library()
      .wallets.list()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfter: 90, code: 'TOO_MANY_REQUESTS' });
    expect(proxy.requests.filter(isRead)).toHaveLength(1);
  });

  test('When Retry-After is one second, then nothing is sent earlier', async () => {
    const at: number[] = [];
    const left = [tooMany];
    proxy.meddle = (request) => {
      if (isRead(request)) at.push(performance.now());
      return isRead(request) ? left.shift() : undefined;
    };
    await library().wallets.list();
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  test('When nothing answers in time, then the error is a timeout', async () => {
    proxy.meddle = (request) => (isRead(request) ? { do: 'hold-answer', ms: 2_000 } : undefined);
    const call = library({ maxRetries: 0, timeouts: { other: 500 } }).wallets.list();
    await expect(call).rejects.toBeInstanceOf(TimeoutError);
  });

  const isRegistration = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path === '/api/v1/webhooks/endpoints';
  const register = () => library().webhooks.endpoints.create({ url: 'http://127.0.0.1:9/hook', enabled: false });

  test('When the port is closed, then even unsafe requests are retried, because the service carried out no request', async () => {
    const goods = library({ maxRetries: 1 });
    await goods.wallets.list();
    proxy.close();
    // The earlier connection has closed by now.
    await expect(goods.wallets.list()).rejects.toBeInstanceOf(ConnectionError);
    const began = performance.now();
    await expect(goods.webhooks.endpoints.create({ url: 'http://127.0.0.1:9/hook' })).rejects.toMatchObject({
      name: 'ConnectionError',
      mayHaveTakenEffect: false,
    });
    // The shortest wait before the first repeat.
    expect(performance.now() - began).toBeGreaterThan(240);
  });

  test.each<[string, Fault]>([
    ['its answer was lost', { do: 'lose-answer' }],
    ['a gateway timed out', { do: 'answer-over', answer: { status: 504 } }],
  ])('When an unsafe request may have been carried out because %s, then it is not repeated', async (_, fault) => {
    spoil(isRegistration, fault);
    const error: unknown = await register().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ mayHaveTakenEffect: true });
    expect(error instanceof ConnectionError || error instanceof ServerError).toBe(true);
    expect(proxy.requests.filter(isRegistration)).toHaveLength(1);
    expect(await library().webhooks.endpoints.list().toArray()).toHaveLength(1);
  });

  test('When an unsafe request is rejected temporarily, then it is repeated', async () => {
    spoil(isRegistration, tooMany);
    await register();
    expect(await library().webhooks.endpoints.list().toArray()).toHaveLength(1);
  });
});
