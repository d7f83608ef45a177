/** Orders whose workflow cannot go on because its tasks fail: it says RUNNING, and nothing happens. */
import type { Client } from '@temporalio/client';
import { orderId } from './search-attributes';

/** The server flags a run after so many failures in a row (temporal-config/dynamicconfig/service.yaml). */
const query =
  "ExecutionStatus = 'Running' AND TemporalReportedProblems IN " +
  "('category=WorkflowTaskFailed', 'category=WorkflowTaskTimedOut')";

/** By order id, what operators are told. An order counts by its own workflow and by the one that follows its eSIM. */
export async function failingOrders(client: Client): Promise<Map<number, string>> {
  const orders = new Map<number, string>();
  for await (const workflow of client.workflow.list({ query })) {
    const id = workflow.typedSearchAttributes.get(orderId);
    if (id === undefined) continue;
    orders.set(
      id,
      `Its workflow ${workflow.workflowId} fails its tasks and does not go on: see it in the Temporal UI`,
    );
  }
  return orders;
}
