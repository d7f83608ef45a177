/**
 * `npm run test:more -- ui`: each case of an order that needs a person, from the list to the repair, in the Temporal UI. The
 * fault happens before the stopwatch starts. The repair follows the text of the page itself.
 */
import { performance } from 'node:perf_hooks';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { callControl } from '../../dev/stack/controls';
import { sql } from '../../dev/testbed/sql';
import { newClient, useDatabase, type OwnClient } from '../support/clients';
import { scenarioNamed } from '../support/orders';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { Resource } from '../support/stack';
import { runTool } from '../support/tool';
import { until } from '../../dev/testbed/waiting';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';
import { workflowOf } from '../support/workflows';
import { describeInBrowser } from './describe-in-browser';
import { needsAttention, TemporalUi } from './temporal-ui';
import { timeAt } from '../../src/domain/time';

/** The time limit of an operator, in seconds. */
const MENDED_WITHIN_S = 60;

const pending = "ExecutionStatus = 'Running' AND OrderStatus IN ('PENDING', 'PARTIALLY_DELIVERED')";

const database = useDatabase();
let temporal: Client;
let ui: TemporalUi;
let client: OwnClient;

interface Placed {
  id: number;
  workflow: WorkflowHandle;
}

async function place(scenario: string): Promise<Placed> {
  const { path, body } = scenarioNamed(scenario);
  const answer = await client.api.post<Resource>(path, body);
  const { id } = answer.body;
  return { id, workflow: await workflowOf(temporal, database, id) };
}

/** Returns once the workflow shows why its order needs a person. */
async function listed({ workflow }: Placed): Promise<void> {
  await until(
    'the reason',
    async () => {
      const { searchAttributes } = await workflow.describe();
      return searchAttributes['Attention']?.[0];
    },
    90,
  );
}

function control(path: string, body: object, method = 'POST'): Promise<void> {
  return callControl(loadStack().simulator_url, method, path, body);
}

/** The attempt of the pending activity, once its next attempt is more than this many seconds away. */
async function inBackOff({ workflow }: Placed, longerThanS: number): Promise<Date> {
  return until(
    'a long wait',
    async () => {
      const { raw } = await workflow.describe();
      const next = raw.pendingActivities?.[0]?.nextAttemptScheduleTime?.seconds;
      const at = next === undefined || next === null ? 0 : Number(next) * 1_000;
      return at - Date.now() > longerThanS * 1_000 ? timeAt(at) : undefined;
    },
    120,
  );
}

/** Opens the order from a list and starts the stopwatch. Returns the time until the page shows the end. */
async function mend(
  what: string,
  { workflow }: Placed,
  list: string,
  work: (details: string) => Promise<void>,
  end: RegExp,
): Promise<void> {
  const began = performance.now();
  await ui.openList(list);
  await ui.openWorkflow(workflow.workflowId);
  await work(await ui.readDetails());
  await ui.readDetails(end);
  const seconds = (performance.now() - began) / 1_000;
  process.stderr.write(`  stopwatch: ${what}: ${seconds.toFixed(1)} s from the list to the end\n`);
  expect(seconds).toBeLessThan(MENDED_WITHIN_S);
}

describeInBrowser('With a stopwatch, in the Temporal UI alone', () => {
  beforeAll(async () => {
    [temporal, ui, client] = await Promise.all([
      serviceTemporalClient(),
      TemporalUi.signedIn(),
      newClient(database, { USD: 10_000 }),
    ]);
  });
  afterAll(async () => {
    await ui?.close();
    await temporal?.connection.close();
  });

  test('When the supplier was down and an order waits for its next attempt, then retryNow buys immediately', async () => {
    await control('outage', { seconds: 600 });
    const order = await place('voucher_instant');
    const nextTry = await inBackOff(order, 25);
    await control('outage', { seconds: 0 });
    await mend(
      'supplier down',
      order,
      pending,
      async (details) => {
        expect(details).toContain('retries while it is slow or unreachable');
        expect(details).toMatch(/signal\s+retryNow\s*: buys at once/);
        await ui.signal('retryNow');
        await until('the end of the order', async () => {
          const { status, closeTime } = await order.workflow.describe();
          if (status.name === 'RUNNING') return undefined;
          expect(closeTime?.getTime()).toBeLessThan(nextTry.getTime());
          return true;
        });
      },
      /DELIVERED/,
    );
  });

  test('When the account was blocked, then the list shows the reason, and retryNow buys once it is unblocked', async () => {
    const order = await place('topup_supplier_blocked');
    await listed(order);
    await mend(
      'stuck order, account blocked',
      order,
      needsAttention,
      async (details) => {
        expect(details).toContain('Our account at supplier simulator is blocked');
        await control('account', { blocked: false });
        await ui.signal('retryNow');
      },
      /DELIVERED/,
    );
  });

  test('When the outcome of a purchase is unknown, then the pasted decision fails and refunds the order', async () => {
    const order = await place('voucher_needs_operator');
    await listed(order);
    await mend(
      'unknown outcome, parked',
      order,
      needsAttention,
      async (details) => {
        expect(details).toContain('Purchase outcome unknown');
        const decision = /resolveOrder\s+with\s+(\{"resolution":"NOT_BOUGHT".*?\})/.exec(details)?.[1];
        await until(
          'the lookup to be conclusive',
          async () => (await ui.update('resolveOrder', decision ?? '')) === undefined,
        );
      },
      /10\.00 USD credited to wallet/,
    );
  });

  test('When a refund waits for its wallet, then the shown command credits it', async () => {
    const order = await place('voucher_partial_then_failed');
    await sql(database)`UPDATE wallets SET closed_at = now() WHERE client_id = ${client.id}`;
    await listed(order);
    await mend(
      'refund due',
      order,
      needsAttention,
      async (details) => {
        expect(details).toContain('the refund waits, because the wallet is closed');
        const [, wallet] = /npm run ops -- wallets reopen (\d+)/.exec(details) ?? [];
        expect((await runTool`wallets reopen ${wallet ?? ''}`).exitCode).toBe(0);
      },
      /USD credited to wallet/,
    );
  });

  test('When a client no longer wants an order, then the pasted reason cancels it', async () => {
    // The supplier sells nothing but answers lookups, because a cancellation needs proof that no purchase exists.
    await control('behaviour', { modes: { busy: { status: 503 } } }, 'PUT');
    const order = await place('voucher_instant');
    await mend(
      'cancel',
      order,
      `OrderId = ${order.id}`,
      async (details) => {
        const reason = /cancelOrder\s+with\s+("[^"]+")/.exec(details)?.[1];
        expect(await ui.update('cancelOrder', reason ?? '')).toBeUndefined();
      },
      /CANCELLED/,
    );
    await control('behaviour', {}, 'DELETE');
  });
});
