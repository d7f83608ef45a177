/** Replays of runs from the server with the workflows of this build, before it is deployed. */
import { newClient, useDatabase } from '../../support/clients';
import { orderOf, place } from '../../support/orders';
import { runTool } from '../../support/tool';

const database = useDatabase();

const replayed = (...words: (string | number)[]) => runTool`replay ${words}`;

test('When an order is replayed, then its replay does not differ', async () => {
  const { api } = await newClient(database, { USD: 100 });
  const { id } = await place(api, orderOf('voucher_instant'));
  const { exitCode, stdout } = await replayed(id);
  expect(stdout).toBe('1 replayed, 0 of them differ.\n');
  expect(exitCode).toBe(0);
});

test('When the runs of the last hour are replayed, then a sample of each workflow type is replayed', async () => {
  const { api } = await newClient(database, { USD: 100 });
  for (let order = 0; order < 3; order++) await place(api, orderOf('voucher_instant'));
  const { stdout } = await replayed('--since', '1h', '--sample', 2);
  const [, count] = /^(\d+) replayed, 0 of them/.exec(stdout) ?? [];
  expect(Number(count)).toBeGreaterThanOrEqual(2);
  expect(Number(count)).toBeLessThanOrEqual(2 * 7);
});

test('When the order does not exist or is not given, then the error says so', async () => {
  expect(await replayed(999_999_999)).toMatchObject({
    exitCode: 1,
    stderr: 'There is no order 999999999. Find it with: orders find\n',
  });
  expect(await replayed()).toMatchObject({ exitCode: 1, stderr: 'Name an order, or give --since.\n' });
});
