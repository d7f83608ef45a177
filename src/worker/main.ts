/** The worker process: runs the workflows of orders and what they ask of the world. */
import type { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createActivities, webhookActivities } from '../../activities';
import type { ActivityDependencies } from '../../activities/dependencies';
import { loadConfig, type Config } from '../config';
import { openDatabase } from '../data/database';
import { ensureDataKeys } from '../data/keys/first-keys';
import { holdKeys } from '../data/keys/follow-keys';
import { refuseDemoClients } from '../data/demo-clients';
import { prepareSchema } from '../data/prepare-schema';
import { createLogger } from '../log';
import { createMailer } from '../notifications/mail/send';
import { pollOutbox } from '../notifications/webhooks/outbox-poller';
import { createWebhookSender } from '../notifications/webhooks/sender';
import { observedSuppliers } from '../ordering/observed-supplier';
import { mirrorAttention } from '../ordering/attention-mirror';
import { LocalKeyEncryption } from '../security/key-encryption';
import { Sealer } from '../security/sealing';
import { suppliersFrom } from '../suppliers/registry';
import { connectionOptions, connectTemporal, dataConverter } from '../temporal/connection';
import { ensureMaintenanceSchedules } from '../temporal/maintenance-schedules';
import { registerSearchAttributes } from '../temporal/register-search-attributes';
import { plainFailures } from './plain-failures';
import { createWorkers } from './workers';

/**
 * Nobody waits for a webhook's statement; given up early, what it was to write down would be sent again. It
 * is less than a delivery activity may take.
 */
const WEBHOOKS_ACQUIRE_LIMIT_MS = 30_000;

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger(config.logLevel);
  installRuntime(config, log);
  await prepareSchema(config).catch((error: Error) => {
    throw new Error(`PostgreSQL at DATABASE_URL cannot be used: ${error.message}`);
  });
  const { url, poolSize, preparesStatements } = config.database;
  const database = openDatabase(url, poolSize, { preparesStatements });
  if (config.mode === 'production') await refuseDemoClients(database);
  const encryption = new LocalKeyEncryption(config.secretKeys);
  await ensureDataKeys(database, encryption, config.secretKeys);
  // A connection of its own: however busy the others are, it is known that this process runs.
  const presence = openDatabase(url, 1, { preparesStatements });
  const keys = await holdKeys({ database: presence, encryption, log, role: 'worker' });
  const { ring: keyRing } = keys;
  const sealer = new Sealer(keyRing);
  const context = {
    database,
    sealer,
    suppliers: observedSuppliers(suppliersFrom(config), { database, sealer }),
    mailer: createMailer(config.mail),
    temporal: await connectTemporal(config, keyRing),
    eventRetentionDays: config.eventRetentionDays,
  };
  const webhooks = {
    ...context,
    database: openDatabase(url, config.webhooks.poolSize, {
      acquireMs: WEBHOOKS_ACQUIRE_LIMIT_MS,
      preparesStatements,
    }),
    sender: createWebhookSender(config.webhooks),
    log,
  };
  await prepareTemporal(context.temporal);
  const connection = await NativeConnection.connect(connectionOptions(config.temporal));
  const workers = await createWorkers({
    connection,
    namespace: config.temporal.namespace,
    dataConverter: dataConverter(keyRing),
    activities: createActivities(context),
    webhooks: webhookActivities(webhooks),
    interceptors: { activity: [() => ({ inbound: plainFailures(log) })] },
    version: config.deploymentVersion,
  });
  log.info({ taskQueues: workers.map((worker) => worker.options.taskQueue) }, 'worker ready');
  const running = Promise.all(workers.map((worker) => worker.run()));
  // The SDK stops the workers by itself: what they have begun is finished.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void keys.pollsOrders(null));
  }
  await keys.pollsOrders(config.deploymentVersion ?? '');
  const stopping = new AbortController();
  const background = [
    pollOutbox(webhooks, stopping.signal),
    mirrorAttention({ ...context, log }, stopping.signal),
  ];
  await running;
  stopping.abort();
  await Promise.all(background);
  await webhooks.database.close();
  await keys.stop();
  await presence.close();
  await stop(context, connection);
}

/** The SDK's figures (latencies, slots, failures) for Prometheus, its messages for the log. */
function installRuntime({ metrics }: Config, log: Logger): void {
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
      const { error, ...details } = meta ?? {};
      log[sdkLevels[level]]({ ...details, ...(error !== undefined && { err: error }) }, message);
    }),
    telemetryOptions: { metrics: { prometheus: { bindAddress: `${metrics.host}:${metrics.port}` } } },
  });
}

const sdkLevels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Search attributes must be known before the first order uses them; maintenance is scheduled once for all workers. */
async function prepareTemporal(temporal: Client): Promise<void> {
  await registerSearchAttributes(temporal);
  await ensureMaintenanceSchedules(temporal);
}

async function stop(
  { database, temporal }: ActivityDependencies,
  connection: NativeConnection,
): Promise<void> {
  await connection.close();
  await temporal.connection.close();
  await database.close();
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
