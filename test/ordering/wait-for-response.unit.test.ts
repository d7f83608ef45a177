/** How long an order request waits for its order. docs/specification.md#response-times-of-order-requests. */
import type { Family } from '../../src/domain/orders/families';
import type { RequestProgress } from '../../src/domain/orders/request-progress';
import { deadlinesOf, WaitingRequest } from '../../src/ordering/placement/wait-for-response';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A request that arrives now. */
function arrival(family: Family) {
  const seen: RequestProgress[] = [];
  const order = { orderId: 1, nonce: 'waits' };
  const request = new WaitingRequest(order, (progress) => seen.push(progress));
  return { request, seen, ...deadlinesOf(family, performance.now()) };
}

/** The time in milliseconds that the wait takes at most. */
async function lengthOf(wait: Promise<unknown>): Promise<number> {
  const began = performance.now();
  let length = Infinity;
  void wait.then(() => (length = performance.now() - began));
  for (let seconds = 0; length === Infinity && seconds < 120; seconds++) await jest.advanceTimersByTimeAsync(1_000);
  return length;
}

const open = new AbortController().signal;

test.each<[Family, number, number]>([
  ['VOUCHER', 10_000, 11_000],
  ['TOPUP', 10_000, 5_000],
  ['ESIM', 30_000, 61_000],
])(
  'When an order request of the family %s stays undecided, then it waits %i ms, or %i ms for an open order of which no workflow reports anything',
  async (family, placementMs, responseMs) => {
    const undecided = arrival(family);
    expect(await lengthOf(undecided.request.untilDecided(undecided.placement, open))).toBe(placementMs);
    const handedOver = arrival(family);
    handedOver.request.report('HANDED_OVER');
    expect(await lengthOf(handedOver.request.untilAnswered(handedOver.response, open))).toBe(responseMs);
  },
);

test('When the order ends, then the request waits no longer, and a report that arrives late changes nothing', async () => {
  const { request, seen, placement, response } = arrival('ESIM');
  setTimeout(() => request.report('HANDED_OVER'), 1_000);
  setTimeout(() => request.report('ENDED'), 5_000);
  setTimeout(() => request.report('PLACED'), 5_000);
  expect(await lengthOf(request.untilDecided(placement, open))).toBe(1_000);
  expect(await lengthOf(request.untilAnswered(response, open))).toBe(4_000);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(seen).toEqual(['HANDED_OVER', 'ENDED']);
});

test('When the workflow answers that the order is pending, then the request waits no longer', async () => {
  const { request, response } = arrival('ESIM');
  setTimeout(() => request.report('HANDED_OVER'), 1_000);
  setTimeout(() => request.report('TOLD_PENDING'), 60_000);
  expect(await lengthOf(request.untilAnswered(response, open))).toBe(60_000);
});

test('When the reservation is decided against an order, then the request waits no longer', async () => {
  const { request, placement } = arrival('VOUCHER');
  request.report('INSUFFICIENT_BALANCE');
  expect(await request.untilDecided(placement, open)).toBe('INSUFFICIENT_BALANCE');
});

test('When the process stops or the workflow cannot be started, then the request waits no longer', async () => {
  const { request, placement, response } = arrival('ESIM');
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 2_000);
  expect(await lengthOf(request.untilDecided(placement, open, stopping.signal))).toBe(2_000);
  expect(await request.untilDecided(placement, stopping.signal)).toBeUndefined();
  expect(await lengthOf(request.untilAnswered(response, stopping.signal))).toBeLessThanOrEqual(1_000);
});
