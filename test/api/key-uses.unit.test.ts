/** The last uses of API keys are stored in batches, and no request waits for it. */
import type { KeyUses } from '../../src/data/clients/api-keys';
import { KeyUseLog } from '../../src/api/middleware/key-uses';

let stored: number[][];
const log = { warn: jest.fn() };
const storing = (skips: (ids: number[]) => number[] = () => []) =>
  new KeyUseLog((uses: KeyUses) => {
    const ids = [...uses.keys()];
    stored.push(ids);
    return Promise.resolve(skips(ids));
  }, log);

beforeEach(() => {
  jest.useFakeTimers();
  stored = [];
});
afterEach(() => jest.useRealTimers());

test('When keys are used, then one statement stores them within a minute, each key once', async () => {
  const uses = storing();
  for (const id of [1, 2, 1, 1]) uses.add(id);
  expect(stored).toEqual([]);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(stored).toEqual([[1, 2]]);
  await jest.advanceTimersByTimeAsync(600_000);
  expect(stored).toHaveLength(1);
});

test('When a use cannot be stored, then it is stored with the next ones', async () => {
  let isFirst = true;
  const uses = storing((ids) => (isFirst ? ((isFirst = false), [ids[0] as number]) : []));
  for (const id of [1, 2]) uses.add(id);
  await jest.advanceTimersByTimeAsync(60_000);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(stored).toEqual([[1, 2], [1]]);
});

test('When the database cannot be reached, then no use is lost', async () => {
  let isReachable = false;
  const kept: number[][] = [];
  const uses = new KeyUseLog((given) => {
    if (!isReachable) return Promise.reject(new Error('unreachable'));
    kept.push([...given.keys()]);
    return Promise.resolve([]);
  }, log);
  uses.add(1);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(log.warn).toHaveBeenCalled();
  isReachable = true;
  uses.add(2);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(kept.map((ids) => ids.toSorted())).toEqual([[1, 2]]);
});

test('When the process stops, then the waiting uses are stored', async () => {
  const uses = storing();
  uses.add(1);
  await uses.flush();
  expect(stored).toEqual([[1]]);
});
