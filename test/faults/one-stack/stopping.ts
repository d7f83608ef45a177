/**
 * What a client receives when the API stops during its request.
 * docs/specification.md#stopping.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstRow, rows, type Database } from '../../../src/data/database/database';
import { lockWaits } from '../../support/lock-waits';
import { newClient, type OwnClient } from '../../support/clients';
import { orderOf, place, scenarioNamed } from '../../support/orders';
import type { Service } from '../../support/orders-under-faults';
import { ready, type OwnStack } from '../../support/own-stack';
import { refusal, type Answer, type Json } from '../../support/stack';
import { until } from '../../support/waiting';

/** The time limit of the responses after the stop signal. Requests that wait for their order take 10 s and longer. */
const ANSWERED_WITHIN_MS = 7_000;

let stack: OwnStack;
let database: Database;
let client: OwnClient;
/** The response to a request over the one connection of the agent. */
async function statusOver(agent: Agent, url: string, token: string) {
  const asked = request(url, { agent, headers: { authorization: `Bearer ${token}` } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  await response.resume().toArray();
  return { status: response.statusCode, connection: response.headers.connection };
}

/** Waits until the port is closed, which shows that the process is stopping. */
function refusesConnections(url: string): Promise<true> {
  const { hostname, port } = new URL(url);
  return until('no new connection', async () => {
    const socket = connect({ host: hostname, port: Number(port) });
    const isTaken = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isTaken ? undefined : true;
  });
}

interface Create {
  reference: string;
  answer: Promise<Answer<Json>>;
}

function create(scenario: string): Create {
  const reference = randomUUID();
  const body = orderOf(scenario, { client_reference: reference });
  return { reference, answer: client.api.post(scenarioNamed(scenario).path, body) };
}

async function reservationState({ reference }: Create): Promise<string | undefined> {
  const sql = 'SELECT state FROM order_reservations WHERE client_reference = $reference';
  return (await firstRow<{ state: string }>(database, sql, { reference }))?.state;
}

/** Waits until the reservation of one order request has this state. Concurrent requests arrive in any order. */
const stateReached = (made: Create[], wanted: string) =>
  until(`reservation ${wanted}`, async () =>
    (await Promise.all(made.map(reservationState))).includes(wanted) ? wanted : undefined,
  );

/** Stops the API and waits for the responses. Returns the responses and their duration. */
async function answersOnStop(made: Create[]): Promise<{ answers: Answer<Json>[]; ms: number }> {
  const began = performance.now();
  process.kill(stack.now().pids['api'] as number, 'SIGTERM');
  const answers = await Promise.all(made.map(({ answer }) => answer));
  return { answers, ms: performance.now() - began };
}

/** Runs the work while no worker takes a task. */
async function withoutWorker<T>(work: () => Promise<T>): Promise<T> {
  const worker = stack.now().pids['worker'] as number;
  process.kill(worker, 'SIGSTOP');
  return work().finally(() => process.kill(worker, 'SIGCONT'));
}

/** Registers the tests of this subject, on a started stack that other subjects share. */
export function testStopping(started: () => Service): void {
  beforeAll(async () => {
    ({ stack, database } = started());
    client = await newClient(database, { USD: 10_000 });
    await client.api.accessToken();
  });

  afterEach(() => ready(stack));

  test('When the API stops while a placed order waits for its goods, then the response comes immediately with its current status', async () => {
    const slow = create('esim_slow');
    await stateReached([slow], 'PLACED');
    const { answers, ms } = await answersOnStop([slow]);
    expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
    expect(answers[0]).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    expect(answers[0]?.headers.get('connection')).toBe('close');
  });

  test('When a request comes over an open connection while the API stops, then it is answered, and readiness fails', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const [api, token] = [stack.now().api_url, await client.api.accessToken()];
    const get = (path: string) => statusOver(agent, `${api}${path}`, token);
    expect(await get('/api/v1/wallets')).toMatchObject({ status: 200, connection: 'keep-alive' });
    process.kill(stack.now().pids['api'] as number, 'SIGTERM');
    await refusesConnections(api);
    expect(await get('/api/v1/wallets')).toEqual({ status: 200, connection: 'close' });
    agent.destroy();
  });

  test('When a probe calls a stopping API, then it is not ready', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const api = stack.now().api_url;
    const get = (path: string) => statusOver(agent, `${api}${path}`, '');
    expect(await get('/ready')).toMatchObject({ status: 200 });
    process.kill(stack.now().pids['api'] as number, 'SIGTERM');
    await refusesConnections(api);
    expect(await get('/ready')).toEqual({ status: 503, connection: 'close' });
    agent.destroy();
  });

  test('When the API stops during a cancellation, then the response is an immediate 503, and the order may still be cancelled', async () => {
    const { api } = await newClient(database, { USD: 100 });
    const order = await place(api, orderOf('voucher_slow', { quantity: 6 }));
    const path = `/api/v1/sandbox/orders/${order.id}/cancel`;
    await withoutWorker(async () => {
      const answer = api.post(path, {});
      // The worker is held until the second request has arrived.
      for (let reads = 0; reads < 5; reads++) await api.get('/api/v1/wallets');
      const { answers, ms } = await answersOnStop([{ reference: '', answer }]);
      expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
      expect(answers[0]).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
    });
  });

  test('When the API stops while a large read waits for another one, then it is answered at once with 503, and the other one completes', async () => {
    const read = () => client.api.get('/api/v1/transactions?limit=10000');
    const first = await database.transaction(async (lock) => {
      await rows(database, 'LOCK TABLE transactions IN ACCESS EXCLUSIVE MODE', {}, lock);
      const answer = read();
      await lockWaits(database, 1, 'transactions');
      const second = read();
      // The API has the second read before it answers these.
      for (let reads = 0; reads < 5; reads++) await client.api.get('/api/v1/products');
      process.kill(stack.now().pids['api'] as number, 'SIGTERM');
      expect(await second).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
      return { answer };
    });
    expect(await first.answer).toMatchObject({ status: 200 });
  });

  test('When the API stops while a client slowly reads a response, then the client receives it whole', async () => {
    const events = 500;
    await rows(
      database,
      `INSERT INTO events (client_id, type, data)
     SELECT $id, 'wallet.credited', jsonb_build_object('text', repeat('x', 60000)) FROM generate_series(1, $events)`,
      { id: client.id, events },
    );
    const headers = { authorization: `Bearer ${await client.api.accessToken()}` };
    const agent = new Agent({ keepAlive: true });
    const url = `${stack.now().api_url}/api/v1/webhooks/events?limit=${events}`;
    const [response] = (await once(request(url, { agent, headers }).end(), 'response')) as [IncomingMessage];
    response.pause();
    process.kill(stack.now().pids['api'] as number, 'SIGTERM');
    await sleep(4_000);
    expect(JSON.parse(Buffer.concat(await response.toArray()).toString())).toHaveLength(events);
    agent.destroy();
  });

  test('When the API stops before orders are placed, then the response is an immediate 503 and they are never placed', async () => {
    await withoutWorker(async () => {
      // More requests than are placed concurrently, so that some wait in the admission queue.
      const made = Array.from({ length: 12 }, () => create('voucher_instant'));
      await stateReached(made, 'RESERVED');
      const { answers, ms } = await answersOnStop(made);
      expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
      for (const answer of answers) {
        expect(answer).toMatchObject(refusal('SERVICE_UNAVAILABLE', 'Service temporarily unavailable'));
      }
      for (const reservation of made)
        expect([undefined, 'ABANDONED']).toContain(await reservationState(reservation));
    });
    const orders = 'SELECT FROM orders WHERE client_id = $id AND family = $family';
    expect(await rows(database, orders, { id: client.id, family: 'VOUCHER' })).toEqual([]);
  });
}
