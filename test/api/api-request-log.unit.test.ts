/** The log of API requests: the process writes it in batches, and drops entries under load so that no request waits. */
import { ApiRequestLog } from '../../src/api/middleware/api-request-log';
import type { ApiRequest } from '../../src/data/clients/api-requests';

const request = (durationMs: number): ApiRequest => ({
  clientId: 1,
  at: new Date(),
  method: 'GET',
  route: '/api/v1/wallets',
  isOfConsole: false,
  apiKeyId: 1,
  memberId: null,
  status: 200,
  errorCode: null,
  errorMessage: null,
  orderId: null,
  referenceHash: null,
  keyHash: null,
  durationMs,
  requestId: 'r',
});

let stored: number[][];
let warnings: object[];
let isBusy: boolean;
let failure: Error | undefined;
let log: ApiRequestLog;
beforeEach(() => {
  jest.useFakeTimers();
  [stored, warnings, isBusy, failure] = [[], [], false, undefined];
  const store = async (requests: readonly ApiRequest[]) => {
    if (failure) throw failure;
    stored.push(requests.map(({ durationMs }) => durationMs));
  };
  log = new ApiRequestLog({ store, isBusy: () => isBusy }, { warn: (what: object) => warnings.push(what) });
});
afterEach(() => jest.useRealTimers());

const addMany = (count: number) => {
  for (let index = 0; index < count; index += 1) log.add(request(index));
};

test('When several requests end within a second, then one statement stores their entries', async () => {
  addMany(3);
  expect(stored).toEqual([]);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(stored).toEqual([[0, 1, 2]]);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(stored.length).toBe(1);
});

test('When statements wait for a connection, then the log waits', async () => {
  isBusy = true;
  addMany(2);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(stored).toEqual([]);
  isBusy = false;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(stored).toEqual([[0, 1]]);
});

test('When more requests end than the log can store, then it drops and counts the rest', async () => {
  isBusy = true;
  addMany(6_000);
  isBusy = false;
  await jest.advanceTimersByTimeAsync(10_000);
  expect(stored.map(({ length }) => length)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
  expect(warnings).toEqual([{ dropped: 1_000 }]);
});

test('When a client keeps calling beyond its rate limit, then the log stores ten of its calls a second and every call of other clients', async () => {
  const rejected = (clientId: number) => log.add({ ...request(clientId), clientId, status: 429 });
  for (let index = 0; index < 6_000; index += 1) rejected(1);
  rejected(2);
  addMany(1);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(stored).toEqual([[...Array<number>(10).fill(1), 2, 0]]);
  rejected(1);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(stored.at(-1)).toEqual([1]);
});

test('When a batch cannot be stored, then the log drops that batch and stores the next batch', async () => {
  failure = new Error('The database has gone');
  addMany(2);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(warnings).toEqual([{ err: failure }, { dropped: 2 }]);
  failure = undefined;
  addMany(1);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(stored).toEqual([[0]]);
});

test('When the process stops, then the log stores the waiting entries', async () => {
  addMany(1_500);
  await log.close();
  expect(stored.map(({ length }) => length)).toEqual([1_000, 500]);
});

test('When the process stops and the database is unreachable, then the log attempts one batch', async () => {
  failure = new Error('The database has gone');
  addMany(3_000);
  await log.close();
  expect(warnings).toEqual([{ err: failure }, { dropped: 1_000 }]);
});
