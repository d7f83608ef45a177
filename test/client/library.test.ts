/** The client library on the real stack: orders of every family from price to final status, lists, webhooks. */
import {
  DigitalGoods,
  DuplicateClientReferenceError,
  etagOf,
  IdempotencyKeyReusedError,
  InsufficientBalanceError,
  NOT_MODIFIED,
  NotFoundError,
  AuthenticationError,
  PriceChangedError,
  ValidationError,
  verifyWebhook,
  WaitTimeoutError,
  type EsimOrderRequest,
  type TopupOrderRequest,
  type VoucherOrderRequest,
  type WebhookEvent,
} from '@digital-goods/client';
import { randomUUID } from 'node:crypto';
import { newClient, type OwnClient, useClient, useDatabase } from '../support/clients';
import { ADDED_LATER, laterService } from '../support/later-service';
import { orderOf } from '../support/orders';
import { boughtFor, entriesOf } from '../support/records';
import { Receiver } from '../support/receiver';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { until } from '../../dev/testbed/waiting';

const database = useDatabase();
const own = useClient(database, { USD: 10_000, EUR: 500 });
let goods: DigitalGoods;
beforeAll(async () => {
  goods = libraryFor(own);
});

function libraryFor({ credentials }: OwnClient, baseUrl = `${loadStack().api_url}/`): DigitalGoods {
  const { api_key: apiKey, api_secret: apiSecret } = credentials;
  return new DigitalGoods({ baseUrl, apiKey, apiSecret });
}

const voucher = (scenario: string) => orderOf(scenario) as unknown as VoucherOrderRequest;
const topup = (scenario: string) => orderOf(scenario) as unknown as TopupOrderRequest;
const esim = (scenario: string) => orderOf(scenario) as unknown as EsimOrderRequest;

describe('Orders', () => {
  test('When vouchers are priced and ordered, then the client pays that price and reads the codes', async () => {
    const { product_id: id, denomination, quantity } = voucher('voucher_instant');
    const price = await goods.vouchers.products.charges(id, { denomination, quantity });
    const order = await goods.vouchers.orders.create(voucher('voucher_instant'));
    expect(order).toMatchObject({ status: 'DELIVERED', charged_amount: price.total_payable });
    expect(order.vouchers).toHaveLength(quantity);
    expect(order.client_reference).toMatch(/^[0-9a-f-]{36}$/);
    expect(await goods.vouchers.orders.findByReference(order.client_reference ?? '')).toMatchObject({
      id: order.id,
      placed_at: expect.any(String),
    });
  });

  test.each(['voucher_delayed', 'voucher_partial', 'voucher_partial_then_failed'])(
    'When the vouchers of %s arrive later, then the wait returns the ended order',
    async (scenario) => {
      const order = await goods.vouchers.orders.create(voucher(scenario));
      expect(order.status).toBe('PENDING');
      const { final_status: end } = loadStack().scenarios.find(({ name }) => name === scenario) ?? {};
      expect(await goods.vouchers.orders.waitForOrder(order)).toMatchObject({ id: order.id, status: end });
    },
  );

  test('When a client looks up a number, prices and orders a top-up and waits, then it is delivered', async () => {
    const body = topup('topup_pending');
    const number = String(body.input_data?.['phone_number']);
    expect((await goods.topups.mobileLookup(number)).products).toContain(body.product_id);
    const price = await goods.topups.charges({ product_id: body.product_id, amount: body.amount });
    const order = await goods.topups.orders.create({ ...body, client_reference: randomUUID() });
    expect(order).toMatchObject({ status: 'PENDING', charged_amount: price.total_payable });
    expect(await goods.topups.orders.waitForOrder(order.id)).toMatchObject({ status: 'DELIVERED' });
  });

  test('When the supplier rejects a top-up, then the order is FAILED, and the library throws nothing', async () => {
    const order = await goods.topups.orders.create(topup('topup_reject_invalid_recipient'));
    expect(order).toMatchObject({ status: 'FAILED', failure_code: 'INVALID_RECIPIENT' });
    expect(await goods.topups.orders.waitForOrder(order)).toMatchObject({ status: 'FAILED' });
  });

  test('When an eSIM is ordered, then its activation code can be read', async () => {
    const body = esim('esim_instant');
    const price = await goods.esim.charges({ product_id: body.product_id, amount: body.amount });
    const order = await goods.esim.orders.create(body);
    expect(order).toMatchObject({ status: 'DELIVERED', charged_amount: price.total_payable });
    expect(order.activation_code).toMatch(/^LPA:1\$/);
  });

  test('When an order does not end in time, then the wait returns the order with its current status', async () => {
    const order = await goods.vouchers.orders.create(voucher('voucher_delayed'));
    const wait = goods.vouchers.orders.waitForOrder(order, { timeout: 1_500 });
    const error: unknown = await wait.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error).toMatchObject({ order: { id: order.id, status: 'PENDING' } });
  });

  test('When a signal aborts a wait, then the wait throws the reason of the signal', async () => {
    const order = await goods.vouchers.orders.create(voucher('voucher_delayed'));
    const reason = new Error('enough');
    const end = new AbortController();
    const wait = goods.vouchers.orders.waitForOrder(order, { signal: end.signal });
    end.abort(reason);
    await expect(wait).rejects.toBe(reason);
  });

  test('When an order request is repeated under its key, then it returns the same order, bought and charged once', async () => {
    const options = { idempotencyKey: randomUUID() };
    const body = { ...voucher('voucher_instant'), client_reference: randomUUID() };
    const orders = await Promise.all([1, 2, 3].map(() => goods.vouchers.orders.create(body, options)));
    const [{ id } = { id: 0 }] = orders;
    expect(orders.map((order) => order.id)).toEqual([id, id, id]);
    expect(await boughtFor(id)).toHaveLength(1);
    expect(await entriesOf(database, id)).toHaveLength(1);
  });

  test('When a mail is requested, then the order has its address', async () => {
    const { id } = await goods.vouchers.orders.create(voucher('voucher_delayed'));
    await goods.vouchers.orders.setNotificationEmail(id, 'buyer@client.example');
    expect(await goods.vouchers.orders.get(id)).toMatchObject({ email: 'buyer@client.example' });
  });
});

describe('Rejections', () => {
  test('When a reference is used twice, then the error contains the path of the existing order', async () => {
    const body = { ...voucher('voucher_instant'), client_reference: randomUUID() };
    const { id } = await goods.vouchers.orders.create(body);
    const error: unknown = await goods.vouchers.orders.create(body).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DuplicateClientReferenceError);
    expect(error).toMatchObject({ orderPath: `/api/v1/orders/${id}`, mayHaveTakenEffect: false });
  });

  test('When a key is used for another order, then the error has its own class', async () => {
    const options = { idempotencyKey: randomUUID() };
    await goods.vouchers.orders.create(voucher('voucher_instant'), options);
    const another = goods.vouchers.orders.create(voucher('voucher_instant'), options);
    await expect(another).rejects.toBeInstanceOf(IdempotencyKeyReusedError);
  });

  test('When the wallet is empty, or the order too expensive, invalid or unknown, then each error has its own class', async () => {
    const poor = libraryFor(await newClient(database, { USD: 1 }));
    await expect(poor.vouchers.orders.create(voucher('voucher_instant'))).rejects.toBeInstanceOf(
      InsufficientBalanceError,
    );
    const dear = { ...voucher('voucher_instant'), max_total_payable: 0.01 };
    await expect(poor.vouchers.orders.create(dear)).rejects.toBeInstanceOf(PriceChangedError);
    const invalid = { ...voucher('voucher_instant'), quantity: 0 };
    await expect(goods.vouchers.orders.create(invalid)).rejects.toMatchObject({
      name: 'ValidationError',
      status: 400,
      code: 'VALIDATION_FAILURE',
      message: 'Invalid quantity: must be greater than 0',
      requestId: expect.any(String),
    });
    await expect(goods.topups.orders.create({ ...topup('topup_instant'), input_data: {} })).rejects.toBeInstanceOf(
      ValidationError,
    );
    await expect(goods.vouchers.orders.get(2_000_000_000)).rejects.toBeInstanceOf(NotFoundError);
  });

  test('When the secret is wrong, then every call is rejected as unauthorized', async () => {
    const { api_key: apiKey } = own.credentials;
    const stranger = new DigitalGoods({ baseUrl: loadStack().api_url, apiKey, apiSecret: 'wrong' });
    await expect(stranger.wallets.list()).rejects.toBeInstanceOf(AuthenticationError);
    await expect(stranger.vouchers.orders.create(voucher('voucher_instant'))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      mayHaveTakenEffect: false,
    });
  });
});

describe('Lists', () => {
  test('When orders are listed in small pages, then each appears once, also while others are placed', async () => {
    const buyer = libraryFor(await newClient(database, { USD: 1_000 }));
    const body = { ...voucher('voucher_instant'), quantity: 1 };
    const placed: number[] = [];
    for (let n = 0; n < 7; n++) placed.push((await buyer.vouchers.orders.create(body)).id);
    const walked: number[] = [];
    for await (const { id } of buyer.vouchers.orders.list({ limit: 2 })) {
      walked.push(id);
      if (walked.length === 3) await buyer.vouchers.orders.create(body);
    }
    expect(walked).toEqual(placed.reverse());
    const { items, totalCount, totalPages, hasMore } = await buyer.vouchers.orders.list({ limit: 2 }).page(4);
    expect({ count: items.length, totalCount, totalPages, hasMore }).toEqual({
      count: 2,
      totalCount: 8,
      totalPages: 4,
      hasMore: false,
    });
  });

  test('When nothing matches, then every list is empty, also the list of vouchers', async () => {
    const emptyClient = libraryFor(await newClient(database));
    expect(await emptyClient.vouchers.orders.list().toArray()).toEqual([]);
    expect(await emptyClient.topups.orders.list({ status: 'FAILED' }).toArray()).toEqual([]);
    expect(await emptyClient.esim.orders.findByReference('none')).toBeUndefined();
    expect(await emptyClient.vouchers.orders.findByReference('none')).toBeUndefined();
  });

  test('When the catalogue, the reference data and the ledger are read, then single items equal the items of the lists', async () => {
    const { vouchers, topups, esim: esims, reference, wallets, transactions } = goods;
    const products = await vouchers.products.list({ search: 'sandbox' }).toArray();
    expect(products.length).toBeGreaterThan(3);
    expect(await vouchers.products.get(products[0]?.id ?? 0)).toMatchObject(products[0] ?? {});
    const [mobile] = await topups.products.list({ search: 'liberty mobile' }).toArray();
    const topupDetail = await topups.products.get(mobile?.id ?? 0);
    expect(topupDetail.input_fields.map(({ field_name: name }) => name)).toContain('phone_number');
    const [variant] = await topups.products.variants(mobile?.id ?? 0);
    expect(await topups.variant(variant?.id ?? 0)).toEqual(variant);
    // Other tests have products of unknown suppliers.
    const [plans] = await esims.products.list({ search: 'sandbox esim' }).toArray();
    expect((await esims.products.get(plans?.id ?? 0)).variants).toEqual(await esims.products.variants(plans?.id ?? 0));
    const [plan] = await esims.products.variants(plans?.id ?? 0);
    expect(await esims.variant(plan?.id ?? 0)).toMatchObject({ name: plan?.name });
    for await (const { product_id: productId, amount, total_payable: payable } of goods.prices.list({
      family: 'TOPUP',
    })) {
      if (amount === null) continue;
      const charges = await topups.charges({ product_id: productId, amount });
      expect(charges.total_payable).toBe(payable);
      break;
    }
    const [country] = await reference.countries();
    expect(await reference.country(country?.id ?? 0)).toEqual(country);
    const [category] = await reference.categories();
    expect(await reference.category(category?.id ?? 0)).toEqual(category);
    const [subcategory] = await reference.subcategories();
    expect(await reference.subcategory(subcategory?.id ?? 0)).toEqual(subcategory);
    expect((await reference.currencies()).map(({ code }) => code)).toContain('KWD');
    const [wallet] = await wallets.list();
    expect(await wallets.get(wallet?.id ?? 0)).toMatchObject({ currency_code: wallet?.currency_code });
    for await (const transaction of transactions.list({ wallet_id: own.wallets['USD'] ?? 0, limit: 1 })) {
      expect(await transactions.get(transaction.id)).toEqual(transaction);
      break;
    }
    const changed = await wallets.setLowBalanceThreshold(own.wallets['EUR'] ?? 0, 12.5);
    expect(changed.low_balance_threshold).toBe(12.5);
    expect((await wallets.setLowBalanceThreshold(changed.id, null)).low_balance_threshold).toBeNull();
  });
});

test('When a later release adds a family or another value, then the library reads every row that has it', async () => {
  const later = await laterService(loadStack().api_url);
  try {
    const { prices, topups, vouchers, apiKeys } = libraryFor(own, later.url);
    const { items: rows } = await prices.list({ family: 'TOPUP' }).page();
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ family }) => family))).toEqual(new Set([ADDED_LATER]));
    const { items: products } = await topups.products.list({ search: 'liberty mobile' }).page();
    const { input_fields: fields, topup_type: type } = await topups.products.get(products[0]?.id ?? 0);
    expect([type, ...fields.map(({ field_type: each }) => each)]).toEqual([
      ADDED_LATER,
      ...fields.map(() => ADDED_LATER),
    ]);
    const { items: cards } = await vouchers.products.list().page();
    expect(cards[0]).toMatchObject({ delivery_mode: ADDED_LATER, delivery_time: ADDED_LATER });
    expect((await apiKeys.list().page()).items[0]?.scopes).toContain(ADDED_LATER);
  } finally {
    later.close();
  }
});

test('When a content or a page has not changed, then a read with its tag returns NOT_MODIFIED, and a read without it the content', async () => {
  const { reference, prices, topups } = goods;
  const countries = await reference.countries();
  const tag = etagOf(countries);
  expect(tag).toMatch(/^"/);
  expect(await reference.countries({ ifNoneMatch: tag })).toBe(NOT_MODIFIED);
  expect(await reference.countries()).toEqual(countries);
  // Other tests change the catalogue. None of them adds this product.
  const list = topups.products.list({ search: 'no such product' });
  const page = await list.page();
  const again = await list.page(1, { ifNoneMatch: etagOf(page) });
  expect(again).toBe(NOT_MODIFIED);
  const other = await prices.list({ family: 'ESIM' }).page(1, { ifNoneMatch: '"other"' });
  if (other === NOT_MODIFIED) throw new Error('No content has this tag');
  expect(other.items.length).toBeGreaterThan(0);
  expect(etagOf(await goods.wallets.list())).toBeUndefined();
});

describe('Statements', () => {
  test('When statements are read, then they come as CSV with all entries of the wallet', async () => {
    const { id, charged_amount: charged } = await goods.vouchers.orders.create(voucher('voucher_instant'));
    const period = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
    const wallet = await goods.statements.wallet(own.wallets['USD'] ?? 0, period);
    const ofWallet = await new Response(wallet).text();
    expect(ofWallet).toContain(`order-${id}`);
    expect(ofWallet).toContain(String(charged));
    const orders = await new Response(await goods.statements.orders(period)).text();
    expect(orders.split('\n').some((line) => line.includes(`${id},`))).toBe(true);
  });

  test('When a statement is aborted during the read, then the read throws', async () => {
    const end = new AbortController();
    const period = { from: new Date(Date.now() - 60_000), to: new Date() };
    const stream = await goods.statements.orders(period, { signal: end.signal });
    end.abort();
    await expect(new Response(stream).text()).rejects.toThrow();
  });
});

describe('The sandbox', () => {
  test('When a client tests in the sandbox, then the library covers every step', async () => {
    const { sandbox, wallets, esim: esims, vouchers } = goods;
    const scenarios = await sandbox.scenarios();
    expect(scenarios.map(({ name }) => name)).toContain('voucher_instant');
    const wallet = await wallets.get(own.wallets['EUR'] ?? 0);
    const funded = await sandbox.fund(wallet.id, 12.34);
    expect(funded.balance).toBeCloseTo(wallet.balance + 12.34, 2);
    const announced = await goods.funding.request(wallet.id, { amount: 5 });
    expect(await goods.funding.get(announced.id)).toEqual(announced);
    const paid = await sandbox.payFunding(announced.id);
    expect(paid).toMatchObject({ state: 'CREDITED', reference: announced.reference });
    const later = await goods.funding.request(wallet.id, { amount: 6, purchase_order: 'PO 4711' });
    const cancelled = await goods.funding.cancel(later.id);
    expect(await goods.funding.list(wallet.id, { per_page: 1 }).toArray()).toEqual([cancelled, paid]);
    const { id } = await esims.orders.create(esim('esim_instant'));
    expect(await sandbox.installEsim(id)).toMatchObject({ id, is_installed: true });
    expect(await sandbox.useEsim(id)).toMatchObject({ activated_at: expect.any(String) });
    expect(await sandbox.depleteEsim(id)).toMatchObject({ activation_status: 'EXPIRED' });
    const pending = await vouchers.orders.create({ ...voucher('voucher_slow'), quantity: 6 });
    expect(await sandbox.cancelOrder(pending.id)).toMatchObject({ id: pending.id, status: 'CANCELLED' });
  });
});

describe('Webhooks', () => {
  let receiver: Receiver;
  beforeAll(async () => (receiver = await Receiver.listen()));
  afterAll(() => receiver.close());

  test('When an endpoint is registered, then its webhooks verify, before and after a rotation, and report the order', async () => {
    const greeting = receiver.greeting();
    const { id, secret } = await goods.webhooks.endpoints.create({ url: receiver.url });
    receiver.secret = secret;
    await greeting;
    const order = await goods.vouchers.orders.create(voucher('voucher_instant'));
    const first = await tellingOf(order.id);
    expect(first.data).toMatchObject({ client_reference: order.client_reference, status: 'DELIVERED' });
    const { secret: next } = await goods.webhooks.endpoints.rotateSecret(id);
    expect(next).not.toBe(secret);
    expect((await goods.webhooks.endpoints.secret(id)).secret).toBe(next);
    const later = await goods.vouchers.orders.create(voucher('voucher_instant'));
    await tellingOf(later.id);
    // Both secrets sign, so a client that still has the old secret keeps working.
    for (const each of [secret, next]) expect(verified(each, later.id)).toMatchObject({ type: 'order.delivered' });
    expect(() => verified('whsec_c29tZWJvZHkgZWxzZQ==', later.id)).toThrow('No signature');
    await exerciseLog(id, first.id);
    await goods.webhooks.endpoints.delete(id);
    await goods.webhooks.endpoints.delete(id);
    await expect(goods.webhooks.endpoints.get(id)).rejects.toBeInstanceOf(NotFoundError);
  });

  const deliveryOf = (orderId: number) =>
    receiver.taken.find(({ type, data }) => type === 'order.delivered' && data['id'] === orderId);

  function tellingOf(orderId: number) {
    return until(`the webhook of order ${orderId}`, async () => deliveryOf(orderId));
  }

  function verified(secret: string, orderId: number): WebhookEvent {
    const { body = '', headers = {} } = deliveryOf(orderId) ?? {};
    return verifyWebhook(body, headers, secret);
  }

  async function exerciseLog(endpointId: number, eventId: string): Promise<void> {
    const { endpoints, events } = goods.webhooks;
    expect(await endpoints.list().toArray()).toMatchObject([{ id: endpointId }]);
    expect(await endpoints.update(endpointId, { description: 'Shop' })).toMatchObject({ description: 'Shop' });
    const logged = await events.list({ type: 'order.delivered' }).toArray();
    expect(logged.map(({ id }) => id)).toContain(eventId);
    expect(await events.get(eventId)).toMatchObject({ deliveries: [{ endpoint_id: endpointId }] });
    expect(await events.redeliver(eventId)).toMatchObject({ event_id: eventId, endpoint_ids: [endpointId] });
    const test = await endpoints.test(endpointId);
    await until('the test event', async () => receiver.taken.find(({ id }) => id === test.id));
    const before = receiver.taken.length;
    const { events: count } = await endpoints.replay(endpointId, new Date(Date.now() - 3_600_000));
    expect(count).toBeGreaterThan(2);
    await receiver.untilTaken(before + count);
  }
});
