/**
 * Runs every command of the deployment page in order, on a stack of its own with open orders: from unversioned workers to
 * 1.0.0, to 2.0.0, back again, and with orders whose workers are gone.
 */
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { orderMessages } from '../../src/domain/orders/order-messages';
import { esimWorkflowId } from '../../src/domain/orders/order-ids';
import { moveStragglers } from '../../src/operators/cli/drain';
import { esimMonitorType } from '../../src/ordering/esims/esim-monitors';
import { shellCommands, textOf } from '../documents/documents';
import { shellWords } from '../documents/shell-words';
import { OperatedStack } from '../operators/runbook/operated-stack';
import { newClient, type OwnClient } from '../support/clients';
import { stackDatabase } from '../../dev/testbed/clients';
import { scenarioNamed } from '../support/orders';
import { boughtFor } from '../support/records';
import { startWorkerProcess, type ServiceProcess } from '../support/service-process';
import type { Json } from '../support/stack';
import { runProgram, runTool, type ToolRun } from '../support/tool';
import { versionsOf } from '../support/versions';
import { until } from '../../dev/testbed/waiting';
import { closed, workflowOf } from '../support/workflows';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';

const page = 'docs/operators/deploying.md';
/** The commands of the CLI that the page shows: in blocks, and for processes in the table of steps. */
const shown = Array.from(
  textOf(page).matchAll(/(?:^npm run ops --|`deploy\/systemd\/ops\.sh) ([^`\n]+)/gm),
  ([, words = '']) => words,
);
const untried = new Set(shown);

let stack: OperatedStack;
let database: Database;
let temporal: Client;
let client: OwnClient;
const workers = new Map<string, ServiceProcess>();

beforeAll(async () => {
  stack = await OperatedStack.start('deploying');
  database = stackDatabase();
  temporal = await serviceTemporalClient();
  client = await newClient(database, { USD: 1_000_000 });
});
afterAll(async () => {
  await Promise.all([...workers.values()].map((worker) => worker.kill()));
  await temporal.connection.close();
  await database.close();
  await stack.stop();
});

/** Runs a command of the page unchanged, with the code of that release. */
async function command(text: string, release: string): Promise<ToolRun> {
  if (!shown.includes(text)) throw new Error(`${page} does not show: ${text}`);
  untried.delete(text);
  return tool(release, ...shellWords(text));
}

async function tool(release: string, ...words: string[]): Promise<ToolRun> {
  process.env['DEPLOYMENT_VERSION'] = release;
  return runTool`${words}`;
}

async function start(version: string): Promise<void> {
  workers.set(version, await startWorkerProcess({ DEPLOYMENT_VERSION: version }));
}

async function statusOf(version: string): Promise<Json | undefined> {
  const { stdout } = await tool('', '--json', 'deploy', 'status');
  return (JSON.parse(stdout) as Json[]).find((row) => row['version'] === version);
}

interface Order {
  id: number;
  workflow: WorkflowHandle;
}

/** Places an order and returns once it is placed. The response to an eSIM order can take a minute. */
async function order(scenario: string): Promise<Order> {
  const { path, body } = scenarioNamed(scenario);
  const reference = `deploy-${Math.random().toString(36).slice(2)}`;
  const answered = client.api.post(path, { ...body, client_reference: reference });
  const placed = await until(
    'an order',
    () => sql.first(database)<{ id: number }>`SELECT id FROM orders
       WHERE client_reference = ${reference}`,
  );
  answered.then(
    ({ status }) => expect(status).toBe(200),
    () => undefined,
  );
  return { id: placed.id, workflow: await workflowOf(temporal, database, placed.id) };
}

/** An order that waits until an operator decides it. */
async function waitingOrder(): Promise<Order> {
  const placed = await order('voucher_needs_operator');
  await until(
    'the operators’ list',
    () => sql.first(database)`SELECT id FROM attention
       WHERE order_id = ${placed.id}`,
    90,
  );
  return placed;
}

/** Ends the order with the decision that nothing was bought. */
async function resolve({ workflow }: Order): Promise<void> {
  const decision = { resolution: 'NOT_BOUGHT', reason: 'Confirmed by phone' };
  await until('the lookup to be conclusive', () =>
    workflow.executeUpdate(orderMessages.resolve, { args: [decision] }).catch(() => undefined),
  );
  await closed(workflow, 60);
}

async function instantOrder(): Promise<string[]> {
  const { workflow } = await order('voucher_instant');
  await closed(workflow);
  return versionsOf(workflow);
}

describe('The first version', () => {
  let waiting: Order;
  let slow: Order;

  test('When no version is current, then impossible commands are rejected with the next step', async () => {
    expect(await tool('', 'deploy', 'rollback')).toMatchObject({
      exitCode: 1,
      stderr: 'No version is current: there is nothing to roll back.\n',
    });
    expect(await tool('', 'deploy', 'drain', '1.0.0')).toMatchObject({
      exitCode: 1,
      stderr: 'There is no version 1.0.0. Known: none.\n',
    });
    const missing = await tool('', 'deploy', 'promote', '1.0.0', '--timeout', '1');
    expect(missing.exitCode).toBe(1);
    expect(missing.stderr).toContain('No worker of 1.0.0 takes orders: start one with DEPLOYMENT_VERSION=1.0.0.');
    expect(missing.stderr).toContain('New orders still go to unversioned.');
    expect(await statusOf('unversioned')).toMatchObject({ state: 'current', next: null });
  });

  test('When it is promoted under unversioned orders, then they continue with it and end', async () => {
    waiting = await waitingOrder();
    slow = await order('voucher_slow');
    await start('1.0.0');
    const promoted = await tool('1.0.0', 'deploy', 'promote', '1.0.0');
    expect(promoted).toMatchObject({ exitCode: 0 });
    expect(promoted.stdout).toContain('New orders go to 1.0.0 from now on.');
    expect(await instantOrder()).toEqual(['1.0.0']);
    expect(await statusOf('unversioned')).toMatchObject({
      state: 'replaced',
      next: 'stop its workers and bulk workers',
    });
    await stack.halt('worker');

    await closed(slow.workflow, 90);
    expect(await versionsOf(slow.workflow)).toEqual(['', '1.0.0']);
    await resolve(waiting);
    expect(await versionsOf(waiting.workflow)).toEqual(['', '1.0.0']);
    expect(await statusOf('1.0.0')).toMatchObject({ state: 'current', next: null });
    expect(await statusOf('unversioned')).toBeUndefined();
    const repeated = await tool('', 'deploy', 'promote', '1.0.0');
    expect(repeated.stdout).toBe('1.0.0 is the current version already.\n');
  });
});

describe('The next version', () => {
  let waiting: Order;
  let esim: Order;

  test('When 2.0.0 is promoted, then new orders run on it, and those of 1.0.0 stay', async () => {
    waiting = await waitingOrder();
    esim = await order('esim_slow');
    expect(await command('migrate', '2.0.0')).toMatchObject({ exitCode: 0 });
    const replayed = await command('replay --since 1d --no-orders', '2.0.0');
    expect(replayed.stdout).toMatch(/ replayed, 0 of them differ\.\n$/);
    await start('2.0.0');
    await until('it to poll', async () => (await statusOf('2.0.0'))?.['next'] === 'deploy promote 2.0.0');
    expect(await instantOrder()).toEqual(['1.0.0']);

    expect(await command('deploy promote 2.0.0', '2.0.0')).toMatchObject({ exitCode: 0 });
    expect(await instantOrder()).toEqual(['2.0.0']);
    const status = await command('deploy status', '2.0.0');
    expect(status.stdout).toMatch(/^2\.0\.0 +current +worker \d+ on \S+ +\d+ +false +-$/m);
    // On a slow machine the eSIM order may have ended by now.
    expect(status.stdout).toMatch(/^1\.0\.0 +replaced +worker \d+ on \S+ +[12] +false +deploy drain 1\.0\.0$/m);
  });

  test('When an order of 1.0.0 continues as a new run, then that run is pinned to 1.0.0, too', async () => {
    const { workflow } = waiting;
    const first = (await workflow.describe()).runId;
    const next = await until(
      'a new run',
      async () => {
        await workflow.signal(orderMessages.retryNow);
        const { runId } = await temporal.workflow.getHandle(workflow.workflowId).describe();
        return runId === first ? undefined : runId;
      },
      120,
    );
    const run = temporal.workflow.getHandle(workflow.workflowId, next);
    await until('its first task', async () => (await versionsOf(run))[0]);
    expect(await versionsOf(run)).toEqual(['1.0.0']);
  });

  test('When 1.0.0 is drained, then the command waits for its orders to end and reports it', async () => {
    expect(await tool('', 'deploy', 'drain', '2.0.0')).toMatchObject({
      exitCode: 1,
      stderr: '2.0.0 is the current version: promote another one before it is drained.\n',
    });
    const impatient = await tool('', 'deploy', 'drain', '1.0.0', '--timeout', '1');
    expect(impatient.exitCode).toBe(1);
    expect(impatient.stderr).toContain('Keep the workers of 1.0.0 running, or move the orders to 2.0.0');
    const draining = command('deploy drain 1.0.0', '2.0.0');
    await closed(esim.workflow, 120);
    await resolve(waiting);
    expect(await draining).toMatchObject({
      exitCode: 0,
      stdout: 'No open order is pinned to 1.0.0: its workers can be stopped.\n',
    });
    expect(await versionsOf(esim.workflow)).toEqual(['1.0.0']);
    expect(await versionsOf(waiting.workflow)).toEqual(['1.0.0']);
    expect(await boughtFor(esim.id)).toHaveLength(1);
  });

  test('When an order of 1.0.0 starts an eSIM monitor, then the monitor continues with 2.0.0', async () => {
    const [, nonce = ''] = /^order-\d+-(\w+)$/.exec(esim.workflow.workflowId) ?? [];
    const monitor = temporal.workflow.getHandle(esimWorkflowId(esim.id, nonce));
    expect((await monitor.describe()).type).toBe(esimMonitorType);
    await monitor.signal(orderMessages.retryNow);
    await until('its next task', async () => (await versionsOf(monitor)).at(-1) === '2.0.0');
    expect(['1.0.0', '2.0.0']).toEqual(expect.arrayContaining(await versionsOf(monitor)));
  });
});

describe('Rolling back', () => {
  test('When 2.0.0 is rolled back, then new orders run on 1.0.0, and those of 2.0.0 end with 2.0.0', async () => {
    const pinned = await waitingOrder();
    const rolledBack = await command('deploy rollback', '1.0.0');
    expect(rolledBack.stdout).toContain('New orders go to 1.0.0 again, instead of 2.0.0.');
    const { stdout: listed } = await tool('', '--json', 'deploy', 'status');
    expect((JSON.parse(listed) as Json[]).map(({ version }) => version)).toEqual(['1.0.0', '2.0.0']);
    const repeated = await command('deploy promote 1.0.0', '2.0.0');
    expect(repeated).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('1.0.0 is the current version already.'),
    });
    expect(await instantOrder()).toEqual(['1.0.0']);
    const draining = command('deploy drain 2.0.0', '1.0.0');
    await resolve(pinned);
    expect(await draining).toMatchObject({ exitCode: 0 });
    expect(await versionsOf(pinned.workflow)).toEqual(['2.0.0']);
  });
});

describe('Orders whose workers are gone', () => {
  const drain = 'deploy drain 1.0.0 --timeout 60 --move-stragglers';
  let esim: Order;
  let waiting: Order;

  test('When their version has no worker, then they make no progress, and the status says so', async () => {
    waiting = await waitingOrder();
    esim = await order('esim_slow');
    await tool('2.0.0', 'deploy', 'promote', '2.0.0');
    await workers.get('1.0.0')?.kill();
    await until(
      'the entry',
      async () => (await statusOf('1.0.0'))?.['next'] === 'deploy drain 1.0.0 --move-stragglers',
    );
    const drained = await tool('', 'deploy', 'drain', '1.0.0');
    expect(drained.exitCode).toBe(1);
    expect(drained.stderr).toContain('2 open orders are pinned to 1.0.0 and no worker of 1.0.0 runs');
    expect(drained.stderr).toContain(esim.workflow.workflowId);
    const entry = await until(
      'the entry',
      () => sql.first(database)<{ reason: string }>`SELECT reason
         FROM attention WHERE kind = 'VERSION_WITHOUT_WORKERS' AND cleared_at IS NULL`,
    );
    expect(entry.reason).toContain('2 to 1.0.0');
  });

  test('When the ops CLI has another release than the current one, then it moves nothing', async () => {
    const moved = await command(drain, '1.0.0');
    expect(moved.exitCode).toBe(1);
    expect(moved.stderr).toContain('run this with the code of 2.0.0 and DEPLOYMENT_VERSION=2.0.0');
  });

  test('When the replay of an order differs, then the order is listed and not moved', async () => {
    const failing = { from: '1.0.0', to: '2.0.0', check: async () => 'it would set a timer' };
    const { moved, left } = await moveStragglers({ database, temporal, progress: () => undefined }, failing);
    expect(moved).toEqual([]);
    expect(left.map(({ error }) => error)).toEqual(['it would set a timer', 'it would set a timer']);
  });

  test('When they are moved, then they end with the current version, each bought once', async () => {
    const moved = await command(drain, '2.0.0');
    expect(moved).toMatchObject({ exitCode: 0 });
    expect(moved.stdout).toContain(`${esim.workflow.workflowId} continues with 2.0.0.`);
    await resolve(waiting);
    expect(await versionsOf(waiting.workflow)).toEqual(['1.0.0', '2.0.0']);
    await closed(esim.workflow, 150);
    expect(await versionsOf(esim.workflow)).toEqual(['1.0.0', '2.0.0']);
    expect(await boughtFor(esim.id)).toHaveLength(1);
    const versions = (await esim.workflow.describe()).raw.workflowExecutionInfo?.versioningInfo;
    // The long-running eSIM monitor must not inherit the pinning.
    expect(versions?.versioningOverride ?? null).toBeNull();
    await until('no remaining order', async () => (await statusOf('1.0.0'))?.['next'] === null);
    await until(
      'the entry to disappear',
      async () =>
        !(await sql.first(database)`SELECT FROM attention WHERE kind = 'VERSION_WITHOUT_WORKERS'
           AND cleared_at IS NULL`),
    );
  });
});

describe('The page about changing a workflow', () => {
  const ran: Record<string, () => Promise<ToolRun>> = {
    'npm run replay -- --since 1d': () => tool('2.0.0', 'replay', '--since', '1d'),
    'npm run replay -- 42': async () => tool('2.0.0', 'replay', String((await order('voucher_instant')).id)),
    // Replaces nothing, because every path has a recording.
    'npm run replay:record': () => runProgram('dist/test/replay/record.js'),
  };
  const itself = /^npm test -- test\/replay\//;
  const steps = shellCommands('docs/developers/changing-a-workflow.md').filter((text) => !itself.test(text));

  test.each(steps)('When `%s` is run, then it has the documented effect', async (text) => {
    expect(await ran[text]?.()).toMatchObject({ exitCode: 0 });
  });
});

test('When the page shows a command, then it was run', () => {
  expect([...untried]).toEqual([]);
});
