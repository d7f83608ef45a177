/** The API process: connects, serves, and on SIGTERM or SIGINT stops in order. */
import { setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { join } from 'node:path';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { loadApiConfig, type Config, type MemberIdentityConfig } from '../settings/config';
import type { About } from '../settings/about-settings';
import { misspeltSettings } from '../settings/misspelt-settings';
import { storeKeyUses } from '../data/clients/api-keys';
import { storeApiRequests, type ApiRequest } from '../data/clients/api-requests';
import { KnownClients } from '../data/clients/clients';
import { ChangeFeed } from '../data/database/change-feed';
import { openDatabase, poolUse, type Database } from '../data/database/database';
import { ensureDataKeys } from '../data/keys/data-keys';
import { holdKeys, type WatchedKeys } from '../data/keys/loaded-keys';
import { prepareSchema } from '../data/schema/migrate';
import { safeHeaders } from '../http/checks';
import { httpServer, type InFlightResponses } from '../http/http-server';
import { createLogger, bufferedOutput } from '../process/log';
import { registerSupplierCalls } from '../metrics/outcome-metrics';
import {
  registerClientCertificate,
  registerOptionalConnections,
  registerProcessMetrics,
} from '../metrics/process-metrics';
import { registerConnections, registerRequests } from '../metrics/request-metrics';
import { metricsOf, serveMetrics } from '../metrics/server';
import { watchService, OrderRejections } from '../ordering/service-watch';
import { PriceLists } from '../ordering/price-lists';
import { OrderCreation } from '../ordering/placement/order-creation';
import { OrderWorkers } from '../ordering/placement/order-workers';
import { TemporalStorage } from '../ordering/placement/temporal-storage';
import { WaitingRequests } from '../ordering/placement/wait-for-response';
import { CircuitBreaker, shareCalls } from '../ordering/purchasing/circuit-breaker';
import { observedSuppliers } from '../ordering/purchasing/limited-and-observed-calls';
import { SentPurchases } from '../ordering/purchasing/conclusive-lookups';
import { sharedState } from '../ordering/purchasing/shared-tokens-and-turns';
import { readFiles, readPageFile } from '../page-files/page-files';
import { LocalKeyEncryption } from '../security/key-encryption';
import { Sealer } from '../security/sealing';
import { collectStartGarbage } from '../process/start-garbage';
import { loggedSuppliers } from '../settings/supplier-environments';
import { suppliersFrom, sandboxControlsFrom } from '../suppliers/registry';
import { connectTemporal } from '../temporal/connection';
import { registerSearchAttributes } from '../temporal/prepare';
import type { TemporalTracing } from '../tracing/opentelemetry';
import { startTracing } from '../tracing/start';
import { openMembersIdentity } from '../identity/members';
import type { Identity } from '../identity/identity';
import { AuthLimits } from './auth/limits';
import { SessionTokens } from './auth/session-tokens';
import type { Dependencies } from './dependencies';
import { withAbout } from './guides/about-page';
import { Downloads } from './guides/downloads';
import { ApiRequestLog } from './middleware/api-request-log';
import { KeyUseLog } from './middleware/key-uses';
import { ShownCodes } from './middleware/shown-codes';
import { sandboxFaultsIn } from './orders/rehearsed-faults';
import { MemoryWindows } from './rate-limits/call-windows';
import { RateLimiter } from './rate-limits/rate-limiter';
import type { RedisWindows } from './rate-limits/redis-windows';
import { createApp, messageClassesOf } from './server/app';
import { ResponseCache } from './shared/response-cache';
import { proxiesOf } from '../http/trusted-proxies';

/** The folders of the built pages. */
const CONSOLE = join(__dirname, '..', '..', 'console');
const REFERENCE = join(__dirname, '..', '..', 'docs');

/** How long requests may continue after the signal to stop. Waiting requests are answered at once. */
const SHUTDOWN_MS = 3_000;
/** How long after the signal a response may last that began within `SHUTDOWN_MS`. */
const RESPONSE_MS = 10_000;
/** How long after the signal the process still accepts requests and places orders: clients may have just sent them. */
const CLOSING_MS = 1_500;

async function main(): Promise<void> {
  const { config, members: memberConfig } = loadApiConfig();
  const [stopping, closing] = [new AbortController(), new AbortController()];
  // Every waiting order request listens to both signals, so the number of listeners has no limit.
  setMaxListeners(0, stopping.signal, closing.signal);
  const registry = new Registry();
  const tracing = await startTracing('api', config.tracesUrl);
  const signals = { stopping: stopping.signal, closing: closing.signal };
  const { deps, keys, members } = await connect({ config, memberConfig }, signals, registry, tracing);
  const app = createApp(deps);
  collectStartGarbage();
  const { server, inFlight } = await listen(app, config, stopping.signal);
  const { host, apiPort: port } = config.metrics;
  registerConnections(registry, server);
  const address = { host, port, setting: 'API_METRICS_PORT' };
  await serveMetrics(address, { '/metrics': () => metricsOf(registry) });
  const { host: apiHost, port: apiPort } = config.api;
  deps.log.info({ host: apiHost, port: apiPort, suppliers: loggedSuppliers(config) }, 'API ready');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(
      signal,
      () =>
        void stop(server, inFlight, { stopping, closing }, deps, keys)
          .then(() => members.close())
          .then(tracing.end)
          .then(() => process.exit(0)),
    );
  }
}

async function connect(
  { config, memberConfig }: { config: Config; memberConfig: MemberIdentityConfig },
  { stopping, closing }: { stopping: AbortSignal; closing: AbortSignal },
  registry: Registry,
  tracing: TemporalTracing,
): Promise<{ deps: Dependencies; keys: WatchedKeys; members: Identity }> {
  const { url, poolSize } = config.database;
  await prepareSchema(config).catch((error: NodeJS.ErrnoException) => {
    const reason = error.message || error.code;
    throw new Error(`PostgreSQL at DATABASE_URL (${new URL(url).host}) cannot be used: ${reason}`);
  });
  const database = openDatabase(url, poolSize, { rateStopHours: config.rateStopHours });
  const log = createLogger('api', config.logLevel, bufferedOutput());
  for (const sentence of misspeltSettings()) log.warn(sentence);
  const encryption = new LocalKeyEncryption(config.secretKeys);
  await ensureDataKeys(database, encryption);
  const keys = await holdKeys({ database, encryption, log, role: 'api' });
  const { ring: keyRing } = keys;
  const sealer = new Sealer(keyRing, (place, err) => log.error({ place, err }, 'a sealed value cannot be decrypted'));
  const temporal = await connectTemporal(config, keyRing, { interceptors: tracing.clientInterceptors });
  // The API may start before any worker. Without the attributes, /ready would report a fresh server as emptied.
  void registerSearchAttributes(temporal).catch((err: unknown) => {
    log.warn({ err }, 'the search attributes are not registered; a worker will do it');
  });
  const stateOf = (supplier: string) => sharedState({ database, sealer: () => sealer }, supplier);
  const circuits = new CircuitBreaker(database);
  void shareCalls(circuits, log, { stopping, buys: false });
  const records = { database, sealer, circuits, observe: registerSupplierCalls(registry) };
  const suppliers = observedSuppliers(suppliersFrom(config, stateOf), records);
  const orderWorkers = new OrderWorkers({ database, temporal, log });
  void orderWorkers.watch(stopping);
  const temporalStorage = new TemporalStorage({ temporal, log });
  void temporalStorage.watch(stopping);
  const changes = await ChangeFeed.open(url, log, stopping);
  const creation = new OrderCreation({
    database,
    sealer,
    temporal,
    suppliers,
    log,
    limits: config.api.orderRequests,
    mailboxes: config.mailboxes,
    stopping,
    closing,
    workers: orderWorkers,
    storage: temporalStorage,
    waiting: new WaitingRequests(database, changes),
  });
  const redis = await redisWindows(config, log);
  const rateLimiter = new RateLimiter(redis ?? new MemoryWindows(), config.mode);
  registerMetrics(registry, database, changes, redis);
  registerClientCertificate(registry, config.temporal);
  const rejections = new OrderRejections();
  void watchService({ database, temporal, orderWorkers, rejections, log }, stopping);
  const deps = {
    config,
    database,
    keyRing,
    sealer,
    temporal,
    creation,
    orderWorkers,
    temporalStorage,
    rateLimiter,
    authLimits: new AuthLimits(rateLimiter),
    ...cachesOf(database, changes),
    ...pagesOf(config.api.about, stopping),
    suppliers,
    sentPurchases: new SentPurchases(),
    priceChangeLimitPercent: config.priceChangeLimitPercent,
    sandboxControls: sandboxControlsFrom(config),
    sandboxFaults: sandboxFaultsIn(config, database, stopping),
    log,
    requestMetrics: registerRequests(registry, (reason) => rejections.count(reason)),
    ...logsOf(database, log),
    members: await openMembersIdentity(memberConfig, log),
    stopping,
  };
  return { deps, keys, members: deps.members };
}

function cachesOf(database: Database, changes: ChangeFeed) {
  return {
    knownClients: new KnownClients(database, changes),
    sessionTokens: new SessionTokens(database),
    shownCodes: new ShownCodes(database),
    responseCache: new ResponseCache(database, changes),
    priceLists: new PriceLists(database),
  };
}

function pagesOf(about: About, stopping: AbortSignal) {
  return {
    consoleFiles: readPageFile(CONSOLE),
    referenceFiles: readPageFile(REFERENCE),
    guideFiles: withAbout(readFiles(join(REFERENCE, 'guides')), about),
    downloads: new Downloads(join(REFERENCE, 'downloads'), stopping),
    pictures: readFiles(join(REFERENCE, 'pictures')),
  };
}

function logsOf(database: Database, log: Logger) {
  const store = (requests: readonly ApiRequest[]) => storeApiRequests(database, requests);
  return {
    apiRequestLog: new ApiRequestLog({ store, isBusy: () => poolUse(database).waiting > 0 }, log),
    keyUses: new KeyUseLog((uses) => storeKeyUses(database, uses), log),
  };
}

function registerMetrics(
  registry: Registry,
  database: Database,
  changes: ChangeFeed,
  redis: RedisWindows | undefined,
): void {
  registerProcessMetrics(registry, { main: database });
  registerOptionalConnections(registry, {
    changes: () => changes.isConnected,
    ...(redis && { redis: () => redis.isAnswering }),
  });
}

/**
 * Processes that share a Redis count calls together. Without Redis, each process counts by itself, and its start does not load
 * the client library.
 */
async function redisWindows({ api: { redisUrl } }: Config, log: Logger): Promise<RedisWindows | undefined> {
  if (redisUrl === undefined) return undefined;
  const library = await import('./rate-limits/redis-windows.js');
  return new library.RedisWindows(redisUrl, new MemoryWindows(), log);
}

/**
 * Accepts requests. Once the process stops, each response is the last one of its connection. Throws an error that
 * names the port if it is in use.
 */
async function listen(
  app: Express,
  { api, mode }: Config,
  stopping: AbortSignal,
): Promise<{ server: Server; inFlight: InFlightResponses }> {
  const limits = { maxConnections: api.maxConnections, isProxy: proxiesOf(app) };
  const { server, inFlight } = httpServer(app, limits, safeHeaders(mode), messageClassesOf(app));
  server.prependListener('request', (_request, response) => {
    if (stopping.aborted) response.setHeader('Connection', 'close');
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Error(`Cannot listen on port ${api.port} of ${api.host} (API_PORT): ${error.message}`));
    });
    server.listen(api.port, api.host, () => resolve({ server, inFlight }));
  });
}

/**
 * Accepts no new connections, answers waiting requests with the current state, lets requests in progress finish,
 * closes idle connections, and then disconnects from database and Temporal. docs/specification.md#stopping.
 */
async function stop(
  server: Server,
  inFlight: InFlightResponses,
  { stopping, closing }: { stopping: AbortController; closing: AbortController },
  { database, temporal, log, apiRequestLog, keyUses }: Dependencies,
  keys: WatchedKeys,
): Promise<void> {
  log.info('API stopping');
  // Each client sends its next request over a new connection, so that no connection closes under a request.
  for (const response of inFlight.all()) if (!response.headersSent) response.setHeader('Connection', 'close');
  stopping.abort();
  // The HTTP server's own `close` would also close idle connections, on which requests may be arriving.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  const closingTimer = setTimeout(() => {
    closing.abort();
    // Node takes a connection for idle as soon as its response is written, even if most of it is not sent yet.
    if (!inFlight.all().some(({ writableEnded }) => writableEnded)) server.closeIdleConnections();
  }, CLOSING_MS);
  const shutdownTimer = setTimeout(() => inFlight.closeConnections(), SHUTDOWN_MS);
  const responseTimer = setTimeout(() => server.closeAllConnections(), RESPONSE_MS);
  await closed;
  for (const timer of [closingTimer, shutdownTimer, responseTimer]) clearTimeout(timer);
  await Promise.allSettled([keys.stop(), temporal.connection.close(), apiRequestLog.close(), keyUses.flush()]);
  await Promise.allSettled([database.close()]);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
