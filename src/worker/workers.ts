import type { DataConverter } from '@temporalio/common';
import {
  Worker,
  type InjectedSinks,
  type NativeConnection,
  type WorkerInterceptors,
  type WorkerOptions,
} from '@temporalio/worker';
import type { Activities, WebhookActivities } from '../../activities';
import type { OperatorSinks } from '../domain/operations/operator-messages';
import { tracedWorkflowBundle, workflowBundle as plainBundle } from '../temporal/bundle';
import { deploymentOptions } from '../temporal/deployment';
import {
  backgroundQueue,
  bulkQueue,
  esimQueue,
  mailQueue,
  ordersQueue,
  questionsQueue,
  stepsQueue,
  webhooksQueue,
} from '../temporal/task-queues';

interface WorkerDependencies {
  connection: NativeConnection;
  namespace: string;
  dataConverter: DataConverter;
  activities: Activities;
  webhooks: WebhookActivities;
  interceptors: WorkerInterceptors;
  /** The release they belong to; undefined where they are unversioned. */
  version: string | undefined;
  sinks: InjectedSinks<OperatorSinks>;
  /** Where spans of workflows go; undefined where nothing is traced. */
  spans: WorkerOptions['sinks'] | undefined;
}

/**
 * One worker for each task queue, each within bounds of its own: neither a large order nor what happens
 * beside orders ever takes the place of a small one. Those without a bundle run activities only.
 *
 * All belong to the release's version, so that an order finds the activities of its own release on every queue. An
 * order ends with the release it began with; what lives for months goes on with the newest.
 */
export async function createWorkers({
  webhooks,
  version,
  sinks,
  spans,
  ...given
}: WorkerDependencies): Promise<Worker[]> {
  const deps = { ...given, sinks: { ...sinks, ...spans } };
  const workflowBundle = spans ? tracedWorkflowBundle : plainBundle;
  const pinned = deploymentOptions(version, 'PINNED');
  const upgraded = deploymentOptions(version, 'AUTO_UPGRADE');
  const orders: Partial<WorkerOptions> = {
    workflowBundle,
    maxCachedWorkflows: 2_000,
    maxConcurrentActivityTaskExecutions: 200,
    // An inline attempt holds its task while the supplier answers (see `InlineAttempts`).
    maxConcurrentWorkflowTaskExecutions: 100,
    maxConcurrentLocalActivityExecutions: 200,
  };
  const background = { workflowBundle, maxCachedWorkflows: 10, maxConcurrentActivityTaskExecutions: 5 };
  // Only eSIMs of the last minutes are polled often enough to be worth a place in the cache. A poll holds an activity
  // while the supplier answers: one that hangs must leave room for the others.
  const esims = { workflowBundle, maxCachedWorkflows: 500, maxConcurrentActivityTaskExecutions: 200 };
  // Each endpoint that is busy, or hangs, holds one activity.
  const endpoints = {
    workflowBundle,
    activities: webhooks,
    maxCachedWorkflows: 2_000,
    maxConcurrentActivityTaskExecutions: 1_000,
  };
  return Promise.all([
    Worker.create({ ...deps, ...pinned, ...orders, taskQueue: ordersQueue }),
    Worker.create({ ...deps, ...pinned, taskQueue: stepsQueue, maxConcurrentActivityTaskExecutions: 50 }),
    Worker.create({ ...deps, ...pinned, taskQueue: bulkQueue, maxConcurrentActivityTaskExecutions: 4 }),
    Worker.create({ ...deps, ...pinned, taskQueue: questionsQueue, maxConcurrentActivityTaskExecutions: 50 }),
    Worker.create({ ...deps, ...upgraded, ...background, taskQueue: backgroundQueue }),
    Worker.create({ ...deps, ...upgraded, ...esims, taskQueue: esimQueue }),
    Worker.create({ ...deps, ...upgraded, ...endpoints, taskQueue: webhooksQueue }),
    Worker.create({ ...deps, ...pinned, taskQueue: mailQueue, maxConcurrentActivityTaskExecutions: 10 }),
  ]);
}
