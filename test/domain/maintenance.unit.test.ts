/** When the attention list shows that a maintenance task does not succeed, and what maintenance costs in Temporal Cloud. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dueMsOf, listedDelayMs, maintenanceSchedules, maintenanceTasks } from '../../src/domain/maintenance';
import { day, minute, second } from '../../src/domain/time';

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

test('When no order arrives, then maintenance takes fewer actions of Temporal Cloud than an order in ten seconds', () => {
  const recording = join(__dirname, '../replay/histories/maintenance.json');
  const activities = readFileSync(recording, 'utf8').match(/"EVENT_TYPE_ACTIVITY_TASK_SCHEDULED"/g) ?? [];
  // Cloud counts a run of a schedule three times: the schedule twice, its workflow once.
  const actionsOfRun = 3 + activities.length;
  const actions = maintenanceSchedules
    .map(({ everyMs }) => actionsOfRun * (day / everyMs))
    .reduce((sum, each) => sum + each, 0);
  const actionsOfOrder = 3;
  expect(activities).not.toEqual([]);
  expect(actions).toBeLessThan(actionsOfOrder * (day / (10 * second)));
});
