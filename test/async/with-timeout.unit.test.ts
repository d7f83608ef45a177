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

test('When many callers share one key, then the work runs once; when the signal aborts, they stop waiting', async () => {
  const flights = new SingleFlight<string>();
  const stopping = new AbortController();
  const work = jest.fn(() => Promise.resolve('outcome'));
  const run = () => flights.run('key', LONG, stopping.signal, work);
  expect(await Promise.all([run(), run(), run()])).toEqual(['outcome', 'outcome', 'outcome']);
  expect(work).toHaveBeenCalledTimes(1);
  const waiting = flights.run('slow', LONG, stopping.signal, never);
  stopping.abort();
  expect(await waiting).toBeUndefined();
});
