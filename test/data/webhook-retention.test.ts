/** Expired events and deleted endpoints are deleted, and the counts of the log stay exact. */
import { firstRow, rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { giveUpPending } from '../../src/data/webhooks/endpoint-health';
import { markStopped } from '../../src/data/webhooks/waiting-endpoints';
import { addEndpoint, deleteEndpoint, deleteOldEndpoints } from '../../src/data/webhooks/endpoints';
import {
  deleteOldEvents,
  findEvent,
  listEvents,
  rollUpEventCounts,
  type LoggedEvent,
} from '../../src/data/webhooks/events';
import { continueReplay, redeliverEvent } from '../../src/data/webhooks/redelivery';
import { callerOf } from '../support/callers';
import { lockWaits } from '../support/lock-waits';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { day } from '../../src/domain/time';

const { database } = scratchDatabase();

const daysAgo = (days: number) => new Date(Date.now() - days * day);

/** Writes events of this age with one delivery attempt each. */
async function writeEvents(clientId: number, events: number, days: number, type = 'wallet.credited') {
  await rows(
    database,
    `WITH written AS (
       INSERT INTO events (client_id, type, data, created_at)
       SELECT $clientId, $type, '{}', $createdAt FROM generate_series(1, $events) RETURNING sequence)
     INSERT INTO webhook_attempts (event_sequence, endpoint_id, attempted_at, duration_ms)
     SELECT sequence, 1, $createdAt, 1 FROM written`,
    { clientId, events, createdAt: daysAgo(days), type },
  );
}

async function newClientWithEndpoint(): Promise<number> {
  const { clientId } = await newHolder(database);
  await newEndpoint(clientId);
  return clientId;
}

async function newEndpoint(clientId: number): Promise<number> {
  const { id } = await sql.one(database)<{ id: number }>`
    INSERT INTO webhook_endpoints (nonce, client_id, url, description, event_types, enabled, sealed_secret)
     VALUES ('n', ${clientId}, 'http://127.0.0.1/', '', '{}', true, '') RETURNING id`;
  return id;
}

async function totals(clientId: number): Promise<number[]> {
  const page = { offset: 0, limit: 1_000 };
  const all = await listEvents(database, clientId, undefined, page);
  const credits = await listEvents(database, clientId, 'wallet.credited', page);
  expect(all.rows).toHaveLength(all.total);
  return [all.total, credits.total];
}

/** Attempts and deliveries of all events. */
async function rowsLeft(): Promise<number> {
  const found = await sql.first(database)<{ count: number }>`SELECT (SELECT count(*)
       FROM webhook_attempts) + (SELECT count(*) FROM webhook_deliveries) AS count`;
  return found?.count ?? -1;
}

/** Rows that belong to no event. */
async function orphans(): Promise<number> {
  const found = await sql.first(database)<{ count: number }>`SELECT (SELECT count(*) FROM webhook_attempts
              WHERE NOT EXISTS (SELECT FROM events WHERE sequence = event_sequence))
          + (SELECT count(*) FROM webhook_deliveries
              WHERE NOT EXISTS (SELECT FROM events WHERE sequence = event_sequence)) AS count`;
  return found?.count ?? -1;
}

test('When old events are deleted, then their attempts and deliveries are deleted too, in batches, and the counts stay exact', async () => {
  const clientId = await newClientWithEndpoint();
  await writeEvents(clientId, 25, 100);
  await writeEvents(clientId, 7, 100, 'wallet.debited');
  await writeEvents(clientId, 5, 10);
  await rollUpEventCounts(database, 5 * day);
  await writeEvents(clientId, 3, 0);
  expect(await totals(clientId)).toEqual([40, 33]);
  const deleted: number[] = [];
  for (let done = 10; done === 10; deleted.push(done)) done = await deleteOldEvents(database, 90, 10);
  // Each call deletes attempts, then deliveries, then events, and stops after a full batch.
  expect(deleted).toEqual([...Array<number>(9).fill(10), 2]);
  expect(await totals(clientId)).toEqual([8, 8]);
  await rollUpEventCounts(database, 0);
  expect(await totals(clientId)).toEqual([8, 8]);
  expect(await orphans()).toBe(0);
});

test('When an old event has many attempts, then its rows are deleted in batches', async () => {
  const clientId = await newClientWithEndpoint();
  await writeEvents(clientId, 1, 100);
  await rows(
    database,
    `WITH event AS (SELECT sequence FROM events WHERE client_id = $clientId), attempts AS (
       INSERT INTO webhook_attempts (event_sequence, endpoint_id, attempted_at, duration_ms)
       SELECT sequence, 1, now(), 1 FROM event, generate_series(1, 34)), endpoints AS (
       INSERT INTO webhook_endpoints (nonce, client_id, url, description, event_types, enabled, sealed_secret)
       SELECT 'n', $clientId, 'http://127.0.0.1/', '', '{}', false, '' FROM generate_series(1, 22) RETURNING id)
     INSERT INTO webhook_deliveries (endpoint_id, event_sequence) SELECT id, sequence FROM endpoints, event`,
    { clientId },
  );
  await rollUpEventCounts(database, 95 * day);
  const left = [await rowsLeft()];
  while ((await deleteOldEvents(database, 90, 10)) === 10) left.push(await rowsLeft());
  left.push(await rowsLeft());
  const most = Math.max(...left.slice(1).map((after, index) => (left[index] as number) - after));
  // Fewer than the limit of attempts plus the same limit of deliveries.
  expect(most).toBeLessThan(20);
  expect(await totals(clientId)).toEqual([0, 0]);
  expect(await orphans()).toBe(0);
});

describe('an old event that is deleted while its client requests it', () => {
  let clientId: number;
  let endpointId: number;
  let event: LoggedEvent;
  beforeEach(async () => {
    clientId = (await newHolder(database)).clientId;
    endpointId = await newEndpoint(clientId);
    await writeEvents(clientId, 1, 100);
    await rollUpEventCounts(database, 95 * day);
    const { rows: events } = await listEvents(database, clientId, undefined, { offset: 0, limit: 1 });
    event = (await findEvent(database, clientId, events[0]?.id as string)) as LoggedEvent;
  });

  const redeliver = () => redeliverEvent(database, callerOf(clientId), event);

  test.each([
    ['redelivery', redeliver],
    ['replay', () => continueReplay(database, endpointId)],
  ])(
    'When a %s requests it before its deletion is committed, then nothing is sent, and no delivery is left without an event',
    async (_request, request) => {
      await sql(database)`INSERT INTO webhook_replays
           VALUES (${endpointId}, to_timestamp(0), 1, ${event.sequence})`;
      let ended: Promise<unknown[]> | undefined;
      await database.transaction(async (transaction) => {
        // The last lock that the deletion takes.
        const counts = 'SELECT FROM event_counts WHERE client_id = $clientId FOR UPDATE';
        await rows(database, counts, { clientId }, transaction);
        const deleted = deleteOldEvents(database, 90, 10);
        await lockWaits(database, 1);
        ended = Promise.all([deleted, request()]);
        await lockWaits(database, 2);
      });
      expect(await ended).toEqual([1, undefined]);
      expect(await orphans()).toBe(0);
    },
  );

  test('When its redelivery to a later endpoint is not yet committed, then that delivery is deleted with it', async () => {
    const later = await newEndpoint(clientId);
    await sql(database)`UPDATE webhook_endpoints SET busy = true WHERE id = ${later}`;
    let ended: Promise<unknown[]> | undefined;
    await database.transaction(async (transaction) => {
      // The last lock that the redelivery takes.
      const endpoint = 'SELECT FROM webhook_endpoints WHERE id = $later FOR UPDATE';
      await rows(database, endpoint, { later }, transaction);
      const requested = redeliver();
      await lockWaits(database, 1);
      const deleted = deleteOldEvents(database, 90, 10);
      ended = Promise.all([requested, deleted]);
      await Promise.race([deleted, lockWaits(database, 2)]);
    });
    expect(await ended).toEqual([[endpointId, later], 1]);
    expect(await orphans()).toBe(0);
  });
});

test('When an endpoint was deleted over an hour ago and no work is left for it, then its row is deleted with its secrets', async () => {
  const { clientId } = await newHolder(database);
  const [gone, young, sent, disabled, busy] = await sql(database)<{ id: number }>`
    INSERT INTO webhook_endpoints
       (nonce, client_id, url, description, event_types, enabled, sealed_secret, deleted_at, busy)
     SELECT 'n', ${clientId}, 'http://127.0.0.1/', '', '{}', false, '', deleted_at, is_busy
       FROM unnest(${[1, 0, 1, 1, 1].map(daysAgo)}::timestamptz[], ${[false, false, false, false, true]}::boolean[]) AS endpoint (deleted_at, is_busy) RETURNING id`;
  await writeEvents(clientId, 1, 2);
  await sql(database)`INSERT INTO webhook_deliveries (endpoint_id, event_sequence)
     SELECT ${sent?.id}, sequence FROM events WHERE client_id = ${clientId}`;
  await sql(database)`INSERT INTO webhook_disablings (endpoint_id, url, reason, mail)
       VALUES (${disabled?.id}, 'http://127.0.0.1/', 'GONE', 'DUE')`;
  await rows(
    database,
    `WITH replay AS (INSERT INTO webhook_replays VALUES ($id, now(), 1, 1))
     INSERT INTO webhook_previous_secrets (endpoint_id, sealed_secret, valid_until) VALUES ($id, '', now())`,
    { id: gone?.id },
  );
  expect(await deleteOldEndpoints(database, 10)).toBe(1);
  const left = await sql(database)`
    SELECT id FROM webhook_endpoints WHERE client_id = ${clientId} ORDER BY id`;
  expect(left).toEqual([young, sent, disabled, busy]);
});

test('When a client creates and deletes endpoints, then an hour later only their tests are left, with the attempts', async () => {
  const { clientId } = await newHolder(database);
  const settings = { url: 'http://127.0.0.1/', description: '', eventTypes: [], enabled: true };
  const secret = { nonce: 'n', sealedSecret: Buffer.from('sealed') };
  for (let endpoints = 1; endpoints <= 3; endpoints++) {
    const endpointId = (await addEndpoint(database, callerOf(clientId), settings, secret))?.id as number;
    await sql(database)`INSERT INTO webhook_attempts (event_sequence, endpoint_id, attempted_at, duration_ms)
       SELECT event_sequence, endpoint_id, now(), 1 FROM webhook_deliveries WHERE endpoint_id = ${endpointId}`;
    await deleteEndpoint(database, callerOf(clientId), endpointId);
    await giveUpPending(database, endpointId);
    await markStopped(database, endpointId);
  }
  const counts = () =>
    firstRow(
      database,
      `SELECT (SELECT count(*) FROM webhook_endpoints WHERE client_id = $clientId) AS endpoints,
              count(event.id) AS events, count(delivery.event_sequence) AS deliveries, count(attempt.id) AS attempts
         FROM events event
         LEFT JOIN webhook_deliveries delivery ON delivery.event_sequence = event.sequence
         LEFT JOIN webhook_attempts attempt ON attempt.event_sequence = event.sequence
        WHERE event.client_id = $clientId`,
      { clientId },
    );
  expect(await deleteOldEndpoints(database, 10)).toBe(0);
  expect(await counts()).toEqual({ endpoints: 3, events: 3, deliveries: 3, attempts: 3 });
  await sql(database)`UPDATE webhook_endpoints SET deleted_at = now() - interval '1 hour'
       WHERE client_id = ${clientId}`;
  // Each call deletes deliveries, then endpoints, and stops after a full batch.
  expect(await deleteOldEndpoints(database, 2)).toBe(2);
  expect(await counts()).toMatchObject({ endpoints: 3, deliveries: 1 });
  expect(await deleteOldEndpoints(database, 2)).toBe(2);
  expect(await deleteOldEndpoints(database, 2)).toBe(1);
  expect(await counts()).toEqual({ endpoints: 0, events: 3, deliveries: 0, attempts: 3 });
});

test('When events are not yet in the counts, then they are not deleted', async () => {
  const clientId = await newClientWithEndpoint();
  await writeEvents(clientId, 4, 95);
  expect(await deleteOldEvents(database, 90, 1_000)).toBe(0);
  expect(await totals(clientId)).toEqual([4, 4]);
});

test('When deletion and roll-up run concurrently, then the counts stay exact', async () => {
  const clientId = await newClientWithEndpoint();
  // Those of other tests are younger, and would end each roll-up.
  await rollUpEventCounts(database, 0);
  for (let turn = 1; turn <= 20; turn++) {
    await writeEvents(clientId, 10, 100, turn % 2 === 0 ? 'wallet.credited' : `type.${turn}`);
    const remove = () => deleteOldEvents(database, 90, 7);
    await Promise.all([rollUpEventCounts(database, 95 * day), remove(), remove()]);
    await totals(clientId);
  }
  while ((await deleteOldEvents(database, 90, 1_000)) > 0);
  expect(await totals(clientId)).toEqual([0, 0]);
});
