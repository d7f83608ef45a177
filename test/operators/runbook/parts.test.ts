/** The runbook's cases of the service's parts: Temporal, endpoints, mail, keys, releases. */
import { readdirSync, rmSync } from 'node:fs';
import { SMTPServer } from 'smtp-server';
import type { Client as TemporalClient } from '@temporalio/client';
import type { Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { newClient, type OwnClient } from '../../support/clients';
import { stackDatabase } from '../../../dev/testbed/clients';
import { ended, orderOf, place, reached, scenarioNamed } from '../../support/orders';
import { Receiver, register } from '../../support/receiver';
import { boughtFor, eventsOf } from '../../support/records';
import { startWorkerProcess, type ServiceProcess } from '../../support/service-process';
import { runTool } from '../../support/tool';
import { accepted, esimOrders } from '../../support/variant-orders';
import { until } from '../../../dev/testbed/waiting';
import { temporalClient } from '../../../dev/testbed/temporal-clients';
import { workflowOf } from '../../support/workflows';
import * as incidents from '../incidents';
import { OperatedStack } from './operated-stack';
import { describeCase } from './runbook-case';

let stack: OperatedStack;
let database: Database;
let client: OwnClient;
beforeAll(async () => {
  stack = await OperatedStack.start('parts');
  database = stackDatabase();
  client = await newClient(database, { USD: 10_000 });
  await client.api.accessToken();
  process.env['API_URL'] = stack.now.api_url;
});
afterAll(async () => {
  await database?.close();
  await stack?.stop();
});

const attention = 'npm run ops -- attention';

async function withTemporal<T>(work: (temporal: TemporalClient) => Promise<T>): Promise<T> {
  const temporal = await temporalClient();
  return work(temporal).finally(() => temporal.connection.close());
}

/** Backdates the orders, so that they no longer count as being started. */
const age = () =>
  sql(database)`UPDATE orders
       SET placed_at = placed_at - interval '2 minutes', completed_at = completed_at - interval '2 minutes'`;

const untilListed = (kind: string) => incidents.untilListed(database, kind);
const untilUnlisted = (kind: string) => incidents.untilUnlisted(database, kind);

describeCase('month-end', (runbook) => {
  test('When a month has ended, then it is compared, closed and exported', async () => {
    const month = incidents.monthToClose();
    await runbook.run('npm run ops -- reconcile --since <month>-01', { month });
    expect((await runbook.run('npm run ops -- reconcile differences --open')).stdout).not.toContain('sold-');
    const closed = await runbook.run('npm run ops -- books close <month> --reason "Month end" --yes', { month });
    expect(closed.stdout).toContain(`${month} is closed`);
    expect((await runbook.run('npm run ops -- books export <month>', { month })).stdout).toContain(
      'month,line,section',
    );
  });
});

describeCase('mail-down', (runbook) => {
  const placeWithEmail = () => place(client.api, orderOf('voucher_instant', { email: 'ann@example.com' }));
  const mailedAt = (id: number) => incidents.mailedAt(database, id);

  test('When the mail server is down for a while, then orders end without it, and the mail is sent after its recovery', async () => {
    await stack.halt('mail-catcher');
    const order = await placeWithEmail();
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
    const shown = await runbook.run('npm run ops -- orders show <order>', { order: order.id });
    expect(shown.stdout).toContain('mailed -');
    await stack.resume(['mail-catcher']);
    await until('the mail', () => mailedAt(order.id), 90);
  });

  test('When the mail server rejects mails permanently, then operators send one after the repair and give one up', async () => {
    await stack.halt('mail-catcher');
    const refusing = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode: 550 })),
    });
    await new Promise<void>((resolve) => refusing.listen(Number(process.env['SMTP_PORT']), '127.0.0.1', resolve));
    const [sent, givenUp] = [await placeWithEmail(), await placeWithEmail()];
    const listed = (id: number) =>
      until(`order ${id} on the list`, async () => {
        const { stdout } = await runbook.run(attention);
        return new RegExp(`^\\d+(?= MAIL_UNDELIVERABLE order ${id} )`, 'm').exec(stdout)?.[0];
      });
    await listed(sent.id);
    const number = await listed(givenUp.id);
    await new Promise<void>((resolve) => refusing.close(() => resolve()));
    await stack.resume(['mail-catcher']);

    await runbook.run('npm run ops -- mail resend <order>', { order: sent.id });
    expect(await mailedAt(sent.id)).toBeDefined();
    await runbook.run(
      'npm run ops -- attention settle <number> --reason "The address does not exist, the client knows"',
      { number },
    );
    expect(await mailedAt(givenUp.id)).toBeUndefined();
    await untilUnlisted('MAIL_UNDELIVERABLE');
  });
});

describeCase('endpoint-dead', (runbook) => {
  test('When a receiver fails for days, then operators see it, and all events arrive after the repair', async () => {
    const { owner, receiver, order } = await incidents.failingEndpoint(database);
    const endpoint = await until(
      'the failure on record',
      async () =>
        sql.first(database)<{ id: number; nonce: string }>`SELECT id, nonce FROM webhook_endpoints
           WHERE client_id = ${owner.id} AND failing_since IS NOT NULL`,
    );
    await sql(database)`UPDATE webhook_endpoints SET failing_since = failing_since - interval '4 days'
         WHERE id = ${endpoint.id}`;
    const retryNow = () =>
      withTemporal((temporal) =>
        temporal.workflow.getHandle(`webhook-endpoint-${endpoint.id}-${endpoint.nonce}`).signal('retryNow'),
      );
    await retryNow();
    await untilListed('ENDPOINT_FAILING');
    expect((await runbook.run(attention)).stdout).toMatch(/ENDPOINT_FAILING/);
    expect((await runbook.run('npm run ops -- clients show <client>', { client: owner.id })).stdout).toContain(
      'test@client.example',
    );
    receiver.answer = () => 204;
    await retryNow();
    const events = (await eventsOf(database, order.id)).map(({ type }) => type);
    await until('all events', async () => events.every((type) => receiver.types.includes(type)), 60);
    await untilUnlisted('ENDPOINT_FAILING');
    receiver.close();
  });
});

describeCase('endpoint-paused', (runbook) => {
  test('When an endpoint is paused, then it is on the list until it is resumed, and the audit names the operator', async () => {
    const owner = await newClient(database, { USD: 100 });
    const receiver = await Receiver.listen();
    const { id } = await register(owner.api, receiver);
    await runTool`webhooks pause ${id} --operator kim`;
    await untilListed('ENDPOINT_PAUSED');
    const order = await place(owner.api, orderOf('voucher_instant'));
    expect((await runbook.run(attention)).stdout).toMatch(new RegExp(`ENDPOINT_PAUSED[^]*webhooks resume ${id}`));
    const audit = 'npm run ops -- audit list --object webhook_endpoint/<endpoint>';
    expect((await runbook.run(audit, { endpoint: id })).stdout).toMatch(/kim \(\w+\) by webhooks pause/);
    await runbook.run('npm run ops -- webhooks resume <endpoint>', { endpoint: id });
    await untilUnlisted('ENDPOINT_PAUSED');
    const events = (await eventsOf(database, order.id)).map(({ type }) => type);
    await until('its events', async () => events.every((type) => receiver.types.includes(type)));
    receiver.close();
  });
});

describeCase('key-rotation', (runbook) => {
  test('When a key is changed during orders, then all data stays readable', async () => {
    const before = await place(client.api, orderOf('voucher_instant'));
    const keyIn = async (state: string) => {
      const { stdout } = await runTool`--json secret-keys list`;
      const keys = JSON.parse(stdout) as { key: string; state: string }[];
      const found = keys.find(({ key, state: its }) => its === state && key.startsWith('seal/'));
      return found?.key.slice('seal/'.length) ?? '';
    };
    await runbook.run('npm run ops -- secret-keys list');
    await runbook.run('npm run ops -- secret-keys add seal');
    const added = await keyIn('added');
    await until('all processes to load it', () =>
      runbook.run('npm run ops -- secret-keys promote seal/<new>', { new: added }).catch(() => undefined),
    );
    await runbook.run('npm run ops -- secret-keys re-seal');
    await sql(database)`UPDATE data_keys SET promoted_at = promoted_at - interval '1 hour'`;
    const old = await keyIn('replaced');
    await until('no process to seal with it', () =>
      runbook.run('npm run ops -- secret-keys retire seal/<old>', { old }).catch(() => undefined),
    );
    expect((await ended(client.api, before.id)).vouchers).toEqual(before.vouchers);
  });
});

describeCase('temporal-down', (runbook) => {
  const ready = 'curl -sf "$API_URL/ready"';
  const untilReady = () => until('readiness', () => runbook.run(ready).catch(() => undefined), 90);

  test('When Temporal is down for a while, then order requests are rejected, and open orders continue afterwards', async () => {
    const open = await place(client.api, orderOf('voucher_slow'));
    await stack.kill('temporal');
    expect((await runbook.run('curl -s "$API_URL/ready"')).stdout).toContain('SERVICE_UNAVAILABLE');
    expect(await client.api.post('/api/v1/orders', orderOf('voucher_instant'))).toMatchObject({ status: 503 });
    await stack.resume(['temporal']);
    await untilReady();
    expect(await ended(client.api, open.id)).toMatchObject({ status: 'DELIVERED' });
    await runbook.run('npm run ops -- reconcile');
  });

  test('When Temporal loses its data, then all workflows start again from PostgreSQL, and nothing is bought twice', async () => {
    const receiver = await Receiver.listen();
    await register(client.api, receiver);
    const { id: esim, iccid } = (await accepted(
      client.api,
      esimOrders,
      scenarioNamed('esim_instant').body,
    )) as never as { id: number; iccid: string };
    const bought = await place(client.api, orderOf('voucher_delayed', { quantity: 6 }));
    await stack.control('outage', { seconds: 3_600 });
    const waiting = await place(client.api, orderOf('voucher_instant'));
    await stack.halt('temporal');
    for (const file of readdirSync(stack.directory.path).filter((name) => name.startsWith('temporal.db')))
      rmSync(stack.directory.file(file));
    await stack.halt('api', 'worker');
    await stack.resume(['temporal']);
    await stack.resume(['worker', 'api']);
    await age();
    await stack.control('outage', { seconds: 0 });
    const { stdout } = await runbook.run('npm run ops -- reconcile', {}, { exitCode: 1 });
    for (const { id } of [waiting, bought])
      expect(stdout).toMatch(new RegExp(`order-without-workflow +order ${id} .*started again`));
    for (const { id } of [waiting, bought]) {
      expect(await ended(client.api, id)).toMatchObject({ status: 'DELIVERED' });
      expect(await boughtFor(id)).toHaveLength(1);
      await until('its event', async () => receiver.taken.some(({ data }) => (data as { id?: number }).id === id));
    }
    await withTemporal((temporal) => temporal.schedule.getHandle('maintenance-restarts').trigger());
    await stack.control(`esims/${iccid}/install`);
    await until(
      'its eSIM monitor',
      async () => (await eventsOf(database, esim)).some(({ type }) => type === 'esim.installed'),
      90,
    );
    expect((await runbook.run('npm run ops -- reconcile --dry-run')).stdout).toContain('Everything agrees');
    receiver.close();
  });
});

describeCase('books-do-not-add-up', (runbook) => {
  test('When a balance was changed outside the ledger, then it is reported, and its client is suspended until the repair', async () => {
    const owner = await newClient(database, { USD: 100 });
    const shift = (by: number) =>
      sql(database)`
        UPDATE wallets SET balance = balance + ${by} WHERE id = ${owner.wallets['USD']}`;
    await shift(5);
    const found = await runbook.run('npm run ops -- ledger verify', {}, { exitCode: 1 });
    expect(found.stdout).toContain(String(owner.wallets['USD']));
    await runbook.run('npm run ops -- clients suspend <client>', { client: owner.id });
    expect(await owner.api.post('/api/v1/orders', orderOf('voucher_instant')).catch(String)).toMatch(/401/);
    await shift(-5);
    await runbook.run('npm run ops -- ledger verify');
    await runbook.run('npm run ops -- clients resume <client>', { client: owner.id });
  });
});

describeCase('deploy-and-roll-back', (runbook) => {
  const workers: ServiceProcess[] = [];
  afterAll(() => Promise.all(workers.map((worker) => worker.stop())));

  test('When a new release misbehaves, then new orders go to the previous release immediately', async () => {
    for (const version of ['1.0.0', '2.0.0']) {
      workers.push(await startWorkerProcess({ DEPLOYMENT_VERSION: version }));
      expect(await runTool`deploy promote ${version}`).toMatchObject({ exitCode: 0 });
    }
    await runbook.run('npm run ops -- deploy rollback');
    expect((await runbook.run('npm run ops -- deploy status')).stdout).toMatch(/1\.0\.0.*current|current.*1\.0\.0/);
    const order = await place(client.api, orderOf('voucher_slow'));
    await withTemporal(async (temporal) => (await workflowOf(temporal, database, order.id)).terminate('no progress'));
    await age();
    await runbook.run('npm run ops -- reconcile', {}, { exitCode: 1 });
    expect(await reached(client.api, order.id, 'DELIVERED')).toMatchObject({ id: order.id });
    expect(await boughtFor(order.id)).toHaveLength(1);
  });
});
