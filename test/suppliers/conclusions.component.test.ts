/**
 * The service's conclusion from every status, body and failure of every supplier call. The table answers one question:
 * which answer proves that nothing was bought? Over real sockets, with the simulator's adapter.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { Supplier } from '../../src/domain/suppliers/port';
import { always, cleanUp, closedPort, listen, lookupOf, purchaseOf, startTcp, supplierAt } from '../support/simulator';

afterEach(cleanUp);

const request = purchaseOf();
const lookup = lookupOf(request);
const row = { id: 'P0123456789abcdef01', reference: request.reference, status: 'PENDING', goods: [] };

/** Every call of the port, with the name of its error or with its result. */
const calls: Record<string, (supplier: Supplier) => Promise<unknown> | undefined> = {
  purchase: (supplier) => supplier.purchase(request, always),
  find: ({ find }) => find(lookup),
  withdraw: ({ withdraw }) => withdraw?.(lookup),
  stock: ({ stock }) => stock?.()[Symbol.asyncIterator]().next(),
  balances: ({ balances }) => balances?.(),
  'eSIM plans': ({ esimPlans }) => esimPlans?.('SIM-ESIM-USA'),
  'eSIM status': ({ esimStatus }) => esimStatus?.('8988000000000000001'),
  statement: ({ statement }) => statement?.(new Date(0))[Symbol.asyncIterator]().next(),
};
const questions = Object.keys(calls).filter((call) => call !== 'purchase');

async function conclusion(call: string, supplier: Supplier): Promise<unknown> {
  const outcome = await Promise.resolve(calls[call]?.(supplier)).catch((error: Error) => error.name);
  return (outcome as { state?: string }).state ?? outcome;
}

const refusal = (error: object) => JSON.stringify({ error: { message: 'No.', ...error } });
/** Possible bodies of a response. Only the last one is certainly from the supplier. */
const bodies = {
  nothing: '',
  'the page of a gateway': '<html><h1>Forbidden</h1></html>',
  'the JSON of a gateway': '{"message":"Forbidden"}',
  "a gateway's JSON in the supplier's form": refusal({ code: 'FORBIDDEN' }),
  "the supplier's code without the purchase": refusal({ code: 'ACCOUNT_BLOCKED' }),
  "the supplier's rejection of another purchase": refusal({ code: 'UNKNOWN', reference: 'order-99-other-0001' }),
  'a truncated rejection': refusal({ code: 'UNKNOWN', reference: request.reference }).slice(0, -9),
  'the rejection of the supplier': refusal({ code: 'ACCOUNT_BLOCKED', reference: request.reference }),
};
const own: keyof typeof bodies = 'the rejection of the supplier';
/** In a response to a lookup the supplier's code alone is enough, because no money depends on it. */
const ownToQuestions: readonly string[] = [
  own,
  "the supplier's code without the purchase",
  "the supplier's rejection of another purchase",
];

const statuses = [
  200, 201, 202, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410,
  411, 412, 413, 414, 415, 417, 418, 421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504,
  505, 507, 508, 511, 520, 522, 524, 599,
];

const blocked = { 401: 'SupplierAccountBlocked', 402: 'SupplierAccountBlocked', 403: 'SupplierAccountBlocked' };
/** The conclusion from the supplier's own rejection of a purchase. Every other answer leaves the outcome open. */
const provenByRefusal: Readonly<Record<number, string>> = {
  ...blocked,
  400: 'REJECTED',
  422: 'REJECTED',
  429: 'SupplierUnavailable',
  503: 'SupplierUnavailable',
};
/** Too late to withdraw, or unknown: the purchase is not reversed. */
const refusedWithdrawal = { 400: false, 404: false, 409: false, 422: false };

function expected(call: string, body: string, status: number): unknown {
  if (call === 'purchase') {
    return (body === own ? provenByRefusal[status] : undefined) ?? 'SupplierOutcomeUnknown';
  }
  // A response without a final state of the purchase.
  if (call === 'withdraw' && [200, 201, 202, 206].includes(status) && isJson(body)) return false;
  if (!ownToQuestions.includes(body)) return 'SupplierUnavailable';
  const known: Readonly<Record<number, unknown>> = { ...blocked, ...(call === 'withdraw' && refusedWithdrawal) };
  return known[status] ?? 'SupplierUnavailable';
}

const isJson = (body: string): boolean =>
  body !== 'a truncated rejection' && bodies[body as keyof typeof bodies].startsWith('{');

describe.each(Object.keys(calls))('The call %s', (call) => {
  test.each(Object.entries(bodies))(
    'When the body is %s, then each status has the conclusion of the table',
    async (name, body) => {
      let status = 0;
      const answered: string[] = [];
      const server = createServer((incoming, response) => {
        incoming.resume();
        answered.push(`${incoming.method} ${incoming.url}`);
        // A withdrawal starts with a lookup.
        if (call === 'withdraw' && !isCancel(incoming)) {
          return response.end(JSON.stringify({ purchases: [row] }));
        }
        return response.writeHead(status, { location: '/elsewhere', 'retry-after': '7' }).end(body);
      });
      const supplier = supplierAt({ url: await listen(server) });
      const concluded: Record<number, unknown> = {};
      const due: Record<number, unknown> = {};
      for (status of statuses) {
        concluded[status] = await conclusion(call, supplier);
        due[status] = expected(call, name, status);
      }
      expect(concluded).toEqual(due);
      expect(answered.filter((line) => line.includes('elsewhere'))).toEqual([]);
      expect(answered).toHaveLength(statuses.length * (call === 'withdraw' ? 2 : 1));
    },
  );
});

function isCancel({ url }: IncomingMessage): boolean {
  return url?.endsWith('/cancel') ?? false;
}

describe('Failing connections', () => {
  const withShortTimeouts = (url: string) => supplierAt({ url }, { purchaseTimeoutMs: 150, lookupTimeoutMs: 150 });
  const afterRequest = (answer: string) => () => startTcp((socket) => socket.once('data', () => socket.end(answer)));
  /** After each of these failures the request may have arrived. */
  const failures: Record<string, () => Promise<string>> = {
    'never answers': () => startTcp(() => undefined),
    'is closed immediately': () => startTcp((socket) => socket.end()),
    'is reset after the request': () => startTcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
    'is closed after the request': afterRequest(''),
    'ends during the answer': afterRequest('HTTP/1.1 422 No\r\ncontent-length: 500\r\n\r\n{"error":'),
    'breaks off a chunked answer': afterRequest('HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"i'),
    'answers no HTTP': afterRequest('SSH-2.0-OpenSSH_9.6\r\n'),
    'answers endless headers': afterRequest(`HTTP/1.1 403 No\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`),
    'switches protocols': afterRequest('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'),
  };

  test.each(Object.entries(failures))(
    'When a connection %s, then a purchase may have happened, and a lookup must be retried',
    async (_how, open) => {
      const supplier = withShortTimeouts(await open());
      expect(await conclusion('purchase', supplier)).toBe('SupplierOutcomeUnknown');
      const concluded = await Promise.all(questions.map((call) => conclusion(call, supplier)));
      expect(concluded).toEqual(questions.map(() => 'SupplierUnavailable'));
    },
  );

  test('When the connection is refused, then the purchase did not run', async () => {
    const supplier = withShortTimeouts(await closedPort());
    for (const call of Object.keys(calls)) {
      expect(await conclusion(call, supplier)).toBe('SupplierUnavailable');
    }
  });
});
