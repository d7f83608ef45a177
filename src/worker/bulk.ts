/**
 * The bulk worker: makes the purchases of large orders. Receiving, sealing and storing thousands of units keeps a
 * processor busy for seconds, so they run in a process of their own with a low priority, and every other process gets the
 * processor first. docs/decisions/0008-process-all-purchases-in-one-activity.md.
 *
 * PostgreSQL and Temporal do not inherit the priority. The process therefore runs one SQL statement at a time. A lock or claim for
 * which another order could wait ends with its statement.
 */
import type { Worker } from '@temporalio/worker';
import { purchasing } from '../../activities/purchases';
import { loadBulkWorkerConfig } from '../settings/config';
import { progressNotifier } from '../data/orders/progress-notifications';
import { minute } from '../domain/time';
import { InlineAttempts } from '../ordering/purchasing/inline-attempts';
import { shareCalls } from '../ordering/purchasing/circuit-breaker';
import { oneByOne } from '../ordering/purchasing/pace';
import { lowerPriority } from './low-priority';
import { openWorkerProcess, runWorkers, serveState, workerDependencies } from './process';
import { createBulkWorker } from './workers';

/** The purchases share one connection and get the CPU last, so each may wait longer than an order request could. */
const ONE_STATEMENT = { size: 1, options: { acquireMs: minute } };

async function main(): Promise<void> {
  const config = loadBulkWorkerConfig();
  const worker = await openWorkerProcess('bulk-worker', config, { pool: ONE_STATEMENT, hasLowPriority: true });
  const { database, circuits, log } = worker;
  const workers: Worker[] = [];
  const server = await serveState(worker, {
    port: config.metrics.bulkWorkerPort,
    setting: 'BULK_METRICS_PORT',
    pools: { main: database },
    workers,
  });
  const deps = await workerDependencies(worker);
  workers.push(
    await createBulkWorker({
      ...deps,
      activities: purchasing(
        {
          ...worker,
          priceChangeLimitPercent: config.priceChangeLimitPercent,
          pace: oneByOne(),
          notifyProgress: progressNotifier(database),
        },
        new InlineAttempts(),
      ),
    }),
  );
  // Only now, because a start would take minutes while other processes use all CPUs.
  lowerPriority();
  const stopping = new AbortController();
  const sharing = shareCalls(circuits, log, { stopping: stopping.signal, buys: true });
  await runWorkers(worker, workers);
  stopping.abort();
  await sharing;
  server.close().closeAllConnections();
  await deps.connection.close();
  await worker.close();
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
