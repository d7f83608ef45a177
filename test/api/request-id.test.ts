/** The id of a request follows its order: into the workflow's memo, the log of activities and supplier calls. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { Client } from '@temporalio/client';
import { runWithWork } from '../../src/process/current-work';
import { sql } from '../../dev/testbed/sql';
import { createSimulatorSupplier } from '../../src/suppliers/simulator';
import { useClient, useDatabase } from '../support/clients';
import { stackKeyRing } from '../../dev/testbed/stack-keys';
import { loadStack, stackDirectory } from '../../dev/testbed/loaded-stack';
import type { Resource } from '../support/stack';
import { until } from '../../dev/testbed/waiting';
import { connectTemporal } from '../../src/temporal/connection';

const database = useDatabase();
const client = useClient(database, { USD: 1_000 });

interface Line {
  level: string;
  process: string;
  orderId?: number;
}

/** The worker's log lines about that order. */
function logOf(orderId: number): Line[] {
  const lines = readFileSync(stackDirectory().log('worker'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Line).filter((line) => line.orderId === orderId);
}

test('When an order request has a request id, then its workflow and each log line of its activities have it', async () => {
  const scenario = loadStack().scenarios.find(({ name }) => name === 'topup_flaky');
  const requestId = 'shop-4711/blue';
  const { body } = await client.api.post<Resource>(scenario?.path ?? '', scenario?.body, { 'X-Request-Id': requestId });
  const lines = await until('a line of its activity', async () => {
    const found = logOf(body.id);
    return found.length > 0 ? found : undefined;
  });
  const order = await sql.first(database)<{ nonce: string }>`SELECT nonce FROM orders WHERE id = ${body.id}`;
  const workflowId = `order-${body.id}-${order?.nonce}`;
  for (const line of lines) {
    expect(line).toMatchObject({
      process: 'worker',
      requestId,
      workflowId,
      runId: expect.any(String),
      activity: expect.any(String),
      attempt: expect.any(Number),
    });
    expect(['info', 'warn', 'error']).toContain(line.level);
  }
  const { temporal_address: address, temporal_namespace: namespace } = loadStack();
  const temporal = await connectTemporal({ temporal: { address, namespace } }, await stackKeyRing());
  const { memo } = await temporal.workflow.getHandle(workflowId).describe();
  expect(memo).toEqual({ requestId });
  // A Temporal client without our keys can still list orders, because the memo is not sealed.
  const keyless = new Client({ connection: temporal.connection, namespace });
  const listed = keyless.workflow.list({ query: `OrderId = ${body.id}` });
  await expect(listed[Symbol.asyncIterator]().next()).resolves.toMatchObject({ value: { workflowId, memo } });
  await temporal.connection.close();
});

test('When a request causes a supplier call, then this call, and no other one, has the id of the request', async () => {
  const shown: (string | undefined)[] = [];
  const supplier = createServer((request, response) => {
    shown.push(request.headers['x-request-id'] as string | undefined);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"amount":"1.00","currency":"USD"}');
  }).listen(0, '127.0.0.1');
  await once(supplier, 'listening');
  const url = `http://127.0.0.1:${(supplier.address() as AddressInfo).port}`;
  const { balances } = createSimulatorSupplier({ url, secret: 'x'.repeat(16), maxUnits: 1 });
  await runWithWork({ requestId: 'shop-1' }, async () => balances?.());
  await balances?.();
  expect(shown).toEqual(['shop-1', undefined]);
  supplier.close();
  supplier.closeAllConnections();
});

test.each(['with spaces', 'x'.repeat(129), 'b\u00e9b\u00e9'])(
  'When the caller’s id is %p, then the service assigns an id to the request',
  async (given) => {
    const { headers } = await client.api.get('/api/v1/wallets', { 'X-Request-Id': given });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  },
);
