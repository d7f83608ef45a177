/**
 * What a client receives when the API stops during its request.
 * docs/specification.md#stopping.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { lockWaits } from '../../support/lock-waits';
import { newClient, type OwnClient } from '../../support/clients';
import { orderOf, place, scenarioNamed } from '../../support/orders';
import type { Service } from '../../support/orders-under-faults';
import { ready, type OwnStack } from '../../support/own-stack';
import { refusal, type Answer, type Json } from '../../support/stack';
import { until } from '../../../dev/testbed/waiting';

/** The time limit of the responses after the stop signal. Requests that wait for their order take 10 s and longer. */
const ANSWERED_WITHIN_MS = 7_000;
/** The events of a response that its client reads slowly. */
const EVENTS = 500;

let stack: OwnStack;
let database: Database;
let client: OwnClient;
/** The head of the response to a request over the one connection of the agent. */
async function responseOver(agent: Agent, path: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${await client.api.accessToken()}` };
  const asked = request(`${stack.now().api_url}${path}`, { agent, headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

async function statusOver(agent: Agent, path: string) {
  const response = await responseOver(agent, path);
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
    return !isTaken;
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
  return (
    await sql.first(database)<{ state: string }>`SELECT state FROM order_reservations
       WHERE client_reference = ${reference}`
  )?.state;
}

/** Waits until the reservation of one order request has this state. Concurrent requests arrive in any order. */
const stateReached = (made: Create[], wanted: string) =>
  until(`reservation ${wanted}`, async () =>
    (await Promise.all(made.map(reservationState))).includes(wanted) ? wanted : undefined,
  );

/** Sends the API the stop signal. */
function stopApi(): void {
  process.kill(stack.now().pids['api'] as number, 'SIGTERM');
}

/** Stops the API and waits for the responses. Returns them, and their time in milliseconds since the stop signal. */
async function answersOnStop(answers: Promise<Answer<Json>>[]): Promise<{ answers: Answer<Json>[]; ms: number }> {
  const began = performance.now();
  stopApi();
  return { answers: await Promise.all(answers), ms: performance.now() - began };
}

/** The client's events, of which the socket holds only a part until the response is read. */
async function slowlyRead(agent: Agent): Promise<IncomingMessage> {
  await sql(database)`INSERT INTO events (client_id, type, data)
     SELECT ${client.id}, 'wallet.credited', jsonb_build_object('text', repeat('x', 60000)) FROM generate_series(1, ${EVENTS})`;
  const response = await responseOver(agent, `/api/v1/webhooks/events?limit=${EVENTS}`);
  return response.pause();
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

  describe('and requests are open', () => {
    const connection = () => new Agent({ keepAlive: true, maxSockets: 1 });
    const [forWallets, forProbes, forEvents] = [connection(), connection(), connection()];
    let onStop: ReturnType<typeof answersOnStop>;
    let response: IncomingMessage;
    beforeAll(async () => {
      const waiting = create('esim_slow');
      await stateReached([waiting], 'PLACED');
      expect(await statusOver(forWallets, '/api/v1/wallets')).toEqual({ status: 200, connection: 'keep-alive' });
      expect(await statusOver(forProbes, '/ready')).toMatchObject({ status: 200 });
      response = await slowlyRead(forEvents);
      onStop = answersOnStop([waiting.answer]);
    });
    afterAll(async () => {
      for (const agent of [forWallets, forProbes, forEvents]) agent.destroy();
      await ready(stack);
    });

    test('then a request over an open connection is answered, and a probe finds that the API is not ready', async () => {
      await refusesConnections(stack.now().api_url);
      expect(await statusOver(forWallets, '/api/v1/wallets')).toEqual({ status: 200, connection: 'close' });
      expect(await statusOver(forProbes, '/ready')).toEqual({ status: 503, connection: 'close' });
    });

    test('then the response to a placed order that waits for its goods comes immediately with its current status', async () => {
      const { answers, ms } = await onStop;
      const [answer] = answers;
      expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
      expect(answer).toMatchObject({ status: 200, body: { status: 'PENDING' } });
      expect(answer?.headers.get('connection')).toBe('close');
    });

    test('then a client that slowly reads a response receives it whole', async () => {
      await sleep(4_000);
      expect(JSON.parse(Buffer.concat(await response.toArray()).toString())).toHaveLength(EVENTS);
    });
  });

  describe('and no worker takes a task', () => {
    let cancellation: Answer<Json> | undefined;
    let creations: Answer<Json>[];
    let ms: number;
    // More requests than are placed concurrently, so that some wait in the admission queue.
    const made: Create[] = [];
    beforeAll(async () => {
      const { api } = await newClient(database, { USD: 100 });
      const order = await place(api, orderOf('voucher_slow', { quantity: 6 }));
      await withoutWorker(async () => {
        const cancelled = api.post<Json>(`/api/v1/sandbox/orders/${order.id}/cancel`, {});
        // The worker is held until the API has this request.
        for (let reads = 0; reads < 5; reads++) await api.get('/api/v1/wallets');
        made.push(...Array.from({ length: 12 }, () => create('voucher_instant')));
        await stateReached(made, 'RESERVED');
        const onStop = await answersOnStop([cancelled, ...made.map(({ answer }) => answer)]);
        [cancellation, ...creations] = onStop.answers;
        ms = onStop.ms;
      });
    });
    afterAll(() => ready(stack));

    test('then a cancellation is answered immediately with 503, and the order may still be cancelled', () => {
      expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
      expect(cancellation).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
    });

    test('then requests whose orders are not yet placed are answered immediately with 503, and never placed', async () => {
      expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
      for (const answer of creations)
        expect(answer).toMatchObject(refusal('SERVICE_UNAVAILABLE', 'Service temporarily unavailable'));
      for (const reservation of made) expect([undefined, 'ABANDONED']).toContain(await reservationState(reservation));
      expect(
        await sql(database)`
        SELECT FROM orders WHERE client_id = ${client.id} AND family = 'VOUCHER'`,
      ).toEqual([]);
    });
  });

  test('When a large read waits for another one, then it is answered at once with 503, and the other one completes', async () => {
    const read = () => client.api.get('/api/v1/transactions?limit=10000');
    const first = await database.transaction(async (lock) => {
      await sql(database, lock)`LOCK TABLE transactions IN ACCESS EXCLUSIVE MODE`;
      const answer = read();
      await lockWaits(database, 1, 'transactions');
      const second = read();
      // The API has the second read before it answers these.
      for (let reads = 0; reads < 5; reads++) await client.api.get('/api/v1/products');
      stopApi();
      expect(await second).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
      return { answer };
    });
    expect(await first.answer).toMatchObject({ status: 200 });
    await ready(stack);
  });
}
