/** The service behind PgBouncer. docs/operators/production.md#connections. */
import { openDatabase, ping } from '../../src/data/database/database';
import { migrate, prepareSchema } from '../../src/data/schema/migrate';
import { ended, orderOf, place } from '../support/orders';
import { describeWithPgBouncer, startPgBouncer, type PgBouncer } from '../support/pgbouncer';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { startApiProcess } from '../support/service-process';
import { ApiClient, demoClient } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';

const scratch = scratchDatabase();

describeWithPgBouncer('Behind PgBouncer', () => {
  let pooler: PgBouncer;
  afterEach(() => pooler.stop());

  test('When its mode is session, then the service sells, and its sessions have their settings', async () => {
    pooler = await startPgBouncer('session', scratch.url);
    const url = pooler.through(scratch.url);
    const database = openDatabase(url, 1);
    await ping(database).finally(() => database.close());
    expect(await migrate(url)).toEqual([]);
    const api = await startApiProcess({ DATABASE_URL: pooler.through(loadStack().database_url) });
    try {
      const client = new ApiClient(api.url, demoClient('demo'));
      const { id } = await place(client, orderOf('voucher_instant'));
      expect(await ended(client, id)).toMatchObject({ status: 'DELIVERED' });
      expect((await fetch(`${api.url}/ready`)).status).toBe(200);
    } finally {
      await api.stop();
    }
  });

  test('When its mode is transaction, then `migrate` and the start of a process say what does not work', async () => {
    pooler = await startPgBouncer('transaction', scratch.url);
    const url = pooler.through(scratch.url);
    const reason = /pooler in transaction mode.*statement_timeout.*LISTEN.*prepared statements/;
    await expect(migrate(url)).rejects.toThrow(reason);
    await expect(prepareSchema({ mode: 'sandbox', database: { url } })).rejects.toThrow(reason);
  });
});
