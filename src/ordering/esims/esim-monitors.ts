/** Starts eSIM monitors, and restarts those that are missing. docs/decisions/0012-poll-by-retries-of-one-activity.md. */
import { WorkflowExecutionAlreadyStartedError, type Client, type WorkflowStartOptions } from '@temporalio/client';
import {
  countMonitoredEsims,
  listMonitoredEsims,
  newestOrderToCompare,
  nthMonitoredEsim,
  type OrderRange,
} from '../../data/esims/stored-esims';
import type { Database } from '../../data/database/database';
import { monitoredEsim, type EsimMonitorFlow, type MonitoredEsim } from '../../domain/esims/esim-lifecycle';
import type { OrderKey } from '../../domain/orders/order-messages';
import { esimWorkflowId, orderWorkflowId } from '../../domain/orders/order-ids';
import { minute } from '../../domain/time';
import { countRunningWorkflows, runningWorkflows } from '../../temporal/running-workflows';
import { activationStatus, clientId, orderId, productId, supplier } from '../../temporal/search-attributes';
import { esimQueue } from '../../temporal/task-queues';
import { pagesById } from '../pages';
import type { RestartDependencies } from '../maintenance/order-restarts';

/** The maximum number of eSIMs in a group that is compared one by one. Each costs Temporal half a millisecond. */
const MAX_COMPARED = 1_000;
/** Milliseconds after which the next group is compared: the interval of the schedule. */
const TURN_MS = 3 * minute;

/** The workflow type of monitors. */
export const esimMonitorType = 'esimMonitor';

/** A delivered eSIM order as its monitor shows it. */
export interface EsimOrder extends OrderKey {
  clientId: number;
  supplier: string;
  productId: number;
}

/**
 * Starts the workflow that monitors an eSIM. The monitor begins with a poll, after `startDelay` if that is given. Returns false if
 * the monitor runs already, or if the reuse policy forbids another run.
 */
export async function startMonitor(
  temporal: Client,
  esim: EsimOrder,
  esimState: MonitoredEsim,
  options: Required<Pick<WorkflowStartOptions, 'workflowIdReusePolicy'>> & Pick<WorkflowStartOptions, 'startDelay'>,
): Promise<boolean> {
  try {
    await temporal.workflow.start<EsimMonitorFlow>(esimMonitorType, {
      ...monitorOptions(esim, esimState),
      ...options,
      args: [{ orderId: esim.orderId, nonce: esim.nonce }, esimState, { isDue: true, failingSince: null }],
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** The id of the monitor, and what operators see of it. No personal data. */
function monitorOptions(esim: EsimOrder, { status }: MonitoredEsim) {
  const { orderId: id, nonce } = esim;
  return {
    workflowId: esimWorkflowId(id, nonce),
    taskQueue: esimQueue,
    staticSummary: `eSIM of order ${id}`,
    staticDetails: [
      `The eSIM of order ${id}, from its delivery to the end of its validity`,
      [
        `- Client: ${esim.clientId}`,
        `- Supplier: \`${esim.supplier}\``,
        `- Product: ${esim.productId}`,
        `- The order: workflow \`${orderWorkflowId(id, nonce)}\``,
      ].join('\n'),
    ].join('\n\n'),
    typedSearchAttributes: [
      { key: orderId, value: id },
      { key: clientId, value: esim.clientId },
      { key: supplier, value: esim.supplier },
      { key: productId, value: esim.productId },
      { key: activationStatus, value: status },
    ],
  };
}

/**
 * Starts the missing eSIM monitors, each of which polls its supplier at once. Returns their number. Up to `maxCompared` eSIMs are
 * compared one by one. If there are more, their number is compared with that of the running monitors. Equal numbers can hide a lost
 * monitor behind a surplus one, so each call also compares one group of `maxCompared` eSIMs one by one. `turn`: the number of the
 * call, which selects the group.
 */
export async function restartEsimMonitors(
  deps: RestartDependencies,
  maxCompared = MAX_COMPARED,
  turn = Math.floor(Date.now() / TURN_MS),
): Promise<number> {
  const all = { after: 0, upTo: await newestOrderToCompare(deps.database) };
  const esims = await countMonitoredEsims(deps.database, all);
  if (esims <= maxCompared) return restartMissing(deps, all);
  const restarted = await restartWhereCountsDiffer(deps, all, maxCompared);
  const groups = Math.ceil(esims / maxCompared);
  const group = await nthGroup(deps.database, all, turn % groups, maxCompared);
  return restarted + (await restartMissing(deps, group));
}

/** The range of the group with the 0-based index. Each group has `size` eSIMs, the last one possibly fewer. */
async function nthGroup(database: Database, all: OrderRange, index: number, size: number): Promise<OrderRange> {
  const before = index * size;
  const after = before === 0 ? undefined : await nthMonitoredEsim(database, all, before);
  const upTo = await nthMonitoredEsim(database, all, before + size);
  return { after: after ?? all.after, upTo: upTo ?? all.upTo };
}

/** Restarts the missing monitors of a range whose counts differ. A large range is halved, so that equal halves are not compared. */
async function restartWhereCountsDiffer(
  deps: RestartDependencies,
  range: OrderRange,
  maxCompared: number,
): Promise<number> {
  const esims = await countMonitoredEsims(deps.database, range);
  const running = await countRunningWorkflows(deps.temporal, monitorsOf(range));
  if (esims === running || esims === 0) return 0;
  const isComparable = esims <= maxCompared || running === 0;
  const middle = isComparable ? undefined : await nthMonitoredEsim(deps.database, range, Math.floor(esims / 2));
  if (middle === undefined || middle === range.upTo) return restartMissing(deps, range);
  const lower = await restartWhereCountsDiffer(deps, { ...range, upTo: middle }, maxCompared);
  const upper = await restartWhereCountsDiffer(deps, { ...range, after: middle }, maxCompared);
  return lower + upper;
}

/** Compares the eSIMs of the range with the running monitors one by one. */
async function restartMissing({ database, temporal }: RestartDependencies, range: OrderRange): Promise<number> {
  const running = await runningWorkflows(temporal, monitorsOf(range));
  const read = (after: number, limit: number) => listMonitoredEsims(database, { ...range, after }, limit);
  let restarted = 0;
  for await (const page of pagesById(read, MAX_COMPARED, range.after)) {
    for (const esim of page.filter(({ orderId, nonce }) => !running.has(esimWorkflowId(orderId, nonce)))) {
      // Temporal's list may be outdated. `startMonitor` does not start a running monitor again.
      const options = { workflowIdReusePolicy: 'ALLOW_DUPLICATE' } as const;
      if (await startMonitor(temporal, esim, monitoredEsim(esim, false), options)) restarted++;
    }
  }
  return restarted;
}

function monitorsOf({ after, upTo }: OrderRange): string {
  return `WorkflowType = '${esimMonitorType}' AND ${orderId.name} > ${after} AND ${orderId.name} <= ${upTo}`;
}
