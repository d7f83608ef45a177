/** The story of an order with its hours skipped: what is bought, asked, settled and told, and when. */
import { setTimeout as sleep } from 'node:timers/promises';
import { activityInfo } from '@temporalio/activity';
import type { BatchReport } from '../../src/domain/order-flow';
import { cancelOrderSignal, resolveOrderSignal, supplierNewsSignal } from '../../workflows/messages';
import { Rehearsal, resetWorld, type Rehearsed, type World } from '../support/rehearsal';
import { serverStartLimit } from '../support/time-skipping';
import { until } from '../support/waiting';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const delivered: BatchReport = { state: 'DELIVERED', delivered: 1 };
const pending: BatchReport = { state: 'PENDING', delivered: 0 };
const unresolved: BatchReport = { state: 'UNRESOLVED', reason: 'Nobody knows', delivered: 0 };

let rehearsal: Rehearsal;
let world: World;

beforeAll(async () => {
  rehearsal = await Rehearsal.begin();
  world = rehearsal.world;
}, serverStartLimit);
afterAll(() => rehearsal?.end());
beforeEach(() => resetWorld(world));

/** The supplier accepts the purchase and reports the outcome so long after it. */
function supplierTakes(time: number, outcome: BatchReport = delivered): void {
  let boughtAt = 0;
  world.buy.mockImplementation(async () => {
    boughtAt = activityInfo().currentAttemptScheduledTimestampMs;
    return pending;
  });
  world.ask.mockImplementation(async () => (serverTime() - boughtAt >= time ? outcome : pending));
}

/** No purchase can be made for so long. */
function supplierIsAway(time: number): void {
  world.buy.mockImplementation(async () => {
    if (serverTime() - activityInfo().scheduledTimestampMs < time) throw new Error('out of reach');
    return delivered;
  });
}

/** Inside an activity. */
function serverTime(): number {
  return activityInfo().currentAttemptScheduledTimestampMs;
}

/** Whether the create was told something; looked at after the workflow had a moment to do so. */
async function isAnswered({ answer }: Rehearsed): Promise<boolean> {
  return Promise.race([answer.result().then(() => true), sleep(300, false)]);
}

/** Waits until an activity has been called so often. No time is skipped meanwhile. */
async function times({ mock }: { mock: { calls: unknown[] } }, count: number): Promise<void> {
  await until(`call ${count}`, async () => (mock.calls.length >= count ? true : undefined));
}

describe('The answer to a create', () => {
  test('When an eSIM is delivered within the minute, then the create is told once it is settled', async () => {
    supplierTakes(30 * second);
    const esim = await rehearsal.place({ family: 'ESIM' });
    await rehearsal.env.sleep('20s');
    expect(await isAnswered(esim)).toBe(false);
    await rehearsal.env.sleep('20s');
    expect(await esim.answer.result()).toEqual({ outcome: 'PLACED' });
    expect(world.settleOrder).toHaveBeenCalledTimes(1);
    expect(await esim.workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test('When an eSIM takes longer than a minute, then the create is told at 60 seconds and the order goes on', async () => {
    supplierTakes(70 * second);
    const esim = await rehearsal.place({ family: 'ESIM' });
    await rehearsal.env.sleep('58s');
    expect(await isAnswered(esim)).toBe(false);
    await rehearsal.env.sleep('3s');
    expect(await esim.answer.result()).toEqual({ outcome: 'PLACED' });
    expect(world.settleOrder).not.toHaveBeenCalled();
    expect(await esim.workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test.each([
    { outcome: 'REFUSED', refusal: 'INSUFFICIENT_BALANCE' } as const,
    { outcome: 'ABANDONED' } as const,
  ])(
    'When the order is not placed ($outcome), then the create is told and nothing is bought',
    async (placement) => {
      world.placeOrder.mockResolvedValue(placement);
      const { answer, workflow } = await rehearsal.place({ family: 'VOUCHER' });
      expect(await answer.result()).toEqual(placement);
      expect(await workflow.result()).toEqual(placement);
      expect(world.buy).not.toHaveBeenCalled();
      expect(world.settleOrder).not.toHaveBeenCalled();
    },
  );

  test('When nobody waits for the goods, then the create is told as soon as the order is placed', async () => {
    supplierTakes(hour);
    const bulk = await rehearsal.place({ family: 'VOUCHER', asynchronous: true });
    expect(await bulk.answer.result()).toEqual({ outcome: 'PLACED' });
    expect(world.settleOrder).not.toHaveBeenCalled();
    await bulk.workflow.result();
  });
});

describe('A supplier in trouble', () => {
  test('When a top-up cannot be bought for hours, then it is tried on and delivered', async () => {
    supplierIsAway(5 * hour);
    const began = await rehearsal.now();
    const { workflow } = await rehearsal.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect((await rehearsal.now()) - began).toBeGreaterThanOrEqual(5 * hour);
    expect(world.withdraw).not.toHaveBeenCalled();
    expect(world.settleOrder).toHaveBeenCalledTimes(1);
  });

  test('When an accepted top-up stays pending for hours, then it is asked about on and delivered', async () => {
    supplierTakes(20 * hour);
    const { workflow } = await rehearsal.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(world.buy).toHaveBeenCalledTimes(1);
  });

  test('When recovery is exhausted, then the purchase is withdrawn before the order fails as UNKNOWN', async () => {
    supplierIsAway(7 * hour);
    const began = await rehearsal.now();
    const { workflow } = await rehearsal.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'FAILED' });
    expect((await rehearsal.now()) - began).toBeGreaterThanOrEqual(6 * hour - 6 * minute);
    expect(world.withdraw).toHaveBeenCalledTimes(1);
    expect(world.settleOrder.mock.calls.map(([, how]) => how)).toEqual([{ failureCode: 'UNKNOWN' }]);
  });

  test('When recovery is exhausted but the purchase was made after all, then the order is delivered', async () => {
    supplierIsAway(7 * hour);
    world.withdraw.mockResolvedValue(delivered);
    const { workflow } = await rehearsal.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test('When the supplier has news, then it is asked at once', async () => {
    supplierTakes(hour);
    const { workflow } = await rehearsal.place({ family: 'TOPUP' });
    await rehearsal.env.sleep('30m');
    world.ask.mockResolvedValue(delivered);
    const told = await rehearsal.now();
    await workflow.signal(supplierNewsSignal);
    await times(world.settleOrder, 1);
    expect((await rehearsal.now()) - told).toBeLessThan(10 * second);
  });
});

describe('An outcome that cannot be found out', () => {
  /** An order whose outcome the supplier cannot tell, once it waits for an operator. */
  async function parked(): Promise<Rehearsed> {
    world.buy.mockResolvedValue(unresolved);
    const rehearsed = await rehearsal.place({ family: 'TOPUP' });
    await times(world.setAttention, 1);
    expect(world.setAttention.mock.lastCall?.[1]).toBe('Nobody knows');
    await rehearsal.env.sleep('2d');
    expect((await rehearsed.workflow.describe()).status.name).toBe('RUNNING');
    expect(world.settleOrder).not.toHaveBeenCalled();
    return rehearsed;
  }

  test('When an operator says to ask again and the supplier knows now, then the order is delivered', async () => {
    const { workflow } = await parked();
    await workflow.signal(resolveOrderSignal, 'ASK_AGAIN');
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(world.setAttention.mock.lastCall?.[1]).toBeNull();
    expect(world.ask).toHaveBeenCalledTimes(1);
  });

  test('When asking again tells nothing new, then the order waits for an operator again', async () => {
    world.ask.mockResolvedValueOnce(unresolved);
    const { workflow } = await parked();
    await workflow.signal(resolveOrderSignal, 'ASK_AGAIN');
    await times(world.setAttention, 3);
    await workflow.signal(resolveOrderSignal, 'ASK_AGAIN');
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test('When an operator says that nothing was bought, then the order fails as UNKNOWN', async () => {
    const { workflow } = await parked();
    await workflow.signal(resolveOrderSignal, 'NOT_BOUGHT');
    expect(await workflow.result()).toMatchObject({ status: 'FAILED' });
    expect(world.settleOrder.mock.calls.map(([, how]) => how)).toEqual([{ failureCode: 'UNKNOWN' }]);
    expect(world.buy).toHaveBeenCalledTimes(1);
  });

  test('When two purchases wait for an operator, then a word is for both, however long a step takes', async () => {
    const batches = [1, 2].map((batch) => ({ batch, firstUnit: batch, units: 1 }));
    world.placeOrder.mockResolvedValue({ outcome: 'PLACED', batches });
    world.buy.mockResolvedValue(unresolved);
    world.ask.mockResolvedValueOnce(unresolved);
    // The first is asked and waits again before the second goes on.
    let steps = 0;
    world.setAttention.mockImplementation(async () => void (++steps === 4 && (await sleep(5_000))));
    const { workflow } = await rehearsal.place({ family: 'VOUCHER', asynchronous: true });
    await times(world.setAttention, 2);
    await workflow.signal(resolveOrderSignal, 'ASK_AGAIN');
    await times(world.ask, 2);
    expect(world.setAttention.mock.lastCall?.[1]).toBe('Nobody knows');
    await workflow.signal(resolveOrderSignal, 'ASK_AGAIN');
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
  });

  test('When the supplier has not concluded for a day, then operators see it until it does', async () => {
    supplierTakes(30 * hour);
    const { workflow } = await rehearsal.place({ family: 'TOPUP' });
    await rehearsal.env.sleep('25h');
    expect((await workflow.describe()).searchAttributes).toMatchObject({
      Attention: ['The supplier has not concluded the purchase for a day'],
    });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect((await workflow.describe()).searchAttributes['Attention']).not.toEqual([expect.any(String)]);
  });
});

describe('Calling an order off', () => {
  const ways: [string, (order: Rehearsed) => Promise<unknown>][] = [
    ['by signal', ({ workflow }) => workflow.signal(cancelOrderSignal, 'Wrong number')],
    ['by cancelling its workflow', ({ workflow }) => workflow.cancel()],
  ];

  test.each(ways)(
    'When it is called off %s before anything was bought, then it is cancelled',
    async (_, callOff) => {
      supplierTakes(hour);
      const order = await rehearsal.place({ family: 'TOPUP' });
      await times(world.ask, 1);
      await callOff(order);
      expect(await order.workflow.result()).toMatchObject({ status: 'CANCELLED' });
      expect(world.withdraw).toHaveBeenCalledTimes(1);
      expect(world.settleOrder.mock.calls.map(([, how]) => how)).toEqual([{ cancelled: true }]);
    },
  );

  test.each(ways)(
    'When it is called off %s while no purchase can be made, then it is cancelled',
    async (_, callOff) => {
      supplierIsAway(hour);
      const order = await rehearsal.place({ family: 'VOUCHER' });
      await times(world.buy, 1);
      await callOff(order);
      expect(await order.workflow.result()).toMatchObject({ status: 'CANCELLED' });
    },
  );

  test.each(ways)('When it is called off %s too late, then it is delivered', async (_, callOff) => {
    supplierTakes(hour);
    world.withdraw.mockResolvedValue(pending);
    const order = await rehearsal.place({ family: 'TOPUP' });
    await times(world.ask, 1);
    await callOff(order);
    expect(await order.workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(world.withdraw).toHaveBeenCalledTimes(1);
  });
});

describe('An order of several units', () => {
  const five = { outcome: 'PLACED' as const, batches: [{ batch: 1, firstUnit: 1, units: 5 }] };

  test('When part is there and the rest fails later, then the part is told first and the order fails', async () => {
    world.placeOrder.mockResolvedValue(five);
    world.buy.mockResolvedValue({ state: 'PENDING', delivered: 2 });
    world.ask.mockImplementation(async () =>
      world.markPartiallyDelivered.mock.calls.length === 0
        ? { state: 'PENDING', delivered: 2 }
        : { state: 'REJECTED', failureCode: 'PRODUCT_OUT_OF_STOCK', delivered: 2 },
    );
    const { answer, workflow } = await rehearsal.place({ family: 'VOUCHER' });
    expect(await workflow.result()).toMatchObject({ status: 'FAILED' });
    expect(await answer.result()).toEqual({ outcome: 'PLACED' });
    expect(world.markPartiallyDelivered).toHaveBeenCalledTimes(1);
    expect(world.settleOrder.mock.calls.map(([, how]) => how)).toEqual([
      { failureCode: 'PRODUCT_OUT_OF_STOCK' },
    ]);
  });

  test('When everything comes at once, then no part is told', async () => {
    world.placeOrder.mockResolvedValue(five);
    world.buy.mockResolvedValue({ state: 'DELIVERED', delivered: 5 });
    const { workflow } = await rehearsal.place({ family: 'VOUCHER' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(world.markPartiallyDelivered).not.toHaveBeenCalled();
  });

  test('When an order is several purchases, then each is made once and the order ends when all have', async () => {
    const batches = [1, 2, 3].map((batch) => ({ batch, firstUnit: (batch - 1) * 500 + 1, units: 500 }));
    world.placeOrder.mockResolvedValue({ outcome: 'PLACED', batches });
    world.buy.mockImplementation(async (_order, { batch, units }) =>
      batch === 2 ? pending : { state: 'DELIVERED', delivered: units },
    );
    world.ask.mockResolvedValue({ state: 'DELIVERED', delivered: 500 });
    const { workflow } = await rehearsal.place({ family: 'VOUCHER', asynchronous: true });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(world.buy.mock.calls.map(([, { batch }]) => batch).sort()).toEqual([1, 2, 3]);
    expect(world.ask.mock.calls.map(([, { batch }]) => batch)).toEqual([2]);
    expect(world.settleOrder).toHaveBeenCalledTimes(1);
  });
});

describe('The mail at the end', () => {
  test('When an address is attached, then it is mailed after the order is settled', async () => {
    world.settleOrder.mockResolvedValue({ status: 'DELIVERED', delivered: 1, mail: true });
    const { workflow } = await rehearsal.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    expect(world.mailOrder).toHaveBeenCalledTimes(1);
  });

  test('When the mail cannot be sent for a day, then the order is as it was and operators can find it', async () => {
    world.settleOrder.mockResolvedValue({ status: 'DELIVERED', delivered: 1, mail: true });
    world.mailOrder.mockRejectedValue(new Error('no mail server'));
    const { workflow } = await rehearsal.place({ family: 'TOPUP' });
    expect(await workflow.result()).toMatchObject({ status: 'DELIVERED' });
    const { searchAttributes } = await workflow.describe();
    expect(searchAttributes).toMatchObject({ Attention: ['The notification mail could not be sent'] });
  });
});
