/** The runbook's case of a full disk: PostgreSQL's data on a small volume, which is filled during orders. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { newClient, type OwnClient } from '../../support/clients';
import { stackDatabase } from '../../../dev/testbed/clients';
import { ended, orderOf, place, reached } from '../../support/orders';
import { fillUp, mountVolume, unmountVolume } from '../../support/small-volume';
import { until } from '../../../dev/testbed/waiting';
import { DatabaseHost } from './database-host';
import { OperatedStack } from './operated-stack';
import { describeCase } from './runbook-case';

const VOLUME = '400m';

let stack: OperatedStack;
let host: DatabaseHost;
let client: OwnClient;
let volume: string;
let isMounted = false;
beforeAll(async () => {
  stack = await OperatedStack.start('full-disk');
  host = await DatabaseHost.of(stack);
  const database = stackDatabase();
  client = await newClient(database, { USD: 100_000 });
  await client.api.accessToken();
  await database.close();
  process.env['API_URL'] = stack.now.api_url;
  isMounted = await moveToVolume();
});
afterAll(async () => {
  await stack?.stop();
  if (isMounted) unmountVolume(volume);
});

/** Moves the data to a separate volume. False if that is not allowed. */
async function moveToVolume(): Promise<boolean> {
  const before = `${host.data}.before`;
  // Not in a folder that the next run deletes: a killed run leaves the volume.
  volume = join(host.folder, 'volume');
  mkdirSync(volume);
  if (!mountVolume(volume, `size=${VOLUME},mode=0700`)) return false;
  await stack.halt('api', 'operators', 'worker', 'bulk-worker', 'postgres');
  renameSync(host.data, before);
  execFileSync('cp', ['-a', `${before}/.`, volume]);
  symlinkSync(volume, host.data);
  const { uid, gid } = host.user;
  if (uid !== undefined && gid !== undefined) execFileSync('chown', [`${uid}:${gid}`, volume]);
  await stack.resume(['postgres', 'api', 'operators', 'worker', 'bulk-worker']);
  return true;
}

describeCase('full-disk', (runbook) => {
  test('When the disk is full, then order requests are rejected until there is space, and the ledger adds up', async () => {
    if (!isMounted) return runbook.skip();
    await stack.control('outage', { seconds: 3_600 });
    const before = await place(client.api, orderOf('voucher_range'));
    const filler = join(host.data, 'filler');
    fillUp(filler);
    await until('a rejected order request', () => refusedOf(20), 120);
    expect((await runbook.run('df -h "$PGDATA"', {}, { host })).stdout).toContain('100%');
    await runbook.run('du -sh "$PGDATA"/*', {}, { host });
    rmSync(filler);
    await until('readiness', () => runbook.run('curl -sf "$API_URL/ready"').catch(() => undefined), 90);
    await host.sql(runbook.typed('SELECT archived_count, failed_count, last_failed_wal FROM pg_stat_archiver;'));
    await host.sql(
      runbook.typed(
        'SELECT slot_name, active, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) FROM pg_replication_slots;',
      ),
    );
    await stack.control('outage', { seconds: 0 });
    expect(await reached(client.api, before.id, 'DELIVERED')).toMatchObject({ id: before.id });
    expect(await ended(client.api, (await place(client.api, orderOf('voucher_instant'))).id)).toBeDefined();
    await runbook.run('npm run ops -- ledger verify');
    await runbook.run('npm run ops -- reconcile');
  });

  /** Sends concurrent order requests. True if one is rejected. Each response is an order, 503 or 504. */
  async function refusedOf(count: number): Promise<true | undefined> {
    const creates = Array.from({ length: count }, () =>
      client.api.post('/api/v1/orders', orderOf('voucher_instant', { quantity: 5 })),
    );
    const statuses = (await Promise.all(creates)).map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 503, 504].includes(status))).toEqual([]);
    return statuses.includes(503) || undefined;
  }
});
