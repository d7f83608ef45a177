/**
 * Only the client of an endpoint can change it, and no statement undoes a change that was committed while it waited. A paused
 * endpoint is on the attention list.
 */
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { raiseAttention } from '../../src/data/attention/attention';
import { disableEndpoint } from '../../src/data/webhooks/endpoint-health';
import { dueDeliveries, type Target } from '../../src/data/webhooks/deliveries';
import { giveUpPending } from '../../src/data/webhooks/endpoint-health';
import { markIdle, overdueEndpoints } from '../../src/data/webhooks/waiting-endpoints';
import { addEndpoint, changeEndpoint, deleteEndpoint } from '../../src/data/webhooks/endpoints';
import { findEvent, type LoggedEvent } from '../../src/data/webhooks/events';
import { requestOldest, reviewEndpointPauses, setPaused } from '../../src/data/webhooks/operated-endpoints';
import { redeliverEvent, replayEvents } from '../../src/data/webhooks/redelivery';
import { Sealer, webhookSecret } from '../../src/security/sealing';
import { callerOf } from '../support/callers';
import { newKeyRing } from '../support/keys';
import { newHolder, type Holder } from '../../dev/testbed/ledger-rows';
import { lockWaits } from '../support/lock-waits';
import { performTasks } from '../support/maintenance';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();

async function newEndpoint(
  { clientId }: Holder,
  enabled: boolean,
  sealedSecret: Buffer = Buffer.from('sealed'),
): Promise<number> {
  const settings = { url: 'https://client.example/', description: '', eventTypes: [], enabled };
  const secret = { nonce: 'n', sealedSecret };
  const endpoint = await addEndpoint(database, callerOf(clientId), settings, secret);
  return endpoint?.id as number;
}

test("When a client enables another client's endpoint, then the deliveries of that endpoint are unchanged", async () => {
  const [owner, other] = [await newHolder(database), await newHolder(database)];
  const id = await newEndpoint(owner, false);
  await sql(database)`INSERT INTO webhook_deliveries (endpoint_id, event_sequence) VALUES (${id}, 1)`;
  expect(await changeEndpoint(database, callerOf(other.clientId), id, { enabled: true })).toBeUndefined();
  const states = await sql(database)`SELECT state FROM webhook_deliveries WHERE endpoint_id = ${id}`;
  expect(states).toEqual([{ state: 'DUE' }]);
});

test('When paused endpoints are reviewed, then exactly the enabled ones are listed, each since its first review', async () => {
  const owner = await newHolder(database);
  const [paused, disabled, resumed] = [
    await newEndpoint(owner, true),
    await newEndpoint(owner, true),
    await newEndpoint(owner, true),
  ];
  const listed = () =>
    sql(database)<{ id: number; since: Date }>`SELECT endpoint_id AS id, since FROM attention
        WHERE kind = 'ENDPOINT_PAUSED' AND cleared_at IS NULL ORDER BY endpoint_id`;
  for (const id of [paused, disabled, resumed]) await setPaused(database, id, true);
  const [first, ...others] = await listed();
  expect([first?.id, ...others.map(({ id }) => id)]).toEqual([paused, disabled, resumed]);

  await changeEndpoint(database, callerOf(owner.clientId), disabled, { enabled: false });
  await setPaused(database, resumed, false);
  await reviewEndpointPauses(database);
  expect(await listed()).toEqual([first]);
});

test('When a secret is readable again or its endpoint is deleted, then the next maintenance clears its entry', async () => {
  const owner = await newHolder(database);
  const sealer = new Sealer(newKeyRing());
  const [readable, deleted, unreadable] = [
    await newEndpoint(owner, true, sealer.seal(webhookSecret('n'), 'secret')),
    await newEndpoint(owner, true),
    await newEndpoint(owner, true),
  ];
  for (const endpointId of [readable, deleted, unreadable])
    await raiseAttention(database, { endpointId }, 'SECRET_UNREADABLE', 'Its key was missing');
  await deleteEndpoint(database, callerOf(owner.clientId), deleted);
  await performTasks({ database, sealer }, ['reviewEndpoints']);
  const listed = await sql(database)`SELECT endpoint_id AS id FROM attention WHERE kind = 'SECRET_UNREADABLE'
       AND cleared_at IS NULL`;
  expect(listed).toEqual([{ id: unreadable }]);
});

describe('When the service disables an endpoint that it disabled before', () => {
  /** Disables it twice, with the first disabling changed in between. Returns the number of mails that are due. */
  async function mailsDue(change: string): Promise<number> {
    const id = await newEndpoint(await newHolder(database), true);
    const disable = async () => {
      await sql(database)`UPDATE webhook_endpoints SET enabled = true WHERE id = ${id}`;
      const target = await sql.first(database)<Target>`SELECT id, generation FROM webhook_endpoints
           WHERE id = ${id}`;
      await database.transaction((transaction) => disableEndpoint(database, target as Target, 'FAILING', transaction));
    };
    await disable();
    await rows(database, `UPDATE webhook_disablings SET ${change} WHERE endpoint_id = $id`, { id });
    await disable();
    return (
      await sql(database)`
      SELECT FROM webhook_disablings WHERE endpoint_id = ${id} AND mail = 'DUE'`
    ).length;
  }

  test.each([
    ['whose mail was sent an hour ago', `mail = 'SENT', disabled_at = now() - interval '1 hour'`, 0],
    ['whose mail was sent two days ago', `mail = 'SENT', disabled_at = now() - interval '2 days'`, 1],
    ['whose mail could not be delivered', `mail = 'UNDELIVERABLE'`, 1],
    ['at a time in the future', `mail = 'SENT', disabled_at = now() + interval '2 days'`, 1],
  ])('%s, then the number of due mails is right', async (_when, change, mails) => {
    expect(await mailsDue(change)).toBe(mails);
  });
});

test('When a client requests a replay since a future time, then the service reads no event', async () => {
  const owner = await newHolder(database);
  const id = await newEndpoint(owner, true);
  const replayed = await database.transaction(async (blocker) => {
    // A statement that reads events fails after 15 s.
    await sql(database, blocker)`LOCK TABLE events IN ACCESS EXCLUSIVE MODE`;
    return replayEvents(database, callerOf(owner.clientId), id, new Date(Date.now() + 60_000));
  });
  expect(replayed).toBe(0);
});

describe('a change that is committed while a statement waits for its lock', () => {
  let clientId: number;
  let endpointId: number;
  let event: LoggedEvent;

  /** An endpoint with one due event of an order. */
  beforeEach(async () => {
    clientId = (await newHolder(database)).clientId;
    const settings = { url: 'https://client.example/', description: '', eventTypes: [], enabled: true };
    const secret = { nonce: `n${clientId}`, sealedSecret: Buffer.from('sealed') };
    endpointId = (await addEndpoint(database, callerOf(clientId), settings, secret))?.id as number;
    await sql(database)`DELETE FROM webhook_deliveries WHERE endpoint_id = ${endpointId}`;
    const written = await sql.first(database)<{ id: string }>`
      INSERT INTO events (client_id, order_id, type, data)
       VALUES (${clientId}, 1, 'wallet.low_balance', '{}') RETURNING id`;
    event = (await findEvent(database, clientId, written?.id as string)) as LoggedEvent;
  });

  /** Commits the change of the delivery or endpoint once `statement` waits for its lock, and returns after both. */
  async function overtake(change: string, statement: () => Promise<unknown>): Promise<void> {
    let ended: Promise<unknown> | undefined;
    await database.transaction(async (transaction) => {
      await rows(database, change, { endpointId }, transaction);
      ended = statement();
      await lockWaits(database);
    });
    await ended;
  }

  const set = (change: string) =>
    `UPDATE webhook_deliveries SET ${change} WHERE endpoint_id = $endpointId AND next_attempt_at IS NULL`;
  const stateOf = async () =>
    sql.first(database)`SELECT state, requested FROM webhook_deliveries WHERE endpoint_id = ${endpointId}
         AND event_sequence = ${event.sequence}`;
  const isOverdue = async () =>
    (await overdueEndpoints(database, new Date(0))).some((endpoint) => endpoint.endpointId === endpointId);

  test.each([
    ['requested', `requested = true`, { state: 'DUE', requested: true }],
    ['skipped', `state = 'SKIPPED'`, { state: 'SKIPPED', requested: false }],
  ])(
    'When an event is %s while it is postponed after an earlier event of its order, then it stays so',
    async (_change, change, state) => {
      await sql(database)`
        INSERT INTO webhook_deliveries (endpoint_id, event_sequence, order_id, state, next_attempt_at, attempts)
         VALUES (${endpointId}, 0, 1, 'RETRY', now() + interval '1 hour', 1)`;
      await overtake(set(change), () => dueDeliveries(database, endpointId, new Date(), 10));
      expect(await stateOf()).toEqual(state);
    },
  );

  test('When an event is delivered while the events of a disabled endpoint are given up, then it stays delivered', async () => {
    await sql(database)`UPDATE webhook_endpoints SET enabled = false WHERE id = ${endpointId}`;
    await overtake(set(`state = 'DELIVERED'`), () => giveUpPending(database, endpointId));
    expect(await stateOf()).toMatchObject({ state: 'DELIVERED' });
  });

  test('When an event is delivered while an operator requests it as the oldest, then it stays delivered', async () => {
    await overtake(set(`state = 'DELIVERED'`), () => requestOldest(database, endpointId));
    expect(await stateOf()).toEqual({ state: 'DELIVERED', requested: false });
  });

  test('When the endpoint is disabled while a client requests an event, then its workflow is still notified', async () => {
    await sql(database)`UPDATE webhook_endpoints SET busy = true WHERE id = ${endpointId}`;
    const disable = 'UPDATE webhook_endpoints SET enabled = false WHERE id = $endpointId';
    await overtake(disable, () => redeliverEvent(database, callerOf(clientId), event));
    expect(await isOverdue()).toBe(true);
  });

  test('When the endpoint is disabled before its workflow becomes idle, then the workflow is still notified', async () => {
    await changeEndpoint(database, callerOf(clientId), endpointId, { enabled: false });
    await markIdle(database, endpointId);
    expect(await isOverdue()).toBe(true);
  });
});
