/** The monitoring of a delivered eSIM with skipped months: the times of its polls and its final status. */
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import { tsToMs } from '@temporalio/common/lib/time';
import type { temporal } from '@temporalio/proto';
import {
  timesAfter,
  monitoredEsim,
  type DeliveredEsim,
  type EsimStatus,
  type MonitorProgress,
} from '../../src/domain/esims/esim-lifecycle';
import { orderMessages } from '../../src/domain/orders/order-messages';
import { startMonitor } from '../../src/ordering/esims/esim-monitors';
import { esimWorkflowId } from '../../src/domain/orders/order-ids';
import { esimQueue } from '../../src/temporal/task-queues';
import type { esimMonitor } from '../../workflows/esim-monitor';
import { retryNowSignal } from '../../workflows/messages';
import { refused, WorkflowHarness, resetActivities, type ActivityMocks } from '../support/workflow-harness';
import { serverStartLimit } from '../support/time-skipping';
import { until } from '../../dev/testbed/waiting';
import { detailsOf } from '../support/workflows';
import { day, hour, minute, second, timeAt } from '../../src/domain/time';

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
    deliveredAt: timeAt(deliveredAt),
    validityDays,
    installedAt: null,
    activatedAt: null,
    depletedAt: null,
  };
}

/** The monitor of an eSIM that was delivered `ago` milliseconds ago. It first waits for its next poll, unless `progress` says otherwise. */
async function deliver(
  field: Field,
  {
    validityDays = 30,
    pushed = false,
    ago = 0,
    progress = { isDue: false, failingSince: null },
  }: { validityDays?: number; pushed?: boolean; ago?: number; progress?: MonitorProgress } = {},
) {
  const deliveredAt = (await harness.now()) - ago;
  let esim = newEsim(deliveredAt, validityDays);
  const polls: number[] = [];
  activities.pollEsimOnce.mockImplementation(async (_order, now) => {
    polls.push(now - deliveredAt);
    const seen = sighting(field, deliveredAt, now);
    const times = timesAfter(esim, seen, timeAt(now)) ?? esim;
    esim = { ...esim, ...times, activationStatus: statusOf(times) };
    return monitoredEsim(esim, pushed);
  });
  const key = { orderId: nextId++, nonce: 'harness' };
  const workflow = await harness.env.client.workflow.start<typeof esimMonitor>('esimMonitor', {
    workflowId: esimWorkflowId(key.orderId, key.nonce),
    taskQueue: esimQueue,
    args: [key, monitoredEsim(esim, pushed), progress],
  });
  return { workflow, polls, deliveredAt };
}

function sighting({ installed, used, depleted }: Field, deliveredAt: number, now: number): EsimStatus {
  const past = (time: number | undefined): time is number => time !== undefined && deliveredAt + time <= now;
  return {
    ...(past(installed) && { installedAt: timeAt(deliveredAt + installed) }),
    ...(past(used) && { firstUsedAt: timeAt(deliveredAt + used) }),
    ...(past(depleted) && { isDepleted: true, depletedAt: timeAt(deliveredAt + depleted) }),
  };
}

/** The status that the database derives from the times. */
function statusOf(times: Pick<DeliveredEsim, 'installedAt' | 'depletedAt'>): DeliveredEsim['activationStatus'] {
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
  expect(waits(polls, 12 * minute, 70 * minute).every((wait) => wait >= 5 * minute && wait <= 10 * minute)).toBe(true);
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
  await until('a question', async () => polls.length > before);
  await harness.env.sleep('5m');
  expect(polls.length - before).toBeGreaterThan(5);
  const details = await detailsOf(workflow);
  expect(details).toMatch(/^\*\*ACTIVE: .*\n\n- Last change: .* UTC\n- Polls now: see `pollEsim`/);
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
  const { workflow, polls, deliveredAt } = await deliver({});
  await harness.env.sleep('3d');
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
  // After a signal during a poll, the server would skip no more time.
  await until('a rejected poll', async () => {
    const { pendingActivities } = (await workflow.describe()).raw;
    return refused > 0 && pendingActivities?.[0]?.lastFailure ? true : undefined;
  });
  activities.pollEsimOnce.mockImplementation(answer);
  const before = polls.length;
  await workflow.signal(retryNowSignal);
  await until('a poll after the push', async () => polls.length > before, 10);
  await until('the wait', async () => (await storyOf(workflow)).at(-1)?.startsWith('timer: '));
  await workflow.terminate();
});

/** A history as an operator reads it: timers and polls with their summaries, and how the run ended. */
async function storyOf(workflow: WorkflowHandle): Promise<string[]> {
  const { events } = await workflow.fetchHistory();
  return (events ?? []).flatMap((event) => {
    const summary = summaryOf(event);
    if (event.timerStartedEventAttributes) return [`timer: ${summary}`];
    if (event.timerCanceledEventAttributes) return ['timer interrupted'];
    if (event.activityTaskScheduledEventAttributes) return [`poll: ${summary}`];
    if (event.activityTaskCanceledEventAttributes) return ['poll interrupted'];
    if (event.activityTaskFailedEventAttributes) return ['poll failed'];
    if (event.workflowExecutionContinuedAsNewEventAttributes) return ['continued'];
    if (event.workflowExecutionCompletedEventAttributes) return ['ended'];
    return [];
  });
}

function summaryOf({ userMetadata }: temporal.api.history.v1.IHistoryEvent): string {
  return userMetadata?.summary ? defaultPayloadConverter.fromPayload<string>(userMetadata.summary) : '';
}

/** The scheduled polls of a run, as Temporal shows and executes them. */
async function scheduledPolls(workflow: WorkflowHandle) {
  const { events } = await workflow.fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: poll }) => {
    if (!poll) return [];
    const { initialInterval, backoffCoefficient, maximumInterval } = poll.retryPolicy ?? {};
    return [
      {
        firstMs: tsToMs(initialInterval),
        coefficient: backoffCoefficient,
        maxMs: tsToMs(maximumInterval),
        limitMs: tsToMs(poll.scheduleToCloseTimeout),
      },
    ];
  });
}

/** The runs of the monitor, the oldest first. Waits until there are this many. */
async function runsOf({ workflowId }: WorkflowHandle, count: number): Promise<WorkflowHandle[]> {
  const { workflow } = harness.env.client;
  return until(`${count} runs`, async () => {
    const newest = workflow.getHandle(workflowId);
    const runs = [workflow.getHandle(workflowId, (await newest.describe()).runId)];
    for (;;) {
      const { events } = await (runs[0] as WorkflowHandle).fetchHistory();
      const before = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
      if (!before) return runs.length >= count ? runs : undefined;
      runs.unshift(workflow.getHandle(workflowId, before));
    }
  });
}

describe('The history of an eSIM monitor', () => {
  test('When an eSIM is installed, used and used up, then each wait is a timer and each burst one step, with what they are for', async () => {
    const { workflow } = await deliver(
      { installed: 20 * minute, used: 50 * minute, depleted: 65 * minute },
      { progress: { isDue: true, failingSince: null } },
    );
    expect(await workflow.result()).toBe('EXPIRED');
    const story = (await storyOf(workflow)).map((line) => line.replaceAll(/\d+ (s|min)\b/g, 'n $1'));
    const burst = (state: string): unknown =>
      expect.stringMatching(`^poll: Poll every n s for n (s|min), or until it changes: ${state}$`);
    expect(story.filter((line, index) => line !== story[index - 2])).toEqual([
      burst('not installed'),
      'timer: Next poll in n min: not installed',
      'poll: Poll the supplier: not installed',
      'timer: Next poll in n s: installed, not used',
      burst('installed, not used'),
      'timer: Next poll in n min: installed, not used',
      'poll: Poll the supplier: installed, not used',
      'timer: Next poll in n s: in use',
      burst('in use'),
      'timer: Next poll in n min: in use',
      'poll: Poll the supplier: in use',
      'ended',
    ]);
  });

  test('When a signal arrives during a wait, then it interrupts the timer, and the supplier is polled', async () => {
    const { workflow, polls } = await deliver({}, { ago: 30 * day });
    await until('the wait', async () => (await storyOf(workflow)).length > 0);
    expect(await detailsOf(workflow)).toMatch(/\n- Next poll: .* UTC, sooner if/);
    expect(await workflow.query(orderMessages.state)).toMatchObject({
      nextPollAt: expect.stringMatching(/ UTC$/),
      failingSince: null,
    });
    expect(polls).toHaveLength(0);
    await workflow.signal(retryNowSignal);
    await until('the next wait', async () => (await storyOf(workflow)).length > 3);
    expect(await storyOf(workflow)).toEqual([
      expect.stringMatching(/^timer: Next poll in 1 d.*: not installed$/),
      'timer interrupted',
      'poll: Poll the supplier: not installed',
      expect.stringMatching(/^timer: Next poll in 1 d/),
    ]);
    await workflow.terminate();
  });

  test('When polls are scheduled, then their retry policy and no failure sets the waits between the attempts', async () => {
    const { workflow, polls } = await deliver({}, { progress: { isDue: true, failingSince: null } });
    await harness.env.sleep('12m');
    const [burst] = await scheduledPolls(workflow);
    expect(burst).toMatchObject({ coefficient: 1, maxMs: burst?.firstMs });
    expect(burst?.firstMs).toBeGreaterThanOrEqual(45 * second);
    expect(burst?.firstMs).toBeLessThanOrEqual(54 * second);
    const waited = waits(polls, 0, 11 * minute);
    expect(waited.length).toBeGreaterThan(9);
    expect(Math.max(...waited.map((wait) => Math.abs(wait - (burst?.firstMs ?? 0))))).toBeLessThan(5 * second);

    activities.pollEsimOnce.mockImplementation(async (_order, now) => {
      polls.push(now);
      throw ApplicationFailure.create({ message: 'out of reach' });
    });
    const before = polls.length;
    await harness.env.sleep('13m');
    const [, poll] = await scheduledPolls(workflow);
    await workflow.terminate();
    const everyMs = 7.5 * minute;
    expect(poll).toEqual({ firstMs: 5 * second, coefficient: 4, maxMs: everyMs / 4, limitMs: everyMs });
    const [first, second_, third, fourth] = waits(polls.slice(before), 0, Infinity);
    const about = (ms: number) => ({ asymmetricMatch: (wait: number) => Math.abs(wait - ms) < 2 * second });
    expect([first, second_, third, fourth]).toEqual([5, 20, 80, 112.5].map((s) => about(s * second)));
  });

  test('When a monitor has made 20 steps, then it continues as new, and waits for its next poll', async () => {
    const { workflow } = await deliver({}, { ago: 2 * hour });
    await harness.env.sleep('26h');
    const [first, second_] = await runsOf(workflow, 2);
    await workflow.terminate();
    const story = await storyOf(first as WorkflowHandle);
    expect(story.filter((line) => line.startsWith('poll: '))).toHaveLength(20);
    expect(story.at(-1)).toBe('continued');
    expect((await storyOf(second_ as WorkflowHandle))[0]).toMatch(/^timer: Next poll in \d/);
  });

  test('When a run is a week old, then it continues as new after its poll', async () => {
    const { workflow } = await deliver({}, { ago: 30 * day });
    await harness.env.sleep('9d');
    const [first] = await runsOf(workflow, 2);
    await workflow.terminate();
    const polls = (await storyOf(first as WorkflowHandle)).filter((line) => line.startsWith('poll: '));
    expect(polls.length).toBeGreaterThanOrEqual(6);
    expect(polls.length).toBeLessThanOrEqual(8);
  });

  test('When all polls fail for two days, then each later failure is reported, also by a new run, until a poll is answered', async () => {
    const { workflow, polls } = await deliver({}, { ago: 30 * hour, validityDays: 30 });
    const answer = activities.pollEsimOnce.getMockImplementation() as ActivityMocks['pollEsimOnce'];
    const began: number[] = [];
    activities.pollEsimOnce.mockImplementation(async (_order, now) => {
      began.push(now);
      throw new Error('out of reach');
    });
    const reports: number[] = [];
    activities.reportFailingEsim.mockImplementation(async (_order, now) => void reports.push(now));
    await harness.env.sleep('9d');
    const runs = await runsOf(workflow, 2);
    const sinceMs = began[0] ?? NaN;
    const due = began.filter((now) => now - sinceMs >= 2 * day);
    expect(due.length).toBeGreaterThan(10);
    expect(reports).toEqual(due);
    expect((reports[0] ?? 0) - sinceMs).toBeLessThan(2.3 * day);
    const continued = await startOf(runs[1] as WorkflowHandle);
    expect(reports.at(-1)).toBeGreaterThan(continued);
    expect(await detailsOf(workflow)).toContain('- All polls have failed since ');

    activities.pollEsimOnce.mockImplementation(answer);
    const answered = polls.length;
    await workflow.signal(retryNowSignal);
    await until('an answered poll', async () => polls.length > answered);
    await until(
      'the wait',
      async () => (await workflow.query<{ failingSince: string | null }>(orderMessages.state)).failingSince === null,
    );
    expect((await storyOf(workflow)).at(-1)).not.toContain('failed');
    await workflow.terminate();
  }, 60_000);

  test('When the validity ends before the next poll, then the timer ends with it', async () => {
    const { workflow, polls } = await deliver(
      { installed: 0, used: 0 },
      { validityDays: 7, ago: 6.9 * day, progress: { isDue: true, failingSince: null } },
    );
    expect(await workflow.result()).toBe('EXPIRED');
    expect((await storyOf(workflow)).at(-3)).toMatch(/^timer: Validity ends in \d.*: in use$/);
    expect((polls.at(-1) as number) - 7 * day).toBeGreaterThanOrEqual(0);
    expect((polls.at(-1) as number) - 7 * day).toBeLessThan(10 * second);
  });
});

/** When the run began, in milliseconds since 1970. */
async function startOf(run: WorkflowHandle): Promise<number> {
  return (await run.describe()).startTime.getTime();
}

describe('An eSIM order', () => {
  test('When an order is delivered, then a separate workflow monitors its eSIM and outlives the order', async () => {
    let poll = (): void => undefined;
    const mayPoll = new Promise<void>((resolve) => (poll = resolve));
    activities.pollEsimOnce.mockImplementation(async (_order, now) => {
      await mayPoll;
      return { status: 'EXPIRED', isUsed: true, changedAt: now, endsAt: now, pushed: true };
    });
    activities.startEsimMonitor.mockImplementation(async (key) => {
      const esim = { ...key, clientId: 7, supplier: 'simulator', productId: 3 };
      const life = monitoredEsim(newEsim(await harness.now()), true);
      await startMonitor(harness.env.client, esim, life, { workflowIdReusePolicy: 'REJECT_DUPLICATE' });
    });
    const { order, workflow } = await harness.place({ family: 'ESIM' });
    await workflow.result();
    const life = harness.env.client.workflow.getHandle<typeof esimMonitor>(esimWorkflowId(order.orderId, order.nonce));
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
