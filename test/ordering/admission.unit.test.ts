import { ApiError } from '../../src/domain/errors';
import { Admission, type AdmissionLimits } from '../../src/ordering/placement/admission';
import { Deadline } from '../../src/ordering/placement/wait-for-response';

const FLOODING = 1;
const SMALL = 2;
const limits: AdmissionLimits = { maxInFlight: 10, maxConcurrent: 2 };
const workers = { areAvailable: true };
const storage = { isFailing: false };

/** Starts order requests. They end when the test calls `endAll`. */
function creates(admission: Admission) {
  const ends: (() => void)[] = [];
  return {
    begin: (clientId: number, count = 1): Promise<string>[] =>
      Array.from({ length: count }, () =>
        admission
          .run(clientId, 'VOUCHER', Deadline.after(60_000, performance.now()), async () => {
            await new Promise<void>((resolve) => ends.push(resolve));
            return 'created';
          })
          .catch((error: unknown) => (error instanceof ApiError ? error.code : String(error))),
      ),
    endAll: async (): Promise<void> => {
      for (let turn = 0; turn < 100; turn++) {
        ends.splice(0).forEach((end) => end());
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

test('When a client has half of all in-flight order requests, then its next one is rejected immediately, and other clients are admitted', async () => {
  const { begin, endAll } = creates(new Admission(limits, new AbortController().signal, workers, storage));
  const flood = begin(FLOODING, 5);
  expect(await begin(FLOODING)[0]).toBe('SERVICE_UNAVAILABLE');
  const small = begin(SMALL, 5);
  expect(await begin(3)[0]).toBe('SERVICE_UNAVAILABLE');
  await endAll();
  expect(await Promise.all([...flood, ...small])).toEqual(Array(10).fill('created'));
  const next = begin(FLOODING);
  await endAll();
  expect(await next[0]).toBe('created');
});

test('When no worker takes orders, then an order request is rejected with Retry-After', async () => {
  const there = { areAvailable: false };
  const admission = new Admission(limits, new AbortController().signal, there, storage);
  const { begin, endAll } = creates(admission);
  expect(await begin(SMALL)[0]).toBe('SERVICE_UNAVAILABLE');
  // `check` runs before the body is validated, so it does not reject for missing workers.
  expect(() => admission.check(SMALL, 'VOUCHER')).not.toThrow();
  there.areAvailable = true;
  const [next] = begin(SMALL);
  await endAll();
  expect(await next).toBe('created');
});

test('When Temporal cannot store, then an order request is rejected before its work begins, until Temporal can store again', async () => {
  const full = { isFailing: true };
  const { begin, endAll } = creates(new Admission(limits, new AbortController().signal, workers, full));
  expect(await begin(SMALL)[0]).toBe('SERVICE_UNAVAILABLE');
  full.isFailing = false;
  const [next] = begin(SMALL);
  await endAll();
  expect(await next).toBe('created');
});

test('When the process stops, then waiting requests are rejected, running ones continue, and no new one is admitted', async () => {
  const stopping = new AbortController();
  const { begin, endAll } = creates(new Admission(limits, stopping.signal, workers, storage));
  const [running, waiting] = begin(FLOODING, 2);
  stopping.abort();
  expect(await waiting).toBe('SERVICE_UNAVAILABLE');
  expect(await begin(SMALL)[0]).toBe('SERVICE_UNAVAILABLE');
  await endAll();
  expect(await running).toBe('created');
});

describe('When the wait in the admission queue would be too long', () => {
  /** An order request took 2 s. Since then the flooding client has order requests in the admission queue. */
  async function overloaded() {
    const now = jest.spyOn(performance, 'now');
    let ms = 1_000;
    now.mockImplementation(() => ms);
    const admission = new Admission(
      { maxInFlight: 100, maxConcurrent: 2 },
      new AbortController().signal,
      workers,
      storage,
    );
    const { begin, endAll } = creates(admission);
    void Promise.all(begin(FLOODING, 1));
    await new Promise((resolve) => setImmediate(resolve));
    ms += 2_000;
    await endAll();
    void Promise.all(begin(FLOODING, 5));
    return { admission, wait: (time: number) => (ms += time) };
  }
  const refusal = (work: () => void): ApiError => {
    try {
      work();
    } catch (error) {
      if (error instanceof ApiError) return error;
    }
    throw new Error('not refused');
  };
  afterEach(() => jest.restoreAllMocks());

  test('then a burst is still admitted, but lasting overload is rejected with Retry-After', async () => {
    const { admission, wait } = await overloaded();
    admission.check(FLOODING, 'VOUCHER');
    wait(4_100);
    const { status, headers } = refusal(() => admission.check(FLOODING, 'VOUCHER'));
    expect({ status, headers }).toEqual({ status: 503, headers: { 'Retry-After': '10' } });
  });

  test('then an eSIM order request of the same client is also rejected, although eSIM orders may be placed later', async () => {
    const { admission, wait } = await overloaded();
    wait(4_100);
    // The expected wait is 4 s. An eSIM may be placed within 30 s.
    expect(refusal(() => admission.check(FLOODING, 'ESIM'))).toMatchObject({ status: 503 });
  });

  test('then another client is admitted', async () => {
    const { admission, wait } = await overloaded();
    wait(4_100);
    admission.check(SMALL, 'VOUCHER');
  });
});
