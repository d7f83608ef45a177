/** The sandbox controls of a client. docs/specification.md#sandbox. */
import { sql } from '../../dev/testbed/sql';
import { sandboxControlsFrom } from '../../src/suppliers/registry';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { ownApi } from '../support/own-api';
import { ended, orderOf, ordersPath, place, reached } from '../support/orders';
import { balanceOf, boughtFor, entriesOf, eventsOf, unsoundWallets } from '../support/records';
import { lockWaits } from '../support/lock-waits';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { notFound, refusal, validation, type Json } from '../support/stack';
import { behave, control } from '../support/simulator';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';

const database = useDatabase();
const sandbox = '/api/v1/sandbox';
const notNow = (message: string) => refusal('NOT_POSSIBLE_NOW', message);

const client = useClient(database, { USD: 1_000, JPY: 1_000 });
const stranger = useClient(database, { USD: 100 });

test('When the scenarios are listed, then they equal those of stack.json and can be ordered', async () => {
  const { status, body } = await client.api.get<Json[]>(`${sandbox}/scenarios`);
  expect({ status, body }).toEqual({ status: 200, body: loadStack().scenarios });
  const [first] = loadStack().scenarios;
  expect(await client.api.post(first?.path ?? '', body[0]?.['body'])).toMatchObject({
    status: 200,
    body: { status: first?.initial_status },
  });
});

describe('funding a wallet', () => {
  const path = (currency: string, of = client) => `${sandbox}/wallets/${of.wallets[currency]}/fund`;
  const balance = (currency: string) => balanceOf(database, client.wallets[currency] as number);

  test('When a wallet is funded, then the exact amount is credited, with an event and an audit entry', async () => {
    const before = Number(await balance('USD'));
    const { status, body } = await client.api.post(path('USD'), { amount: 0.07 });
    expect(status).toBe(200);
    expect(body).toEqual((await client.api.get(`/api/v1/wallets/${client.wallets['USD']}`)).body);
    expect(body['balance']).toBe(Number((before + 0.07).toFixed(2)));

    const query = `wallet_id=${client.wallets['USD']}&limit=1`;
    const [entry] = (await client.api.get<Json[]>(`/api/v1/transactions?${query}`)).body;
    const reference_number = expect.stringMatching(/^sandbox-[0-9a-f-]{36}$/);
    expect(entry).toMatchObject({ amount: 0.07, transaction_type: 'CREDIT', remarks: 'Sandbox funds' });
    expect(entry).toMatchObject({ status: 'COMPLETED', reference_number });
    const [event] = (await client.api.get<Json[]>('/api/v1/webhooks/events?type=wallet.credited&limit=1')).body;
    expect(event).toMatchObject({ data: { amount: '0.07', currency: 'USD', reference_number } });
    const [audited] = await ops`audit list --object wallet/${client.wallets['USD']}`;
    const after = { transaction_id: entry?.['id'], amount: '0.07', currency: 'USD' };
    expect(audited).toMatchObject({ actor: 'CLIENT', client_id: client.id, action: 'sandbox_wallet.funded', after });
  });

  test('When a client repeats a funding, then the service credits the wallet again', async () => {
    const before = Number(await balance('JPY'));
    await client.api.post(path('JPY'), { amount: 1 });
    await client.api.post(path('JPY'), { amount: 10_000_000 });
    expect(await balance('JPY')).toBe(String(before + 10_000_001));
  });

  const outOfBounds = 'amount must be a number above 0, at most 10000000';
  test.each([
    [{}, 'amount is required'],
    [{ amount: null }, 'amount is required'],
    [{ amount: 0 }, outOfBounds],
    [{ amount: -5 }, outOfBounds],
    [{ amount: 10_000_000.01 }, outOfBounds],
    [{ amount: '5' }, outOfBounds],
    [{ amount: 0.001 }, 'amount has more than 2 decimals (USD)'],
    [{ amount: 0.1 + 0.2 }, 'amount has more than 2 decimals (USD)'],
  ])('When the body is %j, then it is rejected: %s', async (body, message) => {
    const before = await balance('USD');
    expect(await client.api.post(path('USD'), body)).toMatchObject(validation(message));
    expect(await balance('USD')).toBe(before);
  });

  test('When the currency has no minor unit, then an amount with decimals is rejected', async () => {
    expect(await client.api.post(path('JPY'), { amount: 0.5 })).toMatchObject(
      validation('amount has more than 0 decimals (JPY)'),
    );
  });

  test("When the wallet is another client's or does not exist, then the funding is rejected and nothing is credited", async () => {
    const before = await balanceOf(database, stranger.wallets['USD'] as number);
    expect(await client.api.post(path('USD', stranger), { amount: 5 })).toMatchObject(notFound('Wallet'));
    expect(await client.api.post(`${sandbox}/wallets/2147483647/fund`, { amount: 5 })).toMatchObject(
      notFound('Wallet'),
    );
    expect(await client.api.post(`${sandbox}/wallets/x/fund`, { amount: 5 })).toMatchObject(
      refusal('BAD_REQUEST', 'Invalid wallet ID'),
    );
    expect(await balanceOf(database, stranger.wallets['USD'] as number)).toBe(before);
  });

  test('When the wallet is closed, then the funding is rejected', async () => {
    const closing = await newClient(database, { USD: 0.01 });
    const id = closing.wallets['USD'] as number;
    await ops`wallets adjust ${id} -0.01 --reference emptied-${id} --reason Test`;
    await ops`wallets close ${id}`;
    const answer = await closing.api.post(path('USD', closing), { amount: 5 });
    expect(answer).toMatchObject(notNow(`Wallet ${id} is closed`));
    expect(await balanceOf(database, id)).toBe('0');
  });

  test('When the wallet is closed during the funding, then the funding is rejected', async () => {
    const closing = await newClient(database, { USD: 0.01 });
    const id = closing.wallets['USD'] as number;
    await ops`wallets adjust ${id} -0.01 --reference emptied-${id} --reason Test`;
    const held = await database.transaction();
    await sql(database, held)`UPDATE wallets SET closed_at = now() WHERE id = ${id}`;
    const answer = closing.api.post(path('USD', closing), { amount: 5 });
    await lockWaits(database, 1, 'fund_sandbox_wallet');
    await held.commit();
    expect(await answer).toMatchObject(notNow(`Wallet ${id} was closed or debited meanwhile: try again`));
    expect(await balanceOf(database, id)).toBe('0');
  });

  test('When the client is suspended, then the funding is rejected', async () => {
    const suspended = await newClient(database, { USD: 1 });
    await suspended.api.get('/api/v1/wallets');
    await ops`clients suspend ${suspended.id}`;
    expect(await suspended.api.post(path('USD', suspended), { amount: 5 })).toMatchObject(
      refusal('FORBIDDEN', 'Client is suspended'),
    );
  });

  test('When the earlier tests have run, then every balance is the sum of its entries', async () => {
    expect(await unsoundWallets(database)).toEqual([]);
  });
});

describe('an eSIM', () => {
  const path = (id: number, change: string) => `${sandbox}/esims/${id}/${change}`;
  const act = (id: number, change: string) => client.api.post(path(id, change), undefined);
  const delivered = async () => (await accepted(client.api, esimOrders, orderOf('esim_instant'))).id;
  const eventTypes = async (id: number) =>
    (await eventsOf(database, id)).map(({ type }) => type).filter((type) => type.startsWith('esim.'));

  test('When the eSIM is installed, used and depleted, then each response shows the order, and each change is notified once', async () => {
    const id = await delivered();
    const installed = await act(id, 'install');
    expect(installed).toMatchObject({ status: 200, body: { id, is_installed: true, activation_status: 'ACTIVE' } });
    expect(installed.body).not.toHaveProperty('activation_code');
    expect(installed.body).toEqual((await client.api.get(`${esimOrders}/${id}`)).body);
    expect(await act(id, 'install')).toMatchObject(notNow('The eSIM is installed already'));

    const used = await act(id, 'use');
    expect(used).toMatchObject({ status: 200, body: { activated_at: expect.stringMatching(/Z$/) } });
    expect(await act(id, 'use')).toMatchObject(notNow('The eSIM is used already'));

    expect(await act(id, 'deplete')).toMatchObject({ status: 200, body: { activation_status: 'EXPIRED' } });
    for (const change of ['install', 'use', 'deplete'])
      expect(await act(id, change)).toMatchObject(notNow('The eSIM is EXPIRED: that is final'));
    expect(await eventTypes(id)).toEqual(['esim.delivered', 'esim.installed', 'esim.activated', 'esim.depleted']);
    const audited = await ops`audit list --object order/${id}`;
    const entries = audited
      .filter(({ moved }) => moved === null)
      .map(({ actor, action, after }) => [actor, action, after]);
    expect(entries).toEqual(
      ['deplete', 'use', 'install'].map((change) => ['CLIENT', 'sandbox_esim.changed', { change }]),
    );
  });

  test('When a new eSIM is used, then it is also installed, but it cannot be depleted before that', async () => {
    const id = await delivered();
    expect(await act(id, 'deplete')).toMatchObject(notNow('The eSIM is not installed yet'));
    expect(await act(id, 'use')).toMatchObject({ status: 200, body: { is_installed: true } });
    expect(await eventTypes(id)).toEqual(['esim.delivered', 'esim.installed', 'esim.activated']);
  });

  test('When the validity ends, then the eSIM is EXPIRED with its data left, and the end is notified once', async () => {
    const id = await delivered();
    expect(await act(id, 'expire')).toMatchObject(notNow('The eSIM is not installed yet'));
    await act(id, 'use');
    expect(await act(id, 'expire')).toMatchObject({ status: 200, body: { activation_status: 'EXPIRED' } });
    expect(await act(id, 'expire')).toMatchObject(notNow('The eSIM is EXPIRED: that is final'));
    const { body: usage } = await client.api.get(`${esimOrders}/${id}/usage`);
    expect(usage).toMatchObject({ data_used_mb: 0, data_left_mb: expect.any(Number) });
    expect(usage['data_left_mb']).toBeGreaterThan(0);
    expect(await eventTypes(id)).toEqual(['esim.delivered', 'esim.installed', 'esim.activated', 'esim.depleted']);
  });

  test('When the order has no eSIM, then the error says so', async () => {
    const failed = await accepted(client.api, esimOrders, orderOf('esim_failed_now'));
    expect(await act(failed.id, 'install')).toMatchObject(notNow('The order is FAILED: it has no eSIM'));
    const voucher = await place(client.api, orderOf('voucher_instant'));
    const foreign = await accepted(stranger.api, esimOrders, orderOf('esim_instant'));
    for (const id of [voucher.id, foreign.id, 2 ** 40])
      expect(await act(id, 'install')).toMatchObject(notFound('Order'));
    expect((await stranger.api.get(`${esimOrders}/${foreign.id}`)).body).toMatchObject({ is_installed: false });
    const invalid = await client.api.post(`${sandbox}/esims/x/install`, undefined);
    expect(invalid).toMatchObject(validation('Invalid order ID'));
    expect(await act(failed.id, 'explode')).toMatchObject(notFound('Path'));
  });

  test('When the supplier of the eSIM has no sandbox, then the error says so', async () => {
    const id = await delivered();
    await sql(database)`UPDATE supplier_purchases SET supplier = 'gone' WHERE order_id = ${id}`;
    expect(await act(id, 'install')).toMatchObject(notNow('The supplier of the eSIM has no sandbox'));
    await sql(database)`UPDATE supplier_purchases SET supplier = 'simulator' WHERE order_id = ${id}`;
  });

  test('When eSIMs are not enabled for the client, then the error is INVALID_FEATURE', async () => {
    const other = await newClient(database);
    await ops`clients set ${other.id} --features vouchers`;
    const answer = await other.api.post(path(1, 'install'), undefined);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_FEATURE' } } });
  });
});

describe('cancelling an order', () => {
  const cancel = (id: number) => client.api.post(`${sandbox}/orders/${id}/cancel`, undefined);

  test.each([
    ['vouchers', ordersPath, () => orderOf('voucher_slow', { quantity: 6 }), '60'],
    ['top-ups', topupOrders, () => orderOf('topup_pending'), undefined],
  ])(
    'When %s are pending, then the order is CANCELLED and refunded, and nothing is bought',
    async (_what, path, body, paid) => {
      const before = await balanceOf(database, client.wallets['USD'] as number);
      const { id } = await accepted(client.api, path, body());
      const answer = await cancel(id);
      expect(answer).toMatchObject({ status: 200, body: { id, status: 'CANCELLED' } });
      expect(answer.body).toEqual((await client.api.get(`${path}/${id}`)).body);
      expect(answer.body['refunded_amount']).toBe(answer.body['charged_amount']);
      if (paid !== undefined) expect(answer.body['charged_amount']).toBe(Number(paid));
      expect((await entriesOf(database, id)).map(({ kind }) => kind)).toEqual(['ORDER', 'REFUND']);
      expect(await balanceOf(database, client.wallets['USD'] as number)).toBe(before);
      expect(await boughtFor(id)).toEqual([]);
      expect(await cancel(id)).toMatchObject(notNow('The order is CANCELLED: that is final'));
      const [audited] = await ops`audit list --object order/${id}`;
      expect(audited).toMatchObject({ actor: 'CLIENT', client_id: client.id, action: 'sandbox_order.cancelled' });
    },
  );

  test('When part of the order is delivered, then the cancellation is rejected and the order continues', async () => {
    const order = await place(client.api, orderOf('voucher_partial'));
    await reached(client.api, order.id, 'PARTIALLY_DELIVERED');
    expect(await cancel(order.id)).toMatchObject({ status: 409, body: { error: { code: 'NOT_POSSIBLE_NOW' } } });
    expect(await reached(client.api, order.id, 'DELIVERED')).toMatchObject({ refunded_amount: 0 });
  });

  test('When one of several purchases is delivered, then the cancellation is rejected and the others are bought', async () => {
    const sku = 'SIM-GC-BOOKS-FR';
    const { id: product_id } = await sql.one(database)<{ id: number }>`SELECT id FROM voucher_products
         WHERE supplier_sku = ${sku}`;
    const buyer = await newClient(database, { EUR: 6_000 });
    await ops`clients set ${buyer.id} --bulk-limit 501`;
    const simulator = { url: loadStack().simulator_url };
    const isBusy = { busy: { status: 503 } } as const;
    await behave(simulator, isBusy, { sku });
    const { id } = await place(buyer.api, { product_id, denomination: 10, quantity: 501 });
    const { reference } = await sql.one(database)<{ reference: string }>`SELECT reference
         FROM supplier_purchases WHERE order_id = ${id} ORDER BY batch DESC LIMIT 1`;
    await behave(simulator, isBusy, { reference });
    await control(simulator, `behaviour?sku=${sku}`, undefined, 'DELETE');
    await until(
      'the first purchase',
      () => sql.first(database)`SELECT id FROM orders WHERE id = ${id}
         AND delivered_quantity > 0`,
    );
    expect(await buyer.api.post(`${sandbox}/orders/${id}/cancel`, undefined)).toMatchObject(
      notNow('Too late: Part of the order is delivered already'),
    );
    await control(simulator, `behaviour?reference=${reference}`, undefined, 'DELETE');
    expect(await ended(buyer.api, id)).toMatchObject({ status: 'DELIVERED', refunded_amount: 0 });
  });

  test('When the order has ended, then the cancellation is rejected', async () => {
    const { id } = await place(client.api, orderOf('voucher_instant'));
    expect(await cancel(id)).toMatchObject(notNow('The order is DELIVERED: that is final'));
  });

  test("When the order is another client's, or does not exist, then the cancellation is rejected", async () => {
    const foreign = await accepted(stranger.api, topupOrders, orderOf('topup_instant'));
    for (const id of [foreign.id, 2 ** 40]) expect(await cancel(id)).toMatchObject(notFound('Order'));
    expect(await client.api.post(`${sandbox}/orders/0/cancel`, undefined)).toMatchObject(
      validation('Invalid order ID'),
    );
  });

  test.each(['cancel', 'release'])(
    'When a client decides an order of a disabled family (%s), then the error is INVALID_FEATURE',
    async (decision) => {
      const other = await newClient(database, { USD: 100 });
      const { id } = await place(other.api, orderOf('voucher_instant'));
      await ops`clients set ${other.id} --features esim`;
      const answer = await other.api.post(`${sandbox}/orders/${id}/${decision}`, undefined);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_FEATURE' } } });
    },
  );
});

describe('production', () => {
  test('When the service runs in production, then suppliers have no sandbox controls', () => {
    const simulator = { url: 'http://127.0.0.1:1', secret: 'x'.repeat(16), maxUnits: 1 };
    expect(sandboxControlsFrom({ mode: 'production', suppliers: { simulator } })).toBeUndefined();
    expect(sandboxControlsFrom({ mode: 'sandbox', suppliers: { simulator } })?.size).toBe(1);
  });

  test('When the service runs in production, then the sandbox paths are unknown and no balance changes', async () => {
    const before = await balanceOf(database, client.wallets['USD'] as number);
    const { api, close } = await productionApi();
    const unknown = notFound('Path');
    const scenarios = await api.get(`${sandbox}/scenarios`);
    expect(scenarios).toMatchObject(unknown);
    expect(scenarios.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect((await client.api.get('/health')).headers.get('strict-transport-security')).toBeNull();
    expect(await api.get('/api/v1/nowhere')).toMatchObject(unknown);
    expect(await api.get('/pictures/usa.svg')).toMatchObject(unknown);
    const paths = [
      `wallets/${client.wallets['USD']}/fund`,
      'esims/1/install',
      'esims/1/use',
      'esims/1/expire',
      'orders/1/cancel',
      'orders/1/release',
      'claims/1/refund',
      'claims/1/replace',
      'claims/1/reject',
    ];
    for (const path of paths) expect(await api.post(`${sandbox}/${path}`, { amount: 5 })).toMatchObject(unknown);
    close();
    expect(await balanceOf(database, client.wallets['USD'] as number)).toBe(before);
  });
});

test('When a query or body has unknown names, then only the sandbox names them, and ignores them', async () => {
  const orders = '/api/v1/transactions?from=2026-01-01&page=1&a%2Cb%0A=2';
  const answer = await client.api.get(orders);
  expect([answer.status, answer.headers.get('unknown-parameters')]).toEqual([200, 'from, a%2Cb%0A']);
  for (const known of ['/api/v1/transactions', '/api/v1/transactions?per_page=2', '/health'])
    expect((await client.api.get(known)).headers.get('unknown-parameters')).toBeNull();
  const misspelt = { denomination: 5, quantity: 1, quantitty: 3, [`\ud800${'x'.repeat(99)}`]: 1 };
  const charged = await client.api.post('/api/v1/products/1/charges?from=1', misspelt);
  expect(charged.headers.get('unknown-parameters')).toBe(`from, quantitty, %EF%BF%BD${'x'.repeat(63)}`);
  for (const body of [{ product_id: 1, recharge_order_id: null }, [1]])
    expect((await client.api.post('/api/v1/esim/charges', body)).headers.get('unknown-parameters')).toBeNull();
  const { api, close } = await productionApi();
  const inProduction = await api.get('/health?from=2026-01-01');
  expect(inProduction.headers.get('unknown-parameters')).toBeNull();
  close();
});

/** The API in production mode, in this process. A separate process would require a production supplier. */
function productionApi() {
  const sandboxControls = sandboxControlsFrom({ mode: 'production', suppliers: {} });
  return ownApi(client, { database, sandboxControls }, { mode: 'production' });
}
