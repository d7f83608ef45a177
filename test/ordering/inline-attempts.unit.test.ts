/** The inline attempt at an order's purchases. It ends soon, or the activity that operators see takes it over. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FulfilmentReport, OrderKey } from '../../src/domain/orders/order-messages';
import { InlineAttempts } from '../../src/ordering/purchasing/inline-attempts';
import type { MayContinue } from '../../src/ordering/purchasing/purchase-work';

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
const order: OrderKey = { orderId: 1, nonce: 'first' };

let tries: InlineAttempts;
beforeEach(() => (tries = new InlineAttempts()));

test('When the supplier answers soon, then the attempt ends and no activity can take it over', async () => {
  expect(await tries.begin(order, async () => delivered)).toBe(delivered);
  expect(tries.takeOver(order)).toBeUndefined();
});

test('When the supplier is slow, then the attempt continues and is taken over once', async () => {
  let answer: (report: typeof delivered) => void = () => undefined;
  const answered = new Promise<typeof delivered>((resolve) => (answer = resolve));
  expect(await tries.begin(order, () => answered)).toBeUndefined();
  const left = tries.takeOver(order);
  answer(delivered);
  expect(await left?.report).toBe(delivered);
  expect(tries.takeOver(order)).toBeUndefined();
});

test('When the supplier fails, then the activity that takes over fails like the attempt', async () => {
  expect(await tries.begin(order, () => Promise.reject(new Error('down')))).toBeUndefined();
  await expect(tries.takeOver(order)?.report).rejects.toThrow('down');
});

test('When the activity that took over is stopped, then the attempt starts no further purchase', async () => {
  let mayContinue: MayContinue = () => false;
  const hangs = (given: MayContinue) => {
    mayContinue = given;
    return sleep(1_700, delivered);
  };
  await tries.begin(order, hangs);
  const left = tries.takeOver(order);
  expect(mayContinue()).toBe(true);
  left?.stop();
  expect(mayContinue()).toBe(false);
  await left?.report;
});

test('When 40 attempts hang, then no other attempt is admitted until one of them ends', async () => {
  let end: (report: FulfilmentReport) => void = () => undefined;
  const hanging = new Promise<FulfilmentReport>((resolve) => (end = resolve));
  const begin = (nonce: string) => tries.begin({ orderId: 2, nonce }, () => hanging);
  const begun = Array.from({ length: 39 }, (_, index) => begin(`hanging-${index}`));
  expect(tries.isFull).toBe(false);
  await Promise.all([...begun, begin('last')]);
  expect(tries.isFull).toBe(true);
  end(delivered);
  await hanging;
  expect(tries.isFull).toBe(false);
  expect(await tries.begin(order, async () => delivered)).toBe(delivered);
});
