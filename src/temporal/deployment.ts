/** Worker Versioning: the releases that Temporal knows, and which of them runs which workflow. docs/operators/deploying.md. */
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { VersioningBehavior } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import { FAILED_PRECONDITION, hasStatus, INVALID_ARGUMENT, NOT_FOUND } from './connection';
import { ordersQueue } from './task-queues';
import { thrownMessage } from '../domain/unknown-values';

/** The deployment that the workers of all releases belong to. */
export const deploymentName = 'digital-goods-ordering';

/** The options of a worker of this version; empty for an unversioned worker. */
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

/** The version that gets new orders; '' stands for unversioned workers. */
export async function versionOfNewOrders({ workflowService, options }: Client): Promise<string> {
  const { versioningInfo } = await workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: ordersQueue },
    taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  });
  return versioningInfo?.currentDeploymentVersion?.buildId ?? '';
}

/** A release under which workers have polled. */
export interface DeployedVersion {
  version: string;
  isCurrent: boolean;
  /** When it last became the current version; undefined if it never did. */
  lastCurrentAt: Date | undefined;
}

/** All versions that the server knows, newest first. Empty if no versioned worker has ever polled. */
export async function listVersions({ workflowService, options }: Client): Promise<DeployedVersion[]> {
  const request = { namespace: options.namespace, deploymentName };
  const described = await workflowService.describeWorkerDeployment(request).catch((error: unknown) => {
    if (hasStatus(error, NOT_FOUND)) return undefined;
    throw error;
  });
  const info = described?.workerDeploymentInfo;
  const current = info?.routingConfig?.currentDeploymentVersion?.buildId;
  return [...(info?.versionSummaries ?? [])]
    .sort((one, other) => Number(dateOf(other.createTime) ?? 0) - Number(dateOf(one.createTime) ?? 0))
    .map(({ deploymentVersion, lastCurrentTime }) => ({
      version: deploymentVersion?.buildId ?? '',
      isCurrent: deploymentVersion?.buildId === current,
      lastCurrentAt: dateOf(lastCurrentTime),
    }));
}

/**
 * Gives new orders to the version; '' gives them to unversioned workers. Returns the server's reason if it rejects the
 * version because its workers have not polled every queue.
 */
export async function makeCurrent({ workflowService, options }: Client, version: string): Promise<string | undefined> {
  try {
    await workflowService.setWorkerDeploymentCurrentVersion({
      namespace: options.namespace,
      deploymentName,
      buildId: version,
      identity: options.identity,
    });
    return undefined;
  } catch (error) {
    if (hasStatus(error, NOT_FOUND) || hasStatus(error, FAILED_PRECONDITION)) return thrownMessage(error);
    throw error;
  }
}

/**
 * The number of open runs that are pinned to the version; '' counts open orders that began unversioned. 0 while the server, which may
 * be empty, lacks the search attributes that every order has.
 */
export async function countPinned(client: Client, version: string): Promise<number> {
  try {
    return (await client.workflow.count(pinnedTo(version))).count;
  } catch (error) {
    if (hasStatus(error, INVALID_ARGUMENT) && /invalid search attribute/.test(thrownMessage(error))) return 0;
    throw error;
  }
}

/** The open runs that are pinned to the version. */
export function listPinned(client: Client, version: string): AsyncIterable<WorkflowExecutionInfo> {
  return client.workflow.list({ query: pinnedTo(version) });
}

/**
 * Gives the next task of a run to the version, which pins the run to that version. The override is for one task only, because
 * the eSIM monitor that an order starts would inherit a lasting override. Returns false if the run has ended.
 */
export async function moveTo(
  { workflowService, options }: Client,
  { workflowId, runId }: WorkflowExecutionInfo,
  version: string,
): Promise<boolean> {
  try {
    await workflowService.updateWorkflowExecutionOptions({
      namespace: options.namespace,
      workflowExecution: { workflowId, runId },
      workflowExecutionOptions: {
        versioningOverride: { oneTime: { targetDeploymentVersion: { deploymentName, buildId: version } } },
      },
      updateMask: { paths: ['versioning_override'] },
      identity: options.identity,
    });
    return true;
  } catch (error) {
    if (hasStatus(error, NOT_FOUND)) return false;
    throw error;
  }
}

function pinnedTo(version: string): string {
  if (version === '')
    return `ExecutionStatus = 'Running' AND OrderStatus IS NOT NULL AND TemporalWorkerDeploymentVersion IS NULL`;
  return (
    `ExecutionStatus = 'Running' AND TemporalWorkflowVersioningBehavior = 'Pinned' AND ` +
    `TemporalWorkerDeploymentVersion = '${deploymentName}:${version}'`
  );
}

function dateOf(time: { seconds?: unknown } | null | undefined): Date | undefined {
  const seconds = Number(time?.seconds ?? 0);
  // The server writes an unset time as one in the year 1.
  return seconds > 0 ? new Date(seconds * 1_000) : undefined;
}
