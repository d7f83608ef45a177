import type { DataConverter } from '@temporalio/common';
import {
  Worker,
  type NativeConnection,
  type WorkerInterceptors,
  type WorkerOptions,
} from '@temporalio/worker';
import type { Activities, WebhookActivities } from '../../activities';
import { workflowBundle } from '../temporal/bundle';
import {
  backgroundQueue,
  bulkQueue,
  esimQueue,
  mailQueue,
  ordersQueue,
  questionsQueue,
  webhooksQueue,
} from '../temporal/task-queues';

interface WorkerDependencies {
  connection: NativeConnection;
  namespace: string;
  dataConverter: DataConverter;
  activities: Activities;
  webhooks: WebhookActivities;
  interceptors: WorkerInterceptors;
}

/**
 * One worker for each task queue, each within bounds of its own: neither a large order nor what happens
 * beside orders ever takes the place of a small one. Those without a bundle run activities only.
 */
export async function createWorkers({ webhooks, ...deps }: WorkerDependencies): Promise<Worker[]> {
  const orders: Partial<WorkerOptions> = {
    workflowBundle,
    maxCachedWorkflows: 2_000,
    maxConcurrentActivityTaskExecutions: 200,
    // A first try of a purchase holds its task while the supplier answers (see `FirstTries`).
    maxConcurrentWorkflowTaskExecutions: 100,
    maxConcurrentLocalActivityExecutions: 200,
  };
  const background = { workflowBundle, maxCachedWorkflows: 10, maxConcurrentActivityTaskExecutions: 5 };
  // Only eSIMs of the last minutes are looked at often enough to be worth a place in the cache. A look holds
  // its task while the supplier answers: one that hangs must leave room for the others.
  const esims = {
    workflowBundle,
    maxCachedWorkflows: 500,
    maxConcurrentWorkflowTaskExecutions: 200,
    maxConcurrentLocalActivityExecutions: 200,
  };
  // Each endpoint that is busy, or hangs, holds one activity.
  const endpoints = {
    workflowBundle,
    activities: webhooks,
    maxCachedWorkflows: 2_000,
    maxConcurrentActivityTaskExecutions: 1_000,
  };
  return Promise.all([
    Worker.create({ ...deps, ...orders, taskQueue: ordersQueue }),
    Worker.create({ ...deps, taskQueue: bulkQueue, maxConcurrentActivityTaskExecutions: 4 }),
    Worker.create({ ...deps, taskQueue: questionsQueue, maxConcurrentActivityTaskExecutions: 50 }),
    Worker.create({ ...deps, ...background, taskQueue: backgroundQueue }),
    Worker.create({ ...deps, ...esims, taskQueue: esimQueue }),
    Worker.create({ ...deps, ...endpoints, taskQueue: webhooksQueue }),
    Worker.create({ ...deps, taskQueue: mailQueue, maxConcurrentActivityTaskExecutions: 10 }),
  ]);
}
