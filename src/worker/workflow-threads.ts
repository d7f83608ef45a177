/** The threads in which the SDK runs workflows. */
import workerThreads, { type WorkerOptions } from 'node:worker_threads';

const threadOfSdk = require.resolve('@temporalio/worker/lib/workflow/workflow-worker-thread');
const threadWithoutTraces = require.resolve('./workflow-thread');

/**
 * Workers that `create` makes record no stack traces of workflows. By default, the SDK records one for each promise, for the query
 * `__stack_trace` alone: two fifths of the CPU of the workflow threads. The SDK has no option for it.
 */
export async function withoutStackTraces<Workers>(create: () => Promise<Workers>): Promise<Workers> {
  const { Worker } = workerThreads;
  class Thread extends Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      super(file === threadOfSdk ? threadWithoutTraces : file, options);
    }
  }
  Object.assign(workerThreads, { Worker: Thread });
  try {
    return await create();
  } finally {
    Object.assign(workerThreads, { Worker });
  }
}
