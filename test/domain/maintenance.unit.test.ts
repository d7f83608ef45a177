/** When the attention list shows that a maintenance task does not succeed. */
import { dueMsOf, listedDelayMs, maintenanceTasks } from '../../src/domain/maintenance';
import { minute } from '../../src/domain/time';

test('When a supplier does not answer, then its outage is listed before the tasks that call it', () => {
  // An outage is listed after 10 minutes of failures, by a review that runs once a minute.
  const outageListedMs = 13 * minute;
  for (const task of ['refreshBalances', 'refreshStock', 'checkLateGoods'] as const)
    expect(dueMsOf(task) + listedDelayMs(task)).toBeGreaterThan(outageListedMs);
});

test('When a task calls no supplier, then it is listed five minutes after it was due', () => {
  expect(listedDelayMs('recordOperatorCalls')).toBe(5 * minute);
  expect(maintenanceTasks.every((task) => listedDelayMs(task) >= 5 * minute)).toBe(true);
});
