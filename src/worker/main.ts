/** The worker process: runs the workflows of orders and what they ask of the world. */
import type { Server } from 'node:http';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { createActivities, webhookActivities } from '../../activities';
import type { ActivityDependencies } from '../../activities/dependencies';
import { loadConfig, type Config } from '../config';
import { openDatabase, type Database } from '../data/database/database';
import { ensureDataKeys } from '../data/keys/data-keys';
import { holdKeys } from '../data/keys/loaded-keys';
import { completionNotifier } from '../data/orders/completion-notifications';
import { rejectDemoClients } from '../data/clients/clients';
import { registerMaintenanceTasks } from '../data/operations/maintenance-tasks';
import { prepareSchema } from '../data/schema/migrate';
import { shareResultFor } from '../async/promises';
import { hour, second } from '../domain/time';
import { createLogger } from '../log';
import { registerDeliveries, registerSupplierCalls } from '../metrics/call-figures';
import { registerOrderEnds } from '../metrics/order-figures';
import { registerProcessFigures, type Pools } from '../metrics/process-figures';
import { figuresOf, serveFigures } from '../metrics/server';
import { registerStoredFigures } from '../metrics/stored-figures';
import { createMailer } from '../notifications/mail/send';
import { pollOutbox, type OutboxPollerDependencies } from '../notifications/webhooks/outbox-poller';
import { createWebhookSender, observedSender } from '../notifications/webhooks/sender';
import { observedSuppliers } from '../ordering/purchasing/observed-supplier';
import { mirrorAttention, type MirrorDependencies } from '../ordering/maintenance/attention-mirror';
import { SentPurchases } from '../ordering/purchasing/send-and-look-up';
import { LocalKeyEncryption } from '../security/key-encryption';
import { Sealer } from '../security/sealing';
import { suppliersFrom } from '../suppliers/registry';
import { connectionOptions, connectTemporal, dataConverter } from '../temporal/connection';
import { startTracing } from '../tracing/start';
import { keepTemporalPrepared, prepareTemporal } from '../temporal/prepare';
import { operatorSinks, workerInterceptors } from './interceptors';
import { health, readiness, type ProbedParts } from './probes';
import { installSdkRuntime } from './sdk-runtime';
import { createWorkers } from './workers';

/**
 * Nobody waits for a webhook's statement; given up early, what it was to write down would be sent again. It
 * is less than a delivery activity may take.
 */
const WEBHOOKS_ACQUIRE_LIMIT_MS = 30_000;

/** Figures are read at once or not at all: nothing of them may stand in the way of anything else. */
const FIGURES_LIMITS = { statementMs: 1_000, acquireMs: 1_000 };

/** How long a statement that reads whole tables may take. */
const PATIENT_MS = 6 * hour;

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger('worker', config.logLevel);
  const sdkMetrics = await installSdkRuntime(log);
  const figures = new Registry();
  const tracing = await startTracing('worker', config.tracesUrl);
  await prepareSchema(config).catch((error: Error) => {
    throw new Error(`PostgreSQL at DATABASE_URL cannot be used: ${error.message}`);
  });
  const { url, poolSize, preparesStatements } = config.database;
  const database = openDatabase(url, poolSize, { preparesStatements });
  if (config.mode === 'production') await rejectDemoClients(database);
  const encryption = new LocalKeyEncryption(config.secretKeys);
  await ensureDataKeys(database, encryption);
  // A connection of its own: however busy the others are, it is known that this process runs.
  const presence = openDatabase(url, 1, { preparesStatements });
  const keys = await holdKeys({ database: presence, encryption, log, role: 'worker' });
  const { ring: keyRing } = keys;
  const sealer = new Sealer(keyRing);
  const context = {
    database,
    auditDatabase: openAuditDatabase(config),
    sealer,
    sentPurchases: new SentPurchases(),
    suppliers: observedSuppliers(suppliersFrom(config), {
      database,
      sealer,
      observe: registerSupplierCalls(figures),
    }),
    mailer: createMailer(config.mail),
    temporal: await connectTemporal(config, keyRing, { interceptors: tracing.clientInterceptors }),
    openPatientDatabase: () => openDatabase(url, 1, { statementMs: PATIENT_MS, preparesStatements }),
    eventRetentionDays: config.eventRetentionDays,
    countEnd: registerOrderEnds(figures),
    notifyCompletion: completionNotifier(database),
  };
  const sender = observedSender(createWebhookSender(config.webhooks), registerDeliveries(figures));
  const webhooks = { ...context, database: openWebhooksDatabase(config), sender, log };
  const figuresDatabase = openDatabase(url, 1, { ...FIGURES_LIMITS, preparesStatements });
  const workers: Worker[] = [];
  const server = await tellFigures(config, {
    figures,
    sdkMetrics,
    probed: { ...context, workers: () => workers },
    pools: { main: database, webhooks: webhooks.database },
    figuresDatabase,
  });
  await prepareTemporal(context.temporal);
  await registerMaintenanceTasks(database);
  const connection = await NativeConnection.connect(connectionOptions(config.temporal));
  const created = await createWorkers({
    connection,
    namespace: config.temporal.namespace,
    dataConverter: dataConverter(keyRing),
    activities: createActivities(context),
    webhooks: webhookActivities(webhooks),
    sinks: operatorSinks(database),
    interceptors: workerInterceptors(tracing, log),
    version: config.deploymentVersion,
    spans: tracing.sinks,
  });
  workers.push(...created);
  log.info({ taskQueues: workers.map((worker) => worker.options.taskQueue) }, 'worker ready');
  const running = Promise.all(workers.map((worker) => worker.run()));
  // The SDK stops the workers by itself: what they have begun is finished.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void keys.pollsOrders(null));
  }
  await keys.pollsOrders(config.deploymentVersion ?? '');
  const end = startBackground({ ...context, log }, webhooks);
  await running;
  await end();
  server.close().closeAllConnections();
  await webhooks.database.close();
  await figuresDatabase.close();
  await keys.stop();
  await presence.close();
  await stop(context, connection);
  await tracing.end();
}

/** Starts the work of a worker process that no workflow asks for. Returns what ends it. */
function startBackground(deps: MirrorDependencies, webhooks: OutboxPollerDependencies): () => Promise<void> {
  const stopping = new AbortController();
  const { temporal, log } = deps;
  const background = Promise.all([
    pollOutbox(webhooks, stopping.signal),
    mirrorAttention(deps, stopping.signal),
    keepTemporalPrepared(temporal, log, stopping.signal),
  ]);
  return async () => {
    stopping.abort();
    await background;
  };
}

/** The connection of maintenance as the retention role. Production keeps that role apart from the service's. */
function openAuditDatabase({ mode, database }: Config): Database {
  const { url, retentionUrl, preparesStatements } = database;
  if (mode === 'production' && retentionUrl === undefined) {
    throw new Error(
      'RETENTION_DATABASE_URL is required when SERVICE_MODE is production: the role that deletes audit entries past their age (docs/operators/operations.md#roles)',
    );
  }
  return openDatabase(retentionUrl ?? url, 1, { preparesStatements });
}

/** Connections that deliveries have to themselves. */
function openWebhooksDatabase({ database, webhooks }: Config): Database {
  const { url, preparesStatements } = database;
  return openDatabase(url, webhooks.poolSize, { acquireMs: WEBHOOKS_ACQUIRE_LIMIT_MS, preparesStatements });
}

interface FiguresParts {
  figures: Registry;
  sdkMetrics: () => Promise<string>;
  probed: ProbedParts;
  pools: Pools;
  figuresDatabase: Database;
}

/** Serves figures and probes from now on. */
function tellFigures({ metrics }: Config, parts: FiguresParts): Promise<Server> {
  const { figures, sdkMetrics, probed, pools, figuresDatabase } = parts;
  registerProcessFigures(figures, pools);
  const stored = registerStoredFigures(figures, figuresDatabase);
  const address = { host: metrics.host, port: metrics.workerPort, setting: 'METRICS_PORT' };
  return serveFigures(address, {
    '/metrics': async () => {
      const [sdk] = await Promise.all([sdkMetrics(), stored.refresh()]);
      return figuresOf(figures, sdk);
    },
    '/health': () => health(probed),
    '/ready': shareResultFor(second, () => readiness(probed)),
  });
}

async function stop(
  { database, auditDatabase, temporal }: ActivityDependencies,
  connection: NativeConnection,
): Promise<void> {
  await connection.close();
  await temporal.connection.close();
  await auditDatabase.close();
  await database.close();
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
