/** Operators run, pause and resume the schedules of maintenance. docs/operators/maintenance.md. */
import { ops, printedBy } from '../../support/operator';
import { loadStack } from '../../../dev/testbed/loaded-stack';

/** A schedule that changes nothing that another test looks at. */
const schedule = 'maintenance-plans';

const said = (...words: string[]) => printedBy(loadStack().database_url, 'maintenance', ...words);

const rowOf = async () => (await ops`maintenance list`).find((row) => row['schedule'] === schedule);

afterAll(() => said('resume', schedule));

test('When an admin pauses a schedule, then it stays paused until it is resumed, and the audit has both', async () => {
  await said('pause', schedule, '--reason', 'a supplier repairs its list', '--operator', 'alice');
  expect(await rowOf()).toMatchObject({ paused: true, note: 'alice: a supplier repairs its list' });
  await said('resume', schedule);
  expect(await rowOf()).toMatchObject({ paused: false });
  const entries = await ops`audit list --object schedule/${schedule} --limit 2`;
  expect(entries.map(({ action }) => action)).toEqual(['maintenance.resumed', 'maintenance.paused']);
});

test('When an operator runs a schedule, then it runs at once, and the audit has it', async () => {
  const before = (await rowOf())?.['last_run_at'];
  await said('run', schedule, '--reason', 'the list is repaired');
  const [entry] = await ops`audit list --object schedule/${schedule} --limit 1`;
  expect(entry).toMatchObject({ action: 'maintenance.triggered', reason: 'the list is repaired' });
  expect((await rowOf())?.['last_run_at']).not.toBe(before);
});
