/** Order workflows in the operators' view: signals, cancellation and their details. */
import { randomUUID } from 'node:crypto';
import { Client, type WorkflowExecutionDescription, type WorkflowHandle } from '@temporalio/client';
import { msToTs } from '@temporalio/common';
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { orderWorkflowId } from '../../src/domain/orders/order-ids';
import { missingSearchAttributes } from '../../src/temporal/prepare';
import { until } from '../../dev/testbed/waiting';

/** A client of a new namespace without search attributes and schedules, on the same server. */
export async function emptyNamespace({ connection, workflowService }: Client): Promise<Client> {
  const namespace = `empty-${randomUUID()}`;
  const client = new Client({ connection, namespace });
  await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
  await until('the namespace', () => missingSearchAttributes(client).catch(() => undefined));
  return client;
}

/** The workflow of an order. */
export async function workflowOf(temporal: Client, database: Database, orderId: number): Promise<WorkflowHandle> {
  const reservation = await sql.first(database)<{ nonce: string }>`SELECT nonce FROM order_reservations
       WHERE order_id = ${orderId}`;
  return temporal.workflow.getHandle(orderWorkflowId(orderId, (reservation as { nonce: string }).nonce));
}

/** Resets the workflow to its start, as in the Temporal UI. */
export async function resetToStart(temporal: Client, workflow: WorkflowHandle): Promise<void> {
  const { events } = await workflow.fetchHistory();
  const task = events?.find((event) => event.workflowTaskCompletedEventAttributes)?.eventId;
  await temporal.workflowService.resetWorkflowExecution({
    namespace: temporal.options.namespace,
    workflowExecution: { workflowId: workflow.workflowId },
    workflowTaskFinishEventId: task ?? null,
    reason: 'From the start',
    requestId: randomUUID(),
  });
}

/** The details of a workflow, read in the same way as the Temporal UI. */
export async function detailsOf(workflow: Pick<WorkflowHandle, 'query'>): Promise<string> {
  const { currentDetails } = await workflow.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return currentDetails;
}

/** The workflow's description, once it has ended. */
export async function closed(workflow: WorkflowHandle, seconds = 30): Promise<WorkflowExecutionDescription> {
  const description = async () => {
    const described = await workflow.describe();
    return described.status.name === 'RUNNING' ? undefined : described;
  };
  return until(`the end of ${workflow.workflowId}`, description, seconds);
}
