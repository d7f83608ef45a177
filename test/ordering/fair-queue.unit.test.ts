/** The queue of order requests: shares of clients, and the predicted wait. */
import { setMaxListeners } from 'node:events';
import type { Permit } from '../../src/async/concurrency-limiter';
import type { Family } from '../../src/domain/orders/families';
import { FairQueue } from '../../src/ordering/placement/fair-queue';

const LONG = 60_000;
const LARGE = 1;
const SMALL = 2;
const never = new AbortController().signal;
setMaxListeners(0, never);
const clock = jest.spyOn(performance, 'now');
let nowMs = 0;
beforeEach(() => {
  nowMs = 1_000_000;
  clock.mockImplementation(() => nowMs);
});
afterAll(() => clock.mockRestore());

/** A queue, and the names of the requests that have slots, in order. */
function course(maxConcurrent: number) {
  const queue = new FairQueue(maxConcurrent);
  const running: string[] = [];
  const slots: Permit[] = [];
  const request = (name: string, clientId: number, family: Family = 'VOUCHER') => {
    void queue.acquire(clientId, family, LONG, never).then((slot) => {
      // A request that still waits when its test ends gets no slot.
      if (!slot) return;
      running.push(name);
      slots.push(slot);
    });
  };
  /** Releases the oldest slot after this many milliseconds. Resolves once the next request runs. */
  const end = async (afterMs = 0) => {
    await settled();
    nowMs += afterMs;
    slots.shift()?.release();
    await settled();
  };
  return { queue, running, request, end };
}

/** Lets all pending microtasks run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const names = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index + 1}`);

test('When another client was active recently, then one client holds at most half of the slots, and all but one once alone', async () => {
  const { running, request, end } = course(4);
  for (const name of names('flood', 8)) request(name, LARGE);
  request('small', SMALL);
  await settled();
  expect(running).toEqual(['flood1', 'flood2', 'flood3', 'small']);
  await end();
  expect(running).toHaveLength(4);
  await end();
  expect(running.slice(4)).toEqual(['flood4']);
  nowMs += 10_001;
  await end();
  expect(running.slice(4)).toEqual(['flood4', 'flood5', 'flood6']);
});

describe('the expected wait', () => {
  test('When a slot is free or no duration is known, then the expected wait is 0', () => {
    const { queue, request } = course(1);
    expect(queue.expectedWaitMs(LARGE, 'VOUCHER')).toBe(0);
    request('first', LARGE);
    request('second', LARGE);
    expect(queue.expectedWaitMs(LARGE, 'VOUCHER')).toBe(0);
  });

  test('When slots are held for 100 ms, then each earlier request adds 100 ms divided by the number of held slots', async () => {
    const { queue, request, end } = course(3);
    for (const name of names('a', 8)) request(name, LARGE);
    await end(100);
    await end(0);
    // Six remain: two run, four wait.
    expect(queue.expectedWaitMs(LARGE, 'VOUCHER')).toBeCloseTo((5 * 100) / 2);
  });

  test('When one client floods, then its expected wait is long and that of another is short', async () => {
    const { queue, request, end } = course(1);
    for (const name of names('flood', 101)) request(name, LARGE);
    await end(100);
    expect(queue.expectedWaitMs(LARGE, 'VOUCHER')).toBeCloseTo(100 * 100);
    expect(queue.expectedWaitMs(SMALL, 'VOUCHER')).toBeCloseTo(2 * 100);
    expect(queue.expectedWaitMs(LARGE, 'ESIM')).toBeCloseTo(2 * 100);
  });

  test('When slots are held for longer, then the expected wait grows', async () => {
    const { queue, request, end } = course(1);
    for (const name of names('a', 102)) request(name, LARGE);
    await end(100);
    for (let turn = 0; turn < 99; turn++) await end(1_000);
    expect(queue.expectedWaitMs(LARGE, 'VOUCHER')).toBeGreaterThan(2 * 950);
  });
});

describe('the backlog', () => {
  test('When requests wait, then its age and the served requests are reported until none waits', async () => {
    const { queue, request, end } = course(1);
    request('first', LARGE);
    expect(queue.backlog).toBeUndefined();
    for (const name of names('more', 2)) request(name, LARGE);
    nowMs += 500;
    expect(queue.backlog).toEqual({ ageMs: 500, served: 0 });
    await end();
    expect(queue.backlog).toEqual({ ageMs: 500, served: 1 });
    await end();
    expect(queue.backlog).toBeUndefined();
  });

  test('When waiting requests give up, then they leave no backlog', async () => {
    const queue = new FairQueue(1);
    const closing = new AbortController();
    await queue.acquire(LARGE, 'VOUCHER', LONG, closing.signal);
    const waiting = [LARGE, SMALL].map((id) => queue.acquire(id, 'VOUCHER', LONG, closing.signal));
    closing.abort();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(queue.backlog).toBeUndefined();
  });
});
