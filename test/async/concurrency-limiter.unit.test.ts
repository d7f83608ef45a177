import { ConcurrencyLimiter, type Flow, type Permit } from '../../src/async/concurrency-limiter';

const LONG = 60_000;
const large: Flow = { owner: 1, kind: 'VOUCHER' };
const small: Flow = { owner: 2, kind: 'VOUCHER' };
const other: Flow = { owner: 3, kind: 'VOUCHER' };

/** A limiter with a test clock, and the names of its permit holders, in order. */
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
    /** Requests a permit with a long time limit. */
    request: (name: string, flow: Flow): void => {
      void limiter.acquire(flow, LONG).then((permit) => {
        // A request that still waits when its test ends gets no permit.
        if (!permit) return;
        running.push(name);
        permits.push(permit);
      });
    },
    /** Releases the oldest permit after this many milliseconds. Resolves once the next holder runs. */
    end: async (afterMs = 0): Promise<void> => {
      await settled();
      clock.ms += afterMs;
      permits.shift()?.release();
      await settled();
    },
  };
}

/** Lets all pending microtasks run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const names = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}`);

describe('turns', () => {
  test('When a permit is free, then a request gets it; otherwise requests of one flow wait in order', async () => {
    const { request, end, running } = course(2);
    for (const name of names('a', 4)) request(name, large);
    await settled();
    expect(running).toEqual(['a1', 'a2']);
    await end();
    expect(running).toEqual(['a1', 'a2', 'a3']);
    await end();
    expect(running).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('When one owner floods, then another owner waits for only one of its requests', async () => {
    const { request, end, running } = course(1);
    for (const name of names('flood', 100)) request(name, large);
    for (const name of names('small', 2)) request(name, small);
    for (let turn = 0; turn < 5; turn++) await end();
    expect(running).toEqual(['flood1', 'flood2', 'small1', 'flood3', 'small2', 'flood4']);
  });

  test('When three owners wait, then they take turns, and so do the kinds of one owner', async () => {
    const { request, end, running } = course(1);
    request('first', other);
    for (const name of names('voucher', 2)) request(name, large);
    for (const name of names('esim', 2)) request(name, { ...large, kind: 'ESIM' });
    for (const name of names('small', 2)) request(name, small);
    for (let turn = 0; turn < 6; turn++) await end();
    expect(running.slice(1)).toEqual(['voucher1', 'esim1', 'small1', 'voucher2', 'esim2', 'small2']);
  });

  test('When one owner holds its share, then a permit stays free for another owner', async () => {
    const { request, end, running } = course(3, 2);
    for (const name of names('flood', 4)) request(name, large);
    request('small', small);
    await settled();
    expect(running).toEqual(['flood1', 'flood2', 'small']);
    await end();
    expect(running).toEqual(['flood1', 'flood2', 'small', 'flood3']);
  });

  test('When another owner was active recently, then one owner holds at most its share among others, and its full share once alone', async () => {
    const { clock, request, end, running } = course(4, 3, 2);
    for (const name of names('flood', 8)) request(name, large);
    request('small', small);
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
  test('When a permit is released twice, then only one other request runs', async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 1, maxPerOwner: 1, maxPerOwnerAmongOthers: 1 });
    const permit = (await limiter.acquire(large, LONG)) as Permit;
    permit.release();
    permit.release();
    expect(await limiter.acquire(large, LONG)).toBeDefined();
    expect(await limiter.acquire(small, 0)).toBeUndefined();
  });

  test('When no permit is free in time, then the request gets none, and the next request moves up', async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 1, maxPerOwner: 1, maxPerOwnerAmongOthers: 1 });
    const permit = await limiter.acquire(large, LONG);
    const impatient = limiter.acquire(large, 0);
    const patient = limiter.acquire(large, LONG);
    expect(await impatient).toBeUndefined();
    permit?.release();
    expect(await patient).toBeDefined();
  });

  test('When all waits are aborted, then the waiting requests get no permit, and no permit is lost', async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 1, maxPerOwner: 1, maxPerOwnerAmongOthers: 1 });
    const stopping = new AbortController();
    const permit = await limiter.acquire(large, LONG);
    const waiting = [large, small].map((flow) => limiter.acquire(flow, LONG, stopping.signal));
    stopping.abort();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(limiter.backlog).toBeUndefined();
    permit?.release();
    expect(await limiter.acquire(small, LONG)).toBeDefined();
  });
});

describe('the expected wait', () => {
  test('When a permit is free or no duration is known, then the expected wait is 0', async () => {
    const { request, limiter } = course(1);
    expect(limiter.expectedWaitMs(large)).toBe(0);
    request('first', large);
    request('second', large);
    expect(limiter.expectedWaitMs(large)).toBe(0);
  });

  test('When permits are held for 100 ms, then each earlier request adds 100 ms divided by the number of permits', async () => {
    const { request, end, limiter } = course(2);
    for (const name of names('a', 8)) request(name, large);
    await end(100);
    await end(0);
    // Six remain: two run, four wait.
    expect(limiter.expectedWaitMs(large)).toBeCloseTo((5 * 100) / 2);
  });

  test('When one owner floods, then its expected wait is long and that of another is short', async () => {
    const { request, end, limiter } = course(1);
    for (const name of names('flood', 101)) request(name, large);
    await end(100);
    expect(limiter.expectedWaitMs(large)).toBeCloseTo(100 * 100);
    expect(limiter.expectedWaitMs(small)).toBeCloseTo(2 * 100);
  });

  test('When permits are held for longer, then the expected wait grows', async () => {
    const { request, end, limiter } = course(1);
    for (const name of names('a', 102)) request(name, large);
    await end(100);
    for (let turn = 0; turn < 99; turn++) await end(1_000);
    expect(limiter.expectedWaitMs(large)).toBeGreaterThan(2 * 950);
  });

  test('When a queue has formed, then its age and served requests are reported until it is empty', async () => {
    const { clock, request, end, limiter } = course(1);
    request('first', large);
    expect(limiter.backlog).toBeUndefined();
    for (const name of names('more', 2)) request(name, large);
    clock.ms += 500;
    expect(limiter.backlog).toEqual({ ageMs: 500, served: 0 });
    await end();
    expect(limiter.backlog).toEqual({ ageMs: 500, served: 1 });
    await end();
    expect(limiter.backlog).toBeUndefined();
  });
});
