/** The attention list names the workflows whose tasks fail now. Temporal's list of workflows lags behind. */
import type { Client, WorkflowExecutionDescription, WorkflowExecutionInfo } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import { failingWorkflows } from '../../src/temporal/failing-workflows';
import { orderId } from '../../src/temporal/search-attributes';

const problems = defineSearchAttributeKey('TemporalReportedProblems', SearchAttributeType.KEYWORD_LIST);

/** The present state of a workflow: its status, and the category of its tasks' problem. */
type State = [status: 'RUNNING' | 'COMPLETED', category?: 'WorkflowTaskFailed' | 'WorkflowTaskTimedOut'];

/** Temporal, whose list contains each workflow as the start of an order. */
function temporalWith(states: ReadonlyMap<string, State>): Client {
  const workflow = {
    async *list(): AsyncGenerator<Partial<WorkflowExecutionInfo>> {
      for (const workflowId of states.keys())
        yield {
          workflowId,
          runId: 'run',
          typedSearchAttributes: new TypedSearchAttributes([{ key: orderId, value: 7 }]),
        };
    },
    getHandle: (workflowId: string) => ({
      async describe(): Promise<Partial<WorkflowExecutionDescription>> {
        const [name, category] = states.get(workflowId) ?? ['COMPLETED'];
        return {
          status: { name, code: 1 },
          typedSearchAttributes: new TypedSearchAttributes(
            category ? [{ key: problems, value: [`category=${category}`, 'cause=Some'] }] : [],
          ),
        };
      },
    }),
  };
  return { workflow } as unknown as Client;
}

test('When a worker returns, then workflows that continue, have ended or only lacked the worker are not listed as failing', async () => {
  const temporal = temporalWith(
    new Map<string, State>([
      ['order-7-continues', ['RUNNING']],
      ['order-7-ended', ['COMPLETED', 'WorkflowTaskFailed']],
      ['order-7-timed-out', ['RUNNING', 'WorkflowTaskTimedOut']],
      ['order-7-fails', ['RUNNING', 'WorkflowTaskFailed']],
    ]),
  );
  expect(await failingWorkflows(temporal)).toMatchObject({ byOrder: new Map([[7, ['order-7-fails']]]), others: [] });
});
