import { ConcurrencyLimiter, type Flow, type Permit } from '../../src/async/concurrency-limiter';

const LONG = 60_000;
const large: Flow = { owner: 1, kind: 'VOUCHER' };
const small: Flow = { owner: 2, kind: 'VOUCHER' };
const other: Flow = { owner: 3, kind: 'VOUCHER' };

/** A limiter with a clock that the test moves, and the names of whom it let run, in their order. */
function course(maxConcurrent: number, maxPerOwner = maxConcurrent, maxPerOwnerAmongOthers = maxPerOwner) {
  const clock = { ms: 0 };
  const limiter = new ConcurrencyLimiter({
    maxConcurrent,
    maxPerOwner,
    maxPerOwnerAmongOthers,
    now: () => clock.ms,
  });
  const running: string[] = [];
  const permits: Permit[] = [];
  return {
    clock,
    limiter,
    running,
    /** Somebody comes who waits for long. */
    come: (name: string, flow: Flow): void => {
      void limiter.acquire(flow, LONG).then((permit) => {
        // Whoever still waits when its test is over is let run by none.
        if (!permit) return;
        running.push(name);
        permits.push(permit);
      });
    },
    /** Whoever has run longest ends after so many milliseconds. Fulfilled once the next one runs. */
    end: async (afterMs = 0): Promise<void> => {
      await settled();
      clock.ms += afterMs;
      permits.shift()?.release();
      await settled();
    },
  };
}

/** Lets everything run that waits for nothing but its turn in this process. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const names = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}`);

describe('turns', () => {
  test('When a permit is free, then whoever comes has it; else those of one flow in the order they came', async () => {
    const { come, end, running } = course(2);
    for (const name of names('a', 4)) come(name, large);
    await settled();
    expect(running).toEqual(['a1', 'a2']);
    await end();
    expect(running).toEqual(['a1', 'a2', 'a3']);
    await end();
    expect(running).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('When one owner floods, then another waits for one turn of it, however many it sent before', async () => {
    const { come, end, running } = course(1);
    for (const name of names('flood', 100)) come(name, large);
    for (const name of names('small', 2)) come(name, small);
    for (let turn = 0; turn < 5; turn++) await end();
    expect(running).toEqual(['flood1', 'flood2', 'small1', 'flood3', 'small2', 'flood4']);
  });

  test('When three wait, then they go round; and the kinds of one owner take turns as well', async () => {
    const { come, end, running } = course(1);
    come('first', other);
    for (const name of names('voucher', 2)) come(name, large);
    for (const name of names('esim', 2)) come(name, { ...large, kind: 'ESIM' });
    for (const name of names('small', 2)) come(name, small);
    for (let turn = 0; turn < 6; turn++) await end();
    expect(running.slice(1)).toEqual(['voucher1', 'esim1', 'small1', 'voucher2', 'esim2', 'small2']);
  });

  test('When one owner holds its share, then a permit is left for whoever else comes', async () => {
    const { come, end, running } = course(3, 2);
    for (const name of names('flood', 4)) come(name, large);
    come('small', small);
    await settled();
    expect(running).toEqual(['flood1', 'flood2', 'small']);
    await end();
    expect(running).toEqual(['flood1', 'flood2', 'small', 'flood3']);
  });

  test('When another came lately, then one owner holds at most its share among others; and all of its own once alone', async () => {
    const { clock, come, end, running } = course(4, 3, 2);
    for (const name of names('flood', 8)) come(name, large);
    come('small', small);
    await settled();
    expect(running).toEqual(['flood1', 'flood2', 'flood3', 'small']);
    await end();
    expect(running).toHaveLength(4);
    await end();
    expect(running.slice(4)).toEqual(['flood4']);
    clock.ms += 10_001;
    await end();
    expect(running.slice(4)).toEqual(['flood4', 'flood5', 'flood6']);
  });
});

describe('permits', () => {
  test('When one is released twice, then one other runs', async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 1, maxPerOwner: 1, maxPerOwnerAmongOthers: 1 });
    const permit = (await limiter.acquire(large, LONG)) as Permit;
    permit.release();
    permit.release();
    expect(permit.isHeld).toBe(false);
    expect((await limiter.acquire(large, LONG))?.isHeld).toBe(true);
    expect(await limiter.acquire(small, 0)).toBeUndefined();
  });

  test('When none is free in time, then there is none, and whoever waits behind comes before', async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 1, maxPerOwner: 1, maxPerOwnerAmongOthers: 1 });
    const permit = await limiter.acquire(large, LONG);
    const impatient = limiter.acquire(large, 0);
    const patient = limiter.acquire(large, LONG);
    expect(await impatient).toBeUndefined();
    permit?.release();
    expect((await patient)?.isHeld).toBe(true);
  });

  test('When nobody waits any more, then who waited is called no more and the permit is not lost', async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 1, maxPerOwner: 1, maxPerOwnerAmongOthers: 1 });
    const stopping = new AbortController();
    const permit = await limiter.acquire(large, LONG);
    const waiting = [large, small].map((flow) => limiter.acquire(flow, LONG, stopping.signal));
    stopping.abort();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(limiter.backlog).toBeUndefined();
    permit?.release();
    expect((await limiter.acquire(small, LONG))?.isHeld).toBe(true);
  });
});

describe('the expected wait', () => {
  test('When a permit is free, then there is none; nor while nothing is known yet', async () => {
    const { come, limiter } = course(1);
    expect(limiter.expectedWaitMs(large)).toBe(0);
    come('first', large);
    come('second', large);
    expect(limiter.expectedWaitMs(large)).toBe(0);
  });

  test('When permits are held for 100 ms each, then it is 100 ms for each who comes before, shared by those that run', async () => {
    const { come, end, limiter } = course(2);
    for (const name of names('a', 8)) come(name, large);
    await end(100);
    await end(0);
    // Six remain: two run, four wait.
    expect(limiter.expectedWaitMs(large)).toBeCloseTo((5 * 100) / 2);
  });

  test('When one owner floods, then it is long for that one and short for another', async () => {
    const { come, end, limiter } = course(1);
    for (const name of names('flood', 101)) come(name, large);
    await end(100);
    expect(limiter.expectedWaitMs(large)).toBeCloseTo(100 * 100);
    expect(limiter.expectedWaitMs(small)).toBeCloseTo(2 * 100);
  });

  test('When permits come to be held for longer, then it follows', async () => {
    const { come, end, limiter } = course(1);
    for (const name of names('a', 102)) come(name, large);
    await end(100);
    for (let turn = 0; turn < 99; turn++) await end(1_000);
    expect(limiter.expectedWaitMs(large)).toBeGreaterThan(2 * 950);
  });

  test('When a queue has formed, then it is known for how long and how many it served, until it is empty', async () => {
    const { clock, come, end, limiter } = course(1);
    come('first', large);
    expect(limiter.backlog).toBeUndefined();
    for (const name of names('more', 2)) come(name, large);
    clock.ms += 500;
    expect(limiter.backlog).toEqual({ ageMs: 500, served: 0 });
    await end();
    expect(limiter.backlog).toEqual({ ageMs: 500, served: 1 });
    await end();
    expect(limiter.backlog).toBeUndefined();
  });
});
