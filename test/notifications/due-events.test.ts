/** The outbox poller learns of events from the database. docs/decisions/0010-write-events-to-an-outbox.md. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import { pino } from 'pino';
import { firstRow, rows } from '../../src/data/database/database';
import { markIdle } from '../../src/data/webhooks/waiting-endpoints';
import { disabledMailWorkflowId, endpointWorkflowId } from '../../src/domain/webhooks/delivery-rules';
import { DueEvents } from '../../src/notifications/webhooks/due-events';
import { pollOutbox } from '../../src/notifications/webhooks/outbox-poller';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
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
  events = await DueEvents.listen(scratch.url, log, stopping.signal);
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
  await rows(scratch.database, 'UPDATE webhook_endpoints SET busy = true WHERE id = $id', { id: busy.id });
  await rows(scratch.database, 'UPDATE webhook_endpoints SET paused = true WHERE id = $id', {
    id: paused.id,
  });
  const own = new AbortController();
  const heard = await DueEvents.listen(scratch.url, log, own.signal);
  // The start of listening counts as a notification.
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
  await until('a refusal', async () => (refused.get(workflowId) as number) > 0 || undefined);
  const disabling = await firstRow<{ id: number }>(
    scratch.database,
    `INSERT INTO webhook_disablings (endpoint_id, url, reason) VALUES ($id, 'https://client.example/', 'GONE') RETURNING id`,
    { id: overdue.id },
  );
  const mail = disabledMailWorkflowId({ disablingId: disabling?.id as number, nonce: overdue.nonce });
  await until('the mail', async () => started.has(mail) || undefined);
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
  await until('the cut', async () => events.intervalMs === 100 || undefined);
  expect(await delayOfEvent(endpoint)).toBeLessThan(1_000);
  await until('the poller to listen again', () => firstRow(scratch.database, `SELECT pid ${session}`));
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

test('When a poll finds events without a notification, then polls become frequent', async () => {
  const own = new AbortController();
  const heard = await DueEvents.listen(scratch.url, log, own.signal);
  expect(await heard.next(own.signal)).toBe(true);
  expect(heard.intervalMs).toBe(1_000);
  heard.recordUnannounced();
  expect(heard.intervalMs).toBe(100);
  own.abort();
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

async function emit({ clientId }: Endpoint): Promise<void> {
  await rows(
    scratch.database,
    `INSERT INTO events (client_id, type, data) VALUES ($clientId, 'wallet.credited', '{"id": 1}')`,
    { clientId },
  );
}

/** Milliseconds from the commit of a new event until the endpoint's workflow is notified. */
async function delayOfEvent(endpoint: Endpoint): Promise<number> {
  const workflowId = endpointWorkflowId({ endpointId: endpoint.id, nonce: endpoint.nonce });
  notified.delete(workflowId);
  const emitted = performance.now();
  await emit(endpoint);
  return (await until('the notification', async () => notified.get(workflowId))) - emitted;
}
