/** The order workflow with skipped time: its purchases, polls, settlements and notifications, and their times. */
import { activityInfo } from '@temporalio/activity';
import { temporal } from '@temporalio/proto';
import { ApplicationFailure, CancelledFailure, optionalTsToMs } from '@temporalio/common';
import { WorkflowFailedError, WorkflowUpdateFailedError } from '@temporalio/client';
import { markedCost } from '../../src/domain/cost-texts';
import { orderMessages, type FulfilmentReport } from '../../src/domain/orders/order-messages';
import type { OrderSnapshot } from '../../src/domain/orders/order-snapshot';
import {
  credited,
  delivered,
  nothing,
  pending,
  placed,
  refused,
  settled,
  WorkflowHarness,
  resetActivities,
  unresolved,
  givenUp,
  withdrawn,
  type StartedOrder,
  type ActivityMocks,
} from '../support/workflow-harness';
import { serverStartLimit } from '../support/time-skipping';
import { until } from '../../dev/testbed/waiting';
import { detailsOf } from '../support/workflows';
import { hour, minute, second, ownMoment } from '../../src/domain/time';

let harness: WorkflowHarness;
let activities: ActivityMocks;

beforeAll(async () => {
  harness = await WorkflowHarness.start();
  activities = harness.activities;
}, serverStartLimit);
afterAll(() => harness?.stop());
beforeEach(() => resetActivities(activities));

/** The supplier accepts the purchase and reports the outcome after this time. */
function supplierTakes(time: number, outcome: FulfilmentReport = delivered): void {
  let boughtAt = 0;
  activities.buy.mockImplementation(async () => {
    boughtAt = activityInfo().currentAttemptScheduledTimestampMs;
    return pending;
  });
  activities.pollOnce.mockImplementation(async (_order, now) => (now - boughtAt >= time ? outcome : pending));
}

/** No purchase succeeds for this time. */
function supplierIsAway(time: number): void {
  activities.buy.mockImplementation(async () => {
    if (serverTime() - activityInfo().scheduledTimestampMs < time) throw new Error('out of reach');
    return delivered;
  });
}

/** The purchases are withdrawn. Returns a function that returns when. */
function givesUp(report: FulfilmentReport): () => number {
  let gaveUpAt = 0;
  activities.withdraw.mockImplementation(async () => {
    gaveUpAt ||= serverTime();
    return report;
  });
  return () => gaveUpAt;
}

/** The server's time at the start of the attempt. Only for use inside an activity. */
function serverTime(): number {
  return activityInfo().currentAttemptScheduledTimestampMs;
}

/** Waits until an activity has been called `count` times, without skipping time. */
async function times({ mock }: { mock: { calls: unknown[] } }, count: number): Promise<void> {
  await until(`call ${count}`, async () => mock.calls.length >= count);
}

/**
 * Waits for the pause after a poll. A cancellation during a poll can meet the end of that poll, which the test
 * server does not survive (https://github.com/temporalio/sdk-java/issues/3088).
 */
async function pauseAfterPoll({ workflow }: StartedOrder): Promise<void> {
  await until('the pause after a poll', async () => {
    const { raw } = await workflow.describe();
    const polls = raw.pendingActivities?.find(({ activityType }) => activityType?.name === 'poll');
    const completedAt = optionalTsToMs(polls?.lastAttemptCompleteTime) ?? 0;
    return completedAt > (optionalTsToMs(polls?.lastStartedTime) ?? Infinity);
  });
}

/** The rejection message of an update. */
function reasonOf(error: unknown): string {
  if (!(error instanceof WorkflowUpdateFailedError)) throw error;
  return error.cause?.message ?? '';
}

/** Why the workflow failed, or that it was cancelled. */
async function failureOf(workflow: StartedOrder['workflow']): Promise<unknown> {
  const error: unknown = await workflow.result().catch((failed: unknown) => failed);
  if (!(error instanceof WorkflowFailedError)) throw new Error('The workflow did not fail');
  return error.cause;
}

/** The state that the order's query returns. */
const stateOf = ({ workflow }: StartedOrder) => workflow.query<OrderSnapshot>(orderMessages.state);

describe('An order that is not placed', () => {
  test.each([
    [{ outcome: 'REFUSED', refusal: 'INSUFFICIENT_BALANCE' } as const, 'REJECTED'],
    [{ outcome: 'ABANDONED' } as const, undefined],
  ])('When the order is not placed (%j), then its workflow ends and nothing is bought', async (placement, answer) => {
    activities.place.mockResolvedValue(placement);
    const order = await harness.place({ family: 'VOUCHER', asynchronous: false });
    expect(await order.workflow.result()).toEqual(placement);
    expect((await stateOf(order)).requestAnswer?.answer).toBe(answer);
    expect(activities.attempt).not.toHaveBeenCalled();
    expect(activities.buy).not.toHaveBeenCalled();
    expect(activities.settleOrder).not.toHaveBeenCalled();
  });
});

describe('A held order', () => {
  /** The order is under review for this time, and is bought once it is released. */
  async function hold(time: number, family: 'VOUCHER' | 'ESIM' = 'VOUCHER'): Promise<StartedOrder> {
    const review = { because: 'Rule 3: more than 5 orders within an hour', until: (await harness.now()) + time };
    const held: FulfilmentReport = { ...nothing, held: review };
    activities.place.mockResolvedValue({ ...placed, held: review });
    activities.resolve.mockResolvedValue({ ...nothing, ready: 1, held: null });
    activities.withdraw.mockImplementation(async () => withdrawn);
    activities.buy.mockImplementation(async () => delivered);
    activities.pollOnce.mockResolvedValue(held);
    return harness.place({ family, asynchronous: false });
  }

  const reviewed = async (order: StartedOrder) =>
    until('the review', async () => (await stateOf(order)).step === 'UNDER_REVIEW');

  test('When it is placed, then its request is answered, it is listed with the rule, and nothing is bought', async () => {
    const order = await hold(24 * hour);
    await reviewed(order);
    expect((await stateOf(order)).requestAnswer).toMatchObject({ answer: 'UNDER_REVIEW' });
    expect(activities.setAttention).toHaveBeenCalledWith(
      order.order,
      'UNDER_REVIEW',
      expect.stringContaining('Rule 3'),
    );
    expect(activities.attempt).not.toHaveBeenCalled();
    await order.workflow.executeUpdate(orderMessages.cancel, { args: ['Stolen key'] });
    expect(await order.workflow.result()).toMatchObject({ status: 'CANCELLED' });
    expect(activities.buy).not.toHaveBeenCalled();
  });

  test('When it is released, then it is bought, is no longer listed, and its times count from the release', async () => {
    const order = await hold(24 * hour);
    await reviewed(order);
    activities.buy.mockImplementation(async () => {
      const { retriedUntil } = await stateOf(order);
      expect(ownMoment((retriedUntil ?? '').replace(' UTC', 'Z')).getTime() - serverTime()).toBeGreaterThan(hour);
      return delivered;
    });
    await order.workflow.executeUpdate(orderMessages.release, { args: ['Confirmed'] });
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(activities.resolve.mock.calls.map(([, { resolution }]) => resolution)).toEqual(['RELEASE']);
    expect(activities.setAttention).toHaveBeenLastCalledWith(order.order, 'UNDER_REVIEW', null);
  });

  test.each(['VOUCHER', 'ESIM'] as const)(
    'When nobody decides about an order of %s, then it is cancelled and refunded when its review ends',
    async (family) => {
      const order = await hold(24 * hour, family);
      expect(await order.workflow.result()).toMatchObject({ status: 'CANCELLED', refund: credited });
      expect(activities.buy).not.toHaveBeenCalled();
      expect(activities.withdraw).toHaveBeenCalledTimes(1);
    },
  );

  test.each([
    [
      'a decision about an unknown outcome',
      orderMessages.resolve,
      { resolution: 'NOT_BOUGHT', reason: 'Supplier says so' },
      'under review',
    ],
    ['a release without a reason', orderMessages.release, '', 'needs a reason'],
  ])('When an operator sends %s, then it is rejected', async (_what, name, argument, why) => {
    const order = await hold(24 * hour);
    await reviewed(order);
    const rejected = await order.workflow.executeUpdate(name, { args: [argument] }).catch(reasonOf);
    expect(rejected).toContain(why);
    await order.workflow.executeUpdate(orderMessages.cancel, { args: ['Stolen key'] });
  });

  test('When no source can sell it, then the release is rejected and the order stays under review', async () => {
    const order = await hold(24 * hour);
    await reviewed(order);
    activities.resolve.mockRejectedValueOnce(ApplicationFailure.nonRetryable('No source can sell the order now'));
    const rejected = await order.workflow.executeUpdate(orderMessages.release, { args: ['Confirmed'] }).catch(reasonOf);
    expect(rejected).toContain('No source');
    expect(await stateOf(order)).toMatchObject({ step: 'UNDER_REVIEW' });
    await order.workflow.executeUpdate(orderMessages.release, { args: ['Confirmed'] });
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });
});

describe('The inline attempt', () => {
  test('When the inline attempt delivers, then no other step runs', async () => {
    activities.attempt.mockResolvedValue(delivered);
    const { workflow } = await harness.place({ family: 'TOPUP', asynchronous: false });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(activities.place).toHaveBeenCalledTimes(1);
    expect(activities.attempt).toHaveBeenCalledTimes(1);
    expect(activities.settleOrder).toHaveBeenCalledTimes(1);
    expect(activities.buy).not.toHaveBeenCalled();
  });

  test('When the inline attempt does not finish soon, then the purchase continues as an activity', async () => {
    activities.attempt.mockResolvedValue(null);
    const { workflow } = await harness.place({ family: 'TOPUP', asynchronous: false });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(activities.attempt).toHaveBeenCalledTimes(1);
    expect(activities.buy).toHaveBeenCalledTimes(1);
  });

  test('When the supplier accepts the order for later, then it is polled, and no purchase is repeated', async () => {
    activities.attempt.mockResolvedValue(pending);
    activities.pollOnce.mockResolvedValue(delivered);
    const { workflow } = await harness.place({ family: 'TOPUP', asynchronous: false });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(activities.attempt).toHaveBeenCalledTimes(1);
    expect(activities.buy).not.toHaveBeenCalled();
  });

  test('When the outcome of the inline attempt is unknown, then the order is on the attention list until an operator decides', async () => {
    activities.attempt.mockResolvedValue(unresolved);
    activities.resolve.mockResolvedValue(delivered);
    const order = await harness.place({ family: 'TOPUP', asynchronous: false });
    const { workflow } = order;
    await until('the order on the list', async () => (await stateOf(order)).attention !== null);
    await workflow.executeUpdate(orderMessages.resolve, {
      args: [{ resolution: 'DELIVERED', reason: 'Seen at the supplier' }],
    });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(activities.attempt).toHaveBeenCalledTimes(1);
    expect(activities.buy).not.toHaveBeenCalled();
  });

  test('When the order fails at its placement, then nothing is bought', async () => {
    activities.place.mockResolvedValue({ ...placed, toBuy: 0, transactionId: null });
    const { workflow } = await harness.place({ family: 'TOPUP', asynchronous: false });
    await workflow.result();
    expect(activities.attempt).not.toHaveBeenCalled();
    expect(activities.buy).not.toHaveBeenCalled();
    expect(activities.settleOrder).toHaveBeenCalledTimes(1);
  });
});

/** The summaries of the run's markers, activities and timers of this type of event, as operators see them. */
async function summariesOf(
  { workflow }: StartedOrder,
  type: keyof typeof temporal.api.enums.v1.EventType,
): Promise<string[]> {
  const { events } = await workflow.fetchHistory();
  return (events ?? [])
    .filter(({ eventType }) => eventType === temporal.api.enums.v1.EventType[type])
    .map(({ userMetadata }) => JSON.parse(String(Buffer.from(userMetadata?.summary?.data ?? [])) || 'null') as string);
}

const localSteps = (order: StartedOrder) => summariesOf(order, 'EVENT_TYPE_MARKER_RECORDED');
const timers = (order: StartedOrder) => summariesOf(order, 'EVENT_TYPE_TIMER_STARTED');

describe('The first workflow task', () => {
  const debit = 'Debit 10.00 USD from wallet 12';

  test.each([
    ['delivers', delivered, [debit, 'Buy 1 unit: Product']],
    ['rejects the order', refused, [debit, 'Buy 1 unit: Product', 'Refund 10.00 USD']],
    ['accepts the order for later', pending, [debit, 'Buy 1 unit: Product']],
  ])('When the supplier %s, then its steps say what moved', async (_what, report, steps) => {
    activities.attempt.mockResolvedValue(report);
    const order = await harness.place({ family: 'VOUCHER', asynchronous: false });
    await order.workflow.result().catch(() => undefined);
    expect(await localSteps(order)).toEqual(steps);
  });

  test('When the order is beyond the daily cap, then nothing is debited, bought or refunded, and the steps say so', async () => {
    activities.place.mockResolvedValue({ ...placed, toBuy: 0, transactionId: null });
    activities.settleOrder.mockResolvedValue({
      ...settled,
      status: 'FAILED',
      delivered: 0,
      failureCode: 'CLIENT_LIMIT_EXCEEDED',
    });
    const order = await harness.place({ family: 'TOPUP', asynchronous: false });
    expect(await failureOf(order.workflow)).toMatchObject({ type: 'CLIENT_LIMIT_EXCEEDED' });
    expect(await localSteps(order)).toEqual([debit, 'End the order: nothing was debited, so nothing is refunded']);
    expect(await detailsOf(order.workflow)).toContain(
      "- Debited: nothing, because the order is beyond the client's daily cap",
    );
  });

  test.each([
    ['the price is 0', { price: '0.00' }, undefined, 'Place the order: the price is 0'],
    ['maintenance restarts the workflow', { waitedMs: null }, undefined, 'Look up the debit of 10.00 USD'],
    ['a run continues an earlier one', {}, { since: 0, bought: true }, 'Look up the debit of 10.00 USD'],
  ])('When %s, then the first step says what is debited', async (_what, overrides, resumed, summary) => {
    const order = await harness.place({ family: 'TOPUP', ...overrides }, undefined, resumed);
    await order.workflow.result();
    expect(await localSteps(order)).toEqual([summary]);
  });

  test('When the order ends, then its state has the debit, the purchase without its cost, the refund and the answer', async () => {
    const purchase = {
      reference: 'order-1-a',
      supplier: 'simulator',
      sku: 'A',
      why: 'priority 1, cost hidden',
      result: 'rejected',
    };
    const why = `priority 1, cost ${markedCost('7.31 EUR')}`;
    const reported = { ...purchase, why, cost: '7.32 EUR' };
    activities.attempt.mockResolvedValue({ ...refused, purchases: [reported] });
    const order = await harness.place({ family: 'VOUCHER', asynchronous: false });
    await failureOf(order.workflow);
    const state = await stateOf(order);
    expect(state.purchases).toEqual([purchase]);
    expect(state).toMatchObject({
      debit: { amount: '10.00', currency: 'USD', walletId: 12, transactionId: 77 },
      refund: { amount: '10.00', currency: 'USD', credited: true },
      requestAnswer: { answer: 'ENDED' },
    });
    const details = await detailsOf(order.workflow);
    expect(details).toContain('- Debited: 10.00 USD from wallet 12 (transaction 77)');
    expect(details).toContain('- Refund: 10.00 USD credited to wallet 12');
    expect(details).toMatch(/- The order request was answered: ENDED after 0\.\d s/);
  });
});

describe('A waiting order request', () => {
  const families = [
    ['VOUCHER', 10, 'Wait for the voucher; then answer PENDING'],
    ['TOPUP', 4, 'Wait for the top-up; then answer PENDING'],
    ['ESIM', 60, 'Wait for the eSIM; then answer PENDING'],
  ] as const;

  test.each(families)(
    'When an order of %s is not delivered within %i s, then its workflow answers PENDING and goes on',
    async (family, seconds, summary) => {
      supplierTakes(hour);
      const order = await harness.place({ family, asynchronous: false, waitedMs: 1_500 });
      expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
      expect((await timers(order)).filter((text) => text === summary)).toHaveLength(1);
      expect(activities.answerPending).toHaveBeenCalledTimes(1);
      const { requestAnswer } = await stateOf(order);
      expect(requestAnswer?.answer).toBe('PENDING');
      expect(requestAnswer?.afterMs).toBeGreaterThanOrEqual(seconds * second);
      expect(requestAnswer?.afterMs).toBeLessThanOrEqual((seconds + 1) * second);
    },
  );

  test('When the eSIM arrives in time, then the timer is cancelled, and the request is answered with it', async () => {
    supplierTakes(20 * second);
    const order = await harness.place({ family: 'ESIM', asynchronous: false });
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(await timers(order)).toContain('Wait for the eSIM; then answer PENDING');
    expect(activities.answerPending).not.toHaveBeenCalled();
    expect((await stateOf(order)).requestAnswer).toMatchObject({ answer: 'ENDED' });
  });

  test('When several vouchers take long, then a part is shown before the request is answered', async () => {
    activities.place.mockResolvedValue({ ...placed, units: 5, toBuy: 5 });
    activities.buy.mockImplementation(async () => {
      if (serverTime() - activityInfo().scheduledTimestampMs < minute) throw new Error('out of reach');
      return { ...delivered, units: 5, delivered: 5 };
    });
    const order = await harness.place({ family: 'VOUCHER', asynchronous: false, units: 5 });
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
    const calls = [activities.markPartiallyDelivered, activities.answerPending].map(
      ({ mock }) => mock.invocationCallOrder,
    );
    expect(calls.map(({ length }) => length)).toEqual([1, 1]);
    expect(calls.flat()).toEqual(calls.flat().toSorted((a, b) => a - b));
  });

  test.each([
    ['does not wait', { asynchronous: true }, undefined],
    ['started no workflow', { waitedMs: null, asynchronous: true }, undefined],
    ['was answered long before an operator reset the run', { waitedMs: hour, asynchronous: false }, undefined],
    [
      'was answered by an earlier run',
      { asynchronous: false },
      { since: 0, bought: true, requestAnswer: { answer: 'PENDING', afterMs: minute } as const },
    ],
  ])('When the request %s, then no timer waits for it', async (_what, overrides, resumed) => {
    supplierTakes(hour);
    const order = await harness.place({ family: 'ESIM', ...overrides }, undefined, resumed);
    if (resumed) activities.pollOnce.mockResolvedValue(delivered);
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(await timers(order)).not.toContain('Wait for the eSIM; then answer PENDING');
    expect(activities.answerPending).not.toHaveBeenCalled();
  });
});

test('When the first attempt delivers an eSIM, then it also starts the eSIM monitor', async () => {
  activities.attempt.mockResolvedValue(delivered);
  const { order, workflow } = await harness.place({ family: 'ESIM', asynchronous: false });
  expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
  const key = expect.objectContaining({ orderId: order.orderId, nonce: order.nonce });
  expect(activities.startEsimMonitor.mock.calls).toEqual([[key]]);
  const { events } = await workflow.fetchHistory();
  const { EVENT_TYPE_WORKFLOW_TASK_COMPLETED: task, EVENT_TYPE_MARKER_RECORDED: step } =
    temporal.api.enums.v1.EventType;
  expect(events?.filter(({ eventType }) => eventType === task)).toHaveLength(1);
  expect(events?.filter(({ eventType }) => eventType === step)).toHaveLength(2);
});

test('When the first attempt cannot start the eSIM monitor, then a separate step starts it', async () => {
  activities.attempt.mockResolvedValue(delivered);
  activities.startEsimMonitor.mockRejectedValueOnce(new Error('Temporal does not answer'));
  const { workflow } = await harness.place({ family: 'ESIM', asynchronous: false });
  expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
  expect(activities.startEsimMonitor).toHaveBeenCalledTimes(2);
});

test('When the eSIM monitor cannot be started, then the order still ends, and maintenance starts the monitor later', async () => {
  activities.attempt.mockResolvedValue(delivered);
  activities.startEsimMonitor.mockRejectedValue(new Error('Temporal does not answer'));
  const { workflow } = await harness.place({ family: 'ESIM', asynchronous: false });
  expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
  expect(activities.startEsimMonitor).toHaveBeenCalledTimes(4);
});

test('When an order is cancelled before it starts, then its first step buys nothing', async () => {
  const calledOff = { name: orderMessages.cancel, args: ['Wrong number'] };
  const { workflow } = await harness.place({ family: 'TOPUP' }, calledOff);
  expect(await workflow.result()).toMatchObject({ status: 'CANCELLED' });
  expect(activities.place).toHaveBeenCalledTimes(1);
  expect(activities.withdraw).toHaveBeenCalledTimes(1);
  expect(activities.attempt).not.toHaveBeenCalled();
  expect(activities.buy).not.toHaveBeenCalled();
});

describe('A supplier in trouble', () => {
  test('When a top-up cannot be bought for hours, then the purchase is retried and delivered', async () => {
    supplierIsAway(5 * hour);
    const began = await harness.now();
    const { workflow } = await harness.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect((await harness.now()) - began).toBeGreaterThanOrEqual(5 * hour);
    expect(activities.withdraw).not.toHaveBeenCalled();
    expect(activities.settleOrder).toHaveBeenCalledTimes(1);
  });

  test('When an accepted top-up stays pending for hours, then it is polled until it is delivered', async () => {
    supplierTakes(2 * hour);
    const { workflow } = await harness.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(activities.buy).toHaveBeenCalledTimes(1);
  });

  test('When a poll fails after many answered ones, then it is repeated within seconds', async () => {
    let failedAt = 0;
    supplierTakes(2 * hour);
    const answer = activities.pollOnce.getMockImplementation() as ActivityMocks['pollOnce'];
    activities.pollOnce.mockImplementation(async (order, now) => {
      const report = await answer(order, now);
      if (report === pending || failedAt > 0) return report;
      failedAt = now;
      throw new Error('out of reach');
    });
    const { workflow } = await harness.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    const { closeTime } = await workflow.describe();
    expect(Number(closeTime) - failedAt).toBeLessThan(10 * second);
  });

  /** The order's attention reasons if its polls fail from this time until half an hour after the time limit of their activity. */
  async function listedAfterFailures(failsFrom: number): Promise<(string | null)[]> {
    supplierTakes(8 * hour);
    const answer = activities.pollOnce.getMockImplementation() as ActivityMocks['pollOnce'];
    const began = await harness.now();
    activities.pollOnce.mockImplementation(async (order, now) => {
      if (now - began > failsFrom && now - began < 6 * hour + 30 * minute) throw new Error('out of reach');
      return answer(order, now);
    });
    const { workflow } = await harness.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    return activities.setAttention.mock.calls.map(([, , reason]) => reason);
  }

  test('When the supplier was out of reach for minutes at the time limit of the polls, then the order is not put on the attention list', async () => {
    expect(await listedAfterFailures(6 * hour - 20 * minute)).toEqual([]);
  });

  test('When the supplier was out of reach for hours at the time limit of the polls, then the order is on the attention list until a poll is answered', async () => {
    const reason = 'After hours of attempts, the supplier still cannot be polled';
    expect(await listedAfterFailures(2 * hour)).toEqual([reason, null]);
  });

  test('When recovery is exhausted, then the purchase is withdrawn before the order fails as UNKNOWN', async () => {
    supplierIsAway(7 * hour);
    const began = await harness.now();
    const { workflow } = await harness.place({ family: 'TOPUP' });
    expect(await failureOf(workflow)).toMatchObject({ type: 'UNKNOWN' });
    expect((await harness.now()) - began).toBeGreaterThanOrEqual(6 * hour - 6 * minute);
    expect(activities.withdraw.mock.calls.map(([, why]) => why)).toEqual(['GIVEN_UP']);
    expect(activities.settleOrder.mock.calls.map(([, how]) => how)).toEqual([{ failureCode: 'UNKNOWN' }]);
  });

  test('When each attempt of hours ends with proof that nothing was bought, then the purchase is given up as well', async () => {
    activities.buy.mockImplementation(async () => {
      if (serverTime() - activityInfo().scheduledTimestampMs < 20 * minute) throw new Error('answer lost');
      return { ...nothing, ready: 1 };
    });
    const { workflow } = await harness.place({ family: 'TOPUP' });
    expect(await failureOf(workflow)).toMatchObject({ type: 'UNKNOWN' });
    const { startTime, closeTime } = await workflow.describe();
    const tookMs = Number(closeTime) - Number(startTime);
    expect(tookMs).toBeGreaterThanOrEqual(6 * hour - 6 * minute);
    expect(tookMs).toBeLessThan(6 * hour + 6 * minute);
    expect(activities.withdraw).toHaveBeenCalledTimes(1);
  });

  test('When an order of several units sells one every two hours, then it is not given up after six hours', async () => {
    activities.place.mockResolvedValue({ ...placed, units: 5, toBuy: 5 });
    let sold = 0;
    activities.buy.mockImplementation(async () => {
      if (serverTime() - activityInfo().scheduledTimestampMs < 2 * hour) throw new Error('no answer');
      sold++;
      return { ...delivered, units: 5, delivered: sold, ready: 5 - sold };
    });
    const began = await harness.now();
    const { workflow } = await harness.place({ family: 'VOUCHER' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect((await harness.now()) - began).toBeGreaterThan(8 * hour);
    expect(activities.withdraw).not.toHaveBeenCalled();
  });

  test('When the supplier accepts purchases and ends them without goods, then the order is given up after six hours, and the time with the supplier does not count', async () => {
    const [untilAccepted, untilEnded] = [150 * minute, 3 * hour];
    let [beganAt, acceptedAt] = [0, 0];
    let purchases = 0;
    activities.buy.mockImplementation(async () => {
      beganAt ||= serverTime();
      if (serverTime() - activityInfo().scheduledTimestampMs < untilAccepted) throw new Error('not due yet');
      acceptedAt = serverTime();
      return ++purchases < 10 ? pending : delivered;
    });
    activities.pollOnce.mockImplementation(async (_order, now) =>
      now - acceptedAt < untilEnded ? pending : { ...nothing, ready: 1 },
    );
    const gaveUpAt = givesUp(givenUp);
    const { workflow } = await harness.place({ family: 'TOPUP' });
    expect(await failureOf(workflow)).toMatchObject({ type: 'UNKNOWN' });
    const tookMs = gaveUpAt() - beganAt;
    expect(purchases).toBeLessThan(5);
    expect(tookMs).toBeGreaterThan(6 * hour + untilEnded);
  });

  test('When an earlier run has delivered units, then they do not restart the time for buying in a later run', async () => {
    activities.place.mockResolvedValue({ ...placed, units: 2, toBuy: 2 });
    activities.pollOnce.mockResolvedValue({ ...nothing, units: 2, delivered: 1, ready: 1 });
    let beganAt = 0;
    activities.buy.mockImplementation(async () => {
      beganAt ||= serverTime();
      throw new Error('out of reach');
    });
    const gaveUpAt = givesUp({ ...givenUp, units: 2, delivered: 1 });
    const { workflow } = await harness.place({ family: 'VOUCHER' }, undefined, {
      since: await harness.now(),
      bought: true,
      delivered: 1,
      boughtForMs: 5 * hour,
    });
    await failureOf(workflow);
    expect(gaveUpAt() - beganAt).toBeLessThan(2 * hour);
  });

  test('When an operator decides to buy elsewhere while the service retries to withdraw, then the purchase is bought', async () => {
    supplierIsAway(7 * hour);
    activities.withdraw.mockRejectedValue(new Error('no answer'));
    activities.attentionOf.mockResolvedValue('The response to the purchase was lost');
    const order = await harness.place({ family: 'TOPUP' });
    await harness.env.sleep('7h');
    expect(activities.withdraw).toHaveBeenCalled();
    await order.workflow.signal(orderMessages.attentionChanged);
    await until('the reason', async () => (await stateOf(order)).attention ?? undefined);
    activities.resolve.mockResolvedValue({ ...nothing, ready: 1 });
    activities.buy.mockResolvedValue(delivered);
    activities.withdraw.mockResolvedValue(givenUp);
    await order.workflow.executeUpdate(orderMessages.resolve, {
      args: [{ resolution: 'ELSEWHERE', reason: 'The supplier never sold it' }],
    });
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test('When ASK_AGAIN finds after the give-up that nothing was bought, then the purchase is withdrawn, not bought', async () => {
    supplierIsAway(7 * hour);
    activities.withdraw.mockResolvedValueOnce(pending);
    activities.pollOnce.mockResolvedValue(pending);
    const { workflow } = await harness.place({ family: 'TOPUP' });
    await harness.env.sleep('7h');
    const attempts = activities.buy.mock.calls.length;
    activities.resolve.mockResolvedValue({ ...nothing, ready: 1 });
    activities.buy.mockResolvedValue(delivered);
    await workflow.executeUpdate(orderMessages.resolve, { args: ['ASK_AGAIN'] });
    expect(await failureOf(workflow)).toMatchObject({ type: 'UNKNOWN' });
    expect(activities.buy).toHaveBeenCalledTimes(attempts);
  });

  test('When an operator decides to buy elsewhere after the service gave up, then the purchase is bought', async () => {
    supplierIsAway(7 * hour);
    activities.withdraw.mockResolvedValue(unresolved);
    activities.pollOnce.mockResolvedValue(unresolved);
    const { workflow } = await harness.place({ family: 'TOPUP' });
    await harness.env.sleep('7h');
    expect(activities.withdraw).toHaveBeenCalledTimes(1);
    activities.resolve.mockResolvedValue({ ...nothing, ready: 1 });
    activities.buy.mockResolvedValue(delivered);
    await workflow.executeUpdate(orderMessages.resolve, {
      args: [{ resolution: 'ELSEWHERE', reason: 'The supplier does not answer' }],
    });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(activities.withdraw).toHaveBeenCalledTimes(1);
  });

  test('When an earlier run has given up, then a later run does not buy either', async () => {
    // A lookup proves that the purchase was never made.
    activities.pollOnce.mockResolvedValue({ ...nothing, ready: 1 });
    activities.withdraw.mockResolvedValue(givenUp);
    const since = await harness.now();
    const { workflow } = await harness.place({ family: 'TOPUP' }, undefined, {
      since,
      waitingSince: since,
      bought: true,
      hasGivenUp: true,
    });
    expect(await failureOf(workflow)).toMatchObject({ type: 'UNKNOWN' });
    expect(activities.withdraw.mock.calls.map(([, why]) => why)).toEqual(['GIVEN_UP']);
    expect(activities.buy).not.toHaveBeenCalled();
  });

  test('When a purchase is made after days of waiting for another one, then it is polled as often as the first purchase', async () => {
    let boughtAt = 0;
    activities.buy.mockImplementation(async () => {
      boughtAt = serverTime();
      return pending;
    });
    activities.pollOnce.mockImplementation(async (_order, now) => {
      // The supplier ended the first purchase without goods.
      if (boughtAt === 0) return { ...nothing, ready: 1 };
      return now - boughtAt < 20 * second ? pending : delivered;
    });
    const since = (await harness.now()) - 48 * hour;
    const { workflow } = await harness.place({ family: 'TOPUP' }, undefined, {
      since,
      waitingSince: since,
      bought: true,
    });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    const { closeTime } = await workflow.describe();
    expect(Number(closeTime) - boughtAt).toBeLessThan(minute);
  });

  test('When the supplier of an unsent purchase is not configured, then the pauses between attempts grow', async () => {
    activities.buy.mockResolvedValue({ ...unresolved, ready: 1, open: 0 });
    const { workflow } = await harness.place({ family: 'TOPUP' });
    await harness.env.sleep('2h');
    expect(activities.buy.mock.calls.length).toBeLessThan(60);
    activities.buy.mockResolvedValue(delivered);
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test('When recovery is exhausted and the purchase turns out to exist, then the order is delivered', async () => {
    supplierIsAway(7 * hour);
    activities.withdraw.mockResolvedValue(delivered);
    const { workflow } = await harness.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test('When the supplier pushes a change, then it is polled immediately', async () => {
    supplierTakes(hour);
    const { workflow } = await harness.place({ family: 'TOPUP' });
    await harness.env.sleep('30m');
    activities.pollOnce.mockResolvedValue(delivered);
    const pushedAt = await harness.now();
    await workflow.signal(orderMessages.retryNow);
    await times(activities.settleOrder, 1);
    expect((await harness.now()) - pushedAt).toBeLessThan(10 * second);
  });
});

describe('An unknown outcome', () => {
  /** An order with an unknown outcome, once it waits for an operator. */
  async function waitingForOperator(): Promise<StartedOrder> {
    activities.buy.mockResolvedValue(unresolved);
    activities.pollOnce.mockResolvedValue(unresolved);
    const order = await harness.place({ family: 'TOPUP' });
    await times(activities.setAttention, 1);
    expect(activities.setAttention.mock.lastCall?.slice(1)).toEqual(['OUTCOME_UNKNOWN', 'The outcome is unknown']);
    return order;
  }

  /** Makes the supplier report the delivery and waits for the order to end. */
  async function conclude({ workflow }: StartedOrder): Promise<void> {
    activities.pollOnce.mockResolvedValue(delivered);
    await workflow.signal(orderMessages.retryNow);
    await workflow.result();
  }

  /** The update's answer, or the reason of its rejection. */
  async function decide({ workflow }: StartedOrder, ...args: unknown[]): Promise<string> {
    const update: { args: [unknown, unknown] } = { args: [args[0], args[1]] };
    return workflow
      .executeUpdate<string, [unknown, unknown]>(orderMessages.resolve, update)
      .catch((error: unknown) => `rejected: ${reasonOf(error)}`);
  }

  test('When no operator decides, then polling continues, and the order ends once the supplier knows the outcome', async () => {
    const { workflow } = await waitingForOperator();
    await harness.env.sleep('2h');
    expect((await workflow.describe()).searchAttributes).toMatchObject({ Attention: ['The outcome is unknown'] });
    expect(activities.settleOrder).not.toHaveBeenCalled();
    activities.pollOnce.mockResolvedValue(delivered);
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect((await workflow.describe()).searchAttributes['Attention']).not.toEqual([expect.any(String)]);
  });

  test('When an earlier run listed an unknown outcome, then the next run shows it, and clears the entry once it is known', async () => {
    const outcomeUnknown = 'The outcome is unknown';
    activities.place.mockResolvedValue({ ...placed, outcomeUnknown });
    activities.pollOnce.mockResolvedValue(pending);
    const order = await harness.place({ family: 'TOPUP' });
    await until('the placed order', async () => (await stateOf(order)).outcomeUnknown !== null);
    expect(await stateOf(order)).toMatchObject({ outcomeUnknown });
    expect(activities.setAttention).not.toHaveBeenCalled();
    await order.workflow.signal(orderMessages.retryNow);
    await times(activities.setAttention, 1);
    expect(activities.setAttention.mock.lastCall?.slice(1)).toEqual(['OUTCOME_UNKNOWN', null]);
    await conclude(order);
  });

  test.each([['ask_again'], ['wait'], [''], [null], [{}], [7]])(
    'When an operator sends %j, then the rejection lists the valid decisions and nothing happens',
    async (word) => {
      const order = await waitingForOperator();
      expect(await decide(order, word)).toBe(
        'rejected: The decision is one of ASK_AGAIN, NOT_BOUGHT, DELIVERED, ELSEWHERE, UNUSABLE',
      );
      expect(activities.resolve).not.toHaveBeenCalled();
      expect(activities.settleOrder).not.toHaveBeenCalled();
      await conclude(order);
    },
  );

  test.each(['NOT_BOUGHT', 'DELIVERED'])('When %s is sent without a reason, then it is rejected', async (word) => {
    const order = await waitingForOperator();
    expect(await decide(order, word)).toBe(`rejected: ${word} needs a reason`);
    expect(await decide(order, { resolution: word, reason: '  ' })).toBe(`rejected: ${word} needs a reason`);
    expect(activities.resolve).not.toHaveBeenCalled();
    await conclude(order);
  });

  test.each([
    ['separate arguments', ['NOT_BOUGHT', 'Told by phone']],
    ['an object', [{ resolution: 'NOT_BOUGHT', reason: 'Told by phone' }]],
  ])('When an operator decides by %s that nothing was bought, then the order fails', async (_how, args) => {
    const order = await waitingForOperator();
    activities.resolve.mockResolvedValue({ ...refused, failureCode: 'UNKNOWN' });
    expect(await decide(order, ...args)).toMatch(/0 of 1 units delivered/);
    expect(activities.resolve.mock.lastCall?.[1]).toEqual({ resolution: 'NOT_BOUGHT', reason: 'Told by phone' });
    expect(await failureOf(order.workflow)).toMatchObject({ type: 'UNKNOWN' });
    expect(activities.settleOrder.mock.calls.map(([, how]) => how)).toEqual([{ failureCode: 'UNKNOWN' }]);
  });

  test('When an operator decides while the order is being put on the attention list, then the decision is accepted', async () => {
    let list = () => undefined as void;
    activities.setAttention.mockReturnValueOnce(
      new Promise((listed) => (list = () => listed('The outcome is unknown'))),
    );
    const order = await waitingForOperator();
    activities.resolve.mockResolvedValue({ ...refused, failureCode: 'UNKNOWN' });
    const taken = await order.workflow.startUpdate<string, [unknown, unknown]>(orderMessages.resolve, {
      args: ['NOT_BOUGHT', 'Told by phone'],
      waitForStage: 'ACCEPTED',
    });
    list();
    expect(await taken.result()).toMatch(/0 of 1 units delivered/);
    expect(await failureOf(order.workflow)).toMatchObject({ type: 'UNKNOWN' });
  });

  test('When the supplier contradicts the operator, then the decision is rejected and the order continues', async () => {
    const order = await waitingForOperator();
    activities.resolve.mockRejectedValueOnce(
      ApplicationFailure.nonRetryable('The supplier says that the purchase is DELIVERED'),
    );
    expect(await decide(order, 'NOT_BOUGHT', 'I think so')).toBe(
      'rejected: The supplier says that the purchase is DELIVERED',
    );
    activities.pollOnce.mockResolvedValue(delivered);
    await order.workflow.signal(orderMessages.retryNow);
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test('When an order does not wait for a decision, then only ASK_AGAIN is accepted', async () => {
    supplierTakes(hour);
    const order = await harness.place({ family: 'TOPUP' });
    await pauseAfterPoll(order);
    expect(await decide(order, 'NOT_BOUGHT', 'Impatience')).toMatch(/does not wait for a decision/);
    activities.resolve.mockResolvedValue(delivered);
    expect(await decide(order, 'ASK_AGAIN')).toMatch(/1 of 1 units delivered/);
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test('When a cancellation is requested, then it is rejected with the reason, and decisions are still accepted', async () => {
    const order = await waitingForOperator();
    activities.withdraw.mockResolvedValue(unresolved);
    const cancelled = order.workflow.executeUpdate<string, [string]>(orderMessages.cancel, { args: ['Enough'] });
    expect(reasonOf(await cancelled.catch((error: unknown) => error))).toBe('Too late: The outcome is unknown');
    await pauseAfterPoll(order);
    activities.resolve.mockResolvedValue(delivered);
    expect(await decide(order, { resolution: 'DELIVERED', reason: 'By phone', goods: 3 })).toMatch(/1 of 1/);
    expect(activities.resolve.mock.lastCall?.[1]).toMatchObject({ resolution: 'DELIVERED', goods: 3 });
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test("When the operators' list changes, then the order shows it without costs", async () => {
    supplierTakes(hour);
    const order = await harness.place({ family: 'TOPUP' });
    const { workflow } = order;
    await pauseAfterPoll(order);
    // The mark begins before the 200th character and ends after it.
    const listed = (cost: string) => `${'The goods came too late. '.repeat(7)}They cost ${cost}`;
    activities.attentionOf.mockResolvedValue(listed(markedCost('7.33333333333333333 EUR')));
    await workflow.signal(orderMessages.attentionChanged);
    const shown = async () => (await workflow.describe()).searchAttributes['Attention']?.[0];
    expect(await until('the reason', async () => (await shown()) as string | undefined)).toBe(listed('hidden'));
    expect(await stateOf(order)).toMatchObject({ attention: listed('hidden') });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });
});

test('When the supplier has not concluded for a day, then operators see it until it does', async () => {
  activities.pollOnce.mockResolvedValue(pending);
  const since = (await harness.now()) - 23 * hour;
  const { workflow } = await harness.place({ family: 'TOPUP' }, undefined, {
    since,
    waitingSince: since,
    bought: true,
  });
  await harness.env.sleep('2h');
  const overdue = 'The supplier has not concluded the purchase for a day';
  await until('the reason', async () => (await workflow.describe()).searchAttributes['Attention']?.[0] === overdue);
  activities.pollOnce.mockResolvedValue(delivered);
  expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
  expect((await workflow.describe()).searchAttributes['Attention']).not.toEqual([expect.any(String)]);
});

test('When a decision arrives while an overdue order is put on the attention list, then it does not wait for the next poll', async () => {
  let list = () => undefined as void;
  activities.setAttention.mockReturnValueOnce(new Promise((listed) => (list = () => listed('Overdue'))));
  activities.pollOnce.mockRejectedValue(new Error('out of reach'));
  activities.resolve.mockResolvedValue(delivered);
  const since = (await harness.now()) - 24 * hour;
  const { workflow } = await harness.place({ family: 'TOPUP' }, undefined, { since, bought: true });
  await workflow.signal(orderMessages.retryNow);
  await times(activities.setAttention, 1);
  const taken = await workflow.startUpdate<string, [string]>(orderMessages.resolve, {
    args: ['ASK_AGAIN'],
    waitForStage: 'ACCEPTED',
  });
  list();
  expect(await taken.result()).toMatch(/1 of 1 units delivered/);
  expect(activities.pollOnce).not.toHaveBeenCalled();
  expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
});

describe('Cancelling an order', () => {
  const ways: [string, (order: StartedOrder) => Promise<unknown>, byWorkflow: boolean][] = [
    [
      'by update',
      ({ workflow }) =>
        workflow.startUpdate(orderMessages.cancel, { args: ['Wrong number'], waitForStage: 'ACCEPTED' }),
      false,
    ],
    ['by cancelling its workflow', ({ workflow }) => workflow.cancel(), true],
  ];

  /** Expects the order to be cancelled. Its workflow ends as cancelled, or as completed after the update. */
  async function expectCancelled({ workflow }: StartedOrder, byWorkflow: boolean): Promise<void> {
    if (byWorkflow) expect(await failureOf(workflow)).toBeInstanceOf(CancelledFailure);
    else expect(await workflow.result()).toMatchObject({ status: 'CANCELLED' });
    expect(await workflow.describe()).toMatchObject({
      status: { name: byWorkflow ? 'CANCELLED' : 'COMPLETED' },
      searchAttributes: { OrderStatus: ['CANCELLED'] },
    });
  }

  test.each(ways)(
    'When an order is cancelled %s before a purchase, then it ends as cancelled',
    async (_, cancel, byWorkflow) => {
      supplierTakes(hour);
      const order = await harness.place({ family: 'TOPUP' });
      await pauseAfterPoll(order);
      await cancel(order);
      await expectCancelled(order, byWorkflow);
      expect(activities.withdraw.mock.calls.map(([, why]) => why)).toEqual(['CANCELLED']);
      expect(activities.settleOrder.mock.calls.map(([, how]) => how)).toEqual([{ cancelled: true }]);
    },
  );

  test.each(ways)(
    'When an order is cancelled %s while no purchase succeeds, then it ends as cancelled',
    async (_, cancel, byWorkflow) => {
      supplierIsAway(hour);
      const order = await harness.place({ family: 'VOUCHER' });
      await times(activities.buy, 1);
      await cancel(order);
      await expectCancelled(order, byWorkflow);
    },
  );

  test.each(ways)('When an order is cancelled %s too late, then it is delivered', async (_, cancel) => {
    supplierTakes(hour);
    activities.withdraw.mockResolvedValue(pending);
    const order = await harness.place({ family: 'TOPUP' });
    await pauseAfterPoll(order);
    await cancel(order);
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(activities.withdraw).toHaveBeenCalledTimes(1);
  });

  test('When a unit of the order is delivered, then the cancellation is rejected, and buying goes on', async () => {
    const five = { ...nothing, units: 5 };
    activities.place.mockResolvedValue({ ...placed, units: 5, toBuy: 5 });
    supplierIsAway(hour);
    activities.withdraw.mockImplementation(async () => {
      activities.buy.mockResolvedValue({ ...five, delivered: 5 });
      return { ...five, delivered: 2, ready: 3 };
    });
    const { workflow } = await harness.place({ family: 'VOUCHER' });
    await times(activities.buy, 1);
    const cancelled = workflow.executeUpdate(orderMessages.cancel, { args: ['Wrong number'] });
    expect(reasonOf(await cancelled.catch((error: unknown) => error))).toBe(
      'Too late: Part of the order is delivered already',
    );
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(activities.withdraw).toHaveBeenCalledTimes(1);
  });

  test.each<[string, (order: StartedOrder) => Promise<unknown>]>([
    [
      'the request is repeated',
      ({ workflow }) => workflow.startUpdate(orderMessages.cancel, { args: ['Again'], waitForStage: 'ACCEPTED' }),
    ],
    ['retryNow is sent', ({ workflow }) => workflow.signal(orderMessages.retryNow)],
    ['ASK_AGAIN is decided', ({ workflow }) => workflow.executeUpdate(orderMessages.resolve, { args: ['ASK_AGAIN'] })],
  ])(
    'When the supplier is out of reach and %s, then the cancellation stays requested and nothing is bought',
    async (_, interrupt) => {
      supplierIsAway(hour);
      activities.resolve.mockResolvedValue({ ...nothing, ready: 1 });
      activities.withdraw.mockRejectedValue(new Error('out of reach'));
      const order = await harness.place({ family: 'VOUCHER' });
      await times(activities.buy, 1);
      const cancelled = order.workflow.executeUpdate(orderMessages.cancel, { args: ['Wrong number'] });
      await times(activities.withdraw, 1);
      await interrupt(order);
      const before = activities.withdraw.mock.calls.length;
      await times(activities.withdraw, before + 1);
      activities.withdraw.mockResolvedValue(withdrawn);
      expect(await cancelled).toContain('CANCELLED');
      expect(await order.workflow.result()).toMatchObject({ status: 'CANCELLED' });
    },
  );
});

test('When an order is cancelled without a reason, then the cancellation is rejected', async () => {
  supplierTakes(hour);
  const order = await harness.place({ family: 'TOPUP' });
  const { workflow } = order;
  await pauseAfterPoll(order);
  const cancelled = workflow.executeUpdate(orderMessages.cancel, { args: [] });
  expect(reasonOf(await cancelled.catch((error: unknown) => error))).toMatch(/needs a reason/);
  await workflow.result();
});

describe('An order of several units', () => {
  const five = { ...placed, units: 5, toBuy: 5 } as const;
  const part = { ...pending, units: 5, delivered: 2 };

  test('When some units are delivered and the rest fails later, then the partial delivery is reported first and the order fails', async () => {
    activities.place.mockResolvedValue(five);
    activities.buy.mockResolvedValue(part);
    activities.pollOnce.mockImplementation(async () =>
      activities.markPartiallyDelivered.mock.calls.length === 0 ? part : { ...part, ...refused, delivered: 2 },
    );
    const { workflow } = await harness.place({ family: 'VOUCHER' });
    expect(await failureOf(workflow)).toMatchObject({ type: 'PRODUCT_OUT_OF_STOCK' });
    expect(activities.markPartiallyDelivered).toHaveBeenCalledTimes(1);
    expect(activities.settleOrder.mock.calls.map(([, how]) => how)).toEqual([{ failureCode: 'PRODUCT_OUT_OF_STOCK' }]);
  });

  test('When all units arrive together, then no partial delivery is reported', async () => {
    activities.place.mockResolvedValue(five);
    activities.buy.mockResolvedValue({ ...delivered, units: 5, delivered: 5 });
    const { workflow } = await harness.place({ family: 'VOUCHER' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(activities.markPartiallyDelivered).not.toHaveBeenCalled();
  });

  test('When some units are bought and the supplier is out of reach for the rest, then the partial delivery is reported', async () => {
    activities.place.mockResolvedValue(five);
    activities.buy.mockImplementation(async () => {
      if (serverTime() - activityInfo().scheduledTimestampMs < hour) throw new Error('out of reach');
      return { ...delivered, units: 5, delivered: 5 };
    });
    // The first poll finds no unit yet, the second one does.
    activities.markPartiallyDelivered.mockResolvedValueOnce(false);
    const { workflow } = await harness.place({ family: 'VOUCHER' });
    await harness.env.sleep('10m');
    expect(activities.markPartiallyDelivered).toHaveBeenCalledTimes(2);
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test('When one call does not buy all units, then further calls, which know the delivered units, buy the rest', async () => {
    activities.place.mockResolvedValue({ ...five, units: 5_000, toBuy: 5_000 });
    let bought = 0;
    activities.buy.mockImplementation(async () => {
      bought += 1_000;
      return { ...delivered, units: 5_000, delivered: bought, ready: 5_000 - bought };
    });
    const { workflow } = await harness.place({ family: 'VOUCHER' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    const known = activities.buy.mock.calls.map(([, delivered]) => delivered);
    expect(known).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
    expect(activities.settleOrder).toHaveBeenCalledTimes(1);
  });
});

describe('An order that failed', () => {
  const failed = { ...settled, status: 'FAILED', delivered: 0, failureCode: 'PRODUCT_OUT_OF_STOCK' } as const;

  test('When the supplier rejects it, then its workflow fails with the code and the refund', async () => {
    activities.attempt.mockResolvedValue(refused);
    const { workflow } = await harness.place({ family: 'VOUCHER', asynchronous: false });
    expect(await failureOf(workflow)).toMatchObject({
      type: 'PRODUCT_OUT_OF_STOCK',
      nonRetryable: true,
      message: 'PRODUCT_OUT_OF_STOCK: 0 units delivered, 10.00 USD credited to wallet 12',
    });
    expect(await workflow.describe()).toMatchObject({
      status: { name: 'FAILED' },
      searchAttributes: { OrderStatus: ['FAILED'], FailureCode: ['PRODUCT_OUT_OF_STOCK'] },
    });
    expect(activities.settleOrder).toHaveBeenCalledTimes(1);
  });

  test('When a mail is due, then it is sent before the workflow fails', async () => {
    activities.settleOrder.mockResolvedValue({ ...failed, refund: credited, mail: true });
    activities.buy.mockResolvedValue(refused);
    const { workflow } = await harness.place({ family: 'TOPUP' });
    expect(await failureOf(workflow)).toMatchObject({ type: 'PRODUCT_OUT_OF_STOCK' });
    expect(activities.mailOrder).toHaveBeenCalledTimes(1);
  });

  test('When the refund of an order waits for a wallet that is closed, then retryNow credits the refund once the wallet is open', async () => {
    const due = { ...credited, credited: false };
    const reason = 'Refund of 10 USD is due, but the wallet is closed';
    activities.buy.mockResolvedValue(refused);
    activities.settleOrder.mockResolvedValue({ ...failed, refund: due, attention: reason });
    activities.creditRefund.mockResolvedValueOnce({ ...failed, refund: due, attention: reason });
    activities.creditRefund.mockResolvedValueOnce({ ...failed, refund: credited });
    const order = await harness.place({ family: 'TOPUP', asynchronous: false });
    await until('the due refund', async () => (await stateOf(order)).refund !== null);
    expect((await order.workflow.describe()).searchAttributes).toMatchObject({ Attention: [reason] });
    expect(await detailsOf(order.workflow)).toContain('`npm run ops -- wallets reopen 12`');
    await order.workflow.signal(orderMessages.retryNow);
    await times(activities.creditRefund, 1);
    expect(await stateOf(order)).toMatchObject({ step: 'WAITING_FOR_REFUND', refund: { ...due, amount: '10.00' } });
    await order.workflow.signal(orderMessages.retryNow);
    expect(await failureOf(order.workflow)).toMatchObject({
      message: expect.stringContaining('10.00 USD credited to wallet 12') as string,
    });
    expect((await order.workflow.describe()).searchAttributes['Attention']).not.toEqual([expect.any(String)]);
  });

  test('When retryNow arrives while the service tries to credit the refund, then the service tries again', async () => {
    const due = { ...credited, credited: false };
    activities.buy.mockResolvedValue(refused);
    activities.settleOrder.mockResolvedValue({ ...failed, refund: due });
    const order = await harness.place({ family: 'TOPUP', asynchronous: false });
    const { workflow } = order;
    activities.creditRefund.mockImplementationOnce(async () => {
      await workflow.signal(orderMessages.retryNow);
      return { ...failed, refund: due };
    });
    activities.creditRefund.mockResolvedValueOnce({ ...failed, refund: credited });
    await until('the due refund', async () => (await stateOf(order)).refund !== null);
    await workflow.signal(orderMessages.retryNow);
    expect(await failureOf(workflow)).toMatchObject({
      message: expect.stringContaining('10.00 USD credited to wallet 12') as string,
    });
  });
});

describe('What operators see', () => {
  test('When an order runs without a wait, then its history has one task, a marker for each local activity, and one upsert', async () => {
    activities.attempt.mockResolvedValue(delivered);
    const { workflow } = await harness.place({ family: 'VOUCHER', asynchronous: false });
    await workflow.result();
    const { events } = await workflow.fetchHistory();
    const types = (events ?? []).map(({ eventType }) => String(eventType));
    const count = (type: keyof typeof temporal.api.enums.v1.EventType) =>
      types.filter((found) => found === String(temporal.api.enums.v1.EventType[type])).length;
    expect(count('EVENT_TYPE_WORKFLOW_TASK_COMPLETED')).toBe(1);
    expect(count('EVENT_TYPE_MARKER_RECORDED')).toBe(2);
    expect(count('EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES')).toBe(1);
    expect(count('EVENT_TYPE_ACTIVITY_TASK_SCHEDULED') + count('EVENT_TYPE_TIMER_STARTED')).toBe(0);
  });

  test('When no purchase succeeds, then the details show the retries, their time limit and the messages to send', async () => {
    supplierIsAway(hour);
    const order = await harness.place({ family: 'TOPUP' });
    await times(activities.buy, 2);
    const details = await detailsOf(order.workflow);
    expect(details).toContain('retries while it is slow or unreachable');
    expect(details).toMatch(/- Since: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    expect(details).toMatch(/- Retried until .* UTC/);
    expect(details).toContain('- signal `retryNow`: buys at once');
    expect(details).toContain('- update `cancelOrder` with `"The customer changed their mind"`');
    const { step, actions } = await stateOf(order);
    expect(step).toBe('BUYING');
    expect(actions.map(({ send }) => send)).toEqual(['signal retryNow', 'update cancelOrder']);
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test('When the supplier has accepted and not concluded, then the details say where to see the polls', async () => {
    supplierTakes(hour);
    const order = await harness.place({ family: 'TOPUP' });
    await pauseAfterPoll(order);
    expect(await detailsOf(order.workflow)).toMatch(
      /\*\*Waiting for the supplier.*\n\n- Since: .*\n- Next poll, and the result of the last one: `poll`/,
    );
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(await stateOf(order)).toMatchObject({ step: 'ENDED', end: 'DELIVERED', actions: [] });
  });

  test('When an order takes longer than one run, then the next run keeps its pace and shows why the order needs a person', async () => {
    activities.buy.mockResolvedValue(unresolved);
    activities.pollOnce.mockResolvedValue(unresolved);
    const { workflow, ...order } = await harness.place({ family: 'TOPUP' });
    await times(activities.setAttention, 1);
    const { runId } = await workflow.describe();
    await harness.env.sleep('9h');
    const runs = new Set([runId]);
    while (runs.size === 1) {
      await pauseAfterPoll({ ...order, workflow });
      const polls = activities.pollOnce.mock.calls.length;
      await workflow.signal(orderMessages.retryNow);
      await times(activities.pollOnce, polls + 1);
      runs.add((await workflow.describe()).runId);
    }
    expect((await workflow.describe()).historyLength).toBeLessThan(2_000);
    // The next run polls every five minutes and does not start again at two seconds.
    const before = activities.pollOnce.mock.calls.length;
    await harness.env.sleep('1h');
    expect(activities.pollOnce.mock.calls.length - before).toBeLessThan(14);
    expect(activities.buy).toHaveBeenCalledTimes(1);
    expect(await stateOf({ ...order, workflow })).toMatchObject({ attention: 'The outcome is unknown' });
    activities.pollOnce.mockResolvedValue(delivered);
    await workflow.signal(orderMessages.retryNow);
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect((await workflow.describe()).searchAttributes['Attention']).not.toEqual([expect.any(String)]);
  });

  test('When an operator lists the messages, then each describes its effect and its arguments', async () => {
    supplierTakes(hour);
    const { workflow } = await harness.place({ family: 'TOPUP' });
    await times(activities.pollOnce, 1);
    const { definition } = await workflow.query<{ definition: Record<string, { description?: string }[]> }>(
      '__temporal_workflow_metadata',
    );
    for (const kind of ['signalDefinitions', 'queryDefinitions', 'updateDefinitions']) {
      const named = (definition[kind] ?? []).filter(
        (message) => !(message as { name?: string }).name?.startsWith('__'),
      );
      expect(named.length).toBeGreaterThan(0);
      for (const message of named)
        expect(message).toMatchObject({ description: expect.stringMatching(/\S/) as string });
    }
    await workflow.result();
  });
});

describe('The mail at the end', () => {
  test('When an address is attached, then it is mailed after the order is settled', async () => {
    activities.settleOrder.mockResolvedValue({ ...settled, mail: true });
    const { workflow } = await harness.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(activities.mailOrder).toHaveBeenCalledTimes(1);
  });

  test('When the mail cannot be sent for a day, then the order is unchanged and operators can find it', async () => {
    activities.settleOrder.mockResolvedValue({ ...settled, mail: true });
    activities.mailOrder.mockRejectedValue(new Error('no mail server'));
    activities.attentionOf.mockResolvedValue('The notification mail could not be sent');
    const { workflow } = await harness.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    const { searchAttributes } = await workflow.describe();
    expect(searchAttributes).toMatchObject({ Attention: ['The notification mail could not be sent'] });
    // About a hundred attempts, each through the server.
  }, 180_000);
});
