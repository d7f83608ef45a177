/** Workflows that cannot go on because their tasks fail: such a workflow says RUNNING, and nothing happens. */
import type { Client } from '@temporalio/client';
import { endpointOfWorkflow } from '../domain/webhooks';
import { orderId } from './search-attributes';

/** The server flags a run after so many failures in a row (temporal-config/dynamicconfig/service.yaml). */
const query =
  "ExecutionStatus = 'Running' AND TemporalReportedProblems IN " +
  "('category=WorkflowTaskFailed', 'category=WorkflowTaskTimedOut')";

/** Failing workflows by what they work for. */
export interface FailingWorkflows {
  /** Workflow ids by order id: of the order's own workflow and of its eSIM monitor. */
  byOrder: Map<number, string[]>;
  /** Workflow ids by endpoint id. */
  byEndpoint: Map<number, string[]>;
  /** Ids of all other workflows. */
  others: string[];
}

/** Lists every failing workflow, whether or not it carries an order id. */
export async function failingWorkflows(client: Client): Promise<FailingWorkflows> {
  const failing: FailingWorkflows = { byOrder: new Map(), byEndpoint: new Map(), others: [] };
  for await (const { workflowId, typedSearchAttributes } of client.workflow.list({ query })) {
    const order = typedSearchAttributes.get(orderId);
    const endpoint = endpointOfWorkflow(workflowId)?.endpointId;
    if (order !== undefined) add(failing.byOrder, order, workflowId);
    else if (endpoint !== undefined) add(failing.byEndpoint, endpoint, workflowId);
    else failing.others.push(workflowId);
  }
  return failing;
}

function add(byId: Map<number, string[]>, id: number, workflowId: string): void {
  byId.set(id, [...(byId.get(id) ?? []), workflowId]);
}
