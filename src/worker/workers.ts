import type { DataConverter } from '@temporalio/common';
import {
  Worker,
  type InjectedSinks,
  type NativeConnection,
  type WorkerInterceptors,
  type WorkerOptions,
} from '@temporalio/worker';
import type { Activities, WebhookActivities } from '../../activities';
import type { OperatorSinks } from '../domain/operators/operator-messages';
import { maintenanceWorkflow } from '../domain/maintenance';
import { tracedWorkflowBundle, workflowBundle as plainBundle } from '../temporal/bundle';
import { deploymentOptions } from '../temporal/deployment';
import {
  backgroundQueue,
  bulkQueue,
  esimQueue,
  mailQueue,
  maxPolls,
  ordersQueue,
  pollingQueue,
  stepsQueue,
  webhooksQueue,
} from '../temporal/task-queues';

export interface WorkerDependencies {
  connection: NativeConnection;
  namespace: string;
  dataConverter: DataConverter;
  interceptors: WorkerInterceptors;
  /** The release; undefined for unversioned workers. */
  version: string | undefined;
  /** The exporter of workflow spans; undefined without tracing. */
  spans: WorkerOptions['sinks'] | undefined;
}

interface AllActivities {
  activities: Activities;
  webhooks: WebhookActivities;
  sinks: InjectedSinks<OperatorSinks>;
}

/**
 * A maintenance run that another release began with other activities fails, and the schedule's next run repeats it. By default, the
 * run would retry its workflow task until its time limit, and the schedule would skip every run until then.
 */
export const workflowFailureErrorTypes = { '*': [], [maintenanceWorkflow]: ['NondeterminismError'] };

/**
 * Polls that a worker keeps open. Autoscaled polls cost the Temporal server a sixth more CPU for an order.
 * docs/decisions/0063-keep-idle-processes-small.md.
 */
const polls = (workflowTasks: number) =>
  ({
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: workflowTasks },
    activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 4 },
  }) as const;

/**
 * The worker of the queue of large orders. It takes more purchases than the calls that one hanging supplier can hold
 * (see `observedSuppliers`), so that other suppliers' orders go on.
 */
export function createBulkWorker({
  version,
  spans: _spans,
  ...deps
}: WorkerDependencies & { activities: Pick<Activities, 'buy'> }): Promise<Worker> {
  return Worker.create({
    ...deps,
    ...polls(4),
    ...deploymentOptions(version, 'PINNED'),
    maxConcurrentActivityTaskExecutions: 100,
    taskQueue: bulkQueue,
  });
}

/**
 * One worker for each other task queue, each with its own limits, so that background work never displaces small orders. A worker
 * without a bundle runs activities only. A cached workflow takes some 0.4 MB between its tasks: the caches
 * together must fit the memory that docs/operators/production.md#what-an-order-takes promises.
 *
 * All workers belong to the version, so an order finds the activities of its own release on every queue. An order is pinned: it
 * ends with the release with which it began. Long-lived workflows and maintenance move to the current version.
 */
export async function createWorkers({
  webhooks,
  version,
  sinks,
  spans,
  ...given
}: WorkerDependencies & AllActivities): Promise<Worker[]> {
  const deps = { ...given, ...polls(4), sinks: { ...sinks, ...spans } };
  const workflowBundle = spans ? tracedWorkflowBundle : plainBundle;
  const pinned = deploymentOptions(version, 'PINNED');
  const upgraded = deploymentOptions(version, 'AUTO_UPGRADE');
  const orders: Partial<WorkerOptions> = {
    ...polls(10),
    // Each order begins with a task that no worker has cached. Enough such polls for a server that is 20 ms away.
    nonStickyToStickyPollRatio: 0.5,
    workflowBundle,
    maxCachedWorkflows: 1_000,
    maxConcurrentActivityTaskExecutions: 200,
    // An inline attempt holds its workflow task while it waits for the supplier (see `InlineAttempts`).
    maxConcurrentWorkflowTaskExecutions: 100,
    maxConcurrentLocalActivityExecutions: 200,
  };
  const background = {
    workflowBundle,
    maxCachedWorkflows: 10,
    maxConcurrentActivityTaskExecutions: 5,
    workflowFailureErrorTypes,
  };
  // A timer wakes a monitor after minutes to days, so few are worth caching. A poll holds an activity while the supplier answers, and a
  // hanging supplier must leave room for the others.
  const esimMonitors = { workflowBundle, maxCachedWorkflows: 100, maxConcurrentActivityTaskExecutions: 200 };
  // Each busy or hanging endpoint holds one activity.
  const endpoints = {
    workflowBundle,
    activities: webhooks,
    maxCachedWorkflows: 1_000,
    maxConcurrentActivityTaskExecutions: 1_000,
  };
  return Promise.all([
    Worker.create({ ...deps, ...pinned, ...orders, taskQueue: ordersQueue }),
    Worker.create({ ...deps, ...pinned, taskQueue: stepsQueue, maxConcurrentActivityTaskExecutions: 50 }),
    Worker.create({ ...deps, ...pinned, taskQueue: pollingQueue, maxConcurrentActivityTaskExecutions: maxPolls }),
    Worker.create({ ...deps, ...upgraded, ...background, taskQueue: backgroundQueue }),
    Worker.create({ ...deps, ...upgraded, ...esimMonitors, taskQueue: esimQueue }),
    Worker.create({ ...deps, ...upgraded, ...endpoints, taskQueue: webhooksQueue }),
    Worker.create({ ...deps, ...pinned, taskQueue: mailQueue, maxConcurrentActivityTaskExecutions: 10 }),
  ]);
}
