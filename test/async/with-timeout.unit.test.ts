import { setTimeout as sleep } from 'node:timers/promises';
import { SingleFlight, timedOut, withTimeout } from '../../src/async/promises';

const LONG = 60_000;
const never = () => new Promise<never>(() => undefined);

test('When the promise is settled in time, then its value or error is returned', async () => {
  expect(await withTimeout(Promise.resolve('value'), LONG)).toBe('value');
  await expect(withTimeout(Promise.reject(new Error('failed')), LONG)).rejects.toThrow('failed');
});

test('When the time is over or the signal aborts first, then it has timed out', async () => {
  expect(await withTimeout(never(), 0)).toBe(timedOut);
  const stopping = new AbortController();
  const waiting = withTimeout(never(), LONG, stopping.signal);
  stopping.abort();
  expect(await waiting).toBe(timedOut);
  expect(await withTimeout(never(), LONG, stopping.signal)).toBe(timedOut);
});

describe('A single flight', () => {
  test('When many callers share one key, then the work runs once, and another key and a later call run it again', async () => {
    const flights = new SingleFlight<string>();
    const work = jest.fn(() => Promise.resolve('outcome'));
    const run = (key: string) => flights.run(work, key);
    expect(await Promise.all([run('a'), run('a'), run('b')])).toEqual(['outcome', 'outcome', 'outcome']);
    expect(work).toHaveBeenCalledTimes(2);
    await run('a');
    expect(work).toHaveBeenCalledTimes(3);
  });

  test('When the work fails, then all callers get its error, and the next call runs it again', async () => {
    const flights = new SingleFlight<string>();
    const fails = () => Promise.reject(new Error('failed'));
    const outcomes = await Promise.allSettled([flights.run(fails), flights.run(never)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await flights.run(() => Promise.resolve('outcome'))).toBe('outcome');
  });

  test('When a run is shared for a time, then calls within that time after its start share its result', async () => {
    const flights = new SingleFlight<number>(50);
    let runs = 0;
    const work = () => Promise.resolve(++runs);
    expect([await flights.run(work), await flights.run(work)]).toEqual([1, 1]);
    await sleep(60);
    expect(await flights.run(work)).toBe(2);
  });
});
