/** The worker process: runs workflows and activities, delivers webhooks, and serves metrics. */
import type { Server } from 'node:http';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { createActivities, webhookActivities } from '../../activities';
import type { ActivityDependencies } from '../../activities/dependencies';
import { loadConfig, type Config } from '../config';
import { openDatabase, type Database } from '../data/database/database';
import { ensureDataKeys } from '../data/keys/data-keys';
import { holdKeys } from '../data/keys/loaded-keys';
import { answerNotifier } from '../data/orders/answer-notifications';
import { rejectDemoClients } from '../data/clients/clients';
import { registerMaintenanceTasks } from '../data/operations/maintenance-tasks';
import { prepareSchema } from '../data/schema/migrate';
import { shareResultFor } from '../async/promises';
import { hour } from '../domain/time';
import { createLogger } from '../log';
import { registerDeliveries, registerSupplierCalls, registerOrderEnds } from '../metrics/outcome-metrics';
import { registerProcessMetrics, type Pools } from '../metrics/process-metrics';
import { metricsOf, serveMetrics } from '../metrics/server';
import { registerStoredMetrics } from '../metrics/stored-metrics';
import { createMailer } from '../notifications/mail/send';
import { DueEvents } from '../notifications/webhooks/due-events';
import { pollOutbox, type OutboxPollerDependencies } from '../notifications/webhooks/outbox-poller';
import { createWebhookSender, observedSender } from '../notifications/webhooks/sender';
import { CircuitBreaker, shareCalls } from '../ordering/purchasing/circuit-breaker';
import { observedSuppliers } from '../ordering/purchasing/observed-supplier';
import { mirrorAttention, type MirrorDependencies } from '../ordering/maintenance/attention-mirror';
import { SentPurchases } from '../ordering/purchasing/send-and-look-up';
import { sharedState } from '../ordering/purchasing/shared-state';
import { LocalKeyEncryption } from '../security/key-encryption';
import { Sealer } from '../security/sealing';
import { collectStartGarbage } from '../start-garbage';
import { environmentsOf, suppliersFrom } from '../suppliers/registry';
import { connectionOptions, connectTemporal, dataConverter } from '../temporal/connection';
import { startTracing } from '../tracing/start';
import { keepTemporalPrepared, prepareTemporal } from '../temporal/prepare';
import { operatorSinks, workerInterceptors } from './interceptors';
import { health, readiness, type ProbedParts } from './probes';
import { installSdkRuntime } from './sdk-runtime';
import { createWorkers } from './workers';

/**
 * How long a statement about deliveries may wait for a connection. No request waits for the statement, and if it fails, the
 * service sends delivered events again. The limit is below the time limit of a delivery activity.
 */
const WEBHOOKS_ACQUIRE_LIMIT_MS = 30_000;

/** How long probes share one readiness check, so that any number of probes costs at most ten checks a second. */
const READINESS_SHARED_MS = 100;

/** Metrics are read quickly or not at all, so that they delay nothing else. */
const METRICS_LIMITS = { statementMs: 1_000, acquireMs: 1_000 };

/** The limit of a statement that reads whole tables. */
const LONG_STATEMENT_MS = 6 * hour;

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger('worker', config.logLevel);
  const sdkMetrics = await installSdkRuntime(log);
  const registry = new Registry();
  const tracing = await startTracing('worker', config.tracesUrl);
  await prepareSchema(config).catch((error: Error) => {
    throw new Error(`PostgreSQL at DATABASE_URL cannot be used: ${error.message}`);
  });
  const { url, poolSize, preparesStatements } = config.database;
  const database = openDatabase(url, poolSize, { preparesStatements });
  if (config.mode === 'production') await rejectDemoClients(database);
  const encryption = new LocalKeyEncryption(config.secretKeys);
  await ensureDataKeys(database, encryption);
  // A separate connection reports that the process runs, so that a busy pool does not delay the report.
  const presence = openDatabase(url, 1, { preparesStatements });
  const keys = await holdKeys({ database: presence, encryption, log, role: 'worker' });
  const { ring: keyRing } = keys;
  const sealer = new Sealer(keyRing);
  const stateOf = (supplier: string) => sharedState({ database, sealer: () => sealer }, supplier);
  const observe = registerSupplierCalls(registry);
  const circuits = new CircuitBreaker(database);
  const context = {
    database,
    auditDatabase: openAuditDatabase(config),
    sealer,
    sentPurchases: new SentPurchases(),
    suppliers: observedSuppliers(suppliersFrom(config, stateOf), { database, sealer, circuits, observe }),
    mailer: createMailer(config.mail),
    temporal: await connectTemporal(config, keyRing, { interceptors: tracing.clientInterceptors }),
    openPatientDatabase: () => openDatabase(url, 1, { statementMs: LONG_STATEMENT_MS, preparesStatements }),
    eventRetentionDays: config.eventRetentionDays,
    priceChangeLimitPercent: config.priceChangeLimitPercent,
    countEnd: registerOrderEnds(registry),
    notifyAnswer: answerNotifier(database),
  };
  const sender = observedSender(createWebhookSender(config.webhooks), registerDeliveries(registry));
  const webhooks = { ...context, database: openWebhooksDatabase(config), sender, log };
  const metricsDatabase = openDatabase(url, 1, { ...METRICS_LIMITS, preparesStatements });
  const workers: Worker[] = [];
  const server = await serveProcessState(config, {
    registry,
    sdkMetrics,
    probed: { ...context, workers: () => workers },
    pools: { main: database, webhooks: webhooks.database },
    metricsDatabase,
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
  collectStartGarbage();
  const taskQueues = workers.map((worker) => worker.options.taskQueue);
  log.info({ taskQueues, suppliers: environmentsOf(config) }, 'worker ready');
  const running = Promise.all(workers.map((worker) => worker.run()));
  // The SDK itself stops the workers, which finish their current tasks. This only reports that they take no new orders.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void keys.reportPolling(null));
  }
  await keys.reportPolling(config.deploymentVersion ?? '');
  const end = await startBackground({ ...context, circuits, log, url }, webhooks);
  await running;
  await end();
  server.close().closeAllConnections();
  await webhooks.database.close();
  await metricsDatabase.close();
  await keys.stop();
  await presence.close();
  await stop(context, connection);
  await tracing.end();
}

/** Starts the background work that no workflow controls. Listens to the database at `url`. Returns a function that ends the work. */
async function startBackground(
  deps: MirrorDependencies & { circuits: CircuitBreaker; url: string },
  webhooks: OutboxPollerDependencies,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const { circuits, temporal, log, url } = deps;
  const events = await DueEvents.listen(url, log, stopping.signal);
  const background = Promise.all([
    pollOutbox(webhooks, events, stopping.signal),
    mirrorAttention(deps, stopping.signal),
    shareCalls(circuits, log, stopping.signal),
    keepTemporalPrepared(temporal, log, stopping.signal),
  ]);
  return async () => {
    stopping.abort();
    await background;
  };
}

/** The connection as the retention role, which production separates from the service role. */
function openAuditDatabase({ mode, database }: Config): Database {
  const { url, retentionUrl, preparesStatements } = database;
  if (mode === 'production' && retentionUrl === undefined) {
    throw new Error(
      'RETENTION_DATABASE_URL is required when SERVICE_MODE is production: the role that deletes audit entries past their age (docs/operators/operations.md#roles)',
    );
  }
  return openDatabase(retentionUrl ?? url, 1, { preparesStatements });
}

/** The pool of webhook deliveries. */
function openWebhooksDatabase({ database, webhooks }: Config): Database {
  const { url, preparesStatements } = database;
  return openDatabase(url, webhooks.poolSize, { acquireMs: WEBHOOKS_ACQUIRE_LIMIT_MS, preparesStatements });
}

interface ProcessState {
  registry: Registry;
  sdkMetrics: () => Promise<string>;
  probed: ProbedParts;
  pools: Pools;
  metricsDatabase: Database;
}

/** Serves metrics and probes. */
function serveProcessState({ metrics }: Config, parts: ProcessState): Promise<Server> {
  const { registry, sdkMetrics, probed, pools, metricsDatabase } = parts;
  registerProcessMetrics(registry, pools);
  const stored = registerStoredMetrics(registry, metricsDatabase);
  const address = { host: metrics.host, port: metrics.workerPort, setting: 'METRICS_PORT' };
  return serveMetrics(address, {
    '/metrics': async () => {
      const [sdk] = await Promise.all([sdkMetrics(), stored.refresh()]);
      return metricsOf(registry, sdk);
    },
    '/health': () => health(probed),
    '/ready': shareResultFor(READINESS_SHARED_MS, () => readiness(probed)),
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
