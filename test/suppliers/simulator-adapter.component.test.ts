/** The adapter's results for a misbehaving supplier, over real sockets. */
import { createServer } from 'node:http';
import { signPush } from '../../dev/simulator/pushes';
import { allPages } from '../../src/suppliers/kit/limits';
import type { Supplier } from '../../src/domain/suppliers/port';
import type { SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import {
  always,
  bought,
  cleanUp,
  closedPort,
  listen,
  lookupOf,
  purchaseOf,
  receivePushes,
  secret,
  start,
  startAnswering,
  startTcp,
  supplierAt,
  topupFor,
} from '../support/simulator';
import { until } from '../../dev/testbed/waiting';

afterEach(cleanUp);

/** An adapter with normal time limits, for servers that answer. */
function withLongTimeouts(url: string, token = secret): Supplier {
  return supplierAt({ url }, { secret: token });
}

/** An adapter with short time limits, for silent servers. */
function withShortTimeouts(url: string): Supplier {
  return supplierAt({ url }, { purchaseTimeoutMs: 400, lookupTimeoutMs: 400 });
}

const purchaseId = 'P0123456789abcdef01';
const lookup = lookupOf(purchaseOf());
const refusal = JSON.stringify({ error: { code: 'BUSY', message: 'Later.', reference: lookup.reference } });

describe('Purchases', () => {
  async function errorOf(url: string, at = withLongTimeouts): Promise<string> {
    return at(url)
      .purchase(purchaseOf(), always)
      .then(
        () => 'none',
        (error: Error) => error.name,
      );
  }

  test('When the connection is refused, then the purchase did not run', async () => {
    expect(await errorOf(await closedPort())).toBe('SupplierUnavailable');
  });

  test('When the connection is reset after the request, then the outcome is unknown', async () => {
    const url = await startTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await errorOf(url)).toBe('SupplierOutcomeUnknown');
  });

  test('When the connection ends during the response, then the outcome is unknown', async () => {
    const start = 'HTTP/1.1 201 Created\r\ncontent-length: 500\r\n\r\n{"id":';
    const url = await startTcp((socket) => socket.once('data', () => socket.end(start)));
    expect(await errorOf(url)).toBe('SupplierOutcomeUnknown');
  });

  test('When no response comes in time, then the outcome is unknown', async () => {
    expect(await errorOf(await startTcp(() => undefined), withShortTimeouts)).toBe('SupplierOutcomeUnknown');
  });

  test.each([
    [200, '{', 'SupplierOutcomeUnknown'],
    [200, '{}', 'SupplierOutcomeUnknown'],
    [200, deliveredAs({ reference: 'order-99-other-0001' }), 'SupplierOutcomeUnknown'],
    [200, deliveredAs({ status: 'UNKNOWN' }), 'SupplierOutcomeUnknown'],
    [200, deliveredAs({ goods: 'none' }), 'SupplierOutcomeUnknown'],
    [200, deliveredAs({ id: '' }), 'SupplierOutcomeUnknown'],
    [200, deliveredAs({ id: '12025550100' }), 'SupplierOutcomeUnknown'],
    [200, deliveredAs({ goods: [] }), 'none'],
    [200, deliveredAs({ goods: [{ pin_code: '1' }] }), 'none'],
    [200, deliveredAs({ added_later: true }), 'none'],
  ])('When the response is %i with %s, then the error is %s', async (status, body, name) => {
    expect(await errorOf(await startAnswering(status, body))).toBe(name);
  });

  test.each([
    ['JSON nested 20,000 deep', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['goods nested 1,000 deep', deliveredAs({ goods: nested(1_000) })],
    ['10,001 units', deliveredAs({ goods: Array(10_001).fill({}) })],
  ])('When the response is %s, then the outcome is unknown', async (_what, body) => {
    expect(await errorOf(await startAnswering(200, body))).toBe('SupplierOutcomeUnknown');
  });

  test('When Retry-After is a date, then the error contains the time until it', async () => {
    const date = new Date(Date.now() + 7 * 3_600_000).toUTCString();
    const url = await startAnswering(429, refusal, { 'retry-after': date });
    const error = (await withLongTimeouts(url)
      .purchase(purchaseOf(), always)
      .catch((thrown: unknown) => thrown)) as SupplierUnavailable;
    expect(Math.round((error.retryAfterMs ?? 0) / 60_000)).toBe(420);
  });

  test('When Retry-After is in seconds, then the error contains that time', async () => {
    const url = await startAnswering(503, refusal, { 'retry-after': '7' });
    await expect(withLongTimeouts(url).purchase(purchaseOf(), always)).rejects.toMatchObject({ retryAfterMs: 7_000 });
  });

  test('When a rejection has an unmapped code, then it is UNKNOWN', async () => {
    const url = await startAnswering(422, refusal);
    const report = await withLongTimeouts(url).purchase(purchaseOf(), always);
    expect(report).toMatchObject({ state: 'REJECTED', failureCode: 'UNKNOWN', detail: 'Refused: BUSY', goods: [] });
  });

  test('When the secret is wrong, then the account is blocked', async () => {
    const simulator = await start();
    const supplier = withLongTimeouts(simulator.url, 'another-secret-altogether');
    await expect(supplier.purchase(purchaseOf(), always)).rejects.toMatchObject({ name: 'SupplierAccountBlocked' });
  });
});

describe('The last check before sending', () => {
  /** A server that records the received bytes and never answers. */
  async function recorder() {
    const received: Buffer[] = [];
    const url = await startTcp((socket) => socket.on('data', (bytes) => received.push(bytes)));
    return { url, text: () => Buffer.concat(received).toString() };
  }

  test('When sending becomes forbidden during connection set-up, then no byte is sent', async () => {
    const { url, text } = await recorder();
    let checks = 0;
    let allowed = true;
    const buying = withShortTimeouts(url).purchase(purchaseOf(), () => {
      checks += 1;
      return allowed;
    });
    allowed = false;
    await expect(buying).rejects.toMatchObject({ name: 'SupplierUnavailable' });
    expect([checks, text()]).toEqual([1, '']);
  });

  test('When the process is delayed beyond the time to send, then no byte is sent', async () => {
    const { url, text } = await recorder();
    const until = performance.now() + 50;
    const buying = withShortTimeouts(url).purchase(purchaseOf(), () => performance.now() < until);
    while (performance.now() < until + 20);
    await expect(buying).rejects.toMatchObject({ name: 'SupplierUnavailable' });
    expect(text()).toBe('');
  });

  test('When the connection is kept alive from an earlier call, then the check still runs', async () => {
    const simulator = await start();
    const supplier = supplierAt(simulator);
    await supplier.find(lookup);
    let allowed = true;
    const buying = supplier.purchase(purchaseOf(), () => allowed);
    allowed = false;
    await expect(buying).rejects.toMatchObject({ name: 'SupplierUnavailable' });
    expect(await bought(simulator)).toEqual([]);
    expect(await supplier.find(lookup)).toEqual({ state: 'NOT_FOUND' });
  });

  test('When there is no connection, then the check does not run', async () => {
    const mayBeSent = jest.fn(() => true);
    const buying = withShortTimeouts(await closedPort()).purchase(purchaseOf(), mayBeSent);
    await expect(buying).rejects.toMatchObject({ name: 'SupplierUnavailable' });
    expect(mayBeSent).not.toHaveBeenCalled();
  });

  test('When sending is allowed, then headers and body are sent together, with their length', async () => {
    const { url, text } = await recorder();
    await expect(withShortTimeouts(url).purchase(purchaseOf(), always)).rejects.toMatchObject({
      name: 'SupplierOutcomeUnknown',
    });
    const [head = '', body = ''] = text().split('\r\n\r\n');
    expect(head).toContain('POST /purchases HTTP/1.1');
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
    expect(JSON.parse(body)).toMatchObject({ reference: purchaseOf().reference });
  });
});

describe('Lookups', () => {
  const answering = async (...purchases: unknown[]) =>
    withLongTimeouts(await startAnswering(200, JSON.stringify({ purchases })));
  const row = (changes: object = {}): unknown => JSON.parse(deliveredAs(changes));

  test('When a lookup fails in any way, then it may be retried', async () => {
    const urls = await Promise.all([
      closedPort(),
      startTcp(() => undefined),
      startTcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
      startAnswering(500, refusal),
      startAnswering(404, refusal),
      startAnswering(200, '{}'),
    ]);
    for (const url of urls) {
      await expect(withShortTimeouts(url).find(lookup)).rejects.toMatchObject({ name: 'SupplierUnavailable' });
    }
  });

  test('When a row is listed twice, then it counts once, unless the two differ and the lookup is ambiguous', async () => {
    expect(await (await answering(row(), row())).find(lookup)).toMatchObject({ state: 'DELIVERED' });
    const differing = await answering(row(), row({ status: 'REJECTED' }));
    expect(await differing.find(lookup)).toMatchObject({ state: 'AMBIGUOUS' });
  });

  test('When other references are listed, even broken ones, then only the requested one counts', async () => {
    const longer = `${lookup.reference}-0002`;
    const supplier = await answering(row({ reference: longer }), { reference: longer }, row());
    expect(await supplier.find(lookup)).toMatchObject({ state: 'DELIVERED', supplierOrderId: purchaseId });
  });

  test.each([
    [row({ id: undefined })],
    [row({ id: 'P\u0000' })],
    [row({ id: '12025550100' })],
    [row({ reference: undefined })],
    [row({ reference: 'order-13-abcdef-0001' })],
    [row({ status: false })],
    [row({ goods: undefined })],
    [null],
  ])('When a row is %j, then the lookup must be retried', async (broken) => {
    const supplier = await answering(row(), broken);
    await expect(supplier.find(lookup)).rejects.toMatchObject({ name: 'SupplierUnavailable' });
  });

  test('When a status is unknown, then the lookup is ambiguous, and its detail names only known statuses', async () => {
    const detail = (state: string): string =>
      `The supplier shows the purchase without a result (${state}, 1 unit). Ask it what it delivered under our reference`;
    expect(await (await answering(row({ status: 'UNKNOWN' }))).find(lookup)).toEqual({
      state: 'AMBIGUOUS',
      isShown: true,
      detail: detail('unknown'),
    });
    for (const status of ['+12025550100', 'PLAYER_NAME']) {
      expect(await (await answering(row({ status }))).find(lookup)).toEqual({
        state: 'AMBIGUOUS',
        isShown: true,
        detail: detail('in an unknown state'),
      });
    }
  });

  test('When a purchase was rejected or withdrawn, then its id and its delivered units are kept', async () => {
    const goods = [{ kind: 'voucher', cardNumber: 'A' }];
    const refused = await answering(row({ status: 'REJECTED', failure_code: 'PRODUCT_OUT_OF_STOCK' }));
    const detail = 'Refused: PRODUCT_OUT_OF_STOCK';
    const shared = { state: 'REJECTED', supplierOrderId: purchaseId, goods };
    expect(await refused.find(lookup)).toEqual({ ...shared, failureCode: 'PRODUCT_OUT_OF_STOCK', detail });
    const cancelled = await answering(row({ status: 'CANCELLED' }));
    expect(await cancelled.find(lookup)).toMatchObject({ ...shared, failureCode: 'UNKNOWN' });
    expect(await cancelled.withdraw?.(lookup)).toBe(false);
  });

  test.each([
    ['2027-01-31T00:00:00.000Z', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T00:00:00Z', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T02:00:00+02:00', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31', '2027-01-31T23:59:59.999Z'],
    ['2028-02-29', '2028-02-29T23:59:59.999Z'],
  ])('When a unit expires at %s, then its expiry is %s', async (expires_at, expiresAt) => {
    const supplier = await answering(row({ goods: [{ card_number: 'A', expires_at }] }));
    expect(await supplier.find(lookup)).toMatchObject({ goods: [{ kind: 'voucher', expiresAt }] });
  });

  test.each([
    'whenever',
    '2027-02-30',
    '2027-02-30T00:00:00.000Z',
    '2027-13-01T00:00:00Z',
    '12',
    '+012027-01-01T00:00:00Z',
    '+012027-01-01T00:00:00.000Z',
  ])('When a unit expires at %s, then that unit alone is unreadable', async (expires_at) => {
    const supplier = await answering(row({ goods: [{ card_number: 'A' }, { card_number: 'B', expires_at }] }));
    expect(await supplier.find(lookup)).toMatchObject({
      goods: [{ kind: 'voucher' }, { kind: 'unreadable', fault: 'the expiry is not a date' }],
    });
  });

  test.each([[null], ['A'], [[]], [{ card_number: true }], [{ card_number: '', pin_code: '1' }]])(
    'When a unit is %j, then that unit alone is unreadable',
    async (broken) => {
      const supplier = await answering(row({ goods: [broken, { card_number: 'B', pin_code: null }] }));
      expect(await supplier.find(lookup)).toMatchObject({
        goods: [
          { kind: 'unreadable', fault: expect.any(String) },
          { kind: 'voucher', cardNumber: 'B' },
        ],
      });
    },
  );
});

describe('Endless responses', () => {
  /** Answers every request with an endless body until the connection ends. Counts the sent bytes. */
  async function endless(everyMs: number) {
    const written = { bytes: 0, ended: 0 };
    const url = await startTcp((socket) => {
      const write = (text: string) => {
        written.bytes += text.length;
        return socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
      };
      const writeMore = () => {
        if (everyMs > 0) write(' ');
        else while (write(' '.repeat(65_536)));
      };
      let timer: NodeJS.Timeout;
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        write('{"a":"');
        timer = setInterval(writeMore, everyMs);
      });
      socket.on('close', () => {
        clearInterval(timer);
        written.ended += 1;
      });
    });
    return { url, written };
  }

  const calls = (supplier: Supplier): (Promise<unknown> | undefined)[] => [
    supplier.withdraw?.(lookup),
    supplier.balances?.(),
    supplier.esimPlans?.('SIM-ESIM-USA'),
    supplier.esimStatus?.('8988211000000000001'),
    supplier.stock?.()[Symbol.asyncIterator]().next(),
    supplier.statement?.(new Date(0))[Symbol.asyncIterator]().next(),
  ];

  test('When a body floods, then reading stops at the limit of its kind', async () => {
    const { url, written } = await endless(0);
    const supplier = supplierAt({ url });
    await expect(supplier.purchase(purchaseOf(), always)).rejects.toMatchObject({
      name: 'SupplierOutcomeUnknown',
      message: 'simulator: POST /purchases: RESPONSE_TOO_LONG',
    });
    // The limit of a purchase plus the socket buffers.
    expect(written.bytes).toBeLessThan(16_000_000);
    expect(await supplier.find(lookup)).toEqual({
      state: 'AMBIGUOUS',
      isShown: false,
      detail: 'simulator: GET /purchases: RESPONSE_TOO_LONG',
    });
    for (const outcome of await Promise.allSettled(calls(supplier).map(async (question) => question)))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'SupplierUnavailable' } });
    await until('the connections to end', async () => written.ended >= 8);
  });

  test('When a body trickles, then the time limit of the call ends it', async () => {
    const { url } = await endless(20);
    const supplier = withShortTimeouts(url);
    await expect(supplier.purchase(purchaseOf(), always)).rejects.toMatchObject({
      message: 'simulator: POST /purchases: TimeoutError',
    });
    await expect(supplier.find(lookup)).rejects.toThrow('TimeoutError');
  });

  test('When a purchase is one byte longer than allowed, and not before, then it is not read', async () => {
    const limit = (64 + 2 * 32) * 1_024;
    const sized = (size: number) => {
      const empty = deliveredAs({ padding: '' });
      return deliveredAs({ padding: 'A'.repeat(size - empty.length) });
    };
    const buy = async (body: string) =>
      supplierAt({ url: await startAnswering(200, body) }).purchase(purchaseOf({ units: 2 }), always);
    expect(await buy(sized(limit))).toMatchObject({ state: 'DELIVERED' });
    await expect(buy(sized(limit + 1))).rejects.toThrow('RESPONSE_TOO_LONG');
  });

  test('When thousands of rows have one reference, then two different rows decide, and each is compared once', async () => {
    const rows = Array.from({ length: 8_000 }, (_, n) => {
      const id = `P${n.toString(16).padStart(18, '0')}`;
      return { ...(JSON.parse(deliveredAs({ id: purchaseId })) as object), goods: [{ card_number: id }] };
    });
    const many = { ...lookup, units: 500 };
    const findIn = async (purchases: unknown[]) =>
      supplierAt({ url: await startAnswering(200, JSON.stringify({ purchases })) }).find(many);
    expect(await findIn(rows)).toMatchObject({
      state: 'AMBIGUOUS',
      detail: expect.stringMatching(/shows 2 purchases/),
    });
    expect(await findIn(Array(8_000).fill(rows[0]))).toMatchObject({ state: 'DELIVERED' });
  });

  test('When a purchase shows more units than allowed, then it is rejected', async () => {
    const buy = async (units: number) => {
      const message = JSON.parse(deliveredAs({})) as object;
      const body = JSON.stringify({ ...message, goods: Array(units).fill({}) });
      return supplierAt({ url: await startAnswering(200, body) }).purchase(purchaseOf({ units: 500 }), always);
    };
    expect(await buy(10_000)).toMatchObject({ state: 'DELIVERED' });
    await expect(buy(10_001)).rejects.toMatchObject({ name: 'SupplierOutcomeUnknown' });
  });

  test.each([
    ['stock', { items: [{ sku: 'A', active: true, available: 1 }] }],
    ['statement', { purchases: [{ id: purchaseId, reference: 'r', units: 1, sold_at: '2026-01-31' }] }],
  ] as const)('When the %s has a thousand million pages, then reading stops at the first', async (list, body) => {
    const asked = jest.fn();
    const server = createServer((_request, response) => {
      asked();
      response.end(JSON.stringify({ ...body, total_pages: 1e9 }));
    });
    const supplier = supplierAt({ url: await listen(server) });
    const pages = list === 'stock' ? supplier.stock?.() : supplier.statement?.(new Date(0));
    await expect(pages?.[Symbol.asyncIterator]().next()).rejects.toThrow(/1000000000 pages, more than/);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('When each page announces another one, then reading stops at the page limit or the time limit', async () => {
    const readAll = async (maxPages: number, msOfPage: number) => {
      let now = 0;
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
      const reading = allPages(maxPages, async (page) => {
        if (page > 60) throw new Error('Reading continues');
        now += msOfPage;
        return { items: [page], totalPages: page + 1 };
      });
      const read: number[] = [];
      try {
        for await (const page of reading) read.push(...page);
        return { read: read.length, error: 'none' };
      } catch (error) {
        return { read: read.length, error: (error as Error).message };
      } finally {
        clock.mockRestore();
      }
    };
    expect(await readAll(50, 0)).toEqual({ read: 49, error: 'The list has 51 pages, more than 50' });
    expect(await readAll(50, 60_000)).toEqual({ read: 11, error: 'Reading the list took too long: 11 of 12 pages' });
  });
});

describe('The statement', () => {
  test('When a row repeats on a later page, then it counts once, unlike a second purchase of the reference', async () => {
    const row = { reference: lookup.reference, units: 2, sold_at: '2026-01-31T12:00:00.000Z' };
    const purchases = [
      { id: purchaseId, ...row },
      { id: purchaseId.replace('0', '1'), ...row },
    ];
    const url = await startAnswering(200, JSON.stringify({ purchases, total_pages: 3 }));
    const pages = [];
    for await (const page of withLongTimeouts(url).statement?.(new Date(0)) ?? []) pages.push(page);
    const sold = { kind: 'sale', reference: lookup.reference, units: 2, soldAt: new Date('2026-01-31T12:00:00Z') };
    expect(pages.flat()).toEqual(purchases.map(({ id }) => ({ ...sold, supplierOrderId: id })));
  });

  test.each(['{}', '{"purchases":[{}],"total_pages":1}', '<html>'])(
    'When a page is %s, then the statement must be requested again',
    async (body) => {
      const pages = withLongTimeouts(await startAnswering(200, body)).statement?.(new Date(0));
      await expect(pages?.[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: 'SupplierUnavailable' });
    },
  );
});

describe('The content of errors', () => {
  const phone = '12025550100';
  const echo = JSON.stringify({ error: { code: phone, message: `The number ${phone} is barred` } });

  test.each([400, 401, 402, 403, 404, 409, 422, 429, 500, 503])(
    'When a response of %i repeats the input of the customer, then neither error nor report contains it',
    async (status) => {
      const supplier = withLongTimeouts(await startAnswering(status, echo));
      const textOf = (outcome: Promise<unknown> | undefined): Promise<string> =>
        Promise.resolve(outcome).then(JSON.stringify, (error: Error) => `${error.name} ${error.message}`);
      const words = await Promise.all([
        textOf(supplier.purchase(topupFor('100'), always)),
        textOf(supplier.find(lookup)),
        textOf(supplier.esimStatus?.('8988000000000000001')),
      ]);
      expect(words.join()).not.toContain('0100');
      expect(words.join()).not.toContain('8988');
      expect(words[1]).toContain(String(status));
    },
  );
});

describe('Pushes', () => {
  const body = Buffer.from('{"type":"purchase","reference":"order-7-abcdef-101"}');
  const hint = { kind: 'purchase', reference: 'order-7-abcdef-101' };
  const supplier = withShortTimeouts('http://127.0.0.1:1');

  function headersAt(seconds: number, key = secret, text = body.toString()) {
    const timestamp = String(seconds);
    return { 'x-simulator-timestamp': timestamp, 'x-simulator-signature': signPush(key, timestamp, text) };
  }
  const now = (): number => Math.floor(Date.now() / 1_000);

  test('When a purchase ends, then the push of the simulator is accepted, also when repeated after a failure', async () => {
    const pushes = await receivePushes(500);
    const simulator = await start({ callbackUrl: pushes.url });
    await withLongTimeouts(simulator.url).purchase(topupFor('101'), always);
    for (const push of [await pushes.next(), await pushes.next()]) {
      const headers = push.headers as Record<string, string>;
      const { rawBody } = push;
      expect(supplier.verifyPush?.({ headers, rawBody, pathSecret: undefined })).toEqual(hint);
    }
  });

  test('When signature, time or body is invalid, then the push is ignored', () => {
    const verify = (headers: Record<string, string>, rawBody = body) =>
      supplier.verifyPush?.({ headers, rawBody, pathSecret: undefined });
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
  return JSON.stringify({ id: purchaseId, reference, family, units, status: 'DELIVERED', goods, ...changes });
}

/** The nested arrays of goods. */
function nested(depth: number): unknown {
  return depth === 0 ? [] : [nested(depth - 1)];
}
