/** Rolling windows in one process: they admit exactly the calls that fit into the limit of every minute. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { MemoryWindows, WINDOW_MS } from '../../src/api/rate-limits/call-windows';

let now: number;
let windows: MemoryWindows;
beforeEach(() => {
  now = 1_000;
  windows = new MemoryWindows({ now: () => now });
});
const takeTimes = (count: number, limit: number) =>
  Array.from({ length: count }, () => windows.take('key', limit).isAdmitted);

test('When the limit is 3, then the fourth call of a minute is rejected with the time until the first call expires', () => {
  expect(windows.take('key', 3)).toEqual({ isAdmitted: true, remaining: 2, nextInMs: WINDOW_MS });
  now += 20_000;
  expect(windows.take('key', 3)).toEqual({ isAdmitted: true, remaining: 1, nextInMs: 40_000 });
  expect(windows.take('key', 3)).toEqual({ isAdmitted: true, remaining: 0, nextInMs: 40_000 });
  now += 1;
  expect(windows.take('key', 3)).toEqual({ isAdmitted: false, remaining: 0, nextInMs: 39_999 });
  now += 39_998;
  expect(windows.take('key', 3).isAdmitted).toBe(false);
  now += 1;
  expect(windows.take('key', 3)).toEqual({ isAdmitted: true, remaining: 0, nextInMs: 20_000 });
});

test('When calls are rejected, then they do not count', () => {
  takeTimes(2, 2);
  for (let second = 1; second < 60; second++) {
    now += 1_000;
    expect(takeTimes(5, 2)).not.toContain(true);
  }
  now += 1_000;
  expect(takeTimes(3, 2)).toEqual([true, true, false]);
});

test('When a call weighs more than the calls left, then the next call is admitted after that whole weight has expired', () => {
  windows.take('key', 3);
  now += 10_000;
  windows.take('key', 3);
  expect(windows.add('key', 3, 4)).toEqual({ isAdmitted: false, remaining: 0, nextInMs: 60_000 });
  now += 59_999;
  expect(windows.take('key', 3).isAdmitted).toBe(false);
  now += 1;
  expect(windows.take('key', 3)).toMatchObject({ isAdmitted: true, remaining: 2 });
});

test('When an operator lowers the limit, then the next call is admitted after the excess calls have expired', () => {
  for (let call = 0; call < 5; call++) {
    windows.take('key', 5);
    now += 1_000;
  }
  expect(windows.take('key', 2)).toEqual({ isAdmitted: false, remaining: 0, nextInMs: 58_000 });
  now += 58_000;
  expect(windows.take('key', 2).isAdmitted).toBe(true);
});

test('When a caller only reads the window, then nothing is counted', () => {
  expect(windows.look('key', 1).isAdmitted).toBe(true);
  expect(windows.take('key', 1).isAdmitted).toBe(true);
  expect(windows.look('key', 1)).toEqual({ isAdmitted: false, remaining: 0, nextInMs: WINDOW_MS });
  expect(windows.look('other', 1).isAdmitted).toBe(true);
});

test('When calls arrive at any times, then exactly the calls within the limit are admitted', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 300 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 12 }), (waits, limit) => {
      const own = new MemoryWindows({ now: () => now });
      const admitted: number[] = [];
      for (const wait of waits) {
        now += wait;
        const inWindow = admitted.filter((time) => time > now - WINDOW_MS).length;
        const taken = own.take('key', limit);
        expect(taken.isAdmitted).toBe(inWindow < limit);
        if (taken.isAdmitted) admitted.push(now);
        expect(taken.remaining).toBe(Math.max(0, limit - inWindow - 1));
      }
    }),
  );
});

test('When callers have been idle for a minute, then their windows are dropped', () => {
  for (let key = 0; key < 1_000; key++) windows.take(`key-${key}`, 10);
  expect(windows.size).toBe(1_000);
  now += WINDOW_MS;
  for (let key = 0; key < 1_000; key++) windows.take('one', 1_000_000);
  expect(windows.size).toBe(1);
});

test('When more keys arrive than the windows can hold, then the least recently used keys are dropped', () => {
  const small = new MemoryWindows({ now: () => now, maxKeys: 10 });
  for (let key = 0; key < 100; key++) small.take(`key-${key}`, 1);
  expect(small.size).toBeLessThanOrEqual(10);
  expect(small.take('key-99', 1).isAdmitted).toBe(false);
  expect(small.take('key-0', 1).isAdmitted).toBe(true);
});

test('When a caller calls for hours, then its window keeps only the calls of a minute', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  for (let call = 0; call < 600_000; call++) {
    now += 10;
    windows.take('key', 10_000);
  }
  // The window holds 6,000 timestamps of 8 bytes and spare capacity. All 600,000 would take 5 MB.
  expect(heap() - before).toBeLessThan(1024 * 1024);
});
