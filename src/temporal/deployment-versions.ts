/** The versions of the deployment as the Temporal server knows them, and the runs that belong to them. */
import type { Client, HistoryAndWorkflowId, WorkflowExecutionInfo } from '@temporalio/client';
import { deploymentName } from './deployment';
import { FAILED_PRECONDITION, hasStatus, NOT_FOUND } from './grpc-status';

/** One release that workers have polled as. */
export interface DeployedVersion {
  version: string;
  isCurrent: boolean;
  /** When it last became the current version; undefined if it never was. */
  lastCurrentAt: Date | undefined;
}

/** Every version the server knows, newest first. None where no versioned worker has ever polled. */
export async function listVersions({ workflowService, options }: Client): Promise<DeployedVersion[]> {
  const request = { namespace: options.namespace, deploymentName };
  const described = await workflowService.describeWorkerDeployment(request).catch((error: unknown) => {
    if (hasStatus(error, NOT_FOUND)) return undefined;
    throw error;
  });
  const info = described?.workerDeploymentInfo;
  const current = info?.routingConfig?.currentDeploymentVersion?.buildId;
  const newestFirst = [...(info?.versionSummaries ?? [])].sort(
    (one, other) => Number(dateOf(other.createTime) ?? 0) - Number(dateOf(one.createTime) ?? 0),
  );
  return newestFirst.map((summary) => ({
    version: summary.deploymentVersion?.buildId ?? '',
    isCurrent: summary.deploymentVersion?.buildId === current,
    lastCurrentAt: dateOf(summary.lastCurrentTime),
  }));
}

/**
 * Gives new orders to the version from now on; '' gives them to unversioned workers. Returns what is missing as the
 * server says it: a version that has not polled yet, or not every queue.
 */
export async function makeCurrent(
  { workflowService, options }: Client,
  version: string,
): Promise<string | undefined> {
  try {
    await workflowService.setWorkerDeploymentCurrentVersion({
      namespace: options.namespace,
      deploymentName,
      buildId: version,
      identity: options.identity,
    });
    return undefined;
  } catch (error) {
    if (hasStatus(error, NOT_FOUND) || hasStatus(error, FAILED_PRECONDITION)) return (error as Error).message;
    throw error;
  }
}

/** How many open runs are pinned to the version; '' counts those of orders that began unversioned. */
export async function countPinned(client: Client, version: string): Promise<number> {
  return (await client.workflow.count(pinnedTo(version))).count;
}

/** The open runs that are pinned to the version. */
export function listPinned(client: Client, version: string): AsyncIterable<WorkflowExecutionInfo> {
  return client.workflow.list({ query: pinnedTo(version) });
}

/** The history of a run so far. */
export async function historyOf(
  client: Client,
  { workflowId, runId }: WorkflowExecutionInfo,
): Promise<HistoryAndWorkflowId> {
  return { workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() };
}

/**
 * Gives the next task of a run to the version, to which it is pinned from then on. An override that lasts would be
 * inherited by the eSIM monitor that an order starts.
 */
export async function moveTo(
  { workflowService, options }: Client,
  { workflowId, runId }: WorkflowExecutionInfo,
  version: string,
): Promise<void> {
  await workflowService.updateWorkflowExecutionOptions({
    namespace: options.namespace,
    workflowExecution: { workflowId, runId },
    workflowExecutionOptions: {
      versioningOverride: { oneTime: { targetDeploymentVersion: { deploymentName, buildId: version } } },
    },
    updateMask: { paths: ['versioning_override'] },
    identity: options.identity,
  });
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
  // The server writes times that never were as those of the year 1.
  return seconds > 0 ? new Date(seconds * 1_000) : undefined;
}
