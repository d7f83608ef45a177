/** The waits before a supplier call is repeated. */
import { retryWaitMs } from '../../activities/retry-waits';
import { minute, second } from '../../src/domain/time';
import { safeText } from '../../src/domain/safe-text';
import { CallHeldBack, SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';

const FAILURES = 12;

test('When the service has held a call back often, then it waits for at most half a minute', () => {
  const heldBack = new CallHeldBack(safeText`Too many calls wait for their turn`);
  const waits = Array.from({ length: 100 }, () => retryWaitMs('ESIM', heldBack, FAILURES));
  expect(Math.max(...waits)).toBeLessThanOrEqual(30 * second);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(15 * second);
});

test('When calls are held back together, then they do not wait for the same time', () => {
  const heldBack = new CallHeldBack(safeText`Too many calls wait for their turn`);
  const waits = Array.from({ length: 100 }, () => retryWaitMs('ESIM', heldBack, 1));
  expect(new Set(waits).size).toBeGreaterThan(50);
});

test('When a supplier was unavailable often, then the wait is the longest of its family', () => {
  const unavailable = new SupplierUnavailable(safeText`No connection`);
  expect(retryWaitMs('ESIM', unavailable, FAILURES)).toBe(5 * minute);
});
