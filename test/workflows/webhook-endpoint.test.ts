import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../dev/testbed/sql';
import { changeEndpoint, deleteEndpoint, findEndpoint } from '../../src/data/webhooks/endpoints';
import { findEvent, type LoggedEvent } from '../../src/data/webhooks/events';
import { redeliverEvent, replayEvents, writeTestEvent } from '../../src/data/webhooks/redelivery';
import { endpointMessages } from '../../src/domain/webhooks/delivery-rules';
import { callerOf } from '../support/callers';
import { EndpointHarness, idsOf, type EventProgress, type TestEndpoint } from '../support/endpoint-harness';
import { serverStartLimit } from '../support/time-skipping';
import { until } from '../../dev/testbed/waiting';
import { detailsOf } from '../support/workflows';
import { day, hour, minute, second } from '../../src/domain/time';

/** The pauses between attempts, in milliseconds. Each may be up to 10 % longer. */
const schedule = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, day];

describe('the workflow of a webhook endpoint', () => {
  let harness: EndpointHarness;
  beforeAll(async () => {
    harness = await EndpointHarness.start();
  }, serverStartLimit);
  afterAll(() => harness.stop());

  function expectSchedule(tried: number[], waits: number[]): void {
    waits.forEach((wait, index) => {
      const waited = (tried[index + 1] as number) - (tried[index] as number);
      expect(waited).toBeGreaterThanOrEqual(wait);
      expect(waited).toBeLessThanOrEqual(wait * 1.1 + 2 * second);
    });
  }

  test('When events arrive, then each is sent once, and events of one order are sent in sequence', async () => {
    const { clientId, receiver } = await harness.newEndpoint();
    const ids: string[] = [];
    for (const orderId of [1, 2, 1, null, 2, 1]) ids.push(await harness.emit(clientId, orderId));
    await receiver.untilTaken(6);
    await sleep(500);
    expect(idsOf(receiver).sort()).toEqual([...ids].sort());
    expect(idsOf(receiver).filter((id) => [ids[0], ids[2], ids[5]].includes(id))).toEqual([ids[0], ids[2], ids[5]]);
    expect(idsOf(receiver).filter((id) => [ids[1], ids[4]].includes(id))).toEqual([ids[1], ids[4]]);
    expect(receiver.faults).toEqual([]);
  });

  test('When an endpoint is down for four days, then one event is retried by the schedule, and after recovery all events follow, oldest first', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver, key } = endpoint;
    receiver.answer = () => 503;
    const ids = [await harness.emit(clientId, 1)];
    await harness.untilAttempted(clientId, ids[0] as string);
    for (const orderId of [1, 2, 3]) ids.push(await harness.emit(clientId, orderId));
    await harness.environment.sleep(4 * day);

    const events = await Promise.all(ids.map((id) => harness.progress(clientId, id)));
    expectSchedule((events[0] as EventProgress).attemptedAt.slice(0, 3), schedule.slice(0, 2));
    const allTried = events.flatMap(({ attemptedAt }) => attemptedAt).sort((a, b) => a - b);
    expectSchedule(allTried, schedule);
    expect(await findEndpoint(harness.database, clientId, key.endpointId)).toMatchObject({
      enabled: true,
      failingSince: expect.any(Date),
    });

    receiver.answer = () => 200;
    await harness.environment.sleep(day * 1.2);
    await receiver.untilTaken(4);
    const [probe, ...released] = idsOf(receiver);
    expect(released).toEqual(ids.filter((id) => id !== probe));
    expect(await findEndpoint(harness.database, clientId, key.endpointId)).toMatchObject({ failingSince: null });
  });

  test('When an endpoint is down for a week, then it is disabled with one mail, and a replay delivers every event', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver, key } = endpoint;
    receiver.answer = () => 500;
    const ids = [await harness.emit(clientId, 7), await harness.emit(clientId, 8)];
    await harness.untilAttempted(clientId, ids[0] as string);
    await harness.environment.sleep(7 * day);
    const disabled = { enabled: false, disabledReason: 'FAILING' };
    expect(await findEndpoint(harness.database, clientId, key.endpointId)).toMatchObject(disabled);
    const mail = await until('the mail', async () => harness.mailsTo(endpoint)[0]);
    expect(mail.text).toContain(receiver.url.replace('key=value', 'key=…'));
    for (const id of ids) expect((await harness.progress(clientId, id)).state).toBe('FAILED');
    ids.push(await harness.emit(clientId, 9));

    receiver.answer = () => 200;
    await changeEndpoint(harness.database, callerOf(clientId), key.endpointId, { enabled: true });
    expect(await replayEvents(harness.database, callerOf(clientId), key.endpointId, new Date(0))).toBe(3);
    await receiver.untilTaken(3);
    expect(idsOf(receiver).sort()).toEqual([...ids].sort());
    expect(harness.mailsTo(endpoint)).toHaveLength(1);
  });

  test('When an endpoint answers 410, then it is disabled immediately, with a mail', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver, key } = endpoint;
    receiver.answer = () => 410;
    await harness.emit(clientId, 1);
    await workflowResult(endpoint);
    const disabled = { enabled: false, disabledReason: 'GONE' };
    expect(await findEndpoint(harness.database, clientId, key.endpointId)).toMatchObject(disabled);
    await until('the mail', async () => harness.mailsTo(endpoint)[0]);
  });

  test('When the endpoint sends Retry-After, then the sender waits that long', async () => {
    const { clientId, receiver } = await harness.newEndpoint();
    receiver.answer = () => ({ status: 429, retryAfter: 3_600 });
    const id = await harness.emit(clientId, 1);
    await harness.untilAttempted(clientId, id);
    receiver.answer = () => 200;
    await harness.environment.sleep(2 * hour);
    await receiver.untilTaken(1);
    expectSchedule((await harness.progress(clientId, id)).attemptedAt, [hour]);
  });

  test('When one event is rejected, then it does not delay the others, and its attempts end', async () => {
    const { clientId, receiver, key } = await harness.newEndpoint();
    const poison = await harness.emit(clientId, 1, 'order.failed');
    receiver.answer = ({ id }) => (id === poison ? 500 : 200);
    await harness.untilAttempted(clientId, poison);
    await harness.environment.sleep(10 * minute);
    expect((await harness.progress(clientId, poison)).attempts).toBeGreaterThanOrEqual(3);
    const follower = await harness.emit(clientId, 1);
    await receiver.untilTaken(1);
    expect(idsOf(receiver)).toEqual([follower]);
    await harness.environment.sleep(4 * day);
    expect(await harness.progress(clientId, poison)).toMatchObject({ state: 'FAILED', attempts: 10 });
    const working = { enabled: true, failingSince: null };
    expect(await findEndpoint(harness.database, clientId, key.endpointId)).toMatchObject(working);
    const late = await harness.emit(clientId, 2);
    await receiver.untilTaken(2);
    expect(idsOf(receiver)).toEqual([follower, late]);
  });

  test('When an event of an order waits for a retry, then the later events of the order wait for it', async () => {
    const { clientId, receiver } = await harness.newEndpoint();
    let refusals = 1;
    receiver.answer = ({ type }) => (type === 'wallet.debited' && refusals-- > 0 ? 503 : 200);
    const ids = [
      await harness.emit(clientId, 1, 'wallet.debited'),
      await harness.emit(clientId, 1),
      await harness.emit(clientId, 2),
    ];
    await harness.environment.sleep(10 * second);
    await receiver.untilTaken(3);
    const ofOrder = idsOf(receiver).filter((id) => id !== ids[2]);
    expect(ofOrder).toEqual(ids.slice(0, 2));
  });

  test('When a delivery is requested while the endpoint fails, then it is sent immediately, and its success releases the rest', async () => {
    const { clientId, receiver, key } = await harness.newEndpoint();
    receiver.answer = () => 503;
    const waiting = await harness.emit(clientId, 1);
    await harness.untilAttempted(clientId, waiting);
    await harness.environment.sleep(2 * hour);
    const triedBefore = (await harness.progress(clientId, waiting)).attemptedAt.length;
    const refused = await writeTestEvent(harness.database, clientId, key.endpointId);
    await harness.untilAttempted(clientId, refused?.id as string);
    expect((await harness.progress(clientId, waiting)).attemptedAt).toHaveLength(triedBefore);

    receiver.answer = () => 200;
    const event = (await findEvent(harness.database, clientId, waiting)) as LoggedEvent;
    expect(await redeliverEvent(harness.database, callerOf(clientId), event)).toEqual([key.endpointId]);
    await receiver.untilTaken(2);
    expect(idsOf(receiver)).toEqual([waiting, refused?.id]);
  });

  test('When an operator sends pause, resume, retry or skip, then the workflow executes it', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver } = endpoint;
    await harness.emit(clientId, 1);
    await receiver.untilTaken(1);
    const workflow = harness.workflowOf(endpoint);
    await workflow.signal(endpointMessages.pause);
    await until('the pause', async () => await isPaused(endpoint));
    const details = await until('its details', async () => {
      const text = await detailsOf(workflow);
      return text.includes('**Needs attention:**') ? text : undefined;
    });
    expect(details).toContain('**Paused by an operator: all events wait**');
    expect(details).toContain('- Next attempt: none while paused');
    const skipped = await harness.emit(clientId, 2);
    const kept = await harness.emit(clientId, 3);
    await sleep(2 * second);
    expect(receiver.taken).toHaveLength(1);
    const skip = (id: unknown) =>
      workflow.executeUpdate<boolean, [unknown]>(endpointMessages.skipEvent, { args: [id] });
    const rejected = { cause: { message: expect.stringContaining('needs its id') as string } };
    await expect(workflow.executeUpdate(endpointMessages.skipEvent)).rejects.toMatchObject(rejected);
    for (const id of [{ id: skipped }, 'evt_\0']) await expect(skip(id)).rejects.toMatchObject(rejected);
    expect(await skip(skipped)).toBe(true);
    expect(await skip(skipped)).toBe(false);
    await workflow.signal(endpointMessages.resume);
    await receiver.untilTaken(2);
    expect(receiver.taken[1]?.id).toBe(kept);
    expect((await harness.progress(clientId, skipped)).state).toBe('SKIPPED');

    receiver.answer = () => 503;
    const stuck = await harness.emit(clientId, 4);
    await harness.untilAttempted(clientId, stuck);
    await harness.environment.sleep(hour);
    receiver.answer = () => 200;
    await workflow.signal(endpointMessages.retryNow);
    await receiver.untilTaken(3);
  });

  test('When a failing endpoint has no event left to retry, then it makes no attempt until a new event arrives', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver } = endpoint;
    receiver.answer = () => 503;
    const only = await harness.emit(clientId, 1);
    await harness.untilAttempted(clientId, only);
    const workflow = harness.workflowOf(endpoint);
    await workflow.executeUpdate<boolean, [string]>(endpointMessages.skipEvent, { args: [only] });
    await harness.environment.sleep(day);
    expect((await workflow.describe()).historyLength).toBeLessThan(60);
    receiver.answer = () => 200;
    await harness.emit(clientId, 2);
    await receiver.untilTaken(1);
  });

  test('When the client disables or deletes an endpoint, then its workflow ends with the next sweep', async () => {
    const [disabled, deleted] = [await harness.newEndpoint(), await harness.newEndpoint()];
    for (const { clientId, receiver } of [disabled, deleted]) {
      await harness.emit(clientId, 1);
      await receiver.untilTaken(1);
    }
    await changeEndpoint(harness.database, callerOf(disabled.clientId), disabled.key.endpointId, { enabled: false });
    await deleteEndpoint(harness.database, callerOf(deleted.clientId), deleted.key.endpointId);
    await Promise.all([disabled, deleted].map(workflowResult));
    expect(harness.mailsTo(disabled).length > 0).toBe(false);
  });

  test('When an operator has terminated a workflow, then the next sweep starts it again', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver } = endpoint;
    receiver.answer = () => null;
    await harness.emit(clientId, 1);
    await until('the workflow', async () =>
      harness
        .workflowOf(endpoint)
        .describe()
        .catch(() => undefined),
    );
    await harness.workflowOf(endpoint).terminate('test');
    receiver.answer = () => 200;
    await receiver.untilTaken(1, 60);
  });

  async function workflowResult(endpoint: TestEndpoint): Promise<void> {
    await until('the workflow', async () =>
      harness
        .workflowOf(endpoint)
        .describe()
        .catch(() => undefined),
    );
    await harness.workflowOf(endpoint).result();
  }

  async function isPaused({ key }: TestEndpoint): Promise<boolean> {
    const row = await sql.first(harness.database)<{ paused: boolean }>`SELECT paused FROM webhook_endpoints
         WHERE id = ${key.endpointId}`;
    return row?.paused === true;
  }
});
