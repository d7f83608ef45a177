/** The runbook's database cases: failover to a standby, and point-in-time restore. */
import { chmodSync, existsSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstRow, rows, type Database } from '../../../src/data/database/database';
import { listDifferences } from '../../../src/data/purchases/settlement-differences';
import type { Program } from '../../../dev/stack/program';
import { newClient, type OwnClient } from '../../support/clients';
import { stackDatabase } from '../../../dev/testbed/clients';
import { ended, orderOf, place, reached } from '../../support/orders';
import { Receiver, register } from '../../support/receiver';
import { balanceOf, boughtFor, eventsOf } from '../../support/records';
import { accepted, esimOrders } from '../../support/variant-orders';
import { scenarioNamed } from '../../support/orders';
import { until } from '../../../dev/testbed/waiting';
import { temporalClient } from '../../../dev/testbed/temporal-clients';
import { DatabaseHost } from './database-host';
import { OperatedStack } from './operated-stack';
import { describeCase } from './runbook-case';

const sku = 'SIM-GC-COFFEE-US';

let stack: OperatedStack;
let host: DatabaseHost;
let database: Database;
let client: OwnClient;
/** A metric of the worker, which has no labels. */
const metric = async (name: string) => {
  const metrics = await (await fetch(stack.now.metrics_url)).text();
  return Number(new RegExp(`^digital_goods_${name} (.+)$`, 'm').exec(metrics)?.[1]);
};
beforeAll(async () => {
  stack = await OperatedStack.start('restore');
  host = await DatabaseHost.of(stack);
  database = stackDatabase();
  client = await newClient(database, { USD: 1_000 });
});
afterAll(async () => {
  await database?.close();
  await stack?.stop();
});

describeCase('backup-and-restore', (runbook) => {
  const run = runbook.run.bind(runbook);
  const onHost = (command: string, values = {}) => run(command, values, { host });
  const sql = (statement: string, values = {}) => host.sql(runbook.typed(statement, values));
  let receiver: Receiver;
  let esim: { id: number; iccid: string };
  /** Open at the restore point, and delivered after it. */
  let open: number;
  /** Placed after the restore point: one delivered, one open. */
  let delivered: number;
  let pending: number;
  let moment: string;
  /** Delivered before the restore point, and erased after it. */
  let erased: number;
  const email = 'ann@erased.example';
  const requests = (command: string) =>
    run(command, {}, { host: { env: { ...process.env, REQUESTS: stack.directory.file('requests.json') }, user: {} } });

  afterAll(() => receiver?.close());

  test('When backups are set up, then orders continue during a backup', async () => {
    const archive = host.makeFolder('wal');
    host.makeFolder('base');
    await sql(`ALTER SYSTEM SET archive_mode = 'on';`);
    await sql(`ALTER SYSTEM SET archive_timeout = '60s';`);
    await sql(
      `ALTER SYSTEM SET archive_command = 'cmp -s "%p" "<archive>/%f" || { test ! -f "<archive>/%f" && cp "%p" "<archive>/%f.part" && sync "<archive>/%f.part" && mv "<archive>/%f.part" "<archive>/%f"; }';`,
      { archive },
    );
    await stack.halt('postgres');
    await stack.resume(['postgres']);
    // As `roles.sh` grants it in production.
    await host.sql('GRANT EXECUTE ON FUNCTION pg_ls_archive_statusdir() TO digital_goods_service');
    const started = Date.now();
    for (let night = 0; night < 2; night += 1) {
      await onHost('pg_basebackup --pgdata="$BACKUPS/$(date -u +%FT%H%M%S)" --checkpoint=fast');
      await sleep(1_100);
    }
    const dayMs = 24 * 60 * 60_000;
    const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
    const expiredBackup = host.makeFolder('base/2026-01-01T020000');
    writeFileSync(join(expiredBackup, 'backup_manifest'), '');
    const expired = [expiredBackup, join(archive, '000000010000000000000000')];
    writeFileSync(expired[1] as string, '');
    for (const path of expired) utimesSync(path, daysAgo(16), daysAgo(16));
    const complete = host.backups().slice(-2);
    // Yesterday's backup was interrupted, another one runs.
    const interrupted = host.makeFolder(`base/${new Date(Date.now() - dayMs).toISOString()}`);
    const running = host.makeFolder(`base/${new Date(Date.now() + dayMs).toISOString()}`);
    utimesSync(interrupted, daysAgo(1.1), daysAgo(1.1));
    await onHost(
      'find "$BACKUPS" -mindepth 1 -maxdepth 1 -mtime +0 ! -exec test -f "{}/backup_manifest" \\; -exec rm -r {} +',
    );
    await onHost('find "$BACKUPS" -mindepth 1 -maxdepth 1 -mtime +13 -exec rm -r {} +');
    await onHost('find "$ARCHIVE" -type f -mtime +14 -delete');
    expect(expired.filter((path) => existsSync(path))).toEqual([]);
    expect(host.backups()).toEqual([...complete, basename(running)]);
    expect(host.env['BACKUP']).toContain(complete[1]);
    // Below the time since PostgreSQL started, which it would be without a backup.
    const age = await until('the metric', async () => (await metric('base_backup_age_seconds')) || undefined);
    expect(age).toBeLessThan((Date.now() - started) / 1_000);
    receiver = await Receiver.listen();
    await register(client.api, receiver);
    esim = (await accepted(client.api, esimOrders, scenarioNamed('esim_instant').body)) as never;
    erased = (await place(client.api, orderOf('voucher_instant', { email }))).id;
    expect(await ended(client.api, erased)).toMatchObject({ email });
  });

  test('When orders continue after the restore point, then supplier and clients have records that the database loses', async () => {
    await stack.control('behaviour', { sku, modes: { busy: { retry_after_seconds: 3_600 } } }, 'PUT');
    open = (await place(client.api, orderOf('voucher_instant'))).id;
    await until('the supplier to reject it', async () => {
      const sql = `SELECT FROM supplier_purchases WHERE order_id = $open AND state = 'READY' AND attempt > 0`;
      return (await firstRow(database, sql, { open })) ? true : undefined;
    });
    const [now] = await rows<{ now: string }>(
      database,
      `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') AS now`,
    );
    moment = now?.now ?? '';
    await sleep(1_100);
    // A supplier without deduplication: a repeated purchase without a lookup buys twice.
    await stack.control('behaviour', { sku, modes: { buys_again: true } }, 'PUT');
    await retryNow(open);
    expect(await ended(client.api, open)).toMatchObject({ status: 'DELIVERED' });
    delivered = (await place(client.api, orderOf('voucher_instant'))).id;
    expect(await ended(client.api, delivered)).toMatchObject({ status: 'DELIVERED' });
    await until('its mail', () =>
      firstRow(database, 'SELECT id FROM orders WHERE id = $erased AND mailed_at IS NOT NULL', { erased }),
    );
    const { body } = await client.api.post('/api/v1/recipients/erase', { email });
    expect(body).toEqual({ erased: 1, pending: 0 });
    await requests(
      'npm run ops --silent -- privacy requests export --json > "$REQUESTS.part" && mv "$REQUESTS.part" "$REQUESTS"',
    );
    await stack.control('outage', { seconds: 3_600 });
    pending = (await place(client.api, orderOf('voucher_range'))).id;
    await stack.control('outage', { seconds: 0 });
    await rows(database, 'SELECT pg_switch_wal()');
  });

  test('When the database is restored, then the gap is listed, and the service is prepared to start', async () => {
    await stack.halt('api', 'operators', 'worker', 'bulk-worker');
    await database.close();
    await stack.halt('postgres');
    await onHost('mv "$PGDATA" "$PGDATA.before"');
    await onHost('cp -a "$BACKUP" "$PGDATA"');
    await onHost('cp -an "$PGDATA.before/pg_wal/." "$PGDATA/pg_wal/"');
    await onHost(`echo "restore_command = 'cp \\"$ARCHIVE/%f\\" \\"%p\\"'" >> "$PGDATA/postgresql.auto.conf"`);
    await onHost(`echo "recovery_target_time = '<moment>'" >> "$PGDATA/postgresql.auto.conf"`, { moment });
    await onHost(`echo "recovery_target_action = 'promote'" >> "$PGDATA/postgresql.auto.conf"`);
    await onHost('touch "$PGDATA/recovery.signal"');
    await stack.resume(['postgres']);
    const recovering = runbook.typed('SELECT pg_is_in_recovery();');
    await until('the end of recovery', async () => {
      const [{ pg_is_in_recovery: is } = { pg_is_in_recovery: true }] = (await host.sql(recovering)) as {
        pg_is_in_recovery: boolean;
      }[];
      return !is;
    });
    await sql('ALTER SYSTEM RESET recovery_target_time;');
    database = stackDatabase();

    const lost = await run('npm run ops -- restore lost --since <moment>', { moment });
    expect(lost.stdout).toMatch(new RegExp(`^${delivered} .* VOUCHER +DELIVERED +simulator: 1 under order-`, 'm'));
    expect(lost.stdout).toMatch(new RegExp(`^${pending} .* VOUCHER +PENDING +- `, 'm'));
    expect(lost.stdout).not.toMatch(new RegExp(`^${open} `, 'm'));
    const prepared = await until(
      'the earlier processes to count as ended',
      () => run('npm run ops -- restore prepare --since <moment>', { moment }).catch(unlessSomeRun),
      90,
    );
    expect(prepared.text).toMatch(/1 purchases are looked up before they are sent/);
    expect(prepared.text).toMatch(/ 2 orders are lost\./);
    const hasEmail = () => firstRow(database, 'SELECT FROM orders WHERE email_hash IS NOT NULL');
    expect(await hasEmail()).toBeDefined();
    await requests('npm run ops -- privacy requests apply "$REQUESTS"');
    expect(await hasEmail()).toBeUndefined();
  });

  function unlessSomeRun(error: Error): undefined {
    if (!/Stop API, workers and operators' process/.test(error.message)) throw error;
  }

  test('When the service has started, then nothing is bought twice, no id is reused, and all work continues', async () => {
    await stack.resume(['api', 'operators', 'worker', 'bulk-worker']);
    await rows(
      database,
      `UPDATE orders SET placed_at = placed_at - interval '2 minutes', completed_at = completed_at - interval '2 minutes'`,
    );
    const { stdout } = await run('npm run ops -- reconcile', {}, { exitCode: 1 });
    expect(stdout).toMatch(/sold-unknown/);
    expect(await ended(client.api, open)).toMatchObject({ status: 'DELIVERED' });
    expect(await boughtFor(open)).toHaveLength(1);
    expect(await boughtFor(pending)).toEqual([]);
    const next = await place(client.api, orderOf('voucher_url'));
    expect(next.id).toBeGreaterThan(pending + 1_000);
    await until('its event', async () =>
      receiver.taken.find(({ data }) => (data as { id?: number }).id === next.id) ? true : undefined,
    );
    const temporal = await temporalClient();
    await temporal.schedule.getHandle('maintenance-restarts').trigger();
    await stack.control(`esims/${esim.iccid}/install`);
    await until(
      'the eSIM monitor to run again',
      async () => (await eventsOf(database, esim.id)).some(({ type }) => type === 'esim.installed'),
      60,
    );
    await temporal.connection.close();
  });

  test('When the orders of the gap are settled, then the attention list is empty and the ledger adds up', async () => {
    const wallet = client.wallets['USD'] as number;
    const before = Number(await balanceOf(database, wallet));
    await run('npm run ops -- wallets list <client>', { client: client.id });
    await run(
      'npm run ops -- wallets adjust <wallet> -<price> --reference lost-order-<order> --remarks "Order <order> of 20 November" --reason "Lost by the restore of 20 November"',
      { wallet, price: '9.80', order: delivered },
    );
    expect(Number(await balanceOf(database, wallet))).toBeCloseTo(before - 9.8);
    await run('npm run ops -- reconcile differences');
    for (const { supplier, reference } of await listDifferences(database, { open: true }))
      await run('npm run ops -- reconcile accept <supplier> <reference> --reason "Order 4712 is settled with Acme"', {
        supplier,
        reference,
      });
    await run('npm run ops -- ledger verify');
    expect((await run('npm run ops -- reconcile', {}, { exitCode: 0 })).stdout).toContain('Everything agrees');
  });

  async function retryNow(orderId: number): Promise<void> {
    const temporal = await temporalClient();
    const [order] = await rows<{ nonce: string }>(database, 'SELECT nonce FROM orders WHERE id = $orderId', {
      orderId,
    });
    await temporal.workflow.getHandle(`order-${orderId}-${order?.nonce}`).signal('retryNow');
    await temporal.connection.close();
  }
});

describeCase('wal-not-archived', (runbook) => {
  const found =
    'SELECT last_archived_wal, last_archived_time, last_failed_wal, last_failed_time FROM pg_stat_archiver;';
  const switchWal = 'SELECT pg_switch_wal();';
  const probe = 'touch "$ARCHIVE/probe" && rm "$ARCHIVE/probe"';
  const statistics = async () =>
    (await host.sql(runbook.typed(found)))[0] as Record<`last_${'archived' | 'failed'}_time`, Date | null>;
  const lag = () => metric('wal_archive_lag_seconds');

  test('When the archive cannot be written, then the metric grows until it can', async () => {
    const archive = host.makeFolder('wal');
    // The restore above began a timeline, of which no file is archived yet.
    await host.sql(runbook.typed(switchWal));
    await until('an archive that works', async () => (await lag()) === 0, 90);
    chmodSync(archive, 0o500);
    const failingSince = new Date();
    await place(client.api, orderOf('voucher_url'));
    await host.sql(runbook.typed(switchWal));
    await until('the failure', async () => after((await statistics()).last_failed_time, failingSince), 90);
    await until('the metric', async () => (await lag()) > 0, 90);
    await runbook.run('df -h "$ARCHIVE"', {}, { host });
    await runbook.run(probe, {}, { host, exitCode: 1 });

    chmodSync(archive, 0o700);
    const repaired = new Date();
    await runbook.run(probe, {}, { host });
    await place(client.api, orderOf('voucher_url'));
    await host.sql(runbook.typed(switchWal));
    await until('an archived file', async () => after((await statistics()).last_archived_time, repaired), 90);
    await until('the metric to be 0', async () => (await lag()) === 0, 90);
  });

  const after = (time: Date | null, moment: Date) => (time && time > moment ? true : undefined);
});

describeCase('database-failover', (runbook) => {
  const standbyPort = () => Number(process.env['POSTGRES_PORT']) + 1;
  const run = (command: string, options = {}) => runbook.run(command, {}, options);
  const sql = (statement: string, port?: number) => host.sql(runbook.typed(statement), port);
  let standby: Program;
  const acknowledged: number[] = [];

  afterAll(() => standby?.stop());

  test('When a synchronous standby runs, then writes wait for it', async () => {
    await run('pg_basebackup --pgdata="$STANDBY" --checkpoint=fast --write-recovery-conf', { host });
    standby = host.server(host.env['STANDBY'] as string, standbyPort());
    await standby.start();
    await sql(`ALTER SYSTEM SET synchronous_standby_names = '*';`);
    await sql('SELECT pg_reload_conf();');
    const state = runbook.typed('SELECT state, sync_state FROM pg_stat_replication;');
    await until('the synchronous standby', async () => {
      const found = await host.sql(state);
      return JSON.stringify(found) === '[{"state":"streaming","sync_state":"sync"}]';
    });
  });

  test('When the primary is killed during orders, then the promoted standby has all acknowledged orders', async () => {
    const ordering = orderUntilRefused();
    await until('some orders', async () => acknowledged.length >= 10, 60);
    await stack.kill('postgres');
    await ordering;
    await database.close();

    await sql('SELECT pg_promote();', standbyPort());
    await sql('ALTER SYSTEM RESET synchronous_standby_names;', standbyPort());
    await sql('SELECT pg_reload_conf();', standbyPort());
    const moved = (url: string) => Object.assign(new URL(url), { port: String(standbyPort()) }).href;
    for (const program of ['api', 'operators', 'worker', 'bulk-worker']) await stack.moveDatabase(program, moved);
    Object.assign(process.env, stack.environment, {
      DATABASE_URL: moved(stack.now.database_url),
      OPS_TOKEN: stack.directory.operatorToken(),
      API_URL: stack.now.api_url,
    });
    await runbook.run('curl -sf "$API_URL/ready"');
    await runbook.run('npm run ops -- ledger verify');
    await runbook.run('npm run ops -- reconcile');

    for (const id of acknowledged) {
      expect(await reached(client.api, id, 'DELIVERED')).toMatchObject({ id });
      expect(await boughtFor(id)).toHaveLength(1);
    }
    expect(await ended(client.api, (await place(client.api, orderOf('voucher_url'))).id)).toBeDefined();
  });

  /** Places orders in sequence until the primary fails. Returns the ids of those answered 200. */
  async function orderUntilRefused(): Promise<void> {
    for (;;) {
      const { status, body } = await client.api.post<{ id: number }>('/api/v1/orders', orderOf('voucher_url'));
      if (status !== 200) return;
      acknowledged.push(body.id);
    }
  }
});
