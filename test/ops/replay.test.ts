/** Runs of the running server, replayed by the workflows of this build before they are deployed. */
import { newClient, stackDatabase } from '../support/clients';
import { orderOf, place } from '../support/orders';
import { runTool } from '../support/tool';

const database = stackDatabase();
afterAll(() => database.close());

const replayed = (...words: (string | number)[]) => runTool('replay', ...words);

test('When an order is replayed, then it does what it did', async () => {
  const { api } = await newClient(database, { USD: 100 });
  const { id } = await place(api, orderOf('voucher_instant'));
  const { exitCode, stdout } = await replayed(id);
  expect(stdout).toBe('1 replayed, 0 of them differ.\n');
  expect(exitCode).toBe(0);
});

test('When the runs of the last hour are replayed, then a sample of each workflow is', async () => {
  const { api } = await newClient(database, { USD: 100 });
  for (let order = 0; order < 3; order++) await place(api, orderOf('voucher_instant'));
  const { stdout } = await replayed('--since', '1h', '--sample', 2);
  const [, count] = /^(\d+) replayed, 0 of them/.exec(stdout) ?? [];
  expect(Number(count)).toBeGreaterThanOrEqual(2);
  expect(Number(count)).toBeLessThanOrEqual(2 * 7);
});

test('When there is no such order, or none is named, then it says so', async () => {
  expect(await replayed(999_999_999)).toMatchObject({ exitCode: 1, stderr: 'There is no order 999999999\n' });
  expect(await replayed()).toMatchObject({ exitCode: 1, stderr: 'Name an order, or give --since.\n' });
});
