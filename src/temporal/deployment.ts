/** Worker Versioning: which release runs which workflow. docs/operators/deploying.md. */
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { VersioningBehavior } from '@temporalio/common';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import { ordersQueue } from './task-queues';

/** The name of the deployment that the workers of all releases belong to. */
export const deploymentName = 'digital-goods-ordering';

/** How a worker of that release polls; without a version it is unversioned. */
export function deploymentOptions(
  version: string | undefined,
  behavior: VersioningBehavior,
): { workerDeploymentOptions?: WorkerDeploymentOptions } {
  if (version === undefined) return {};
  return {
    workerDeploymentOptions: {
      version: { deploymentName, buildId: version },
      useWorkerVersioning: true,
      defaultVersioningBehavior: behavior,
    },
  };
}

/** The version that new orders are given to; '' where that is any unversioned worker. */
export async function versionOfNewOrders({ workflowService, options }: Client): Promise<string> {
  const { versioningInfo } = await workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: ordersQueue },
    taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  });
  return versioningInfo?.currentDeploymentVersion?.buildId ?? '';
}
