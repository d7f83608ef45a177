/** Purchases and lookups: the adapter's conclusion from every response that Airalo documents, and from others. */
import { createHmac } from 'node:crypto';
import { errorCodes } from '../../src/suppliers/airalo/error-codes';
import type { PurchaseRequest } from '../../src/domain/suppliers/port';
import {
  CallHeldBack,
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
} from '../../src/domain/suppliers/supplier-errors';
import type { Forged, PassedRequest } from '../support/hostile-proxy';
import {
  business,
  clientSecret,
  iccid,
  jsonOf,
  order,
  reference,
  request,
  ScriptedAiralo,
  sim,
  success,
  validation,
} from '../support/scripted-airalo';
import { useNew } from '../support/made';

const airalo = useNew(
  () => ScriptedAiralo.open(),
  ({ proxy }) => proxy.close(),
);

const completed = { ...order, status: { name: 'Completed', slug: 'completed' } };
const delivered = {
  state: 'DELIVERED',
  supplierOrderId: '9666',
  cost: { amount: '3.6', currency: 'USD' },
  sold: { sku: request.sku, units: '1' },
  goods: [{ kind: 'esim', iccid, activationCode: sim.qrcode }],
};

describe('A purchase', () => {
  test('When an eSIM is bought, then the form has our reference alone as description, and is signed', async () => {
    airalo.answers = [success(order)];
    expect(await airalo.buy()).toEqual(delivered);
    const [sent] = airalo.requestsTo('/v2/orders') as [PassedRequest];
    expect(sent.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    const form = await new Response(sent.body, { headers: sent.headers }).formData();
    const fields = { quantity: '1', package_id: request.sku, type: 'sim', description: reference };
    expect(Object.fromEntries(form)).toEqual(fields);
    const signature = createHmac('sha512', clientSecret).update(JSON.stringify(fields)).digest('hex');
    expect(sent.headers).toMatchObject({ authorization: 'Bearer token-1', 'airalo-signature': signature });
    expect(airalo.turns).toEqual([5]);
  });

  test('When the time to send ends while the purchase waits for its turn, then the service held it back, and nothing is sent', async () => {
    let isOver = false;
    const state = { ...airalo.quickState(), turn: async () => void (isOver = true) };
    await expect(airalo.newSupplier(state).purchase(request, () => !isOver)).rejects.toThrow(CallHeldBack);
    expect(airalo.requestsTo('/v2/orders')).toEqual([]);
  });

  test('When digits are JSON numbers, then they arrive exactly', async () => {
    const bare = JSON.stringify({ data: { ...order, quantity: 1 } }).replace(`"${iccid}"`, iccid);
    airalo.answers = [{ status: 200, body: bare }];
    expect(await airalo.buy()).toEqual(delivered);
  });

  test('When we pay with a discount, then the cost is what was paid', async () => {
    airalo.answers = [success({ ...order, net_price: null, total_amount_paid: '4.05' })];
    expect(await airalo.buy()).toMatchObject({ cost: { amount: '4.05', currency: 'USD' } });
  });

  test.each([{ net_price: 'much' }, { currency: 5 }, { net_price: null }])(
    'When the price is %j, then the goods are read, and the cost is unknown',
    async (special) => {
      airalo.answers = [success({ ...order, ...special })];
      expect(await airalo.buy()).not.toHaveProperty('cost');
      expect(await airalo.buy()).toMatchObject({ state: 'DELIVERED', goods: [{ iccid }] });
    },
  );

  test.each([
    ['no code', { ...sim, qrcode: null }],
    ['no ICCID', { ...sim, iccid: '' }],
    ['another form', 'sim'],
    ['a confirmation code', { ...sim, confirmation_code: '0815' }],
  ])('When the eSIM has %s, then it is unreadable, and the purchase is known', async (_what, broken) => {
    airalo.answers = [success({ ...order, sims: [broken] })];
    expect(await airalo.buy()).toMatchObject({ state: 'DELIVERED', goods: [{ kind: 'unreadable' }] });
  });

  test.each<[string, Partial<PurchaseRequest>]>([
    ['another family', { family: 'VOUCHER' }],
    ['two units', { units: 2 }],
    ['a SKU that would add a field', { sku: 'a"\r\n\r\n1' }],
  ])('When a purchase is for %s, then nothing is sent', async (_what, special) => {
    expect(await airalo.buy(special)).toMatchObject({ state: 'REJECTED', failureCode: 'PRODUCT_UNAVAILABLE' });
    expect(airalo.proxy.requests).toEqual([]);
  });

  test('When Airalo accepts a purchase for later, then it is pending', async () => {
    airalo.answers = [jsonOf(202, { data: { request_id: 'yuFSfqKIeZyJ2YzlxYUWsZ8dx', accepted_at: '2026' } })];
    expect(await airalo.buy()).toEqual({ state: 'PENDING', goods: [] });
  });

  test.each([
    ['cut', { description: reference.slice(0, -1) }],
    ['null', { description: null }],
    ['missing', { description: undefined }],
    ['given a prefix', { description: `API ${reference}` }],
  ])('When Airalo sold an eSIM and our reference is %s, then the purchase is pending', async (_what, special) => {
    airalo.answers = [success({ ...order, ...special })];
    expect(await airalo.buy()).toEqual({ state: 'PENDING', supplierOrderId: '9666', goods: [] });
    airalo.answers = [success({ ...order, ...special, id: 'A-1' })];
    expect(await airalo.buy()).toEqual({ state: 'PENDING', goods: [] });
  });
});

describe('A rejected purchase', () => {
  test.each(Object.entries(errorCodes))('When the code is %s, then the table decides', async (code, known) => {
    airalo.answers = [business(Number(code), known.status)];
    const report = await airalo.buy();
    if (known.meaning === 'account-blocked') expect(report).toBeInstanceOf(SupplierAccountBlocked);
    else expect(report).toMatchObject({ state: 'REJECTED', failureCode: known.failureCode, goods: [] });
  });

  test('When the code is documented, then the order gets the failure code of the table', () => {
    const failures = Object.entries(errorCodes).map(([code, { failureCode }]) => [code, failureCode]);
    expect(Object.fromEntries(failures)).toEqual({
      11: undefined,
      13: 'OPERATOR_UNAVAILABLE',
      14: undefined,
      23: 'PRODUCT_UNAVAILABLE',
      33: 'PRODUCT_OUT_OF_STOCK',
      34: 'PRODUCT_UNAVAILABLE',
      43: 'UNKNOWN',
      73: 'INVALID_RECIPIENT',
      89: undefined,
    });
  });

  test.each([
    [{ package_id: 'The selected package is invalid.' }, 'PRODUCT_UNAVAILABLE'],
    [{ quantity: 'SIM quantity is not available. Available quantity: 9.' }, 'PRODUCT_OUT_OF_STOCK'],
    [{ quantity: 'The quantity may not be greater than 50.' }, 'UNKNOWN'],
    [{ description: 'The description is too long.' }, 'UNKNOWN'],
    [{ quantity: 'Bad.', package_id: 'Bad.' }, 'PRODUCT_UNAVAILABLE'],
  ])('When Airalo rejects the fields %j, then the failure code is %s', async (data, failureCode) => {
    airalo.answers = [validation(data)];
    expect(await airalo.buy()).toMatchObject({ state: 'REJECTED', failureCode });
  });

  test('When calls are too frequent, then the error names the time to wait', async () => {
    airalo.answers = [jsonOf(429, { message: 'Too Many Attempts.' }, { 'retry-after': '7' })];
    const error = await airalo.buy();
    expect(error).toBeInstanceOf(SupplierUnavailable);
    expect(error).toMatchObject({ retryAfterMs: 7_000 });
  });

  const page = '<html><h1>Error</h1></html>';
  test.each<[string, Forged]>([
    ['code 53', business(53)],
    ['an unknown code', business(54)],
    ['a known code with another status', business(11, 400)],
    ['a known code under 200', business(11, 200)],
    ['rejected fields under 200', { ...validation({ package_id: 'Bad.' }), status: 200 }],
    ['rejected fields with another status', { ...validation({ package_id: 'Bad.' }), status: 400 }],
    ['fields in another form', jsonOf(422, { data: { package_id: ['Bad.'] }, meta: { message: 'No' } })],
    ['only a message', jsonOf(422, { message: 'No.' })],
    ['429 without a time to wait', jsonOf(429, { message: 'Slow down' })],
    ['401 as gateways write it', jsonOf(401, { message: 'Unauthorized' })],
    ['403 as gateways write it', jsonOf(403, { message: 'Forbidden' })],
    ['an error of the server', business(53, 500)],
    ['an order without eSIMs', success({ ...order, sims: [] })],
    ['an order without a list of eSIMs', success({ ...order, sims: undefined })],
    ['an unknown state', success({ ...order, status: { slug: 'resting' } })],
    ['half of the order', { status: 200, body: JSON.stringify({ data: order }).slice(0, 60) }],
    ['nothing', { status: 200, body: '' }],
    ...[200, 301, 400, 401, 403, 404, 422, 429, 500, 502, 503].map((status): [string, Forged] => [
      `a page with ${status}`,
      { status, body: page },
    ]),
  ])('When the response is %s, then the outcome is unknown', async (_what, answer) => {
    airalo.answers = [answer];
    expect(await airalo.buy()).toBeInstanceOf(SupplierOutcomeUnknown);
  });
});

test('When the response is an order of two, then its description says so', async () => {
  airalo.answers = [success({ ...order, quantity: 2 })];
  expect(await airalo.buy()).toMatchObject({ state: 'DELIVERED', sold: { units: '2' } });
});

describe('A lookup', () => {
  const list = (...rows: unknown[]) => success(rows, { links: {} });
  const longer = { ...completed, id: 2, description: `${reference}9` };

  test('When the order is listed, then it is found, even if other orders contain the reference', async () => {
    airalo.answers = [list(longer, completed)];
    expect(await airalo.find()).toEqual(delivered);
    const query = new URL(`http://x${airalo.requestsTo('/v2/orders')[0]?.path}`).searchParams;
    expect(query.get('filter[description]')).toBe(reference);
    expect(query.get('include')).toBe('sims,status');
  });

  test.each<[string, Forged, object]>([
    ['nothing', list(), { state: 'NOT_FOUND' }],
    ['only a longer reference', list(longer), { state: 'NOT_FOUND' }],
    ['rows in an object', success({ 0: completed }), delivered],
    ['an order without a state', list(order), delivered],
    ['two orders', list(completed, { ...completed, id: 3 }), { state: 'AMBIGUOUS', isShown: true }],
    ['a refunded order', list({ ...order, status: { slug: 'refunded' } }), { state: 'REVERSED' }],
    ['a partly refunded order', list({ ...order, status: { slug: 'partially_refunded' } }), { state: 'REVERSED' }],
    [
      'a failed order',
      list({ ...order, sims: [], status: { slug: 'failed' } }),
      { state: 'REJECTED', failureCode: 'UNKNOWN' },
    ],
    [
      'a failed order with an eSIM',
      list({ ...order, status: { slug: 'failed' } }),
      { state: 'AMBIGUOUS', isShown: true },
    ],
    ['a completed order without eSIMs', list({ ...completed, sims: [] }), { state: 'AMBIGUOUS', isShown: true }],
    ['an unknown state', list({ ...order, status: { slug: 'new' } }), { state: 'AMBIGUOUS', isShown: true }],
    ['an unreadable order', list({ ...order, id: 'x' }), { state: 'AMBIGUOUS', isShown: true }],
    ['a full page', list(...Array.from({ length: 100 }, () => longer)), { state: 'AMBIGUOUS', isShown: false }],
    ['more data than any order', { status: 200, body: 'x'.repeat(1_100_000) }, { state: 'AMBIGUOUS', isShown: false }],
  ])('When Airalo shows %s, then the report has that state', async (_what, answer, report) => {
    airalo.answers = [answer];
    expect(await airalo.find()).toMatchObject(report);
  });

  test.each<[string, Forged]>([
    ['another search', list({ ...completed, description: 'order-1-other-0001' })],
    ['a row without a description', list({ ...completed, description: null })],
    ['a list without its envelope', jsonOf(200, { data: [] })],
    ['an object without rows', success({})],
    ['an error under 200', business(53, 200)],
    ['rejected fields', validation({ 'filter[description]': 'Bad.' })],
    ['a page of a gateway', { status: 200, body: '<html></html>' }],
  ])('When Airalo answers with %s, then the lookup is retried', async (_what, answer) => {
    airalo.answers = [answer];
    expect(await airalo.find()).toBeInstanceOf(SupplierUnavailable);
  });
});
