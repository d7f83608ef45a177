/** What a client changes or requests while events are being sent to its endpoint. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../dev/testbed/sql';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { register, useReceivers, type Receiver, type Registered } from '../support/receiver';
import type { Json } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

const endpointsPath = '/api/v1/webhooks/endpoints';
const eventsPath = '/api/v1/webhooks/events';

const database = useDatabase();
const newReceiver = useReceivers();

const lowBalance = { wallet_id: 1, balance: '1.00', available: '1.00', threshold: '5.00', currency: 'USD' };

/** Writes events that are due at once. Each can be sent concurrently with the others. */
async function writeEvents(clientId: number, count: number): Promise<void> {
  await sql(database)`INSERT INTO events (client_id, type, data)
     SELECT ${clientId}, 'wallet.low_balance', ${JSON.stringify(lowBalance)}::jsonb FROM generate_series(1, ${count})`;
}

const firstAttempt = ({ seen }: Receiver) => until('an attempt', async () => seen[0]);

/** A response that waits until it is released. */
function heldAnswer<T>(answer: T): { release: () => void; answered: Promise<T> } {
  let release = () => undefined as void;
  const answered = new Promise<T>((resolve) => (release = () => resolve(answer)));
  return { release, answered };
}

describe('a change of an endpoint while its events are being sent', () => {
  /** Sixteen are sent at a time, so they take four seconds. */
  const events = 64;
  /** No attempt for the earlier state begins later than this after the change. */
  const latestMs = 1_500;

  interface Sending {
    client: OwnClient;
    slow: Receiver;
    endpoint: Registered;
    path: string;
  }

  /** An endpoint that answers after a second, and that has got its first events. */
  async function sending(): Promise<Sending> {
    const [client, slow] = [await newClient(database, {}), await newReceiver()];
    const endpoint = await register(client.api, slow);
    slow.answer = () => sleep(1_000, 204);
    await writeEvents(client.id, events);
    await firstAttempt(slow);
    return { client, slow, endpoint, path: `${endpointsPath}/${endpoint.id}` };
  }

  const arrivedAfter = ({ taken }: Receiver, moment: number) => taken.filter(({ at }) => at > moment);

  test.concurrent('When the URL is changed, then the new URL gets every event that the old URL has not got', async () => {
    const next = await newReceiver();
    const { client, slow, endpoint, path } = await sending();
    next.secret = endpoint.secret;
    expect((await client.api.patch(path, { url: next.url })).status).toBe(200);
    const changedAt = Date.now();
    const arrived = () =>
      [...slow.taken, ...next.taken].filter(({ type }) => type !== 'webhook.test').map(({ id }) => id);
    await until('every event', async () => arrived().length >= events);
    expect(arrivedAfter(slow, changedAt + latestMs)).toEqual([]);
    expect(new Set(arrived()).size).toBe(events);
  });

  const stops = {
    disabled: ({ client, path }: Sending) => client.api.patch(path, { enabled: false }),
    deleted: ({ client, path }: Sending) => client.api.send(path, { method: 'DELETE' }),
    paused: ({ endpoint: { id } }: Sending) =>
      sql(database)`UPDATE webhook_endpoints SET paused = true WHERE id = ${id}`,
  };
  test.concurrent.each(Object.entries(stops))(
    'When the endpoint is %s, then it gets no further event',
    async (_change, stop) => {
      const endpoint = await sending();
      await stop(endpoint);
      const stoppedAt = Date.now();
      await sleep(3_500);
      expect(arrivedAfter(endpoint.slow, stoppedAt + latestMs)).toEqual([]);
      expect(endpoint.slow.taken.length).toBeLessThan(events);
    },
  );

  test.concurrent('When the secret is rotated, then the new secret signs the remaining events', async () => {
    const { client, slow, path } = await sending();
    const { body } = await client.api.post<{ secret: string }>(`${path}/secret/rotate`, undefined);
    await sleep(latestMs);
    slow.secret = body.secret;
    await slow.untilTaken(events);
    expect(slow.faults).toEqual([]);
  });
});

describe('a request while its event is being sent', () => {
  const requests = {
    redelivery: ({ api }: OwnClient, _endpointId: number, eventId: string) =>
      api.post(`${eventsPath}/${eventId}/redeliver`, undefined),
    replay: ({ api }: OwnClient, endpointId: number) =>
      api.post(`${endpointsPath}/${endpointId}/replay`, { since: '2020-01-01T00:00:00Z' }),
  };
  const cases = Object.entries(requests).flatMap(([name, request]) =>
    [204, 503].map((status) => [name, status, request] as const),
  );

  test.concurrent.each(cases)(
    'When a client requests a %s during an attempt that ends in %i, then the event is sent again at once',
    async (_name, status, request) => {
      const [client, receiver] = [await newClient(database, {}), await newReceiver()];
      const { id } = await register(client.api, receiver, { event_types: ['wallet.low_balance'] });
      const held = heldAnswer({ status, retryAfter: 3_600 });
      receiver.answer = () => held.answered;
      await writeEvents(client.id, 1);
      const event = await firstAttempt(receiver);
      receiver.answer = () => 204;
      expect((await request(client, id, event)).status).toBe(202);
      held.release();
      await until('the second attempt', async () => receiver.seen[1], 8);
      const path = `${eventsPath}/${event}`;
      const delivered = await until('the delivery', async () => {
        const { body } = await client.api.get<{ deliveries: Json[]; attempts: Json[] }>(path);
        return body.deliveries[0]?.['status'] === 'DELIVERED' ? body : undefined;
      });
      expect(delivered.attempts.map((attempt) => attempt['response_status'])).toEqual([204, status]);
      expect(receiver.seen).toEqual([event, event]);
    },
  );

  test.concurrent('When the client enables the endpoint while one event fails and another succeeds, then the failed one is sent again at once', async () => {
    const [client, receiver] = [await newClient(database, {}), await newReceiver()];
    const { id } = await register(client.api, receiver);
    const held = heldAnswer({ status: 503, retryAfter: 3_600 });
    receiver.answer = (event) => (event.id === receiver.seen[0] ? held.answered : 204);
    await writeEvents(client.id, 2);
    await receiver.untilTaken(1);
    receiver.answer = () => 204;
    await client.api.patch(`${endpointsPath}/${id}`, { enabled: true });
    held.release();
    await receiver.untilTaken(2, 8);
  });
});
