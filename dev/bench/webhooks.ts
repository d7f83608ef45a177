/**
 * The latency of webhooks, and their cost for orders: 10 orders a second, without an endpoint, with one, and with a
 * second, dead endpoint for which 10,000 events wait. The three take turns under the same conditions.
 * `npm run bench:webhooks -- [seconds of each turn]`, on the running stack or on a new one.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, rows, type Database } from '../../src/data/database/database';
import { eventTypes } from '../../src/domain/webhook-events';
import { withStack } from '../stack/launch';
import type { StackFile } from '../stack/stack-file';

const ORDERS_A_SECOND = 10;
const ROUNDS = 3;
const BACKLOG = 10_000;
/** The highest allowed median from commit to arrival, in milliseconds. */
const FLOOR = 250;

/** The measurements of one turn, in milliseconds. */
interface Turn {
  /** The time of each order request, from request to answer. */
  creates: number[];
  /** The time of each event, from the start of its transaction to its arrival. */
  lags: number[];
}

const situations = ['without endpoint', 'with an endpoint', `with a dead one (${BACKLOG} waiting)`] as const;
type Situation = (typeof situations)[number];

/** The API as the client `load`. */
class LoadClient {
  private constructor(
    private readonly stack: StackFile,
    private readonly token: string,
  ) {}

  static async login(stack: StackFile): Promise<LoadClient> {
    const { api_key: username, api_secret: password } = stack.clients['load'] ?? {};
    const response = await fetch(`${stack.api_url}/auth/login`, jsonRequest('POST', { username, password }));
    const { data } = (await response.json()) as { data: { access_token: string } };
    return new LoadClient(stack, data.access_token);
  }

  async call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const request = jsonRequest(method, body, { authorization: `Bearer ${this.token}` });
    const response = await fetch(`${this.stack.api_url}${path}`, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  }

  /** Registers an endpoint for every type and returns its path. */
  async register(url: string): Promise<string> {
    const path = '/api/v1/webhooks/endpoints';
    const { id } = await this.call<{ id: number }>('POST', path, { url, event_types: eventTypes });
    return `${path}/${id}`;
  }
}

function jsonRequest(method: string, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** A receiver that records the latency of each event. */
async function receive(lags: number[]): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const arrived = Date.now();
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const event = JSON.parse(body) as { type: string; created_at: string };
      lags.push(arrived - Date.parse(event.created_at));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, close: () => server.close(() => undefined).closeAllConnections() };
}

/** Creates orders at a steady rate, whether earlier ones are answered or not. */
async function placeOrders(client: LoadClient, stack: StackFile, seconds: number): Promise<number[]> {
  const scenario = stack.scenarios.find(({ name }) => name === 'voucher_instant');
  if (!scenario) throw new Error('The stack has no scenario voucher_instant');
  const creates: number[] = [];
  const place = async () => {
    const began = performance.now();
    await client.call('POST', scenario.path, scenario.body);
    creates.push(performance.now() - began);
  };
  const placed: Promise<void>[] = [];
  for (let order = 0; order < seconds * ORDERS_A_SECOND; order++) {
    placed.push(place());
    await sleep(1_000 / ORDERS_A_SECOND);
  }
  await Promise.all(placed);
  return creates;
}

async function takeTurn(
  situation: Situation,
  client: LoadClient,
  stack: StackFile,
  database: Database,
  seconds: number,
): Promise<Turn> {
  const lags: number[] = [];
  const receiver = await receive(lags);
  const endpoints: string[] = [];
  try {
    if (situation !== situations[0]) endpoints.push(await client.register(receiver.url));
    if (situation === situations[2]) endpoints.push(await registerDead(client, stack, database));
    const creates = await placeOrders(client, stack, seconds);
    await sleep(3_000);
    return { creates, lags };
  } finally {
    for (const path of endpoints) await client.call('DELETE', path);
    receiver.close();
  }
}

/** A dead endpoint, for which all events wait. */
async function registerDead(client: LoadClient, stack: StackFile, database: Database): Promise<string> {
  const path = await client.register('http://127.0.0.1:9/');
  const endpointId = Number(path.slice(path.lastIndexOf('/') + 1));
  await rows(
    database,
    `WITH written AS (
       INSERT INTO events (client_id, type, data)
       SELECT $clientId, 'webhook.test', '{}' FROM generate_series(1, $BACKLOG) RETURNING sequence)
     INSERT INTO webhook_deliveries (endpoint_id, event_sequence) SELECT $endpointId, sequence FROM written`,
    { clientId: stack.clients['load']?.client_id, endpointId, BACKLOG },
  );
  await sleep(8_000);
  return path;
}

/** The quantile of the values for a share. */
function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? NaN;
}

function report(situation: Situation, { creates, lags }: Turn): string {
  const of = (values: number[]) =>
    [0.5, 0.95, 0.99].map((share) => percentile(values, share).toFixed(0).padStart(5)).join('');
  return `${situation.padEnd(38)}${of(creates)}   ${lags.length === 0 ? '    -' : of(lags)}`;
}

async function measure(stack: StackFile): Promise<void> {
  const seconds = Number(process.argv[2] ?? 20);
  const database = openDatabase(stack.database_url, 2);
  const client = await LoadClient.login(stack);
  await placeOrders(client, stack, 5);

  const turns = new Map<Situation, Turn>(
    situations.map((situation) => [situation, { creates: [], lags: [] }]),
  );
  for (let round = 0; round < ROUNDS; round++) {
    for (const [situation, all] of turns) {
      const turn = await takeTurn(situation, client, stack, database, seconds);
      all.creates.push(...turn.creates);
      all.lags.push(...turn.lags);
    }
  }
  await database.close();

  console.log(`${ORDERS_A_SECOND} orders/s, ${ROUNDS} x ${seconds} s each; p50, p95, p99 in ms`);
  console.log(`${''.padEnd(38)}create            event, commit to arrival`);
  for (const [situation, turn] of turns) console.log(report(situation, turn));
  const median = percentile(turns.get(situations[1])?.lags ?? [], 0.5);
  if (!(median <= FLOOR))
    throw new Error(`Median from commit to arrival: ${median} ms, allowed are ${FLOOR}`);
}

void withStack(measure);
