import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { webhookActivities } from '../../activities';
import { firstRow } from '../../src/data/database';
import { addEndpoint, changeEndpoint, deleteEndpoint, findEndpoint } from '../../src/data/webhooks/endpoints';
import {
  attemptsOfEvent,
  deliveriesOfEvent,
  findEvent,
  redeliverEvent,
  replayEvents,
  writeTestEvent,
  type LoggedEvent,
} from '../../src/data/webhooks/events';
import { endpointMessages, endpointWorkflowId, type EndpointKey } from '../../src/domain/webhooks';
import type { Mail } from '../../src/notifications/mail/send';
import { ringDoorbells } from '../../src/notifications/webhooks/doorbell';
import { createWebhookSender } from '../../src/notifications/webhooks/sender';
import { newWebhookSecret } from '../../src/notifications/webhooks/signing';
import { KeyRing } from '../../src/security/key-ring';
import { webhookSecret } from '../../src/security/places';
import { Sealer } from '../../src/security/sealing';
import { searchAttributeTypes } from '../../src/temporal/register-search-attributes';
import { webhooksQueue } from '../../src/temporal/task-queues';
import { newDatabase, type ScratchDatabase } from '../support/scratch-database';
import { Receiver } from '../support/receiver';
import { serverStartLimit, timeSkippingEnvironment } from '../support/time-skipping';
import { until } from '../support/waiting';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The waits of the schedule, in milliseconds; each may be a tenth longer. */
const schedule = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  day,
];

interface TestEndpoint {
  key: EndpointKey;
  clientId: number;
  receiver: Receiver;
}

/** How an event stands with its only endpoint. */
interface EventStanding {
  state: string;
  tries: number;
  /** When it was tried, oldest first, in milliseconds. */
  tried: number[];
}

describe('the workflow of a webhook endpoint', () => {
  const sealer = new Sealer(new KeyRing(`test:${randomBytes(32).toString('base64')}`));
  const sender = createWebhookSender({ allowLoopback: true });
  const mails: Mail[] = [];
  const mailer = { sendMail: async (mail: Mail) => void mails.push(mail) };
  const stopping = new AbortController();
  const receivers: Receiver[] = [];
  let environment: TestWorkflowEnvironment;
  let own: ScratchDatabase;
  let worker: Worker;
  let running: Promise<unknown>;

  beforeAll(async () => {
    [environment, own] = await Promise.all([timeSkippingEnvironment(), newDatabase()]);
    await environment.connection.operatorService.addSearchAttributes({
      searchAttributes: searchAttributeTypes,
    });
    worker = await Worker.create({
      connection: environment.nativeConnection,
      taskQueue: webhooksQueue,
      workflowBundle: { codePath: path.resolve(__dirname, '../../dist/workflow-bundle.js') },
      activities: webhookActivities({ database: own.database, sealer, sender, mailer }),
    });
    const doorbell = { database: own.database, temporal: environment.client, log: pino({ level: 'error' }) };
    running = Promise.all([worker.run(), ringDoorbells(doorbell, stopping.signal)]);
  }, serverStartLimit);

  afterAll(async () => {
    stopping.abort();
    worker.shutdown();
    await running;
    receivers.forEach((receiver) => receiver.close());
    await sender.close();
    await environment.teardown();
    await own.drop();
  });

  /** A client with one endpoint for every type but top-ups'. */
  async function newEndpoint(): Promise<TestEndpoint> {
    const nonce = randomBytes(9).toString('hex');
    const receiver = await Receiver.listen();
    receiver.secret = newWebhookSecret();
    receivers.push(receiver);
    const client = await firstRow<{ id: number }>(
      own.database,
      'INSERT INTO clients (name, contact_email) VALUES ($1, $2) RETURNING id',
      [nonce, `${nonce}@client.example`],
    );
    const { id: clientId } = client as { id: number };
    const settings = { url: receiver.url, description: '', eventTypes: [], enabled: true };
    const sealedSecret = sealer.seal(webhookSecret(nonce), receiver.secret);
    const endpoint = await addEndpoint(own.database, clientId, settings, { nonce, sealedSecret });
    return { key: { endpointId: endpoint?.id ?? 0, nonce }, clientId, receiver };
  }

  /** Writes an event as an order's transaction does; returns its id. */
  async function emit(clientId: number, orderId: number | null, type = 'order.delivered'): Promise<string> {
    const event = await firstRow<{ id: string }>(
      own.database,
      `INSERT INTO events (client_id, order_id, type, data) VALUES ($1, $2, $3, '{"id": 1}') RETURNING id`,
      [clientId, orderId, type],
    );
    return (event as { id: string }).id;
  }

  async function standing(clientId: number, id: string): Promise<EventStanding> {
    const { sequence } = (await findEvent(own.database, clientId, id)) as LoggedEvent;
    const [delivery] = await deliveriesOfEvent(own.database, clientId, sequence);
    const attempts = await attemptsOfEvent(own.database, sequence);
    const tried = attempts.map(({ attemptedAt }) => attemptedAt.getTime()).reverse();
    return { state: delivery?.state ?? 'none', tries: delivery?.tries ?? 0, tried };
  }

  /** Waits in real time, with no time skipped, until the event was tried so often. */
  async function untilTried(clientId: number, id: string, tries: number): Promise<EventStanding> {
    return until(`try ${tries} of ${id}`, async () => {
      const event = await standing(clientId, id);
      return event.tried.length >= tries ? event : undefined;
    });
  }

  const workflowOf = ({ key }: TestEndpoint) =>
    environment.client.workflow.getHandle(endpointWorkflowId(key));
  const idsOf = ({ taken }: Receiver) => taken.map((event) => event.id);

  function expectSchedule(tried: number[], waits: number[]): void {
    waits.forEach((wait, index) => {
      const waited = (tried[index + 1] as number) - (tried[index] as number);
      expect(waited).toBeGreaterThanOrEqual(wait);
      expect(waited).toBeLessThanOrEqual(wait * 1.1 + 2 * second);
    });
  }

  test('When events come, then each is sent once, those of an order in their order', async () => {
    const { clientId, receiver } = await newEndpoint();
    const ids: string[] = [];
    for (const orderId of [1, 2, 1, null, 2, 1]) ids.push(await emit(clientId, orderId));
    await receiver.untilTaken(6);
    await sleep(500);
    expect(idsOf(receiver).sort()).toEqual([...ids].sort());
    expect(idsOf(receiver).filter((id) => [ids[0], ids[2], ids[5]].includes(id))).toEqual([
      ids[0],
      ids[2],
      ids[5],
    ]);
    expect(idsOf(receiver).filter((id) => [ids[1], ids[4]].includes(id))).toEqual([ids[1], ids[4]]);
    expect(receiver.faults).toEqual([]);
  });

  test('When an endpoint is down for four days, then one event is tried by the schedule, and once it is back everything follows, oldest first', async () => {
    const endpoint = await newEndpoint();
    const { clientId, receiver, key } = endpoint;
    receiver.answer = () => 503;
    const ids = [await emit(clientId, 1)];
    await untilTried(clientId, ids[0] as string, 1);
    for (const orderId of [1, 2, 3]) ids.push(await emit(clientId, orderId));
    await environment.sleep(4 * day);

    const events = await Promise.all(ids.map((id) => standing(clientId, id)));
    expectSchedule((events[0] as EventStanding).tried.slice(0, 3), schedule.slice(0, 2));
    const allTried = events.flatMap(({ tried }) => tried).sort((a, b) => a - b);
    expectSchedule(allTried, schedule);
    expect(await findEndpoint(own.database, clientId, key.endpointId)).toMatchObject({
      enabled: true,
      failingSince: expect.any(Date),
    });

    receiver.answer = () => 200;
    await environment.sleep(day * 1.2);
    await receiver.untilTaken(4);
    const [probe, ...released] = idsOf(receiver);
    expect(released).toEqual(ids.filter((id) => id !== probe));
    expect(await findEndpoint(own.database, clientId, key.endpointId)).toMatchObject({ failingSince: null });
  });

  test('When an endpoint is down for a week, then it is disabled with one mail, and a replay brings everything', async () => {
    const { clientId, receiver, key } = await newEndpoint();
    receiver.answer = () => 500;
    const ids = [await emit(clientId, 7), await emit(clientId, 8)];
    await untilTried(clientId, ids[0] as string, 1);
    await environment.sleep(7 * day);
    const disabled = { enabled: false, disabledReason: 'FAILING' };
    expect(await findEndpoint(own.database, clientId, key.endpointId)).toMatchObject(disabled);
    const toClient = mails.filter((mail) => mail.to === `${key.nonce}@client.example`);
    expect(toClient).toHaveLength(1);
    expect(toClient[0]?.text).toContain(receiver.url);
    for (const id of ids) expect((await standing(clientId, id)).state).toBe('FAILED');
    ids.push(await emit(clientId, 9));

    receiver.answer = () => 200;
    await changeEndpoint(own.database, clientId, key.endpointId, { enabled: true });
    expect(await replayEvents(own.database, clientId, key.endpointId, new Date(0))).toBe(3);
    await receiver.untilTaken(3);
    expect(idsOf(receiver).sort()).toEqual([...ids].sort());
  });

  test('When an endpoint says that it is gone, then it is disabled at once, with a mail', async () => {
    const endpoint = await newEndpoint();
    const { clientId, receiver, key } = endpoint;
    receiver.answer = () => 410;
    await emit(clientId, 1);
    await workflowResult(endpoint);
    const disabled = { enabled: false, disabledReason: 'GONE' };
    expect(await findEndpoint(own.database, clientId, key.endpointId)).toMatchObject(disabled);
    expect(mails.filter((mail) => mail.to === `${key.nonce}@client.example`)).toHaveLength(1);
  });

  test('When the endpoint asks for time, then it gets it', async () => {
    const { clientId, receiver } = await newEndpoint();
    receiver.answer = () => ({ status: 429, retryAfter: 3_600 });
    const id = await emit(clientId, 1);
    await untilTried(clientId, id, 1);
    receiver.answer = () => 200;
    await environment.sleep(2 * hour);
    await receiver.untilTaken(1);
    expectSchedule((await standing(clientId, id)).tried, [hour]);
  });

  test('When one event alone is refused, then the others are not held up by it, and it is given up in the end', async () => {
    const { clientId, receiver, key } = await newEndpoint();
    const poison = await emit(clientId, 1, 'order.failed');
    receiver.answer = ({ id }) => (id === poison ? 500 : 200);
    await untilTried(clientId, poison, 1);
    await environment.sleep(10 * minute);
    expect((await standing(clientId, poison)).tries).toBeGreaterThanOrEqual(3);
    const follower = await emit(clientId, 1);
    await receiver.untilTaken(1);
    expect(idsOf(receiver)).toEqual([follower]);
    await environment.sleep(4 * day);
    expect(await standing(clientId, poison)).toMatchObject({ state: 'FAILED', tries: 10 });
    expect(await findEndpoint(own.database, clientId, key.endpointId)).toMatchObject({ enabled: true });
    const late = await emit(clientId, 2);
    await receiver.untilTaken(2);
    expect(idsOf(receiver)).toEqual([follower, late]);
  });

  test('When an event of an order is to be tried again, then those after it wait for it', async () => {
    const { clientId, receiver } = await newEndpoint();
    let refusals = 1;
    receiver.answer = ({ type }) => (type === 'wallet.debited' && refusals-- > 0 ? 503 : 200);
    const ids = [await emit(clientId, 1, 'wallet.debited'), await emit(clientId, 1), await emit(clientId, 2)];
    await environment.sleep(10 * second);
    await receiver.untilTaken(3);
    const ofOrder = idsOf(receiver).filter((id) => id !== ids[2]);
    expect(ofOrder).toEqual(ids.slice(0, 2));
  });

  test('When something is asked for while the endpoint fails, then it is sent at once, and success releases the rest', async () => {
    const { clientId, receiver, key } = await newEndpoint();
    receiver.answer = () => 503;
    const waiting = await emit(clientId, 1);
    await untilTried(clientId, waiting, 1);
    await environment.sleep(2 * hour);
    const triedBefore = (await standing(clientId, waiting)).tried.length;
    const refused = await writeTestEvent(own.database, clientId, key.endpointId);
    await untilTried(clientId, refused?.id as string, 1);
    expect((await standing(clientId, waiting)).tried).toHaveLength(triedBefore);

    receiver.answer = () => 200;
    const event = (await findEvent(own.database, clientId, waiting)) as LoggedEvent;
    expect(await redeliverEvent(own.database, clientId, event)).toEqual([key.endpointId]);
    await receiver.untilTaken(2);
    expect(idsOf(receiver)).toEqual([waiting, refused?.id]);
  });

  test('When an operator pauses, resumes, retries and skips, then the endpoint obeys', async () => {
    const endpoint = await newEndpoint();
    const { clientId, receiver } = endpoint;
    await emit(clientId, 1);
    await receiver.untilTaken(1);
    const workflow = workflowOf(endpoint);
    await workflow.signal(endpointMessages.pause);
    await until('the pause', async () => ((await isPaused(endpoint)) ? true : undefined));
    const skipped = await emit(clientId, 2);
    const kept = await emit(clientId, 3);
    await sleep(2 * second);
    expect(receiver.taken).toHaveLength(1);
    const skip = (id: string) =>
      workflow.executeUpdate<boolean, [string]>(endpointMessages.skipEvent, { args: [id] });
    expect(await skip(skipped)).toBe(true);
    expect(await skip(skipped)).toBe(false);
    await workflow.signal(endpointMessages.resume);
    await receiver.untilTaken(2);
    expect(receiver.taken[1]?.id).toBe(kept);
    expect((await standing(clientId, skipped)).state).toBe('SKIPPED');

    receiver.answer = () => 503;
    const stuck = await emit(clientId, 4);
    await untilTried(clientId, stuck, 1);
    await environment.sleep(hour);
    receiver.answer = () => 200;
    await workflow.signal(endpointMessages.retryNow);
    await receiver.untilTaken(3);
  });

  test('When nothing is left that a failing endpoint could be tried with, then it rests until there is', async () => {
    const endpoint = await newEndpoint();
    const { clientId, receiver } = endpoint;
    receiver.answer = () => 503;
    const only = await emit(clientId, 1);
    await untilTried(clientId, only, 1);
    const workflow = workflowOf(endpoint);
    await workflow.executeUpdate<boolean, [string]>(endpointMessages.skipEvent, { args: [only] });
    await environment.sleep(day);
    expect((await workflow.describe()).historyLength).toBeLessThan(60);
    receiver.answer = () => 200;
    await emit(clientId, 2);
    await receiver.untilTaken(1);
  });

  test('When the client disables or deletes an endpoint, then its workflow ends with the next sweep', async () => {
    const [disabled, deleted] = [await newEndpoint(), await newEndpoint()];
    for (const { clientId, receiver } of [disabled, deleted]) {
      await emit(clientId, 1);
      await receiver.untilTaken(1);
    }
    await changeEndpoint(own.database, disabled.clientId, disabled.key.endpointId, { enabled: false });
    await deleteEndpoint(own.database, deleted.clientId, deleted.key.endpointId);
    await Promise.all([disabled, deleted].map(workflowResult));
    expect(mails.some(({ to }) => to.startsWith(disabled.key.nonce))).toBe(false);
  });

  test('When a workflow was ended by an operator, then the next sweep begins it anew', async () => {
    const endpoint = await newEndpoint();
    const { clientId, receiver } = endpoint;
    receiver.answer = () => null;
    await emit(clientId, 1);
    await until('the workflow', async () =>
      workflowOf(endpoint)
        .describe()
        .catch(() => undefined),
    );
    await workflowOf(endpoint).terminate('test');
    receiver.answer = () => 200;
    await receiver.untilTaken(1, 60);
  });

  async function workflowResult(endpoint: TestEndpoint): Promise<void> {
    await until('the workflow', async () =>
      workflowOf(endpoint)
        .describe()
        .catch(() => undefined),
    );
    await workflowOf(endpoint).result();
  }

  async function isPaused({ key }: TestEndpoint): Promise<boolean> {
    const row = await firstRow<{ paused: boolean }>(
      own.database,
      'SELECT paused FROM webhook_endpoints WHERE id = $1',
      [key.endpointId],
    );
    return row?.paused === true;
  }
});
