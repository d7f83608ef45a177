/** The API process: connects to what it needs, serves, and on SIGTERM or SIGINT ends what it has begun. */
import { setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { join } from 'node:path';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { loadConfig, type Config } from '../config';
import { ChangeFeed } from '../data/database/change-feed';
import { openDatabase } from '../data/database/database';
import { KnownClients, rejectDemoClients } from '../data/clients/clients';
import { ensureDataKeys } from '../data/keys/data-keys';
import { holdKeys, type WatchedKeys } from '../data/keys/loaded-keys';
import { prepareSchema } from '../data/schema/migrate';
import { loadReferenceData } from '../data/schema/reference-data';
import { createLogger, outputTogether } from '../log';
import { registerSupplierCalls } from '../metrics/call-figures';
import { registerProcessFigures } from '../metrics/process-figures';
import { registerConnections, registerRequests } from '../metrics/request-figures';
import { figuresOf, serveFigures } from '../metrics/server';
import { observedSuppliers } from '../ordering/purchasing/observed-supplier';
import { OrderCreation } from '../ordering/placement/order-creation';
import { CompletionNotifier } from '../ordering/placement/completion-notifier';
import { OrderRejections, watchService } from '../ordering/maintenance/service-watch';
import { OrderWorkers } from '../ordering/placement/order-workers';
import { SentPurchases } from '../ordering/purchasing/send-and-look-up';
import { TemporalStorage } from '../ordering/placement/temporal-storage';
import { LocalKeyEncryption } from '../security/key-encryption';
import { Sealer } from '../security/sealing';
import { suppliersFrom } from '../suppliers/registry';
import { sandboxControlsFrom } from '../suppliers/registry';
import { connectTemporal } from '../temporal/connection';
import { registerSearchAttributes } from '../temporal/register-search-attributes';
import { startTracing, type TemporalTracing } from '../tracing/start';
import { createApp } from './app';
import { readPage } from './shared/page-files';
import type { Dependencies } from './dependencies';
import { messagesOf } from './express-messages';
import { httpServer } from './http-server';
import type { CallWindows } from './rate-limits/call-windows';
import { MemoryWindows } from './rate-limits/memory-windows';
import { RedisWindows } from './rate-limits/redis-windows';
import { RateLimiter } from './rate-limits/rate-limiter';
import { safeHeaders } from './safe-headers';
import { KeptAnswers } from './shared/kept-answers';
import type { UnfinishedAnswers } from './unfinished-answers';

/** Where the console is in what is built. */
const CONSOLE = join(__dirname, '..', '..', 'console');
const REFERENCE = join(__dirname, '..', '..', 'docs');

/** How long requests may go on after the signal to stop. Those that wait for something are answered at once. */
const SHUTDOWN_MS = 3_000;
/**
 * How long a create may still be placed after it, and what is sent over a connection that is open already is still
 * answered: a client that has just sent something is not to blame.
 */
const CLOSING_MS = 1_500;

async function main(): Promise<void> {
  const config = loadConfig();
  const [stopping, closing] = [new AbortController(), new AbortController()];
  // Every create that waits listens to them.
  setMaxListeners(0, stopping.signal, closing.signal);
  const figures = new Registry();
  const tracing = await startTracing('api', config.tracesUrl);
  const signals = { stopping: stopping.signal, closing: closing.signal };
  const { deps, keys } = await connect(config, signals, figures, tracing);
  const { server, unfinished } = await listen(createApp(deps), config, stopping.signal);
  const { host, apiPort: port } = config.metrics;
  registerConnections(figures, server);
  const address = { host, port, setting: 'API_METRICS_PORT' };
  await serveFigures(address, { '/metrics': () => figuresOf(figures) });
  deps.log.info({ host: config.api.host, port: config.api.port }, 'API ready');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(
      signal,
      () =>
        void stop(server, unfinished, { stopping, closing }, deps, keys)
          .then(tracing.end)
          .then(() => process.exit(0)),
    );
  }
}

async function connect(
  config: Config,
  { stopping, closing }: { stopping: AbortSignal; closing: AbortSignal },
  figures: Registry,
  tracing: TemporalTracing,
): Promise<{ deps: Dependencies; keys: WatchedKeys }> {
  const { url, poolSize, preparesStatements } = config.database;
  await prepareSchema(config).catch((error: NodeJS.ErrnoException) => {
    const reason = error.message || error.code;
    throw new Error(`PostgreSQL at DATABASE_URL (${new URL(url).host}) cannot be used: ${reason}`);
  });
  const database = openDatabase(url, poolSize, { preparesStatements });
  if (config.mode === 'production') await rejectDemoClients(database);
  await loadReferenceData(database);
  const log = createLogger('api', config.logLevel, outputTogether());
  const encryption = new LocalKeyEncryption(config.secretKeys);
  await ensureDataKeys(database, encryption);
  const keys = await holdKeys({ database, encryption, log, role: 'api' });
  const { ring: keyRing } = keys;
  const sealer = new Sealer(keyRing, (place, err) =>
    log.error({ place, err }, 'a sealed value does not open'),
  );
  const temporal = await connectTemporal(config, keyRing, { interceptors: tracing.clientInterceptors });
  // The API may start before any worker, and a fresh server knows none: /ready would take it for an emptied one.
  void registerSearchAttributes(temporal).catch((err: unknown) => {
    log.warn({ err }, 'the search attributes are not registered; a worker will do it');
  });
  registerProcessFigures(figures, { main: database });
  const observe = registerSupplierCalls(figures);
  const suppliers = observedSuppliers(suppliersFrom(config), { database, sealer, observe });
  const limits = config.api.creates;
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
    limits,
    stopping,
    closing,
    workers: orderWorkers,
    storage: temporalStorage,
    completions: new CompletionNotifier(changes),
  });
  const rateLimiter = new RateLimiter(callWindows(config, log), config.mode);
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
    knownClients: new KnownClients(database, changes),
    keptAnswers: new KeptAnswers(database, changes),
    consoleFiles: readPage(CONSOLE),
    referenceFiles: readPage(REFERENCE),
    suppliers,
    sentPurchases: new SentPurchases(),
    sandboxControls: sandboxControlsFrom(config),
    log,
    requestFigures: registerRequests(figures, (reason) => rejections.count(reason)),
    stopping,
  };
  return { deps, keys };
}

/** What counts calls: all processes together where they share a Redis, else this one by itself. */
function callWindows({ api: { redisUrl } }: Config, log: Logger): CallWindows {
  const own = new MemoryWindows();
  return redisUrl === undefined ? own : new RedisWindows(redisUrl, own, log);
}

/**
 * Accepts requests from now on; once it stops each answer is the last one of its connection. Throws a sentence that names
 * the port when it cannot be had.
 */
async function listen(
  app: Express,
  { api, mode }: Config,
  stopping: AbortSignal,
): Promise<{ server: Server; unfinished: UnfinishedAnswers }> {
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const { maxConnections } = api;
  const limits = { maxConnections, isProxy: (address: string) => isTrusted(address, 0) };
  const { server, unfinished } = httpServer(app, limits, safeHeaders(mode), messagesOf(app));
  server.prependListener('request', (_request, response) => {
    if (stopping.aborted) response.setHeader('Connection', 'close');
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Error(`API_PORT ${api.port} on ${api.host} cannot be listened on: ${error.message}`));
    });
    server.listen(api.port, api.host, () => resolve({ server, unfinished }));
  });
}

/**
 * Takes no new connection, has what waits answered as it stands, lets requests under way finish, hangs up on who has
 * nothing to say, then lets go of database and Temporal. docs/specification.md#stopping.
 */
async function stop(
  server: Server,
  unfinished: UnfinishedAnswers,
  { stopping, closing }: { stopping: AbortController; closing: AbortController },
  { database, temporal, log }: Dependencies,
  keys: WatchedKeys,
): Promise<void> {
  log.info('API stopping');
  // Tells each client to send its next request elsewhere, so that no connection is closed under one.
  for (const response of unfinished.all())
    if (!response.headersSent) response.setHeader('Connection', 'close');
  stopping.abort();
  // Closing an HTTP server also hangs up on idle connections, under requests that are on their way.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  const hangUp = setTimeout(() => {
    closing.abort();
    server.closeIdleConnections();
  }, CLOSING_MS);
  const cut = setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS);
  await closed;
  clearTimeout(hangUp);
  clearTimeout(cut);
  await Promise.allSettled([keys.stop(), temporal.connection.close()]);
  await Promise.allSettled([database.close()]);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
