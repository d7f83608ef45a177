/** The monitoring of a delivered eSIM with skipped months: the times of its polls and its final status. */
import { ApplicationFailure } from '@temporalio/common';
import {
  timesAfter,
  monitoredEsim,
  type DeliveredEsim,
  type EsimStatus,
} from '../../src/domain/esims/esim-lifecycle';
import { orderMessages } from '../../src/domain/orders/order-messages';
import { startMonitor } from '../../src/ordering/esims/esim-monitors';
import { esimWorkflowId } from '../../src/domain/orders/order-ids';
import { esimQueue } from '../../src/temporal/task-queues';
import type { esimMonitor } from '../../workflows/esim-monitor';
import { retryNowSignal } from '../../workflows/messages';
import { refused, WorkflowHarness, resetActivities, type ActivityMocks } from '../support/workflow-harness';
import { serverStartLimit } from '../support/time-skipping';
import { until } from '../support/waiting';
import { detailsOf } from '../support/workflows';
import { day, hour, minute, second } from '../../src/domain/time';

let harness: WorkflowHarness;
let activities: ActivityMocks;
let nextId = 1_000;

beforeAll(async () => {
  harness = await WorkflowHarness.start();
  activities = harness.activities;
}, serverStartLimit);
afterAll(() => harness?.stop());
beforeEach(() => resetActivities(activities));

/** The events of an eSIM in use, in milliseconds after its delivery. */
interface Field {
  installed?: number;
  used?: number;
  depleted?: number;
}

/** A newly delivered eSIM under its monitor. `polls` are the times of its polls since delivery. */
function newEsim(deliveredAt: number, validityDays = 30): DeliveredEsim {
  return {
    activationStatus: 'NOT_INSTALLED',
    deliveredAt: new Date(deliveredAt),
    validityDays,
    installedAt: null,
    activatedAt: null,
    depletedAt: null,
  };
}

async function deliver(field: Field, { validityDays = 30, pushed = false, ago = 0 } = {}) {
  const deliveredAt = (await harness.now()) - ago;
  let esim = newEsim(deliveredAt, validityDays);
  const polls: number[] = [];
  activities.pollEsimOnce.mockImplementation(async (_order, now) => {
    polls.push(now - deliveredAt);
    const seen = sighting(field, deliveredAt, now);
    const times = timesAfter(esim, seen, new Date(now)) ?? esim;
    esim = { ...esim, ...times, activationStatus: statusOf(times) };
    return monitoredEsim(esim, pushed);
  });
  const key = { orderId: nextId++, nonce: 'harness' };
  const workflow = await harness.env.client.workflow.start<typeof esimMonitor>('esimMonitor', {
    workflowId: esimWorkflowId(key.orderId, key.nonce),
    taskQueue: esimQueue,
    args: [key, monitoredEsim(esim, false), false],
  });
  return { workflow, polls };
}

function sighting({ installed, used, depleted }: Field, deliveredAt: number, now: number): EsimStatus {
  const past = (time: number | undefined): time is number => time !== undefined && deliveredAt + time <= now;
  return {
    ...(past(installed) && { installedAt: new Date(deliveredAt + installed) }),
    ...(past(used) && { firstUsedAt: new Date(deliveredAt + used) }),
    ...(past(depleted) && { isDepleted: true, depletedAt: new Date(deliveredAt + depleted) }),
  };
}

/** The status that the database derives from the times. */
function statusOf(
  times: Pick<DeliveredEsim, 'installedAt' | 'depletedAt'>,
): DeliveredEsim['activationStatus'] {
  if (times.depletedAt) return 'EXPIRED';
  return times.installedAt ? 'ACTIVE' : 'NOT_INSTALLED';
}

/** The waits between the polls within a period. */
function waits(polls: number[], from: number, to: number): number[] {
  const period = polls.filter((time) => time >= from && time <= to);
  return period.slice(1).map((time, index) => time - (period[index] as number));
}

test('When an eSIM is used for 30 days, then it is monitored from installation to expiry', async () => {
  const { workflow, polls } = await deliver({ installed: 20 * minute, used: 2 * day });
  expect(await workflow.result()).toBe('EXPIRED');
  const last = polls.at(-1) as number;
  expect(last - 32 * day).toBeLessThan(minute);
  expect(last).toBeGreaterThanOrEqual(32 * day);
  expect(polls.find((time) => time >= 20 * minute)).toBeLessThan(30 * minute);
}, 120_000);

test('When its data is used up before its days, then its monitor ends at the next poll', async () => {
  const { workflow, polls } = await deliver({ installed: minute, used: 2 * minute, depleted: 5 * hour });
  expect(await workflow.result()).toBe('EXPIRED');
  expect(polls.at(-1)).toBeLessThan(6 * hour + minute);
});

test('When an eSIM is new, then it is polled every minute, and every five to ten minutes after ten minutes', async () => {
  const { workflow, polls } = await deliver({});
  await harness.env.sleep('70m');
  await workflow.terminate();
  expect(polls[0]).toBeLessThan(10 * second);
  expect(waits(polls, 0, 10 * minute).every((wait) => wait >= 45 * second && wait <= minute)).toBe(true);
  expect(
    waits(polls, 12 * minute, 70 * minute).every((wait) => wait >= 5 * minute && wait <= 10 * minute),
  ).toBe(true);
});

test('When an eSIM is never installed, then it is polled daily, over several runs, until a year is over', async () => {
  const { workflow, polls } = await deliver({}, { ago: 345 * day });
  const { runId } = await workflow.describe();
  expect(await workflow.result()).toBe('NOT_INSTALLED');
  expect((await workflow.describe()).runId).not.toBe(runId);
  expect(Math.max(...waits(polls, 0, 365 * day))).toBeLessThanOrEqual(1.2 * day + second);
  expect(polls.length).toBeLessThan(25);
  const last = polls.at(-1) as number;
  expect(last).toBeGreaterThanOrEqual(365 * day);
  expect(last).toBeLessThan(365 * day + minute);
});

test('When the supplier pushes a change, then it is polled immediately', async () => {
  const { workflow, polls } = await deliver({ installed: 20 * day });
  await harness.env.sleep('20d');
  const before = polls.length;
  await workflow.signal(retryNowSignal);
  await until('a question', async () => (polls.length > before ? true : undefined));
  await harness.env.sleep('5m');
  expect(polls.length - before).toBeGreaterThan(5);
  const details = await detailsOf(workflow);
  expect(details).toMatch(/^\*\*ACTIVE: .*\n\n- Last change: .* UTC\n- Next poll, .*: `pollEsim`/);
  expect(details).toContain('- signal `retryNow`: polls the supplier at once');
  expect(await workflow.query(orderMessages.state)).toMatchObject({ status: 'ACTIVE', attention: null });
  await workflow.terminate();
});

test('When the supplier sends pushes, then an unused eSIM costs few polls after its first hours', async () => {
  const { workflow, polls } = await deliver({}, { pushed: true });
  await harness.env.sleep('30d');
  expect(polls.filter((time) => time < day).length).toBeLessThan(15);
  expect(polls.filter((time) => time >= 2 * day && time < 12 * day).length).toBeLessThanOrEqual(11);
  await workflow.terminate();
});

test('When the supplier is out of reach for a day, then it is polled less often and monitoring continues', async () => {
  const { workflow, polls } = await deliver({ installed: minute, used: minute }, { validityDays: 10 });
  const answer = activities.pollEsimOnce.getMockImplementation() as ActivityMocks['pollEsimOnce'];
  const failures: number[] = [];
  const deliveredAt = await harness.now();
  activities.pollEsimOnce.mockImplementation(async (order, now) => {
    if (now - deliveredAt < 8 * day || now - deliveredAt > 9 * day) return answer(order, now);
    failures.push(now);
    throw new Error('out of reach');
  });
  expect(await workflow.result()).toBe('EXPIRED');
  expect(failures.length).toBeGreaterThan(2);
  expect(failures.length).toBeLessThan(15);
  expect(polls.at(-1)).toBeLessThan(10 * day + 2 * minute);
});

test('When a poll fails after many answered ones, then it is repeated within seconds, and further failures wait longer', async () => {
  const { workflow, polls } = await deliver({});
  await harness.env.sleep('3d');
  const deliveredAt = Number((await workflow.describe()).startTime);
  const answer = activities.pollEsimOnce.getMockImplementation() as ActivityMocks['pollEsimOnce'];
  const failures: number[] = [];
  activities.pollEsimOnce.mockImplementation(async (order, now) => {
    if (failures.length === 3) return answer(order, now);
    failures.push(now - deliveredAt);
    throw new Error('out of reach');
  });
  const before = polls.length;
  await harness.env.sleep('8h');
  await workflow.terminate();
  const repeated = waits([...failures, polls[before] as number], 0, 365 * day);
  const longest = [10 * second, 30 * second, 100 * second];
  expect(repeated.map((wait, index) => wait < (longest[index] as number))).toEqual([true, true, true]);
  expect(repeated).toEqual(repeated.toSorted((one, other) => one - other));
});

test('When the supplier asks for a pause of seven hours, then the eSIM is still polled, and immediately after a push', async () => {
  const { workflow, polls } = await deliver({ installed: 2 * day }, { pushed: true });
  const answer = activities.pollEsimOnce.getMockImplementation() as ActivityMocks['pollEsimOnce'];
  await harness.env.sleep('3d');
  let refused = 0;
  activities.pollEsimOnce.mockImplementation(async () => {
    refused++;
    throw ApplicationFailure.create({ message: 'slow down', nextRetryDelay: 7 * hour });
  });
  await workflow.signal(retryNowSignal);
  await until('a rejected poll', async () => (refused > 0 ? true : undefined));
  activities.pollEsimOnce.mockImplementation(answer);
  const before = polls.length;
  await workflow.signal(retryNowSignal);
  await until('a poll after the push', async () => (polls.length > before ? true : undefined), 10);
  await workflow.terminate();
});

describe('An eSIM order', () => {
  test('When an order is delivered, then a separate workflow monitors its eSIM and outlives the order', async () => {
    let poll = (): void => undefined;
    const mayPoll = new Promise<void>((resolve) => (poll = resolve));
    activities.pollEsimOnce.mockImplementation(async (_order, now) => {
      await mayPoll;
      return { status: 'EXPIRED', changedAt: now, endsAt: now, pushed: true };
    });
    activities.startEsimMonitor.mockImplementation(async (key) => {
      const esim = { ...key, clientId: 7, supplier: 'simulator', productId: 3 };
      const life = monitoredEsim(newEsim(await harness.now()), true);
      await startMonitor(harness.env.client, esim, life, { workflowIdReusePolicy: 'REJECT_DUPLICATE' });
    });
    const { order, workflow } = await harness.place({ family: 'ESIM' });
    await workflow.result();
    const life = harness.env.client.workflow.getHandle<typeof esimMonitor>(
      esimWorkflowId(order.orderId, order.nonce),
    );
    expect((await life.describe()).searchAttributes).toMatchObject({
      OrderId: [order.orderId],
      ClientId: [7],
      ActivationStatus: ['NOT_INSTALLED'],
    });
    poll();
    expect(await life.result()).toBe('EXPIRED');
    expect((await life.describe()).searchAttributes).toMatchObject({ ActivationStatus: ['EXPIRED'] });
    expect(activities.pollEsimOnce.mock.calls.map(([key]) => key)).toEqual([
      { orderId: order.orderId, nonce: order.nonce },
    ]);
  });

  test('When an order fails, then no eSIM monitor starts', async () => {
    activities.buy.mockResolvedValue(refused);
    const { order, workflow } = await harness.place({ family: 'ESIM' });
    await expect(workflow.result()).rejects.toThrow('Workflow execution failed');
    const life = harness.env.client.workflow.getHandle(esimWorkflowId(order.orderId, order.nonce));
    await expect(life.describe()).rejects.toThrow('not found');
  });
});
