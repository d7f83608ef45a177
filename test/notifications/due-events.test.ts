/** The outbox poller learns of events from the database. docs/decisions/0010-write-events-to-an-outbox.md. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import { pino } from 'pino';
import { firstRow, openDatabase, rows, type Database, type Transaction } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { placeAndClaim, placeOrder } from '../../src/data/orders/place-order';
import { settleOrder } from '../../src/data/orders/settle-order';
import { markIdle } from '../../src/data/webhooks/waiting-endpoints';
import { disabledMailWorkflowId, endpointWorkflowId } from '../../src/domain/webhooks/delivery-rules';
import { DueEvents } from '../../src/notifications/webhooks/due-events';
import { pollOutbox } from '../../src/notifications/webhooks/outbox-poller';
import { closePurchases, storeUnits } from '../support/fulfilment';
import { reserveOrder } from '../support/ledger-orders';
import { post, type Holder } from '../../dev/testbed/ledger-rows';
import { entriesOf } from '../support/records';
import { emptyDatabase, scratchDatabase } from '../../dev/testbed/scratch-database';
import { until } from '../../dev/testbed/waiting';

const log = pino({ level: 'silent' });
const scratch = scratchDatabase();
const stopping = new AbortController();
/** When each workflow was notified, by its id. */
const notified = new Map<string, number>();
/** The workflows whose notifications Temporal rejects, and the number of rejections. */
const refused = new Map<string, number>();
/** The started workflows. */
const started = new Set<string>();
let events: DueEvents;
let running: Promise<void>;

beforeAll(async () => {
  events = await listening(stopping);
  const signalWithStart = async (_type: string, { workflowId }: { workflowId: string }) => {
    const refusals = refused.get(workflowId);
    if (refusals === undefined) return void notified.set(workflowId, performance.now());
    refused.set(workflowId, refusals + 1);
    throw new Error('refused');
  };
  const start = async (_type: string, { workflowId }: { workflowId: string }) => void started.add(workflowId);
  const temporal = { workflow: { signalWithStart, start } } as unknown as TemporalClient;
  running = pollOutbox({ database: scratch.database, temporal, log }, events, stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await running;
});

test('When events are committed for an idle endpoint, then its workflow is notified sooner than by polls', async () => {
  const endpoint = await newEndpoint();
  const delays: number[] = [];
  for (let event = 0; event < 5; event++) {
    delays.push(await delayOfEvent(endpoint));
    await markIdle(scratch.database, endpoint.id);
    await sleep(100);
  }
  // The polls alone would take 500 ms.
  expect(delays.sort((a, b) => a - b)[2]).toBeLessThan(250);
});

test('When events are committed for a busy or paused endpoint, then no notification is sent', async () => {
  const [idle, busy, paused] = [await newEndpoint(), await newEndpoint(), await newEndpoint()];
  await sql(scratch.database)`UPDATE webhook_endpoints SET busy = true WHERE id = ${busy.id}`;
  await sql(scratch.database)`UPDATE webhook_endpoints SET paused = true WHERE id = ${paused.id}`;
  const own = new AbortController();
  const heard = await listening(own);
  // The start of listening counts as an announcement.
  expect(await heard.next(own.signal)).toBe(true);
  await emit(busy);
  await emit(paused);
  expect(await heard.next(own.signal)).toBe(false);
  await emit(idle);
  expect(await heard.next(own.signal)).toBe(true);
  own.abort();
});

test('When an endpoint cannot be notified, then mails about others and lost notifications do not wait for it', async () => {
  const [refusing, overdue] = [await newEndpoint(), await newEndpoint()];
  const workflowId = endpointWorkflowId({ endpointId: refusing.id, nonce: refusing.nonce });
  refused.set(workflowId, 0);
  await emit(refusing);
  await until('a refusal', async () => (refused.get(workflowId) as number) > 0);
  const disabling = await sql.first(scratch.database)<{ id: number }>`
    INSERT INTO webhook_disablings (endpoint_id, url, reason)
     VALUES (${overdue.id}, 'https://client.example/', 'GONE') RETURNING id`;
  const mail = disabledMailWorkflowId({ disablingId: disabling?.id as number, nonce: overdue.nonce });
  await until('the mail', async () => started.has(mail));
  // A crash may have lost the notification of an endpoint that is not idle.
  const lost = `INSERT INTO webhook_deliveries (endpoint_id, event_sequence, state, next_attempt_at)
                VALUES ($id, 1, 'RETRY', now() - interval '1 minute')`;
  await rows(scratch.database, lost, { id: overdue.id });
  const workflow = endpointWorkflowId({ endpointId: overdue.id, nonce: overdue.nonce });
  await until('the sweep', async () => notified.get(workflow));
  refused.delete(workflowId);
  await until('the refused notification', async () => notified.get(workflowId));
});

test('When the connection for notifications is cut, then an event waits for a poll at most, and notifications return', async () => {
  const endpoint = await newEndpoint();
  const session = `FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'digital-goods-events'`;
  await rows(scratch.database, `SELECT pg_terminate_backend(pid) ${session}`);
  await until('the cut', async () => events.intervalMs === 100);
  expect(await delayOfEvent(endpoint)).toBeLessThan(1_000);
  await until('the poller to listen again', () => firstRow(scratch.database, `SELECT pid ${session}`));
});

describe('When the sessions of a process wake its outbox poller', () => {
  const own = new AbortController();
  const wakes: string[] = [];
  let waking: Database;
  let others: DueEvents;
  beforeAll(async () => {
    waking = openDatabase(scratch.url, 1, { onEventsDue: () => void wakes.push('wake') });
    others = await listening(own);
    // The start of listening counts as an announcement.
    expect(await others.next(own.signal)).toBe(true);
  });
  beforeEach(() => void wakes.splice(0));
  afterAll(async () => {
    own.abort();
    await waking.close();
  });

  /** Whether PostgreSQL has notified other processes of an event since the test began. */
  const areOthersNotified = () => others.next(own.signal);

  test('then it is woken after a commit, not before, and no other process is notified', async () => {
    const endpoint = await newEndpoint();
    await waking.transaction(async (transaction) => {
      await emit(endpoint, waking, transaction);
      await emit(endpoint, waking, transaction);
      expect(wakes).toEqual([]);
    });
    expect(wakes).toEqual(['wake']);
    await waking
      .transaction(async (transaction) => {
        await emit(endpoint, waking, transaction);
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    wakes.splice(0);
    await sql(waking)`SELECT 1`;
    expect(wakes).toEqual([]);
    expect(await areOthersNotified()).toBe(false);
  });

  test('then the statements that place, settle and refund wake it, and notify nobody', async () => {
    const { clientId } = await newEndpoint();
    const holder = await holderOf(clientId);
    // Of the wallet's money.
    expect(await others.next(own.signal)).toBe(true);
    const wokenBy = async (work: () => Promise<unknown>) => {
      // Without a due delivery, the poller leaves the endpoint idle.
      await sql(scratch.database)`DELETE FROM webhook_deliveries`;
      await sql(scratch.database)`UPDATE webhook_endpoints SET busy = false`;
      wakes.splice(0);
      await work();
      return wakes.length > 0;
    };
    const wish = { price: '10' };
    const [delivered, failed] = [
      await reserveOrder(scratch.database, holder, wish),
      await reserveOrder(scratch.database, holder, wish),
    ];
    expect(await wokenBy(() => placeOrder(waking, delivered))).toBe(true);
    expect(await wokenBy(() => placeAndClaim(waking, failed))).toBe(true);
    await storeUnits(scratch.database, delivered.orderId, 1);
    await closePurchases(scratch.database, delivered.orderId);
    await closePurchases(scratch.database, failed.orderId);
    expect(await wokenBy(() => settleOrder(waking, delivered.orderId, {}))).toBe(true);
    expect(await wokenBy(() => settleOrder(waking, failed.orderId, {}))).toBe(true);
    expect(await entriesOf(scratch.database, failed.orderId)).toMatchObject([{ kind: 'ORDER' }, { kind: 'REFUND' }]);
    expect(await areOthersNotified()).toBe(false);
  });

  test('then an event of a session that does not say so notifies every process', async () => {
    await emit(await newEndpoint());
    expect(await areOthersNotified()).toBe(true);
    expect(wakes).toEqual([]);
  });

  test('When the process is killed between its commit and its poll, then another process finds the event within 1.1 s', async () => {
    const delays: number[] = [];
    for (let time = 0; time < 3; time++) {
      const endpoint = await newEndpoint();
      const killed = await killedAfterEvent(endpoint);
      delays.push((await until('the workflow', async () => notified.get(workflowOf(endpoint)))) - killed);
    }
    // The poll is once a second, so each delay is at most that and the time of the poll.
    expect(delays.sort((a, b) => a - b)[1]).toBeLessThan(1_100);
  });
});

test('When a notification gets lost without an error, then its event waits for a poll at most', async () => {
  const endpoint = await newEndpoint();
  // As behind a pooler that swallows notifications.
  await rows(
    scratch.database,
    `CREATE OR REPLACE FUNCTION fan_out_event() RETURNS trigger LANGUAGE plpgsql AS $do$
     BEGIN
       INSERT INTO webhook_deliveries (endpoint_id, event_sequence) VALUES (${endpoint.id}, NEW.sequence);
       RETURN NULL;
     END $do$`,
  );
  expect(await delayOfEvent(endpoint)).toBeLessThan(3_000);
});

test('When a poll finds events that nothing announced, then polls become frequent only if notifications get lost', async () => {
  const own = new AbortController();
  const [hearing, deaf] = [await listening(own), await listening(own)];
  for (const each of [hearing, deaf]) expect(await each.next(own.signal)).toBe(true);
  await hearing.recordUnannounced(scratch.database);
  expect(hearing.intervalMs).toBe(1_000);
  // PostgreSQL notifies within one database. So this is as behind a pooler that swallows notifications.
  const elsewhere = await emptyDatabase();
  await deaf.recordUnannounced(elsewhere.database);
  expect(deaf.intervalMs).toBe(100);
  // A test is not an event.
  expect(await hearing.next(own.signal)).toBe(false);
  own.abort();
  await elsewhere.drop();
});

interface Endpoint {
  id: number;
  nonce: string;
  clientId: number;
}

/** An idle endpoint for wallet events, of a new client. */
async function newEndpoint(): Promise<Endpoint> {
  const nonce = randomBytes(9).toString('hex');
  const endpoint = await firstRow<Endpoint>(
    scratch.database,
    `WITH client AS (
       INSERT INTO clients (name, contact_email) VALUES ($nonce, 'client@client.example') RETURNING id
     )
     INSERT INTO webhook_endpoints (nonce, client_id, url, description, event_types, enabled, sealed_secret)
     SELECT $nonce, id, 'https://client.example/', '', '{}', true, '' FROM client
     RETURNING id, nonce, client_id AS "clientId"`,
    { nonce },
  );
  return endpoint as Endpoint;
}

const eventStatement = `INSERT INTO events (client_id, type, data) VALUES ($clientId, 'wallet.credited', '{"id": 1}')`;

async function emit({ clientId }: Endpoint, database = scratch.database, transaction?: Transaction): Promise<void> {
  await rows(database, eventStatement, { clientId }, transaction);
}

/** A process that commits an event, and is killed when it would wake its poller. Returns when that was. */
async function killedAfterEvent({ clientId }: Endpoint): Promise<number> {
  const program = `
    const { openDatabase, rows } = require(${JSON.stringify(path.resolve(__dirname, '../../dist/src/data/database/database.js'))});
    const onEventsDue = () => process.kill(process.pid, 'SIGKILL');
    void rows(openDatabase(${JSON.stringify(scratch.url)}, 1, { onEventsDue }), ${JSON.stringify(eventStatement)}, { clientId: ${clientId} });`;
  const [, signal] = (await once(spawn(process.execPath, ['-e', program]), 'exit')) as [unknown, string];
  expect(signal).toBe('SIGKILL');
  return performance.now();
}

/** The due events of a process that listens until `own` aborts. */
async function listening(own: AbortController): Promise<DueEvents> {
  const due = new DueEvents();
  await due.listen(scratch.url, log, own.signal);
  return due;
}

const workflowOf = ({ id, nonce }: Endpoint) => endpointWorkflowId({ endpointId: id, nonce });

/** A wallet of the client with money. */
async function holderOf(clientId: number): Promise<Holder> {
  const { walletId } = await sql.one(scratch.database)<{ walletId: number }>`
    INSERT INTO wallets (client_id, currency_code, is_default) VALUES (${clientId}, 'USD', true)
     RETURNING id AS "walletId"`;
  const holder = { clientId, walletId };
  await post(scratch.database, holder, 100);
  return holder;
}

/** Milliseconds from the commit of a new event until the endpoint's workflow is notified. */
async function delayOfEvent(endpoint: Endpoint): Promise<number> {
  const workflowId = workflowOf(endpoint);
  notified.delete(workflowId);
  const emitted = performance.now();
  await emit(endpoint);
  return (await until('the notification', async () => notified.get(workflowId))) - emitted;
}
