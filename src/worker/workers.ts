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

interface WorkerTools {
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
export async function createWorkers({ webhooks, ...tools }: WorkerTools): Promise<Worker[]> {
  const orders: Partial<WorkerOptions> = {
    workflowBundle,
    maxCachedWorkflows: 2_000,
    maxConcurrentActivityTaskExecutions: 200,
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
    Worker.create({ ...tools, ...orders, taskQueue: ordersQueue }),
    Worker.create({ ...tools, taskQueue: bulkQueue, maxConcurrentActivityTaskExecutions: 4 }),
    Worker.create({ ...tools, taskQueue: questionsQueue, maxConcurrentActivityTaskExecutions: 50 }),
    Worker.create({ ...tools, ...background, taskQueue: backgroundQueue }),
    Worker.create({ ...tools, ...esims, taskQueue: esimQueue }),
    Worker.create({ ...tools, ...endpoints, taskQueue: webhooksQueue }),
    Worker.create({ ...tools, taskQueue: mailQueue, maxConcurrentActivityTaskExecutions: 10 }),
  ]);
}
