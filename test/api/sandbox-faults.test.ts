/** Failures of order requests that a client of a sandbox asks for. docs/specification.md#sandbox-faults. */
import { randomUUID } from 'node:crypto';
import { SilentRequests, sandboxFaultsIn } from '../../src/api/orders/rehearsed-faults';
import { sql } from '../../dev/testbed/sql';
import { deleteOldFaults } from '../../src/data/clients/sandbox';
import { sandboxFaults } from '../../src/domain/orders/sandbox-faults';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { orderOf, ordersPath } from '../support/orders';
import { orderCount } from '../support/records';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { refusal, type Answer, type Json, type Resource } from '../support/stack';
import { esimOrders, topupOrders } from '../support/variant-orders';

const database = useDatabase();
let client: OwnClient;
beforeEach(async () => {
  client = await newClient(database, { USD: 1_000 });
});

const unknown = refusal('OUTCOME_UNKNOWN', 'Outcome unknown. Look the order up by client_reference');
const unavailable = refusal('SERVICE_UNAVAILABLE', 'Service temporarily unavailable');
const tooMany = refusal('TOO_MANY_REQUESTS', 'Rate limit exceeded. Retry after 1 seconds.');
const invalid = { ...refusal('BAD_REQUEST', 'Invalid Sandbox-Fault'), status: 400 };

type Headers = Record<string, string>;

/** Sends a voucher order request with the fault. */
function submit(fault: string, body: Json, headers: Headers = {}, path = ordersPath): Promise<Answer<Resource>> {
  return client.api.post<Resource>(path, body, { 'sandbox-fault': fault, ...headers });
}

const referenced = () => orderOf('voucher_instant', { client_reference: randomUUID() });

describe('A fault without an order', () => {
  test.each([
    ['429', tooMany, '1'],
    ['503', unavailable, '2'],
    ['504-not-placed', unknown, null],
  ])(
    'When the fault is %s, then no order exists, and the repetition places one under the same reference and key',
    async (fault, error, retryAfter) => {
      const body = referenced();
      const key = { 'idempotency-key': randomUUID() };
      const first = await submit(fault, body, key);
      expect(first).toMatchObject(error);
      expect(first.headers.get('retry-after')).toBe(retryAfter);
      expect(await orderCount(database, client.id)).toBe(0);
      const second = await submit(fault, body, key);
      expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, null]);
      expect(await orderCount(database, client.id)).toBe(1);
    },
  );

  test('When the repetition has only the reference or only the key, then it is answered normally', async () => {
    const body = referenced();
    const key = { 'idempotency-key': randomUUID() };
    expect(await submit('503', body, key)).toMatchObject(unavailable);
    expect(await submit('503', body)).toMatchObject({ status: 200 });
    expect(await submit('503', referenced(), key)).toMatchObject({ status: 200 });
  });
});

describe('A fault with an order', () => {
  test('When the fault is 504-placed, then the order exists, and a repetition with the key returns it', async () => {
    const body = referenced();
    const key = { 'idempotency-key': randomUUID() };
    expect(await submit('504-placed', body, key)).toMatchObject(unknown);
    expect(await orderCount(database, client.id)).toBe(1);
    const again = await submit('504-placed', body, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });

  test('When the fault is reset, then the connection is closed, and a repetition with the reference names the order', async () => {
    const body = referenced();
    await expect(submit('reset', body)).rejects.toThrow('fetch failed');
    expect(await submit('reset', body)).toMatchObject(
      refusal('DUPLICATE_CLIENT_REFERENCE', 'Duplicate client_reference'),
    );
    expect(await orderCount(database, client.id)).toBe(1);
  });

  test('When ten requests wait for the end of timeout, then an eleventh and other orders are answered at once', async () => {
    const end = new AbortController();
    const silent = Array.from({ length: 11 }, () => sendUntil(end.signal, 'timeout'));
    const first = await Promise.race(silent);
    expect(first).toBe(200);
    const other = await client.api.post(ordersPath, referenced());
    expect(other.status).toBe(200);
    end.abort();
    const outcomes = await Promise.all(silent);
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(10);
    expect(await orderCount(database, client.id)).toBe(12);
  }, 30_000);

  /** The status of the response; `none` if the signal aborts before. */
  async function sendUntil(signal: AbortSignal, fault: string): Promise<number | 'none'> {
    const token = await client.api.accessToken();
    return fetch(`${loadStack().api_url}${ordersPath}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'sandbox-fault': fault },
      body: JSON.stringify(referenced()),
      signal,
    }).then(
      ({ status }) => status,
      () => 'none' as const,
    );
  }

  test('When the product does not exist, then the error says so, although the fault has an order', async () => {
    const body = { ...referenced(), product_id: 2_000_000_000 };
    expect(await submit('504-placed', body)).toMatchObject({ status: 400 });
  });
});

describe('A request', () => {
  test('When the request has neither reference nor key, then it is answered normally', async () => {
    expect(await submit('503', orderOf('voucher_instant'))).toMatchObject({ status: 200 });
  });

  test('When an order has the reference already, then the response names the order', async () => {
    const body = referenced();
    await client.api.post(ordersPath, body);
    expect(await submit('503', body)).toMatchObject({ body: { error: { code: 'DUPLICATE_CLIENT_REFERENCE' } } });
  });

  test('When the value is unknown, then it is rejected after the body', async () => {
    for (const value of ['500', '', '503,503', '429 '.repeat(3)])
      expect(await submit(value, referenced())).toMatchObject(invalid);
    expect(await submit('500', { denomination: 'x' })).toMatchObject({
      body: { error: { code: 'VALIDATION_FAILURE' } },
    });
    expect(await orderCount(database, client.id)).toBe(0);
  });

  test.each([
    ['top-up', topupOrders, 'topup_instant'],
    ['eSIM', esimOrders, 'esim_instant'],
  ])('When the request orders a %s, then the fault applies, too', async (_family, path, scenario) => {
    const body = { ...orderOf(scenario), client_reference: randomUUID() };
    expect(await submit('500', body, {}, path)).toMatchObject(invalid);
    expect(await submit('504-placed', body, {}, path)).toMatchObject(unknown);
    expect(await submit('504-placed', body, {}, path)).toMatchObject(
      refusal('DUPLICATE_CLIENT_REFERENCE', 'Duplicate client_reference'),
    );
  });

  test('When another client sends the same reference, then it gets the fault, too', async () => {
    const body = referenced();
    expect(await submit('503', body)).toMatchObject(unavailable);
    client = await newClient(database, { USD: 1_000 });
    expect(await submit('503', body)).toMatchObject(unavailable);
  });
});

test('When the scenarios are listed, then each fault is one of them', () => {
  const listed = loadStack().scenarios.flatMap(({ headers }) => headers?.['Sandbox-Fault'] ?? []);
  expect(listed).toEqual(sandboxFaults);
});

test('When the service runs in production, then it ignores the header', () => {
  const { signal } = new AbortController();
  expect(sandboxFaultsIn({ mode: 'production' }, database, signal)).toBeUndefined();
  expect(sandboxFaultsIn({ mode: 'sandbox' }, database, signal)).toBeDefined();
});

test('When the process stops, then a silent request ends, and its place is free', async () => {
  const stop = new AbortController();
  const silent = new SilentRequests(stop.signal, 60_000);
  const never = new Promise<void>(() => undefined);
  const waits = Array.from({ length: 10 }, () => silent.wait(1, never));
  await silent.wait(1, never); // The eleventh returns at once.
  stop.abort();
  await Promise.all(waits);
});

test('When a fault is older than 7 days, then maintenance deletes it', async () => {
  const { id } = client;
  await submit('503', referenced());
  await submit('503', referenced());
  const names = () => sql(database)<{ name: string }>`SELECT name FROM sandbox_faults WHERE client_id = ${id}`;
  const [old] = await names();
  await sql(database)`UPDATE sandbox_faults SET claimed_at = now() - interval '8 days'
       WHERE client_id = ${id} AND name = ${old?.name ?? ''}`;
  await deleteOldFaults(database, 5_000);
  expect(await names()).toHaveLength(1);
});
