/** The API in the process of the test, with dependencies that no running process has: a lost database, the mode of production. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client as TemporalClient } from '@temporalio/client';
import { pino } from 'pino';
import type { Dependencies } from '../../src/api/dependencies';
import { MemoryWindows } from '../../src/api/rate-limits/call-windows';
import { RateLimiter } from '../../src/api/rate-limits/rate-limiter';
import { createApp } from '../../src/api/server/app';
import { findSessionClient } from '../../src/data/clients/clients';
import type { ChangeFeed } from '../../src/data/database/change-feed';
import type { Database } from '../../src/data/database/database';
import { OrderCreation } from '../../src/ordering/placement/order-creation';
import { OrderWorkers } from '../../src/ordering/placement/order-workers';
import { TemporalStorage } from '../../src/ordering/placement/temporal-storage';
import { WaitingRequests } from '../../src/ordering/placement/wait-for-response';
import { Sealer } from '../../src/security/sealing';
import type { SessionOwner } from '../../src/security/tokens';
import type { Config } from '../../src/settings/config';
import { createSimulatorSupplier } from '../../src/suppliers/simulator';
import type { OwnClient } from './clients';
import { stackKeyRing } from '../../dev/testbed/stack-keys';
import { ApiClient } from './stack';

const log = pino({ level: 'silent' });

/** A feed from which every notification gets lost. */
export const silentFeed = { isConnected: true, onProgress: () => undefined };

interface OwnCreation {
  database: Database;
  temporal: TemporalClient;
  notifications?: Pick<ChangeFeed, 'onProgress' | 'isConnected'>;
}

/** Creates orders as the API does, on this database and with notifications from this feed. */
export async function orderCreation(own: OwnCreation): Promise<OrderCreation> {
  const { database, temporal, notifications = silentFeed } = own;
  const { signal } = new AbortController();
  return new OrderCreation({
    database,
    temporal,
    log,
    stopping: signal,
    closing: signal,
    sealer: new Sealer(await stackKeyRing()),
    suppliers: new Map([
      ['simulator', createSimulatorSupplier({ url: 'http://127.0.0.1:1', secret: 'unused', maxUnits: 500 })],
    ]),
    limits: { maxInFlight: 10, maxConcurrent: 10 },
    mailboxes: { dotsMatter: false },
    workers: new OrderWorkers({ database, temporal, log }),
    storage: new TemporalStorage({ temporal, log }),
    waiting: new WaitingRequests(database, notifications),
  });
}

const anything: unknown = new Proxy(() => undefined, { get: () => anything, apply: () => anything });

/** The requests of these tests do not use the remaining dependencies. */
function completed(known: object): object {
  return new Proxy(known, { get: (_known, name): unknown => (name in known ? Reflect.get(known, name) : anything) });
}

interface OwnDependencies extends Partial<Dependencies> {
  database: Database;
}

/**
 * Serves the API with these dependencies to a client with a session of the stack. `sessions` finds the session, as the cache of a
 * process does whose database is lost. Close it after use.
 */
export async function ownApi(
  client: OwnClient,
  own: OwnDependencies,
  { mode, sessions = own.database }: { mode: Config['mode']; sessions?: Database },
): Promise<{ api: ApiClient; close: () => void }> {
  const deps = completed({
    keyRing: await stackKeyRing(),
    log,
    suppliers: new Map(),
    config: completed({ mode, api: { trustedProxies: [] } }),
    rateLimiter: new RateLimiter(new MemoryWindows(), mode),
    knownClients: { find: (owner: SessionOwner) => findSessionClient(sessions, { ...owner, memberId: null }) },
    members: { router: () => undefined },
    sandboxControls: undefined,
    sandboxFaults: undefined,
    ...own,
  }) as Dependencies;
  const server = createServer(createApp(deps)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const token = await client.api.accessToken();
  const api = new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const send = api.send.bind(api);
  api.send = (path, request) =>
    send(path, { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });
  return { api, close: () => server.close() };
}
