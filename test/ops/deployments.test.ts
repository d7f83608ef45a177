/** The audit of `ops deploy` when Temporal fails midway. A scripted client simulates the failures. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { rows } from '../../src/data/database/database';
import { reportProcess } from '../../src/data/operations/running-processes';
import { promote, rollBack, type Deployments } from '../../src/ops/deployments';
import { moveStragglers } from '../../src/ops/drain';
import { scratchDatabase } from '../support/scratch-database';

const { database } = scratchDatabase();
beforeEach(async () => {
  const keys = { wrappingKeys: [], dataKeys: [], currentKeys: [] };
  await reportProcess(database, {
    process: randomUUID(),
    role: 'worker',
    host: 'host',
    pid: 1,
    pollsOrdersAs: '2.0.0',
    ...keys,
  });
});

const isDone = () => Promise.resolve({});
const failed = (code: number) =>
  Object.assign(new Error(`status ${code}`), { code, details: '', metadata: {} });
const NOT_FOUND = 5;
const UNAVAILABLE = 14;

function deployments(temporal: object): Deployments {
  return { database, temporal: temporal as Client, progress: () => undefined } as unknown as Deployments;
}

async function audited(action: string) {
  const statement = 'SELECT object, after FROM audit_entries WHERE action = $action ORDER BY id';
  return rows(database, statement, { action });
}

test('When Temporal stops answering after it changed the current version, then the audit has the change', async () => {
  const describeTaskQueue = jest.fn().mockResolvedValueOnce({}).mockRejectedValue(failed(UNAVAILABLE));
  const workflowService = { describeTaskQueue, setWorkerDeploymentCurrentVersion: isDone };
  const promoted = promote(deployments({ workflowService, options: {} }), '2.0.0', 1_000);
  await expect(promoted).rejects.toThrow('status 14');
  expect(await audited('deployment.current_changed')).toEqual([
    { object: 'version/2.0.0', after: { version: '2.0.0' } },
  ]);
});

test('When the queue does not use the current version in time, then the command does not claim that it is not current', async () => {
  const setWorkerDeploymentCurrentVersion = jest.fn(isDone);
  const workflowService = { describeTaskQueue: isDone, setWorkerDeploymentCurrentVersion };
  const promoted = promote(deployments({ workflowService, options: {} }), '2.0.0', 1);
  await expect(promoted).rejects.toThrow(
    '2.0.0 is the current version, but the orders queue does not use it yet. See: deploy status',
  );
  expect(setWorkerDeploymentCurrentVersion).toHaveBeenCalledTimes(1);
});

test('When a second rollback follows, then it goes one release further back, and not to the release that was rolled back', async () => {
  const at = (minutes: number) => ({ seconds: minutes * 60 });
  const version = (buildId: string, created: number, lastCurrent: number) => ({
    deploymentVersion: { buildId },
    createTime: at(created),
    lastCurrentTime: at(lastCurrent),
  });
  // 3.0.0 was rolled back to 2.0.0.
  const describeWorkerDeployment = async () => ({
    workerDeploymentInfo: {
      routingConfig: { currentDeploymentVersion: { buildId: '2.0.0' } },
      versionSummaries: [version('1.0.0', 1, 2), version('2.0.0', 3, 7), version('3.0.0', 5, 6)],
    },
  });
  const setWorkerDeploymentCurrentVersion = jest.fn(isDone);
  const workflowService = { describeWorkerDeployment, setWorkerDeploymentCurrentVersion };
  const rolledBack = rollBack(deployments({ workflowService, options: {} }), 1);
  await expect(rolledBack).rejects.toThrow('No worker of 1.0.0 takes orders');
  expect(setWorkerDeploymentCurrentVersion).not.toHaveBeenCalled();
});

describe('When stragglers are moved', () => {
  /** Temporal with three pinned runs. `move` moves one of them. */
  const withRuns = (move: (workflowId: string) => Promise<object>) =>
    deployments({
      options: {},
      workflow: {
        async *list() {
          for (const workflowId of ['first', 'second', 'third']) yield { workflowId, runId: 'run' };
        },
        getHandle: () => ({ fetchHistory: isDone }),
      },
      workflowService: {
        updateWorkflowExecutionOptions: (request: { workflowExecution: { workflowId: string } }) =>
          move(request.workflowExecution.workflowId),
      },
    });
  const straggling = { from: '1.0.0', to: '2.0.0', check: async () => undefined };
  const secondFails = (code: number) => async (workflowId: string) => {
    if (workflowId === 'second') throw failed(code);
    return {};
  };

  test('and one ends before it is moved, then the others are moved', async () => {
    const result = await moveStragglers(withRuns(secondFails(NOT_FOUND)), straggling);
    expect(result).toEqual({ moved: ['first', 'third'], left: [] });
  });

  test('and Temporal stops answering, then the audit has the moved workflows', async () => {
    const before = await audited('deployment.stragglers_moved');
    await expect(moveStragglers(withRuns(secondFails(UNAVAILABLE)), straggling)).rejects.toThrow('status 14');
    const entries = await audited('deployment.stragglers_moved');
    expect(entries.slice(before.length)).toEqual([
      { object: 'version/1.0.0', after: { version: '2.0.0', moved: ['first'] } },
    ]);
  });
});
