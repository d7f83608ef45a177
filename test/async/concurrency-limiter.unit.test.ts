import { ConcurrencyLimiter, type Flow, type LimiterOptions, type Permit } from '../../src/async/concurrency-limiter';

const LONG = 60_000;
const large: Flow = { owner: 1, kind: 'VOUCHER' };
const small: Flow = { owner: 2, kind: 'VOUCHER' };
const other: Flow = { owner: 3, kind: 'VOUCHER' };

/** A limiter, and the names of its permit holders, in order. */
function course(maxConcurrent: number, maxPerOwner: LimiterOptions['maxPerOwner'] = maxConcurrent) {
  const limiter = new ConcurrencyLimiter({ maxConcurrent, maxPerOwner });
  const running: string[] = [];
  const permits: Permit[] = [];
  return {
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
    /** Releases the oldest permit. Resolves once the next holder runs. */
    end: async (): Promise<void> => {
      await settled();
      permits.shift()?.release();
      await settled();
    },
  };
}

/** Lets all pending microtasks run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const names = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index + 1}`);

describe('turns', () => {
  test('When no permit is free, then requests of one flow wait in order', async () => {
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

  test('When the share of an owner grows, then the owner gets the additional permits at the next release', async () => {
    let share = 2;
    const { request, end, running } = course(4, () => share);
    for (const name of names('flood', 8)) request(name, large);
    await settled();
    expect(running).toEqual(['flood1', 'flood2']);
    share = 3;
    await end();
    expect(running.slice(2)).toEqual(['flood3', 'flood4']);
  });
});

describe('permits', () => {
  test('When a permit is released twice, then only one other request runs', async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 1, maxPerOwner: 1 });
    const permit = (await limiter.acquire(large, LONG)) as Permit;
    permit.release();
    permit.release();
    expect(await limiter.acquire(large, LONG)).toBeDefined();
    expect(await limiter.acquire(small, 0)).toBeUndefined();
  });

  test('When no permit is free in time, then the request gets none, and the next request moves up', async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 1, maxPerOwner: 1 });
    const permit = await limiter.acquire(large, LONG);
    const impatient = limiter.acquire(large, 0);
    const patient = limiter.acquire(large, LONG);
    expect(await impatient).toBeUndefined();
    permit?.release();
    expect(await patient).toBeDefined();
  });

  test('When all waits are aborted, then the waiting requests get no permit, and no permit is lost', async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 1, maxPerOwner: 1 });
    const stopping = new AbortController();
    const permit = await limiter.acquire(large, LONG);
    const waiting = [large, small].map((flow) => limiter.acquire(flow, LONG, stopping.signal));
    stopping.abort();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    permit?.release();
    expect(await limiter.acquire(small, LONG)).toBeDefined();
  });
});

describe('the position in the queue', () => {
  test('When no permit is free, then the position counts earlier requests, of other flows one for each turn', async () => {
    const { request, limiter } = course(2);
    expect([limiter.positionOf(large), limiter.held]).toEqual([0, 0]);
    for (const name of names('flood', 7)) request(name, large);
    expect(limiter.held).toBe(2);
    expect(limiter.positionOf(large)).toBe(6);
    expect(limiter.positionOf(small)).toBe(2);
  });
});
