/** The worker process: runs workflows and all activities but the purchases of large orders, delivers webhooks, serves metrics. */
import type { Worker } from '@temporalio/worker';
import { createActivities, webhookActivities } from '../../activities';
import { loadWorkerConfig, type Config } from '../settings/config';
import { consoleUrlOf } from '../settings/identity-settings';
import { openDatabase, type Database } from '../data/database/database';
import { checkSessions } from '../data/database/connection-settings';
import { progressNotifier } from '../data/orders/progress-notifications';
import { registerMaintenanceTasks } from '../data/maintenance/task-results';
import { hour } from '../domain/time';
import { registerDeliveries, registerOrderEnds } from '../metrics/outcome-metrics';
import { registerStoredMetrics } from '../metrics/stored-metrics';
import { createMailer } from '../notifications/mail/send';
import { DueEvents } from '../notifications/webhooks/due-events';
import { pollOutbox, type OutboxPollerDependencies } from '../notifications/webhooks/outbox-poller';
import { createWebhookSender, observedSender } from '../notifications/webhooks/sender';
import { type CircuitBreaker, shareCalls } from '../ordering/purchasing/circuit-breaker';
import { mirrorAttention, type MirrorDependencies } from '../ordering/maintenance/attention-mirror';
import { keepTemporalPrepared, prepareTemporal } from '../temporal/prepare';
import { operatorSinks } from './interceptors';
import { openWorkerProcess, runWorkers, serveState, workerDependencies } from './process';
import { withoutStackTraces } from './workflow-threads';
import { createWorkers } from './workers';

/**
 * How long a statement about deliveries may wait for a connection. No request waits for the statement, and if it fails, the
 * service sends delivered events again. The limit is below the time limit of a delivery activity.
 */
const WEBHOOKS_ACQUIRE_LIMIT_MS = 30_000;

/** Metrics are read quickly or not at all, so that they delay nothing else. */
const METRICS_LIMITS = { statementMs: 1_000, acquireMs: 1_000 };

/** The limit of a statement that reads whole tables. */
const LONG_STATEMENT_MS = 6 * hour;

async function main(): Promise<void> {
  const config = loadWorkerConfig();
  const events = new DueEvents();
  const worker = await openWorkerProcess('worker', config, {
    // Places, settles and refunds orders. The other pools notify, as other processes do.
    pool: { size: config.database.poolSize, options: { onEventsDue: events.announce } },
    hasLowPriority: false,
  });
  const { log, registry, database, keys, circuits, temporal, openPool } = worker;
  const context = {
    ...worker,
    auditDatabase: await openAuditDatabase(config),
    mailer: createMailer(config.mail),
    consoleUrl: consoleUrlOf(config.api),
    openPatientDatabase: () => openPool(1, { statementMs: LONG_STATEMENT_MS }),
    eventRetentionDays: config.eventRetentionDays,
    priceChangeLimitPercent: config.priceChangeLimitPercent,
    rateMaxAgeHours: config.rateMaxAgeHours,
    claims: config.claims,
    countEnd: registerOrderEnds(registry),
    notifyProgress: progressNotifier(database),
  };
  const sender = observedSender(createWebhookSender(config.webhooks), registerDeliveries(registry));
  const webhooks = {
    ...context,
    database: openPool(config.webhooks.poolSize, { acquireMs: WEBHOOKS_ACQUIRE_LIMIT_MS }),
    sender,
  };
  const metricsDatabase = openPool(1, METRICS_LIMITS);
  const stored = registerStoredMetrics(registry, metricsDatabase);
  const workers: Worker[] = [];
  const server = await serveState(worker, {
    port: config.metrics.workerPort,
    setting: 'METRICS_PORT',
    pools: { main: database, webhooks: webhooks.database },
    refresh: () => stored.refresh(),
    workers,
  });
  await prepareTemporal(temporal);
  await registerMaintenanceTasks(database);
  const deps = await workerDependencies(worker);
  const create = () =>
    createWorkers({
      ...deps,
      activities: createActivities(context),
      webhooks: webhookActivities(webhooks),
      sinks: operatorSinks(database),
    });
  workers.push(...(await (config.workflowStackTraces ? create() : withoutStackTraces(create))));
  const running = runWorkers(worker, workers);
  // The SDK itself stops the workers, which finish their current tasks. This only reports that they take no new orders.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void keys.reportPolling(null));
  }
  await keys.reportPolling(config.deploymentVersion ?? '');
  const end = await startBackground({ ...context, circuits, log, url: config.database.url, events }, webhooks);
  await running;
  await end();
  server.close().closeAllConnections();
  await webhooks.database.close();
  await metricsDatabase.close();
  await context.auditDatabase.close();
  await deps.connection.close();
  await worker.close();
}

/** Starts the background work that no workflow controls. Listens to the database at `url`. Returns a function that ends the work. */
async function startBackground(
  deps: MirrorDependencies & { circuits: CircuitBreaker; url: string; events: DueEvents },
  webhooks: OutboxPollerDependencies,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const { circuits, temporal, log, url, events } = deps;
  await events.listen(url, log, stopping.signal);
  const background = Promise.all([
    pollOutbox(webhooks, events, stopping.signal),
    mirrorAttention(deps, stopping.signal),
    shareCalls(circuits, log, { stopping: stopping.signal, buys: true }),
    keepTemporalPrepared(temporal, log, stopping.signal),
  ]);
  return async () => {
    stopping.abort();
    await background;
  };
}

/** The connection as the retention role, which production separates from the service role. */
async function openAuditDatabase({ database: { url, retentionUrl } }: Config): Promise<Database> {
  if (retentionUrl !== undefined) await checkSessions(retentionUrl);
  return openDatabase(retentionUrl ?? url, 1);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
