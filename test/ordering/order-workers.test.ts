/** The API's knowledge of workers that can process a new order. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { sendOnce } from '../../activities/mail';
import { openDatabase } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { listOrderPollers, reportProcess } from '../../src/data/maintenance/running-processes';
import {
  recordTaskFailure,
  recordTaskSuccess,
  registerMaintenanceTasks,
} from '../../src/data/maintenance/task-results';
import { deleteOldOrderRejections, recentOrderRejections } from '../../src/data/orders/order-results';
import { maintenanceTasks, type MaintenanceTask } from '../../src/domain/maintenance';
import { MailNotSent } from '../../src/notifications/mail/send';
import { OrderRejections, reviewService } from '../../src/ordering/service-watch';
import { OrderWorkers } from '../../src/ordering/placement/order-workers';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { temporalClient } from '../../dev/testbed/temporal-clients';
import { useMade } from '../support/made';

const log = pino({ level: 'silent' });
const scratch = scratchDatabase();
const temporal = useMade(temporalClient, ({ connection }) => connection.close());
let passedMs = 0;

beforeEach(() => {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await sql(scratch.database)`DELETE FROM running_processes`;
});

/** The workers as seen by an API that checked twice, 16 s apart. */
async function afterSixteenSeconds(database = scratch.database): Promise<OrderWorkers> {
  const workers = new OrderWorkers({ database, temporal, log });
  await workers.check();
  expect(workers.areAvailable).toBe(true);
  passedMs += 16_000;
  await workers.check();
  return workers;
}

const worker = (pollsOrdersAs: string | null, role = 'worker') =>
  reportProcess(scratch.database, {
    process: randomUUID(),
    role,
    host: 'host-1',
    pid: 4711,
    pollsOrdersAs,
    wrappingKeys: [],
    dataKeys: [],
    currentKeys: [],
  });

const silent = (seconds: number) =>
  sql(scratch.database)`UPDATE running_processes SET seen_at = seen_at - ${seconds} * interval '1 second'`;

test('When a worker of the current version has reported recently, then workers are available', async () => {
  await worker('');
  expect((await afterSixteenSeconds()).areAvailable).toBe(true);
});

test('When no worker has reported for 15 s, then workers are unavailable until one answers or reports', async () => {
  const workers = await afterSixteenSeconds();
  expect(workers.areAvailable).toBe(false);
  workers.recordAnswer();
  expect(workers.areAvailable).toBe(true);
  passedMs += 16_000;
  await workers.check();
  expect(workers.areAvailable).toBe(false);
  await worker('');
  await workers.check();
  expect(workers.areAvailable).toBe(true);
});

test.each([
  ['of another version', () => worker('1.4.0')],
  ['that does not poll orders yet', () => worker(null)],
  ['that stopped reporting', () => worker('').then(() => silent(16))],
  ['that is an API', () => worker('', 'api')],
])('When the only process is one %s, then no worker is available', async (_which, made) => {
  await made();
  expect((await afterSixteenSeconds()).areAvailable).toBe(false);
});

test('When the database does not answer, or no check ran recently, then workers count as available', async () => {
  const closed = openDatabase(scratch.url, 1);
  await closed.close();
  const workers = await afterSixteenSeconds(closed);
  expect(workers.areAvailable).toBe(true);

  const shut = await afterSixteenSeconds();
  expect(shut.areAvailable).toBe(false);
  passedMs += 6_000;
  expect(shut.areAvailable).toBe(true);
});

describe('The watch of the service', () => {
  const rejections = new OrderRejections();
  beforeEach(() => worker(null, 'bulk-worker'));
  const reviewed = async (areAvailable = true): Promise<Record<string, string>> => {
    await reviewService({
      database: scratch.database,
      temporal,
      orderWorkers: { areAvailable, pollers: await listOrderPollers(scratch.database) },
      rejections,
      log,
    });
    const listed = await sql(scratch.database)<{ kind: string; reason: string }>`SELECT kind, reason
         FROM attention WHERE cleared_at IS NULL AND num_nonnulls(order_id, supplier, endpoint_id) = 0`;
    return Object.fromEntries(listed.map(({ kind, reason }) => [kind, reason]));
  };

  test('When no worker takes new orders, then the attention list shows it until a worker does', async () => {
    expect(await reviewed(false)).toEqual({
      NO_WORKERS: expect.stringContaining('No worker of the current version takes orders'),
    });
    expect(await reviewed(true)).toEqual({});
  });

  test('When no bulk worker has reported for a minute, then the attention list shows it until one does', async () => {
    await silent(61);
    expect(await reviewed()).toEqual({ NO_WORKERS: expect.stringContaining('No bulk worker runs') });
    await worker(null, 'bulk-worker');
    expect(await reviewed()).toEqual({});
  });

  test('When several order requests are rejected, then the attention list shows it for 5 minutes', async () => {
    rejections.count('overloaded');
    rejections.count('noWorkers');
    expect(await reviewed()).toEqual({});
    rejections.count('noWorkers');
    expect(await reviewed()).toEqual({
      ORDERS_REJECTED: '3 order requests were answered with 503 or 504 in 5 minutes, most often because of noWorkers',
    });
    await sql(scratch.database)`UPDATE order_rejections SET minute = minute - interval '6 minutes'`;
    expect(await reviewed()).toEqual({});
  });

  test('When a clock that was ahead was set back, then earlier rejections are not listed, and they are deleted', async () => {
    for (let request = 0; request < 3; request++) rejections.count('overloaded');
    await rejections.store(scratch.database);
    await sql(scratch.database)`UPDATE order_rejections SET minute = minute + interval '6 hours'`;
    expect(await reviewed()).toEqual({});
    await deleteOldOrderRejections(scratch.database);
    expect(await sql(scratch.database)`SELECT FROM order_rejections WHERE minute > now()`).toEqual([]);
  });

  test('When rejections cannot be stored, then they are stored with the next ones', async () => {
    const counted = new OrderRejections();
    counted.count('overloaded');
    const closed = openDatabase(scratch.url, 1);
    await closed.close();
    await expect(counted.store(closed)).rejects.toThrow();
    counted.count('overloaded');
    await sql(scratch.database)`TRUNCATE order_rejections`;
    await counted.store(scratch.database);
    expect(await recentOrderRejections(scratch.database, 5)).toEqual({ requests: 2, reason: 'overloaded' });
    await sql(scratch.database)`TRUNCATE order_rejections`;
  });

  test('When maintenance fails or does not run, then the attention list shows its error until it succeeds', async () => {
    await registerMaintenanceTasks(scratch.database);
    await recordTaskFailure(scratch.database, 'reviewWorkflows', 'DatabaseError');
    expect(await reviewed()).toEqual({});
    await sql(scratch.database)`UPDATE maintenance_tasks SET last_success_at = now() - interval '8 minutes'`;
    expect(await reviewed()).toEqual({
      MAINTENANCE_FAILING: expect.stringMatching(
        /due: abandonExpiredReservations \(does not run\), .*reviewWorkflows \(DatabaseError\).*\. See/,
      ),
    });
    for (const task of maintenanceTasks) await recordTaskSuccess(scratch.database, task);
    expect(await reviewed()).toEqual({});
  });

  test.each<[MaintenanceTask, string, string]>([
    ['syncCatalogues', '24 hours 59 minutes', '25 hours 6 minutes'],
    ['verifyLedger', '29 hours 59 minutes', '30 hours 6 minutes'],
    ['refreshEsimPlans', '24 hours 9 minutes', '24 hours 16 minutes'],
  ])(
    'When %s last succeeded more than a day ago, then it is listed only after its time limit',
    async (task, healthy, late) => {
      for (const each of maintenanceTasks) await recordTaskSuccess(scratch.database, each);
      const succeeded = (ago: string) =>
        sql(scratch.database)`UPDATE maintenance_tasks SET last_success_at = now() - ${ago}::interval
             WHERE task = ${task}`;
      await succeeded(healthy);
      expect(await reviewed()).toEqual({});
      await succeeded(late);
      expect(await reviewed()).toEqual({ MAINTENANCE_FAILING: expect.stringContaining(task) });
      await recordTaskSuccess(scratch.database, task);
    },
  );

  describe('When the mail server accepts no mail', () => {
    /** Sends a mail to a server that reacts with the error. Without one, it accepts the mail. */
    const mail = async (error?: MailNotSent) => {
      const mailer = { sendMail: () => (error ? Promise.reject(error) : Promise.resolve()) };
      const activity = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
      const text = { to: 'ann@example.com', subject: 'Delivered', text: '', html: '', messageId: 'order-1' };
      const sent = activity.run(() => sendOnce({ database: scratch.database, mailer }, async () => text));
      await (error ? expect(sent).rejects.toThrow(error.message) : sent);
    };
    const refused = new MailNotSent('The mail server answered 535 to AUTH', false);
    const failed = (firstAgo: string, lastAgo: string) =>
      sql(scratch.database)`UPDATE mail_outage
           SET failing_since = now() - ${firstAgo}::interval, last_failure_at = now() - ${lastAgo}::interval`;

    test('for ten minutes, then the attention list shows its error until a mail goes out', async () => {
      await mail(refused);
      await failed('9 minutes', '0');
      expect(await reviewed()).toEqual({});
      await failed('11 minutes', '1 minute');
      await mail(refused);
      expect(await reviewed()).toEqual({
        MAIL_FAILING: expect.stringMatching(/since 20.*Z: The mail server answered 535 to AUTH\. Repair/),
      });
      await mail();
      expect(await reviewed()).toEqual({});
    });

    test('and no mail is retried for half an hour, then the outage is over, and the next failure begins another', async () => {
      await mail(refused);
      await failed('1 hour', '26 minutes');
      expect(await reviewed()).toEqual({ MAIL_FAILING: expect.any(String) });
      await failed('1 hour', '31 minutes');
      expect(await reviewed()).toEqual({});
      await mail(refused);
      expect(await reviewed()).toEqual({});
      await mail();
    });

    test('because it rejects this mail for good, then that is no outage', async () => {
      await mail(new MailNotSent('The mail server answered 550 to RCPT TO', true));
      expect(await sql(scratch.database)`SELECT FROM mail_outage`).toEqual([]);
    });
  });

  test('When a key has encrypted a quarter of the values that it may, then the attention list names it until it is replaced', async () => {
    const key = (purpose: string, id: string, values: number) =>
      sql(scratch.database)`
        INSERT INTO data_keys (purpose, id, wrapped, wrapping_key_id, promoted_at, encrypted_values)
         VALUES (${purpose}, ${id}, 'x', 'k1', clock_timestamp(), ${values})`;
    await key('seal', 'fresh', 2 ** 30 - 1);
    await key('payload', 'worn', 2 ** 30);
    expect(await reviewed()).toEqual({
      KEY_WORN:
        'Keys have encrypted a quarter or more of the 2^32 values that they may: payload/worn. Add and promote another key of the purpose',
    });
    await key('payload', 'next', 0);
    expect(await reviewed()).toEqual({});
  });

  test('When no check of the workers was answered yet, then no version counts as one without workers', async () => {
    const orderWorkers = { areAvailable: true, pollers: undefined };
    const deps = { database: scratch.database, orderWorkers, rejections, log, temporal };
    await expect(reviewService(deps)).rejects.toThrow('no check of the workers was answered yet');
  });

  test('When the first check fails, then the others still run', async () => {
    await sql(scratch.database)`UPDATE maintenance_tasks SET last_success_at = now() - interval '2 days'`;
    const orderWorkers = {
      pollers: [],
      get areAvailable(): boolean {
        throw new Error('out of reach');
      },
    };
    const deps = { database: scratch.database, orderWorkers, rejections, log, temporal };
    await expect(reviewService(deps)).rejects.toThrow('out of reach');
    expect(
      await sql(scratch.database)`
      SELECT kind FROM attention WHERE cleared_at IS NULL`,
    ).toEqual([{ kind: 'MAINTENANCE_FAILING' }]);
    for (const task of maintenanceTasks) await recordTaskSuccess(scratch.database, task);
    expect(await reviewed()).toEqual({});
  });
});
