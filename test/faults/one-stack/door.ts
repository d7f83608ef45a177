/** Order requests while no worker takes orders. docs/specification.md#probes, docs/specification.md#limits. */
import { randomUUID } from 'node:crypto';
import { firstRow, type Database } from '../../../src/data/database/database';
import { newClient, type OwnClient } from '../../support/clients';
import { orderOf, ordersPath, place } from '../../support/orders';
import { admitted, orderWorkers, type Service } from '../../support/orders-under-faults';
import { ops } from '../../support/operator';
import { kill, type OwnStack } from '../../support/own-stack';
import { apiWithoutToken, refusal, type Json } from '../../support/stack';
import { until } from '../../../dev/testbed/waiting';

let stack: OwnStack;
let database: Database;
let client: OwnClient;
const unavailable = refusal('SERVICE_UNAVAILABLE', 'Service temporarily unavailable');

async function create(overrides: Json = {}) {
  const began = performance.now();
  const answer = await client.api.post(ordersPath, orderOf('voucher_instant', overrides));
  return { ...answer, ms: performance.now() - began };
}

/** The wallet balance and the number of order reservations. */
const written = () =>
  firstRow(
    database,
    `SELECT (SELECT balance FROM wallets WHERE client_id = $id) AS balance,
            (SELECT count(*) FROM order_reservations WHERE client_id = $id)::int AS reservations`,
    { id: client.id },
  );

/** Kills the worker and blocks the start of its replacement. Returns the function that unblocks it. */
async function holdDown(): Promise<() => void> {
  await kill(stack, 'worker');
  const pid = stack.now().pids['worker'] as number;
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}

/** Registers the tests of this subject, on a started stack that other subjects share. */
export function testDoor(started: () => Service): void {
  beforeAll(async () => {
    ({ stack, database } = started());
    client = await newClient(database, { USD: 10_000 });
  });

  test('When the worker is killed and restarted immediately, then no order request is rejected', async () => {
    // An earlier subject may have just restarted it.
    await admitted();
    await kill(stack, 'worker');
    const { status, ms } = await create();
    // On a slow machine the restart may take longer than the time limit of an order request.
    if (status !== 200) expect(ms).toBeGreaterThan(5_000);
  });

  test('When no worker takes orders for 15 s, then order requests are rejected until a worker does', async () => {
    const { id } = await place(client.api, orderOf('voucher_instant'));
    const letUp = await holdDown();
    try {
      await until('order requests to be rejected', async () => !(await orderWorkers()), 25);
      const before = await written();
      const reference = randomUUID();
      const refused = await create({ client_reference: reference });
      expect(refused).toMatchObject(unavailable);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      // An admitted order request waits for longer than 5 s.
      expect(refused.ms).toBeLessThan(4_000);
      expect(await written()).toEqual(before);

      expect(await create({ quantity: 0 })).toMatchObject({ status: 400 });
      expect(await client.api.get(`${ordersPath}/${id}`)).toMatchObject({ status: 200, body: { id } });
      expect((await client.api.get(ordersPath)).status).toBe(200);
      const ready = await apiWithoutToken().get('/ready');
      expect(ready).toMatchObject({ status: 200, body: { status: 'ready', order_workers: false } });
      for (let more = 0; more < 2; more++) expect(await create()).toMatchObject(unavailable);
      await until('the attention list', async () => {
        const kinds = (await ops`attention`).map(({ kind }) => kind);
        return kinds.includes('NO_WORKERS') && kinds.includes('ORDERS_REJECTED');
      });
    } finally {
      letUp();
    }
    await admitted();
    const taken = await create();
    expect(taken).toMatchObject({ status: 200, body: { status: 'DELIVERED' } });
    await until('its entry to disappear', async () =>
      (await ops`attention`).every(({ kind }) => kind !== 'NO_WORKERS'),
    );
  });
}
