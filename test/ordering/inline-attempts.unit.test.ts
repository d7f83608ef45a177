/** The first attempt to buy: a claim of this process, of which `tryToBuy` makes one attempt that the activity `buy` may take over. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FulfilmentReport } from '../../src/domain/orders/order-messages';
import { InlineAttempts } from '../../src/ordering/purchasing/inline-attempts';
import { SEND_LEASE_MS } from '../../src/ordering/purchasing/conclusive-lookups';
import type { MayContinue } from '../../src/ordering/purchasing/purchase-work';
import type { Claim } from '../../src/ordering/purchasing/purchasing';

const delivered: FulfilmentReport = {
  units: 1,
  delivered: 1,
  ready: 0,
  open: 0,
  withdrawn: false,
  failureCode: null,
  unresolved: null,
  purchases: [],
};
/** No test reads the purchase of a claim. */
const claimNow = () => ({ purchase: {}, claimedAt: performance.now() }) as Claim;
const order = { orderId: 1, nonce: 'first' };

let attempts: InlineAttempts;
beforeEach(() => (attempts = new InlineAttempts()));

/** Attempts to buy for the order. `late`: the claims whose lease had ended. */
const late: Claim[] = [];
beforeEach(() => void late.splice(0));
const attempt = (work: (claim: Claim, mayContinue: MayContinue) => Promise<FulfilmentReport>, nonce = order.nonce) =>
  attempts.attempt({ orderId: 1, nonce }, work, async (claim) => late.push(claim));

/** Claims a purchase for the attempt of the order. Undefined if no slot is free. */
const prepare = (nonce = order.nonce) => attempts.prepare({ orderId: 1, nonce }, async () => ({ claim: claimNow() }));

test('When the supplier answers soon, then the attempt ends and no activity can take it over', async () => {
  await prepare();
  expect(await attempt(async () => delivered)).toBe(delivered);
  expect(attempts.takeOver(order)).toBeUndefined();
});

test('When the supplier is slow, then the attempt continues and is taken over once', async () => {
  await prepare();
  let answer: (report: typeof delivered) => void = () => undefined;
  const answered = new Promise<typeof delivered>((resolve) => (answer = resolve));
  expect(await attempt(() => answered)).toBeUndefined();
  const left = attempts.takeOver(order);
  answer(delivered);
  expect(await left?.report).toBe(delivered);
  expect(attempts.takeOver(order)).toBeUndefined();
});

test('When the supplier fails, then the activity that takes over fails like the attempt', async () => {
  await prepare();
  expect(await attempt(() => Promise.reject(new Error('down')))).toBeUndefined();
  await expect(attempts.takeOver(order)?.report).rejects.toThrow('down');
});

test('When the activity that took over is stopped, then the attempt starts no further purchase', async () => {
  await prepare();
  let mayContinue: MayContinue = () => false;
  const hangs = (_claim: Claim, given: MayContinue) => {
    mayContinue = given;
    return sleep(1_700, delivered);
  };
  await attempt(hangs);
  const left = attempts.takeOver(order);
  expect(mayContinue()).toBe(true);
  left?.stop();
  expect(mayContinue()).toBe(false);
  await left?.report;
});

test('When another process holds the claim, or the attempt is repeated, then nothing is sent', async () => {
  const work = jest.fn(async () => delivered);
  expect(await attempt(work)).toBeUndefined();
  expect(work).not.toHaveBeenCalled();
  await prepare();
  await attempt(work);
  expect(await attempt(work)).toBeUndefined();
  expect(work).toHaveBeenCalledTimes(1);
});

test('When 40 attempts hang, then no other order is claimed until one of them ends', async () => {
  let end: (report: FulfilmentReport) => void = () => undefined;
  const hanging = new Promise<FulfilmentReport>((resolve) => (end = resolve));
  const hang = async (nonce: string) => {
    await prepare(nonce);
    return attempt(() => hanging, nonce);
  };
  await Promise.all(Array.from({ length: 40 }, (_, index) => hang(`hanging-${index}`)));
  const claiming = jest.fn(async () => ({ claim: claimNow() }));
  expect(await attempts.prepare(order, claiming)).toBeUndefined();
  expect(claiming).not.toHaveBeenCalled();
  end(delivered);
  await hanging;
  expect(await prepare()).toBeDefined();
});

describe('When an order was claimed', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('and 41 claims are taken by no attempt, then their slots are free when their leases have ended, and nothing is sent with them', async () => {
    const claims = await Promise.all(Array.from({ length: 41 }, (_, index) => prepare(`lost-${index}`)));
    expect(claims.filter((claim) => claim === undefined)).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(SEND_LEASE_MS - 100);
    expect(await prepare()).toBeUndefined();
    await jest.advanceTimersByTimeAsync(100);
    const again = await Promise.all(Array.from({ length: 40 }, (_, index) => prepare(`again-${index}`)));
    expect(again).not.toContain(undefined);
    const work = jest.fn(async () => delivered);
    expect(await attempt(work, 'lost-0')).toBeUndefined();
    expect(work).not.toHaveBeenCalled();
    expect(late).toHaveLength(1);
  });

  test('and there is nothing to buy, or the claim fails, then the slot is free at once', async () => {
    for (let count = 0; count < 41; count++) {
      await attempts.prepare(order, async () => ({ claim: undefined }));
      await attempts.prepare(order, () => Promise.reject(new Error('down'))).catch(() => undefined);
    }
    expect(await prepare()).toBeDefined();
  });
});
