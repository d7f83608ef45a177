/** The audit of `ops deploy` when Temporal fails midway. A scripted client simulates the failures. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { sql } from '../../../dev/testbed/sql';
import { reportProcess } from '../../../src/data/maintenance/running-processes';
import { listVersionStatus, promote, rollBack, type Deployments } from '../../../src/operators/cli/deployments';
import { drain, moveStragglers } from '../../../src/operators/cli/drain';
import { keyPurposes } from '../../../src/security/key-ring';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import { printedBy } from '../../support/operator';

const { database, url } = scratchDatabase();
beforeEach(() => reportWorkerOf('2.0.0'));

async function reportWorkerOf(version: string): Promise<void> {
  const keys = { wrappingKeys: [], dataKeys: [], currentKeys: [] };
  await reportProcess(database, {
    process: randomUUID(),
    role: 'worker',
    host: 'host',
    pid: 1,
    pollsOrdersAs: version,
    ...keys,
  });
}

const isDone = () => Promise.resolve({});
const failed = (code: number) => Object.assign(new Error(`status ${code}`), { code, details: '', metadata: {} });
const NOT_FOUND = 5;
const UNAVAILABLE = 14;

function deployments(temporal: object): Deployments {
  return { database, temporal: temporal as Client, progress: () => undefined };
}

async function audited(action: string) {
  return sql(database)`SELECT object, after FROM audit_entries WHERE action = ${action} ORDER BY id`;
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

test('When no process of an installation has started yet, then the command that waits for a worker adds the data keys', async () => {
  const purposes = () => sql(database)`SELECT purpose FROM data_keys ORDER BY purpose`;
  expect(await purposes()).toEqual([]);
  await printedBy(url, 'deploy', 'status');
  expect(await purposes()).toEqual(keyPurposes.toSorted().map((purpose) => ({ purpose })));
});

describe('When a version is rolled back', () => {
  const at = (minutes: number) => ({ seconds: minutes * 60 });
  /** The minutes at which a version first polled and last became current. */
  const version = (buildId: string, created: number, lastCurrent: number) => ({
    deploymentVersion: { buildId },
    createTime: at(created),
    lastCurrentTime: at(lastCurrent),
  });
  const setWorkerDeploymentCurrentVersion = jest.fn(isDone);
  const rollBackFrom = (current: string, versionSummaries: object[]) => {
    const routingConfig = { currentDeploymentVersion: { buildId: current } };
    const described = { workerDeploymentInfo: { routingConfig, versionSummaries } };
    const workflowService = {
      describeWorkerDeployment: () => Promise.resolve(described),
      setWorkerDeploymentCurrentVersion,
    };
    return rollBack(deployments({ workflowService, options: {} }), 1);
  };
  afterEach(() => expect(setWorkerDeploymentCurrentVersion).not.toHaveBeenCalled());

  test('for a second time, then it goes one release further back, and not to the release that was rolled back', async () => {
    // 3.0.0 was rolled back to 2.0.0.
    const versions = [version('1.0.0', 1, 2), version('2.0.0', 3, 7), version('3.0.0', 5, 6)];
    await expect(rollBackFrom('2.0.0', versions)).rejects.toThrow('No worker of 1.0.0 takes orders');
  });

  test('and no other version was current, then it says so', async () => {
    await expect(rollBackFrom('1.0.0', [version('1.0.0', 1, 2)])).rejects.toThrow(
      'No version was current before 1.0.0: there is none to roll back to.',
    );
  });

  test('to no older version, then it says how to return to a newer one, and unversioned workers get no orders', async () => {
    await reportWorkerOf('');
    // 2.0.0 was current before 1.0.0, which first polled before it.
    const versions = [version('1.0.0', 1, 7), version('2.0.0', 3, 6)];
    await expect(rollBackFrom('1.0.0', versions)).rejects.toThrow(
      'No older version than 1.0.0 was current. To return to a newer one: deploy promote <version>.',
    );
  });
});

describe('When a version was rolled back to unversioned workers', () => {
  const versionSummaries = [
    { deploymentVersion: { buildId: '1.0.0' }, createTime: { seconds: 60 }, lastCurrentTime: { seconds: 120 } },
  ];
  const described = { workerDeploymentInfo: { routingConfig: {}, versionSummaries } };
  const rolledBack = deployments({
    options: {},
    workflowService: { describeWorkerDeployment: () => Promise.resolve(described) },
    workflow: {
      count: (query: string) => Promise.resolve({ count: query.includes('1.0.0') ? 1 : 0 }),
      async *list() {
        yield { workflowId: 'order-1', runId: 'run' };
      },
    },
  });

  test('then its orders are drained, and they cannot move', async () => {
    await expect(drain(rolledBack, '1.0.0', { timeoutMs: 1, moves: false })).rejects.toThrow(
      /^1 open orders are pinned to 1\.0\.0 and no worker of 1\.0\.0 runs, so they make no progress: order-1\. Start a worker of 1\.0\.0$/,
    );
    await expect(drain(rolledBack, '1.0.0', { timeoutMs: 1, moves: true })).rejects.toThrow(
      'Orders can only move to a version: promote one first.',
    );
  });

  test('and its workers are stopped too early, then `deploy status` says to start them', async () => {
    expect(await listVersionStatus(rolledBack)).toMatchObject([
      { version: '1.0.0', state: 'replaced', next: 'start its workers and bulk workers' },
      { version: 'unversioned', state: 'current' },
    ]);
  });
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
