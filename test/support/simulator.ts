/** A simulator in this process, and the helpers of a buyer. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../dev/simulator/server';
import type { Modes, Selector } from '../../dev/simulator/modes';
import type { PurchaseLookup, PurchaseRequest, Supplier } from '../../src/domain/suppliers/port';
import { createSimulatorSupplier, type SimulatorSupplierOptions } from '../../src/suppliers/simulator';

export const secret = 'a-secret-of-the-tests';

const cleanups: (() => Promise<void> | void)[] = [];

/** Runs the tests' clean-up functions, latest first. Call in `afterEach`. */
export async function cleanUp(): Promise<void> {
  while (cleanups.length > 0) await cleanups.pop()?.();
}

export function newStateFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  return join(folder, 'state', 'journal.jsonl');
}

/** Starts a simulator whose scenarios run a hundred times faster. */
export async function start(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const stateFile = options.stateFile ?? newStateFile();
  const simulator = await startSimulator({
    host: '127.0.0.1',
    port: 0,
    secret,
    latencyMs: 0,
    timeScale: 0.01,
    maxUnits: 500,
    ...options,
    stateFile,
  });
  let open = true;
  const close = async (): Promise<void> => {
    if (open) await simulator.close();
    open = false;
  };
  cleanups.push(close);
  return { url: simulator.url, close };
}

/** The service's adapter for this address. */
export function supplierAt({ url }: Pick<Simulator, 'url'>, options: Partial<SimulatorSupplierOptions> = {}): Supplier {
  return createSimulatorSupplier({ url, secret, maxUnits: 500, purchaseTimeoutMs: 5_000, ...options });
}

/** A `mayBeSent` that always allows the request. */
export const always = (): boolean => true;

export function lookupOf({ reference, family, sku, units }: PurchaseRequest): PurchaseLookup {
  return { reference, family, sku, units };
}

/** Calls one of the simulator's controls. */
export async function control(
  { url }: Pick<Simulator, 'url'>,
  path: string,
  body?: unknown,
  method = 'POST',
): Promise<Response> {
  return fetch(`${url}/control/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
}

/** Makes the simulator misbehave for all calls or for the selector's calls. */
export async function behave(simulator: Pick<Simulator, 'url'>, modes: Modes, selector: Selector = {}): Promise<void> {
  const { status } = await control(simulator, 'behaviour', { ...selector, modes }, 'PUT');
  if (status !== 200) throw new Error(`these modes were answered ${status}`);
}

/** The list of `GET /control/purchases`. */
export async function bought(simulator: Simulator, query = ''): Promise<unknown[]> {
  const response = await control(simulator, `purchases${query}`, undefined, 'GET');
  return response.json() as Promise<unknown[]>;
}

export interface ReceivedPush {
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
}

export interface PushReceiver {
  url: string;
  /** The next unread push. */
  next(): Promise<ReceivedPush>;
}

/** Receives pushes; answers them with the given statuses in turn, then with 200. */
export async function receivePushes(...statuses: number[]): Promise<PushReceiver> {
  const received: ReceivedPush[] = [];
  const waiting: ((push: ReceivedPush) => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(statuses.shift() ?? 200).end();
      const push = { headers: request.headers, rawBody: Buffer.concat(chunks) };
      const taker = waiting.shift();
      if (taker) taker(push);
      else received.push(push);
    });
  });
  const url = await listen(server);
  return {
    url,
    next: () =>
      new Promise((resolve) => {
        const push = received.shift();
        if (push) resolve(push);
        else waiting.push(resolve);
      }),
  };
}

/** A server that handles every connection with the given function. */
export async function startTcp(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  cleanups.push(() => sockets.forEach((socket) => socket.destroy()));
  return listen(server as unknown as Server);
}

/** A server that gives this response to every request. */
export function startAnswering(status: number, body: string, headers: Record<string, string> = {}): Promise<string> {
  return listen(createServer((_request, response) => response.writeHead(status, headers).end(body)));
}

/** A purchase in the response of a test server. */
export interface ShownPurchase {
  id?: string;
  status?: string;
  /** The units as JSON text, which may hold values that no serializer writes. */
  goods: string | Buffer;
  /** What the response says that was sold. */
  sold?: { sku?: string; units?: number };
}

/** A server that answers every purchase and lookup with one purchase under its reference. */
export function startShowing(shown: () => ShownPurchase): Promise<string> {
  return listen(createServer((request, response) => void show(shown(), request, response)));
}

async function show(shown: ShownPurchase, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sent = Buffer.concat((await request.toArray()) as Buffer[]).toString();
  const asked = new URL(request.url ?? '/', 'http://any').searchParams.get('reference');
  const { reference } = asked === null ? (JSON.parse(sent) as PurchaseRequest) : { reference: asked };
  const { id = 'P0123456789abcdef01', status = 'DELIVERED', goods, sold } = shown;
  const head = `${JSON.stringify({ id, reference, status, ...sold }).slice(0, -1)},"goods":[`;
  const [before, after] = asked === null ? ['', ''] : ['{"purchases":[', ']}'];
  for (const part of [before, head, goods, ']}', after]) response.write(part);
  response.end();
}

/** A port without a listener. */
export async function closedPort(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

/** A purchase of one coffee card, with overrides. */
export function purchaseOf(changes: Partial<PurchaseRequest> = {}): PurchaseRequest {
  return {
    reference: 'order-12-abcdef-0001',
    family: 'VOUCHER',
    sku: 'SIM-GC-COFFEE-US',
    units: 1,
    unitValue: '10.00',
    currency: 'USD',
    ...changes,
  };
}

/** A top-up for a phone number with these last three digits. */
export function topupFor(digits: string, reference = `order-7-abcdef-${digits}`): PurchaseRequest {
  return purchaseOf({
    reference,
    family: 'TOPUP',
    sku: 'SIM-TU-LIBERTY-AIRTIME',
    input: { phone_number: `+12025550${digits}` },
  });
}

export function esimOf(sku: string, reference = 'order-9-abcdef-0001'): PurchaseRequest {
  return purchaseOf({ reference, family: 'ESIM', sku, unitValue: '5.00' });
}

/** Serves on a free port of this machine until `cleanUp`. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => void server.close().closeAllConnections?.());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
