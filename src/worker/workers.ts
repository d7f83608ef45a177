import type { DataConverter } from '@temporalio/common';
import {
  Worker,
  type NativeConnection,
  type WorkerInterceptors,
  type WorkerOptions,
} from '@temporalio/worker';
import type { Activities } from '../../activities';
import { workflowBundle } from '../temporal/bundle';
import { backgroundQueue, bulkQueue, mailQueue, ordersQueue } from '../temporal/task-queues';

interface WorkerTools {
  connection: NativeConnection;
  namespace: string;
  dataConverter: DataConverter;
  activities: Activities;
  interceptors: WorkerInterceptors;
}

/**
 * One worker for each task queue. Workflows run on the orders queue; the others run activities only,
 * each within bounds of its own, so that a large order never takes the place of a small one.
 */
export async function createWorkers(tools: WorkerTools): Promise<Worker[]> {
  const orders: Partial<WorkerOptions> = {
    workflowBundle,
    maxCachedWorkflows: 2_000,
    maxConcurrentActivityTaskExecutions: 200,
  };
  const background = { workflowBundle, maxCachedWorkflows: 10, maxConcurrentActivityTaskExecutions: 5 };
  return Promise.all([
    Worker.create({ ...tools, ...orders, taskQueue: ordersQueue }),
    Worker.create({ ...tools, taskQueue: bulkQueue, maxConcurrentActivityTaskExecutions: 4 }),
    Worker.create({ ...tools, ...background, taskQueue: backgroundQueue }),
    Worker.create({ ...tools, taskQueue: mailQueue, maxConcurrentActivityTaskExecutions: 10 }),
  ]);
}
