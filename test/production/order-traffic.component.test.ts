/** The orders of `npm run prove:upgrade` at an API that rejects order requests and accepts repeated ones. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { order, OrderRequests } from '../../deploy/production/order-traffic';
import { ApiClient } from '../../dev/stack/api-client';
import type { Scenario } from '../../dev/stack/stack-file';

interface Body {
  product_id?: number;
  client_reference?: string;
}

/** Products whose orders are answered 503 at the first request. */
let rejected: number[];
let server: Server;
beforeEach(async () => {
  const known = new Set<string>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { product_id: product = 0, client_reference: reference = '' } = (await json(request)) as Body;
    const status = rejected.includes(product) && !known.has(reference) ? 503 : 200;
    known.add(reference);
    response.writeHead(status, { 'retry-after': '0' });
    response.end(JSON.stringify({ data: { access_token: 'token' }, status: 'DELIVERED' }));
  };
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.close());

/** Orders each of 20 products once in each round. Returns the faults. */
async function faults(rounds = 1): Promise<string[]> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const requests = new OrderRequests();
  const session = await new ApiClient(url, { api_key: 'key', api_secret: 'secret' }).at(url);
  const ordered = Array.from({ length: 20 * rounds }, (_, index) =>
    order(scenarioOf(index % 20), { placedAt: session, readAt: session }, requests),
  );
  expect((await Promise.all(ordered)).filter((fault) => fault !== undefined)).toEqual([]);
  return requests.faults.map((fault) => fault.replace(url, 'the API'));
}

const scenarioOf = (product: number): Scenario => ({
  name: `product ${product}`,
  method: 'POST',
  path: '/api/v1/orders',
  body: { product_id: product },
  initial_status: 'DELIVERED',
  final_status: 'DELIVERED',
});

test('When 1 of 20 order requests is rejected once, then no fault is reported', async () => {
  rejected = [7];
  expect(await faults()).toEqual([]);
});

test('When more are rejected, then their number is reported as a fault', async () => {
  rejected = [7, 8];
  expect(await faults()).toEqual([expect.stringMatching(/^2 of 20 order requests were rejected with 503/)]);
});

test('When the API rejects one scenario repeatedly, then a fault is reported, however many others it accepts', async () => {
  rejected = [7];
  expect(await faults(2)).toEqual(['product 7 at the API: rejected with 503 repeatedly']);
});
