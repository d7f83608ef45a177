/** The parts that the worker processes have in common: settings, keys, suppliers, connections, metrics and probes. */
import type { Server } from 'node:http';
import type { Client } from '@temporalio/client';
import { NativeConnection, type Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { SingleFlight } from '../async/promises';
import type { PurchasingConfig } from '../settings/config';
import { misspeltSettings } from '../settings/misspelt-settings';
import { openDatabase, type Database, type DatabaseOptions } from '../data/database/database';
import { ensureDataKeys } from '../data/keys/data-keys';
import { holdKeys } from '../data/keys/loaded-keys';
import { prepareSchema } from '../data/schema/migrate';
import { createLogger } from '../process/log';
import { registerSupplierCalls } from '../metrics/outcome-metrics';
import { registerClientCertificate, registerProcessMetrics, type Pools } from '../metrics/process-metrics';
import { metricsOf, serveMetrics, type ProbeResponse } from '../metrics/server';
import { CircuitBreaker } from '../ordering/purchasing/circuit-breaker';
import { observedSuppliers } from '../ordering/purchasing/limited-and-observed-calls';
import { SentPurchases } from '../ordering/purchasing/conclusive-lookups';
import { sharedState } from '../ordering/purchasing/shared-tokens-and-turns';
import { LocalKeyEncryption } from '../security/key-encryption';
import type { KeyRing } from '../security/key-ring';
import { Sealer } from '../security/sealing';
import { collectStartGarbage } from '../process/start-garbage';
import type { Supplier } from '../domain/suppliers/port';
import { loggedSuppliers } from '../settings/supplier-environments';
import { suppliersFrom } from '../suppliers/registry';
import { connectionOptions, connectTemporal, dataConverter } from '../temporal/connection';
import type { TemporalTracing } from '../tracing/opentelemetry';
import { startTracing } from '../tracing/start';
import { workerInterceptors } from './interceptors';
import { health, workerReadiness } from './probes';
import { installSdkRuntime } from './sdk-runtime';
import type { WorkerDependencies } from './workers';

/** How long probes share one readiness check, so that any number of probes costs at most ten checks a second. */
const READINESS_SHARED_MS = 100;

export interface WorkerProcess {
  config: PurchasingConfig;
  log: Logger;
  registry: Registry;
  database: Database;
  keys: Awaited<ReturnType<typeof holdKeys>>;
  keyRing: KeyRing;
  sealer: Sealer;
  suppliers: ReadonlyMap<string, Supplier>;
  circuits: CircuitBreaker;
  sentPurchases: SentPurchases;
  temporal: Client;
  tracing: TemporalTracing;
  /** Opens a further pool, which the caller closes. */
  openPool: (size: number, options?: DatabaseOptions) => Database;
  /** Reads the metrics of the SDK. */
  sdkMetrics: () => Promise<string>;
  /** Closes what this process opened. Returns once all is closed. */
  close(): Promise<void>;
}

/**
 * Opens the parts. `pool`: the size and limits of the pool that purchases use. `hasLowPriority`: whether other processes get the
 * CPU first. Throws if a part cannot be used.
 */
export async function openWorkerProcess(
  name: 'worker' | 'bulk-worker',
  config: PurchasingConfig,
  { pool, hasLowPriority }: { pool: { size: number; options?: DatabaseOptions }; hasLowPriority: boolean },
): Promise<WorkerProcess> {
  const log = createLogger(name, config.logLevel);
  for (const sentence of misspeltSettings()) log.warn(sentence);
  const sdkMetrics = await installSdkRuntime(log);
  const registry = new Registry();
  const tracing = await startTracing(name, config.tracesUrl);
  await prepareSchema(config).catch((error: Error) => {
    throw new Error(`PostgreSQL at DATABASE_URL cannot be used: ${error.message}`);
  });
  const openPool: WorkerProcess['openPool'] = (size, options) =>
    openDatabase(config.database.url, size, { rateStopHours: config.rateStopHours, ...options });
  const database = openPool(pool.size, pool.options);
  const encryption = new LocalKeyEncryption(config.secretKeys);
  await ensureDataKeys(database, encryption);
  // A separate connection reports that the process runs, so that a busy pool does not delay the report.
  const presence = openPool(1);
  const keys = await holdKeys({ database: presence, encryption, log, role: name });
  const keyRing = keys.ring;
  const sealer = new Sealer(keyRing);
  const circuits = new CircuitBreaker(database);
  const stateOf = (supplier: string) => sharedState({ database, sealer: () => sealer, hasLowPriority }, supplier);
  const observe = registerSupplierCalls(registry);
  const temporal = await connectTemporal(config, keyRing, { interceptors: tracing.clientInterceptors });
  return {
    config,
    log,
    registry,
    database,
    keys,
    keyRing,
    sealer,
    suppliers: observedSuppliers(suppliersFrom(config, stateOf), { database, sealer, circuits, observe }),
    circuits,
    sentPurchases: new SentPurchases(),
    temporal,
    tracing,
    openPool,
    sdkMetrics,
    close: async () => {
      await keys.stop();
      await presence.close();
      await temporal.connection.close();
      await database.close();
      await tracing.end();
    },
  };
}

/** How the state of a worker process is served. */
export interface ServedState {
  /** The port, and the setting that names it. */
  port: number;
  setting: string;
  pools: Pools;
  /** Called before each read of the metrics. */
  refresh?: () => Promise<unknown>;
  /** Empty while the process starts. */
  workers: readonly Worker[];
}

/** Serves metrics and probes. */
export function serveState(
  { config, registry, sdkMetrics, database, temporal }: WorkerProcess,
  { port, setting, pools, refresh, workers }: ServedState,
): Promise<Server> {
  registerProcessMetrics(registry, pools);
  registerClientCertificate(registry, config.temporal);
  const probed = { database, temporal, workers: () => workers };
  const address = { host: config.metrics.host, port, setting };
  const readiness = new SingleFlight<ProbeResponse>(READINESS_SHARED_MS);
  return serveMetrics(address, {
    '/metrics': async () => {
      const [sdk] = await Promise.all([sdkMetrics(), refresh?.()]);
      return metricsOf(registry, sdk);
    },
    '/health': () => health(probed),
    '/ready': () => readiness.run(() => workerReadiness(probed)),
  });
}

/** What each Temporal worker of the process gets. The caller closes `connection`. */
export async function workerDependencies({
  config,
  keyRing,
  log,
  tracing,
}: WorkerProcess): Promise<WorkerDependencies> {
  return {
    connection: await NativeConnection.connect(connectionOptions(config.temporal)),
    namespace: config.temporal.namespace,
    dataConverter: dataConverter(keyRing),
    interceptors: workerInterceptors(tracing, log),
    version: config.deploymentVersion,
    spans: tracing.sinks,
  };
}

/** Runs the workers of a process that has started. Resolves when the SDK has stopped them after a signal. */
export function runWorkers({ config, log }: WorkerProcess, workers: readonly Worker[]): Promise<unknown> {
  collectStartGarbage();
  const taskQueues = workers.map((worker) => worker.options.taskQueue);
  log.info({ taskQueues, suppliers: loggedSuppliers(config) }, 'worker ready');
  return Promise.all(workers.map((worker) => worker.run()));
}
