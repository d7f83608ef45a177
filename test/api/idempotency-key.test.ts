/**
 * `Idempotency-Key` on the order requests of the three families: a key never places two orders.
 * docs/decisions/0003-fence-every-order-request.md.
 */
import { randomUUID } from 'node:crypto';
import { sql } from '../../dev/testbed/sql';
import { deleteOldKeys, fenceOff } from '../../src/data/orders/order-reservations';
import { fund } from '../../dev/testbed/clients';
import { newClient, type OwnClient, useClient, useDatabase } from '../support/clients';
import { reserve } from '../../dev/testbed/ledger-rows';
import { ended, ordersPath, orderOf, scenarioNamed } from '../support/orders';
import { entriesOf } from '../support/records';
import { refusal, validation, type Answer, type Json, type Resource } from '../support/stack';
import { esimOrders, topupOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';

const database = useDatabase();
const client = useClient(database, { USD: 1_000 });

interface Order extends Resource {
  status: string;
}

const inUse = refusal('IDEMPOTENCY_KEY_IN_USE', 'A request with this Idempotency-Key is in progress');
const reused = refusal('IDEMPOTENCY_KEY_REUSED', 'Idempotency-Key was used with another request');
const invalidKey = (reason: string) => validation(`Invalid Idempotency-Key: ${reason}`);

const scenarios = {
  [ordersPath]: 'voucher_instant',
  [topupOrders]: 'topup_instant',
  [esimOrders]: 'esim_instant',
} as const;

/** Sends an order request with the key. The default is one voucher of 10 USD. */
function submit(
  key: string,
  { api = client.api, path = ordersPath, body = orderOf('voucher_instant') } = {},
): Promise<Answer<Order>> {
  return api.post<Order>(path, body, { 'idempotency-key': key });
}

const isReplay = ({ headers }: Answer<unknown>) => headers.get('idempotent-replayed') === 'true';

async function ordersMade({ id }: OwnClient): Promise<number> {
  const made = await sql.first(database)<{ count: number }>`SELECT count(*) FROM orders
       WHERE client_id = ${id}`;
  return made?.count as number;
}

describe.each(Object.entries(scenarios))('%s', (path, scenario) => {
  const { body } = scenarioNamed(scenario);

  test('When an order request is repeated with its key, then the response has the first order, and the second request debits nothing', async () => {
    const key = randomUUID();
    const first = await submit(key, { path, body });
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
    const again = await submit(key, { path, body });
    expect([again.status, isReplay(again)]).toEqual([200, true]);
    expect(again.body).toEqual(first.body);
    expect(await entriesOf(database, first.body.id)).toHaveLength(1);
  });

  test('When a key was used with another body, then the order request is rejected with 422', async () => {
    const key = randomUUID();
    const { body: made } = await submit(key, { path, body });
    const other = { ...body, client_reference: randomUUID() };
    expect(await submit(key, { path, body: other })).toMatchObject(reused);
    expect((await submit(key, { path, body })).body.id).toBe(made.id);
  });

  test('When concurrent order requests have one key, then one order is placed', async () => {
    const own = await newClient(database, { USD: 1_000 });
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(key, { api: own.api, path, body })));
    const made = answers.filter((answer) => answer.status === 200 && !isReplay(answer));
    expect(made).toHaveLength(1);
    for (const answer of answers.filter((one) => one !== made[0])) {
      if (answer.status === 200) expect(answer.body.id).toBe(made[0]?.body.id);
      else expect(answer).toMatchObject(inUse);
    }
    expect(await ordersMade(own)).toBe(1);
  });
});

describe('The same request', () => {
  test('When only the sequence of the fields in the body differs, then the service treats the request as the same', async () => {
    const key = randomUUID();
    const body = orderOf('voucher_instant');
    const turned = Object.fromEntries(Object.entries(body).reverse());
    const { body: made } = await submit(key, { body });
    expect((await submit(key, { body: turned })).body.id).toBe(made.id);
  });

  test('When the key was used for another family, then the service treats the request as different', async () => {
    const key = randomUUID();
    await submit(key);
    expect(await submit(key, { path: esimOrders, body: scenarioNamed('esim_instant').body })).toMatchObject(reused);
  });

  test('When another client sends the same key, then it places a separate order', async () => {
    const key = randomUUID();
    const other = await newClient(database, { USD: 100 });
    const { body: mine } = await submit(key);
    const theirs = await submit(key, { api: other.api });
    expect([theirs.status, isReplay(theirs)]).toEqual([200, false]);
    expect(theirs.body.id).not.toBe(mine.id);
  });
});

describe('The response to a repeated order request', () => {
  test('When the order has ended in the meantime, then the response shows its current state', async () => {
    const key = randomUUID();
    const body = orderOf('voucher_delayed');
    const first = await submit(key, { body });
    expect(first.body).toMatchObject({ status: 'PENDING', vouchers: [] });
    await ended(client.api, first.body.id);
    const { body: again } = await submit(key, { body });
    expect(again).toMatchObject({ id: first.body.id, status: 'DELIVERED', vouchers: [expect.any(Object)] });
  });

  test('When the balance is 0 and the reference is in use, then the repeated request still returns the order', async () => {
    const own = await newClient(database, { USD: 10 });
    const key = randomUUID();
    const body = orderOf('voucher_instant', { denomination: 10, client_reference: key });
    const first = await submit(key, { api: own.api, body });
    expect(first.status).toBe(200);
    expect((await submit(key, { api: own.api, body })).body.id).toBe(first.body.id);
    expect(await own.api.post(ordersPath, body)).toMatchObject({
      status: 400,
      body: { error: { code: 'DUPLICATE_CLIENT_REFERENCE' } },
    });
  });

  test('When concurrent requests with one key need the whole balance and one reference, then every response is 200 or 409', async () => {
    const own = await newClient(database, { USD: 10 });
    const key = randomUUID();
    const body = orderOf('voucher_instant', { denomination: 10, client_reference: key });
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(key, { api: own.api, body })));
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(await ordersMade(own)).toBe(1);
  });

  test('When the first request is still in progress, then the second request gets 409, and succeeds when it is repeated later', async () => {
    const key = randomUUID();
    const body = orderOf('voucher_slow', { client_reference: key });
    const first = submit(key, { body });
    await until('the order', async () => {
      const { status } = await client.api.get(`${ordersPath}?client_reference=${key}`);
      return status === 200;
    });
    expect(await submit(key, { body })).toMatchObject(inUse);
    const { id } = (await first).body;
    const again = await submit(key, { body });
    expect([again.body.id, isReplay(again)]).toEqual([id, true]);
  });
});

describe('A key without an order', () => {
  test('When an order request was rejected, then its key can be used again', async () => {
    const own = await newClient(database, { USD: 1 });
    const key = randomUUID();
    const refused = await submit(key, { api: own.api });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'INSUFFICIENT_BALANCE' } } });
    await fund(database, own.wallets['USD'] as number, 100);
    const other = orderOf('voucher_instant', { quantity: 2 });
    expect((await submit(key, { api: own.api, body: other })).status).toBe(200);
  });

  test.each(Object.entries(scenarios))(
    'When an order request to %s was fenced for a 503, then its key can be used again',
    async (path, scenario) => {
      const { body } = scenarioNamed(scenario);
      const key = randomUUID();
      const order = await held(key);
      expect(await submit(key, { path, body })).toMatchObject(inUse);
      await fenceOff(database, order);
      const answer = await submit(key, { path, body });
      expect([answer.status, isReplay(answer)]).toEqual([200, false]);
    },
  );

  test('When the process died before it placed the order, then the key is held until the order can no longer be placed', async () => {
    const key = randomUUID();
    const { orderId } = await held(key);
    expect(await submit(key)).toMatchObject(inUse);
    await sql(database)`UPDATE order_reservations SET accept_by = now() - interval '1 ms'
         WHERE order_id = ${orderId}`;
    const answer = await submit(key);
    expect([answer.status, isReplay(answer)]).toEqual([200, false]);
    const reservation = await sql.first(database)`SELECT state FROM order_reservations
         WHERE order_id = ${orderId}`;
    expect(reservation).toEqual({ state: 'ABANDONED' });
  });

  /** Reserves an order that holds the key, and leaves the reservation in the state after a crash. */
  function held(key: string) {
    const holder = { clientId: client.id, walletId: client.wallets['USD'] as number };
    const heldKey = { key, requestHash: Buffer.from('another'), answerWithinMs: 60_000 };
    return reserve(database, holder, 1, { heldKey });
  }
});

test('When the process died after it placed the order, then the key returns the order from `answer_by` on', async () => {
  const key = randomUUID();
  const { body: made } = await submit(key);
  const answerBy = (change: string) =>
    sql(database)`UPDATE order_reservations SET answer_by = now() + ${change}::interval
         WHERE order_id = ${made.id}`;
  await answerBy('1 minute');
  expect(await submit(key)).toMatchObject(inUse);
  await answerBy('-1 ms');
  expect((await submit(key)).body.id).toBe(made.id);
});

describe('Old keys', () => {
  const age = (id: number, days: number) =>
    sql(database)`UPDATE order_reservations SET created_at = now() - ${days} * interval '1 day'
         WHERE order_id = ${id}`;

  test('When a key is older than 7 days, and no earlier, then it places a new order', async () => {
    const key = randomUUID();
    const { body: first } = await submit(key);
    await age(first.id, 6.9);
    expect((await submit(key)).body.id).toBe(first.id);
    await age(first.id, 7.1);
    const second = await submit(key);
    expect([second.status, isReplay(second), second.body.id === first.id]).toEqual([200, false, false]);
  });

  test('When maintenance runs, then it deletes keys older than 7 days, and no others', async () => {
    const [oldKey, youngKey] = [randomUUID(), randomUUID()];
    const { body: old } = await submit(oldKey);
    const { body: young } = await submit(youngKey);
    await age(old.id, 7.1);
    await age(young.id, 6.9);
    await deleteOldKeys(database, 5_000);
    const kept = await sql(database)<{ key: string | null; hash: Buffer | null }>`
      SELECT idempotency_key AS key, request_hash AS hash FROM order_reservations
        WHERE order_id = ANY (${[old.id, young.id]}) ORDER BY order_id`;
    expect(kept).toEqual([
      { key: null, hash: null },
      { key: youngKey, hash: expect.any(Buffer) },
    ]);
  });
});

describe('The header', () => {
  test.each([
    ['', 'must be printable ASCII'],
    ['caf\u00e9', 'must be printable ASCII'],
    ['tab\tinside', 'must be printable ASCII'],
    ['k'.repeat(256), 'too long'],
  ])('When the key is %j, then the order request is rejected', async (key, reason) => {
    expect(await submit(key)).toMatchObject(invalidKey(reason));
  });

  test('When the key has 255 characters, then it is accepted', async () => {
    expect((await submit(randomUUID().padEnd(255, '~'))).status).toBe(200);
  });

  test('When several parts are invalid, then errors of the body come first, then errors of the key, then errors of the product', async () => {
    const missing: Json = { ...orderOf('voucher_instant'), product_id: undefined };
    expect(await submit('', { body: missing })).toMatchObject(validation('Invalid product_id: required'));
    const unknown = orderOf('voucher_instant', { product_id: 2_000_000_000 });
    expect(await submit('', { body: unknown })).toMatchObject(invalidKey('must be printable ASCII'));
  });

  test('When the body is nested too deeply, then it is rejected with 400', async () => {
    const depth = 100_000;
    const body = JSON.stringify(orderOf('voucher_instant')).replace(
      '{',
      `{"x":${'['.repeat(depth)}${']'.repeat(depth)},`,
    );
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const answer = await client.api.send(ordersPath, { method: 'POST', body, headers });
    expect(answer).toMatchObject({ status: 400, body: { error: { message: 'Invalid request body' } } });
  });

  test('When an order request has no key, then no key is stored', async () => {
    const { body } = await client.api.post<Order>(ordersPath, orderOf('voucher_instant'));
    const reservation = await sql.first(database)`SELECT idempotency_key, request_hash, answer_by
         FROM order_reservations WHERE order_id = ${body.id}`;
    expect(reservation).toEqual({ idempotency_key: null, request_hash: null, answer_by: null });
  });
});
