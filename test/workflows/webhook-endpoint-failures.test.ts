/** Failures other than the receiver's: damaged values, lost records, races with the client, hanging mail. */
import { setTimeout as sleep } from 'node:timers/promises';
import { raiseAttention } from '../../src/data/attention/attention';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { rotateSecret } from '../../src/data/webhooks/endpoint-secrets';
import { changeEndpoint, deleteEndpoint } from '../../src/data/webhooks/endpoints';
import { replayEvents } from '../../src/data/webhooks/redelivery';
import { endpointMessages } from '../../src/domain/webhooks/delivery-rules';
import { MailNotSent } from '../../src/notifications/mail/send';
import { webhookSecret } from '../../src/security/sealing';
import { attention } from '../../src/temporal/search-attributes';
import { callerOf } from '../support/callers';
import { EndpointHarness, idsOf, type TestEndpoint } from '../support/endpoint-harness';
import { placedOrder } from '../support/placed-order';
import { serverStartLimit } from '../support/time-skipping';
import { until } from '../../dev/testbed/waiting';
import { day, second } from '../../src/domain/time';

let harness: EndpointHarness;
beforeAll(async () => {
  harness = await EndpointHarness.start();
}, serverStartLimit);
afterAll(() => harness.stop());

/** Checks that must still hold some time after their test. They run at the end, so that all share one wait. */
const later: { at: number; holds: () => void }[] = [];
const stillHolds = (afterMs: number, holds: () => void): void => void later.push({ at: Date.now() + afterMs, holds });

/** A promise and the function that resolves it. */
function moment(): { come: () => void; awaited: Promise<void> } {
  let come = () => undefined as void;
  const awaited = new Promise<void>((resolve) => (come = resolve));
  return { come, awaited };
}

describe('an event that cannot be built', () => {
  test('When the ICCID of one event cannot be decrypted, then that event alone fails, and the others come once', async () => {
    const order = await placedOrder(harness.database, 'ESIM');
    await sql(harness.database)`UPDATE esim_orders SET iccid = '\\x00' WHERE order_id = ${order.orderId}`;
    const { clientId, receiver } = await harness.newEndpoint(order.clientId);
    const sent: string[] = [];
    for (let other = 1; other <= 5; other++) sent.push(await harness.emit(clientId, -other));
    const damaged = await harness.emit(clientId, order.orderId, 'esim.delivered');
    sent.push(await harness.emit(clientId, order.orderId, 'wallet.credited'));
    for (let other = 6; other <= 10; other++) sent.push(await harness.emit(clientId, -other));
    await receiver.untilTaken(11);
    await sleep(3 * second);
    expect([...receiver.seen].sort()).toEqual([...sent].sort());
    expect(await harness.progress(clientId, damaged)).toMatchObject({
      state: 'RETRY',
      attempts: 1,
      error: 'event could not be built',
    });
    for (const id of sent) expect((await harness.progress(clientId, id)).state).toBe('DELIVERED');
  });
});

test('When deliveries cannot be recorded for a while, then only the last few events are sent again', async () => {
  const { clientId, receiver } = await harness.newEndpoint();
  const events = 60;
  const hide = (): Promise<unknown> =>
    sql(harness.database)`ALTER TABLE webhook_attempts RENAME TO webhook_attempts_hidden`;
  const readRecorded = () => sql(harness.database)<{ id: string }>`SELECT event.id FROM events event
       JOIN webhook_deliveries ON event_sequence = event.sequence
      WHERE client_id = ${clientId} AND state = 'DELIVERED'`;
  const isFortieth = () => receiver.seen.length === 40;
  // The events have one order, so the next one waits for the answer to the fortieth.
  receiver.answer = async () => {
    if (isFortieth()) {
      await until('the records', async () => (await readRecorded()).length > 20);
      await hide();
    }
    return 204;
  };
  await sql(harness.database)`INSERT INTO events (client_id, order_id, type, data)
     SELECT ${clientId}, -99, 'wallet.credited', '{}' FROM generate_series(1, ${events})`;
  await until('the fault', async () => receiver.seen.length > 40);
  const recorded = await readRecorded();
  await sleep(2 * second);
  await sql(harness.database)`ALTER TABLE webhook_attempts_hidden RENAME TO webhook_attempts`;
  await until('every event', async () => new Set(idsOf(receiver)).size === events, 60);
  const again = () => recorded.filter(({ id }) => receiver.seen.indexOf(id) !== receiver.seen.lastIndexOf(id));
  stillHolds(2 * second, () => expect(again()).toEqual([]));
});

describe('an endpoint that was disabled', () => {
  test('When an endpoint is enabled again while the mail server hangs, then it gets its events immediately', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver, key } = endpoint;
    const mailServer = moment();
    const { sendMail } = harness;
    harness.sendMail = async (mail) => mailServer.awaited.then(() => sendMail(mail));
    receiver.answer = () => 410;
    await harness.emit(clientId, 1);
    await until('the end', async () => !(await harness.endpoint(endpoint)).enabled);
    await sleep(second);
    receiver.answer = () => 204;
    await changeEndpoint(harness.database, callerOf(clientId), key.endpointId, { enabled: true });
    await harness.emit(clientId, 2);
    await receiver.untilTaken(1, 5);
    mailServer.come();
    harness.sendMail = sendMail;
    await until('the mail', async () => harness.mailsTo(endpoint)[0]);
    stillHolds(11 * second, () => expect(harness.mailsTo(endpoint)).toHaveLength(1));
  });

  test('When an endpoint that is enabled again is gone again, then it is disabled without a second mail on that day', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver, key } = endpoint;
    receiver.answer = () => 410;
    await harness.emit(clientId, 1);
    await until('the mail', async () => harness.mailsTo(endpoint)[0]);
    await changeEndpoint(harness.database, callerOf(clientId), key.endpointId, { enabled: true });
    await harness.emit(clientId, 2);
    await until('the end', async () => !(await harness.endpoint(endpoint)).enabled);
    stillHolds(15 * second, () => expect(harness.mailsTo(endpoint)).toHaveLength(1));
  });

  test('When a disabled endpoint is deleted later, then no second mail is sent', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver, key } = endpoint;
    receiver.answer = () => 410;
    await harness.emit(clientId, 1);
    await until('the mail', async () => harness.mailsTo(endpoint)[0]);
    await deleteEndpoint(harness.database, callerOf(clientId), key.endpointId);
    stillHolds(15 * second, () => expect(harness.mailsTo(endpoint)).toHaveLength(1));
  });

  test.each([410, 500])(
    'When the client enables an endpoint during an attempt that ends in %i, then its schedule starts again',
    async (status) => {
      const endpoint = await harness.newEndpoint();
      const { clientId, receiver, key } = endpoint;
      const answered = moment();
      receiver.answer = () => answered.awaited.then(() => status);
      const id = await harness.emit(clientId, 1);
      await until('the attempt', async () => receiver.seen[0]);
      await changeEndpoint(harness.database, callerOf(clientId), key.endpointId, { enabled: true });
      receiver.answer = () => 204;
      answered.come();
      await receiver.untilTaken(1, 4);
      expect(idsOf(receiver)).toEqual([id]);
      expect(await harness.endpoint(endpoint)).toMatchObject({ enabled: true, failingSince: null });
    },
  );
});

describe('the attention list', () => {
  test('When an endpoint has failed for most of its five days, then it is listed until it works again', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver } = endpoint;
    receiver.answer = () => 503;
    await harness.untilAttempted(clientId, await harness.emit(clientId, 1));
    await harness.environment.sleep(2.5 * day);
    expect(await listed(endpoint)).toEqual({ list: [], attribute: undefined });
    await harness.environment.sleep(1.7 * day);
    const reason = expect.stringMatching(/^Has only failed since .*; is disabled on /);
    await until('the list', async () => ((await listed(endpoint)).attribute ? true : undefined));
    expect(await listed(endpoint)).toEqual({ list: [['ENDPOINT_FAILING', reason]], attribute: reason });
    receiver.answer = () => 204;
    await harness.workflowOf(endpoint).signal(endpointMessages.retryNow);
    await receiver.untilTaken(1);
    await until('the end', async () => !(await listed(endpoint)).attribute);
    expect((await listed(endpoint)).list).toEqual([]);
  });

  test('When an operator skips the last event of a listed endpoint, then it leaves the list, and its 5 days begin with the next failure', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver } = endpoint;
    receiver.answer = () => 503;
    const only = await harness.emit(clientId, 1);
    await harness.untilAttempted(clientId, only);
    await harness.environment.sleep(4 * day);
    await until('the list', async () => ((await listed(endpoint)).attribute ? true : undefined));
    const skip = { args: [only] as [string] };
    await harness.workflowOf(endpoint).executeUpdate<boolean, [string]>(endpointMessages.skipEvent, skip);
    await until('the end', async () => !(await listed(endpoint)).attribute);
    expect((await listed(endpoint)).list).toEqual([]);
    expect(await harness.endpoint(endpoint)).toMatchObject({ enabled: true, failingSince: null });

    await harness.environment.sleep(3 * day);
    const next = await harness.emit(clientId, 2);
    await harness.untilAttempted(clientId, next);
    receiver.answer = () => 204;
    await harness.environment.sleep(10 * second);
    expect((await receiver.untilTaken(1))[0]?.id).toBe(next);
    expect(await harness.endpoint(endpoint)).toMatchObject({ enabled: true, failingSince: null });
    expect(harness.mailsTo(endpoint)).toEqual([]);
  });

  test.each(['disabled', 'renewed', 'deleted'])(
    'When the client has %s a listed endpoint, then it leaves the list',
    async (change) => {
      const endpoint = await harness.newEndpoint();
      const { clientId, key } = endpoint;
      for (const kind of ['ENDPOINT_FAILING', 'MAIL_UNDELIVERABLE'] as const)
        await raiseAttention(harness.database, { endpointId: key.endpointId }, kind, 'Test');
      if (change === 'deleted') await deleteEndpoint(harness.database, callerOf(clientId), key.endpointId);
      else
        await changeEndpoint(harness.database, callerOf(clientId), key.endpointId, { enabled: change === 'renewed' });
      expect(await attentionOf(endpoint)).toEqual([]);
    },
  );

  test('When the mail server permanently rejects a disabling mail, then the endpoint is listed and the mail is not retried', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver } = endpoint;
    const { sendMail } = harness;
    let tries = 0;
    harness.sendMail = async () => {
      tries++;
      throw new MailNotSent('The mail server answered 550 to RCPT TO', true);
    };
    receiver.answer = () => 410;
    await harness.emit(clientId, 1);
    await until('the list', async () => (await attentionOf(endpoint))[0]);
    expect(await attentionOf(endpoint)).toEqual([['MAIL_UNDELIVERABLE', expect.any(String)]]);
    harness.sendMail = sendMail;
    stillHolds(5 * second, () => expect([tries, harness.mailsTo(endpoint)]).toEqual([1, []]));
  });

  /** The endpoint's reasons on the attention list and in the workflow's search attribute. */
  async function listed(endpoint: TestEndpoint) {
    const { typedSearchAttributes } = await harness.workflowOf(endpoint).describe();
    return { list: await attentionOf(endpoint), attribute: typedSearchAttributes.get(attention) };
  }
});

/** Why the endpoint needs a person, by kind. */
async function attentionOf({ key }: TestEndpoint): Promise<[kind: string, reason: string][]> {
  const found = await sql(harness.database)<{ kind: string; reason: string }>`SELECT kind, reason
       FROM attention WHERE endpoint_id = ${key.endpointId} AND cleared_at IS NULL ORDER BY kind`;
  return found.map(({ kind, reason }) => [kind, reason]);
}

test('When no signing secret opens, then nothing is sent, and the log and the attention list show it', async () => {
  const endpoint = await harness.newEndpoint();
  const { clientId, receiver, key } = endpoint;
  await sql(harness.database)`UPDATE webhook_endpoints SET sealed_secret = '\\x00'
       WHERE id = ${key.endpointId}`;
  const id = await harness.emit(clientId, 1);
  expect(await harness.untilAttempted(clientId, id)).toMatchObject({ error: 'signing secret unreadable' });
  expect(receiver.seen).toEqual([]);
  expect(await attentionOf(endpoint)).toContainEqual([
    'SECRET_UNREADABLE',
    expect.stringContaining('a key is missing or wrong'),
  ]);
  const sealedSecret = harness.sealer.seal(webhookSecret(key.nonce), receiver.secret);
  expect(await rotateSecret(harness.database, callerOf(clientId), key.endpointId, sealedSecret)).toBeDefined();
  await harness.workflowOf(endpoint).signal(endpointMessages.retryNow);
  expect((await receiver.untilTaken(1))[0]?.id).toBe(id);
});

test('When deliveries cannot run, then the attention list shows it, and they resume when they can run', async () => {
  const endpoint = await harness.newEndpoint();
  const { clientId, receiver } = endpoint;
  await sql(harness.database)`ALTER TABLE webhook_previous_secrets RENAME TO hidden`;
  const id = await harness.emit(clientId, 1);
  await until('the workflow', async () =>
    harness
      .workflowOf(endpoint)
      .describe()
      .catch(() => undefined),
  );
  await harness.environment.sleep(10 * 60 * second);
  await until('the list', async () => (await attentionOf(endpoint))[0]);
  const { typedSearchAttributes } = await harness.workflowOf(endpoint).describe();
  expect(typedSearchAttributes.get(attention)).toMatch(/^Deliveries cannot run/);
  await sql(harness.database)`ALTER TABLE hidden RENAME TO webhook_previous_secrets`;
  await harness.environment.sleep(2 * 60 * second);
  expect((await receiver.untilTaken(1))[0]?.id).toBe(id);
  await until('the end of the entry', async () => (await attentionOf(endpoint)).length === 0);
});

describe('a large replay', () => {
  const events = 1_700;

  test('When a replay is requested, then every event comes once, oldest first, and a new event does not wait for all of them', async () => {
    const { clientId, receiver, key } = await harness.newEndpoint();
    await writeEarlierEvents(clientId);
    let late = '';
    receiver.answer = async () => {
      if (receiver.seen.length === 100) late = await harness.emit(clientId, null);
      return 204;
    };
    expect(await replayEvents(harness.database, callerOf(clientId), key.endpointId, new Date(0))).toBe(events);
    await receiver.untilTaken(events + 1, 60);
    stillHolds(2 * second, () => expect(receiver.seen).toHaveLength(events + 1));
    const replayed = receiver.seen;
    expect(new Set(replayed).size).toBe(events + 1);
    expect(replayed.indexOf(late)).toBeLessThan(events / 2);
    const first = await sql(harness.database)<{ id: string }>`SELECT id FROM events
         WHERE client_id = ${clientId} ORDER BY sequence LIMIT 500`;
    expect(new Set(replayed.slice(0, 500))).toEqual(new Set(first.map(({ id }) => id)));
  });

  test('When the endpoint is disabled during the replay, then the remaining events are dropped, even after it is enabled again', async () => {
    const { clientId, receiver, key } = await harness.newEndpoint();
    await writeEarlierEvents(clientId);
    receiver.answer = () => 500;
    await replayEvents(harness.database, callerOf(clientId), key.endpointId, new Date(0));
    await changeEndpoint(harness.database, callerOf(clientId), key.endpointId, { enabled: false });
    receiver.answer = () => 204;
    await changeEndpoint(harness.database, callerOf(clientId), key.endpointId, { enabled: true });
    const id = await harness.emit(clientId, null);
    await until('the new event', async () => receiver.seen.at(-1) === id);
    await sleep(second);
    expect(receiver.seen.at(-1)).toBe(id);
    // Some of the up to 16 x 12 events of the running round may have arrived.
    expect(receiver.taken.length).toBeLessThan(16 * 12 + 20);
  });

  /** Writes events that the client's endpoint has not got, because it was disabled. */
  async function writeEarlierEvents(clientId: number): Promise<void> {
    const enable = 'UPDATE webhook_endpoints SET enabled = $enabled WHERE client_id = $clientId';
    await rows(harness.database, enable, { clientId, enabled: false });
    await sql(harness.database)`INSERT INTO events (client_id, order_id, type, data)
       SELECT ${clientId}, NULL, 'wallet.credited', '{}' FROM generate_series(1, ${events})`;
    await rows(harness.database, enable, { clientId, enabled: true });
  }
});

test('When time has passed after these tests, then no event came a second time', async () => {
  await sleep(Math.max(0, ...later.map(({ at }) => at - Date.now())));
  for (const { holds } of later) holds();
});
