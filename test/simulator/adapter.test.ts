/** What the adapter makes of a supplier that misbehaves, over real sockets. */
import { signPush } from '../../simulator/pushes';
import type { Supplier } from '../../src/suppliers/port';
import {
  always,
  cleanUp,
  closedPort,
  lookupOf,
  purchaseOf,
  receivePushes,
  secret,
  start,
  startAnswering,
  startTcp,
  supplierAt,
  topupFor,
} from './support';

afterEach(cleanUp);

function hastyAt(url: string, token = secret): Supplier {
  return supplierAt({ url }, { secret: token, purchaseTimeoutMs: 150, lookupTimeoutMs: 150 });
}

const lookup = lookupOf(purchaseOf());
const refusal = '{"error":{"code":"BUSY","message":"Later."}}';

describe('Purchases', () => {
  async function errorOf(url: string): Promise<string> {
    return hastyAt(url)
      .purchase(purchaseOf(), always)
      .then(
        () => 'none',
        (error: Error) => error.name,
      );
  }

  test('When the connection is refused, then nothing ran', async () => {
    expect(await errorOf(await closedPort())).toBe('SupplierUnavailable');
  });

  test('When the connection is reset after the request, then the outcome is unknown', async () => {
    const url = await startTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await errorOf(url)).toBe('SupplierOutcomeUnknown');
  });

  test('When the connection ends in mid-answer, then the outcome is unknown', async () => {
    const start = 'HTTP/1.1 201 Created\r\ncontent-length: 500\r\n\r\n{"id":';
    const url = await startTcp((socket) => socket.once('data', () => socket.end(start)));
    expect(await errorOf(url)).toBe('SupplierOutcomeUnknown');
  });

  test('When no answer comes in time, then the outcome is unknown', async () => {
    expect(await errorOf(await startTcp(() => undefined))).toBe('SupplierOutcomeUnknown');
  });

  test.each([
    [503, refusal, 'SupplierUnavailable'],
    [429, refusal, 'SupplierUnavailable'],
    [503, '<html>', 'SupplierOutcomeUnknown'],
    [500, refusal, 'SupplierOutcomeUnknown'],
    [502, '<html>', 'SupplierOutcomeUnknown'],
    [404, '<html>', 'SupplierOutcomeUnknown'],
    [401, refusal, 'SupplierAccountBlocked'],
    [402, refusal, 'SupplierAccountBlocked'],
    [403, '', 'SupplierAccountBlocked'],
    [200, '{', 'SupplierOutcomeUnknown'],
    [200, '{}', 'SupplierOutcomeUnknown'],
    [200, deliveredAs({ reference: 'order-99-other-0001' }), 'SupplierOutcomeUnknown'],
    [200, deliveredAs({ status: 'UNKNOWN' }), 'SupplierOutcomeUnknown'],
    [200, deliveredAs({ goods: 'none' }), 'SupplierOutcomeUnknown'],
    [200, deliveredAs({ id: '' }), 'SupplierOutcomeUnknown'],
    [408, refusal, 'SupplierOutcomeUnknown'],
    [409, refusal, 'SupplierOutcomeUnknown'],
    [422, '<html>', 'SupplierOutcomeUnknown'],
    [422, refusal, 'none'],
    [200, deliveredAs({ goods: [] }), 'none'],
    [200, deliveredAs({ goods: [{ pin_code: '1' }] }), 'none'],
    [200, deliveredAs({ added_later: true }), 'none'],
  ])('When the answer is %i with %s, then the error is %s', async (status, body, name) => {
    expect(await errorOf(await startAnswering(status, body))).toBe(name);
  });

  test('When the supplier says when to come back, then the error says so', async () => {
    const url = await startAnswering(503, refusal, { 'retry-after': '7' });
    await expect(hastyAt(url).purchase(purchaseOf(), always)).rejects.toMatchObject({ retryAfterMs: 7_000 });
  });

  test('When a refusal has a code that is none of ours, then it is UNKNOWN', async () => {
    const url = await startAnswering(422, refusal);
    const report = await hastyAt(url).purchase(purchaseOf(), always);
    expect(report).toEqual({ state: 'REJECTED', failureCode: 'UNKNOWN', detail: 'Refused: BUSY', goods: [] });
  });

  test('When the secret is wrong, then the account is blocked', async () => {
    const simulator = await start();
    const supplier = hastyAt(simulator.url, 'another-secret-altogether');
    await expect(supplier.purchase(purchaseOf(), always)).rejects.toMatchObject({
      name: 'SupplierAccountBlocked',
    });
  });
});

describe('Lookups', () => {
  test('When a lookup fails, whatever way, then it may be tried again', async () => {
    const urls = await Promise.all([
      closedPort(),
      startTcp(() => undefined),
      startTcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
      startAnswering(500, refusal),
      startAnswering(200, '{}'),
    ]);
    for (const url of urls) {
      await expect(hastyAt(url).find(lookup)).rejects.toMatchObject({ name: 'SupplierUnavailable' });
    }
  });
});

describe('Pushes', () => {
  const body = Buffer.from('{"type":"purchase","reference":"order-7-abcdef-101"}');
  const hint = { kind: 'purchase', reference: 'order-7-abcdef-101' };
  const supplier = hastyAt('http://127.0.0.1:1');

  function headersAt(seconds: number, key = secret, text = body.toString()) {
    const timestamp = String(seconds);
    return { 'x-simulator-timestamp': timestamp, 'x-simulator-signature': signPush(key, timestamp, text) };
  }
  const now = (): number => Math.floor(Date.now() / 1_000);

  test('When a purchase ends, then the push of the simulator is accepted, again after a failed try', async () => {
    const pushes = await receivePushes(500);
    const simulator = await start({ callbackUrl: pushes.url });
    await hastyAt(simulator.url).purchase(topupFor('101'), always);
    for (const push of [await pushes.next(), await pushes.next()]) {
      const headers = push.headers as Record<string, string>;
      expect(supplier.verifyPush?.(headers, push.rawBody)).toEqual(hint);
    }
  });

  test('When signature, time or body do not hold, then there is no hint', () => {
    const verify = (headers: Record<string, string>, rawBody = body) =>
      supplier.verifyPush?.(headers, rawBody);
    expect(verify(headersAt(now()))).toEqual(hint);
    expect(verify(headersAt(now() - 299))).toEqual(hint);
    expect(verify(headersAt(now() - 310))).toBeUndefined();
    expect(verify(headersAt(now() + 310))).toBeUndefined();
    expect(verify(headersAt(now(), 'another key'))).toBeUndefined();
    expect(verify(headersAt(now()), Buffer.from(`${body.toString()} `))).toBeUndefined();
    expect(verify({ ...headersAt(now()), 'x-simulator-signature': 'zz' })).toBeUndefined();
    expect(verify({})).toBeUndefined();
    expect(verify(headersAt(now(), secret, '[1]'), Buffer.from('[1]'))).toBeUndefined();
    expect(verify(headersAt(now(), secret, '{'), Buffer.from('{'))).toBeUndefined();
  });
});

function deliveredAs(changes: object): string {
  const goods = [{ card_number: 'A' }];
  const { reference, family, units } = purchaseOf();
  return JSON.stringify({ id: 'P1', reference, family, units, status: 'DELIVERED', goods, ...changes });
}
