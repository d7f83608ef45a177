import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { newClient, type OwnClient } from '../support/clients';
import {
  apiAs,
  apiWithoutToken,
  invalidQuery,
  notFound,
  refusal,
  validation,
  type Answer,
  type ApiClient,
  type ErrorBody,
  type Json,
} from '../support/stack';
import { register, useReceivers, type Received } from '../support/receiver';
import { lockWaits, waitingStatements } from '../support/lock-waits';
import { until } from '../../dev/testbed/waiting';
import { sql } from '../../dev/testbed/sql';
import { fund } from '../../dev/testbed/clients';
import { useDatabase } from '../support/clients';
import { ownMoment } from '../../src/domain/time';

const endpointsPath = '/api/v1/webhooks/endpoints';
const eventsPath = '/api/v1/webhooks/events';

interface EndpointBody extends Json {
  id: number;
  secret: string;
}
interface EventBody extends Json {
  id: string;
  type: string;
  deliveries: { endpoint_id: number; status: string; tries: number; next_try_at: string | null }[];
  attempts: {
    endpoint_id: number;
    duration_ms: number;
    success: boolean;
    response_status: number | null;
    error: string | null;
  }[];
}

const database = useDatabase();
const newReceiver = useReceivers();

/** The event once its delivery is no longer pending. */
async function settled(api: ApiClient, id: string): Promise<EventBody> {
  for (let look = 0; look < 100; look++) {
    const { body } = await api.get<EventBody>(`${eventsPath}/${id}`);
    if (body.deliveries.every(({ status }) => status !== 'PENDING')) return body;
    await sleep(100);
  }
  throw new Error(`Event ${id} is still pending`);
}

describe('webhook endpoints', () => {
  let client: OwnClient;
  let api: ApiClient;
  beforeAll(async () => {
    client = await newClient(database, { USD: 100 });
    api = client.api;
  });

  test('When an endpoint is registered, then only the response to the registration has its secret', async () => {
    const receiver = await newReceiver();
    const answer = await api.post<EndpointBody>(endpointsPath, { url: receiver.url });
    const shown = {
      id: expect.any(Number),
      url: receiver.url,
      description: '',
      event_types: [],
      enabled: true,
      disabled_reason: null,
      failing_since: null,
      verified_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    };
    expect(answer).toMatchObject({ status: 201, body: { ...shown, secret: expect.stringMatching(/^whsec_/) } });
    const path = `${endpointsPath}/${answer.body.id}`;
    expect(answer.headers.get('location')).toBe(path);
    expect((await api.get(path)).body).toEqual(shown);
    expect((await api.get<Json[]>(endpointsPath)).body).toContainEqual(shown);
    expect((await api.get(`${path}/secret`)).body).toEqual({
      secret: answer.body.secret,
      previous_secret_valid_until: null,
    });
  });

  test('When an endpoint is changed, then only the given fields change', async () => {
    const { id } = await register(api, await newReceiver(), { description: 'Shop', event_types: ['order.failed'] });
    const path = `${endpointsPath}/${id}`;
    const { body } = await api.patch(path, { event_types: ['topup.delivered', 'order.delivered'] });
    expect(body).toMatchObject({ description: 'Shop', event_types: ['topup.delivered', 'order.delivered'] });
    expect((await api.patch(path, { enabled: false })).body).toMatchObject({ enabled: false, disabled_reason: null });
    expect((await api.patch(path, {})).body).toMatchObject({ enabled: false, description: 'Shop' });
    expect((await api.get(path)).body).toMatchObject({ enabled: false });
  });

  test('When an endpoint is deleted, then reads return 404 and lists omit it', async () => {
    const { id } = await register(api, await newReceiver());
    const path = `${endpointsPath}/${id}`;
    const answer = await api.send(path, { method: 'DELETE' });
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect(await api.get(path)).toMatchObject(notFound('Endpoint'));
    expect(await api.send(path, { method: 'DELETE' })).toMatchObject(notFound('Endpoint'));
    expect((await api.get<Json[]>(endpointsPath)).body.some((endpoint) => endpoint['id'] === id)).toBe(false);
  });

  test("When an endpoint or event is another client's, then the response equals that for an unknown id", async () => {
    const { id } = await register(api, await newReceiver());
    const { body: event } = await api.post<EventBody>(`${endpointsPath}/${id}/test`, undefined);
    const other = apiAs('other');
    for (const someId of [id, 2_147_483_647]) {
      const path = `${endpointsPath}/${someId}`;
      const answers: Answer<ErrorBody>[] = [
        await other.get(path),
        await other.patch(path, { enabled: false }),
        await other.send(path, { method: 'DELETE' }),
        await other.get(`${path}/secret`),
        await other.post(`${path}/secret/rotate`, undefined),
        await other.post(`${path}/test`, undefined),
        await other.post(`${path}/replay`, { since: '2026-01-01T00:00:00Z' }),
      ];
      for (const answer of answers) expect(answer).toMatchObject(notFound('Endpoint'));
    }
    for (const someId of [event.id, `evt_${'0'.repeat(32)}`, 'evt_1', '%00', "'"]) {
      expect(await other.get(`${eventsPath}/${someId}`)).toMatchObject(notFound('Event'));
      expect(await other.post(`${eventsPath}/${someId}/redeliver`, undefined)).toMatchObject(notFound('Event'));
    }
    expect(await api.get(`${endpointsPath}/${id}`)).toMatchObject({ status: 200, body: { enabled: true } });
  });

  test('When a request has no token, then it is rejected', async () => {
    for (const path of [endpointsPath, `${endpointsPath}/1`, eventsPath, `${eventsPath}/evt_1`]) {
      expect((await apiWithoutToken().get(path)).status).toBe(401);
    }
  });

  test.each<[unknown, string]>([
    [{}, 'url is required'],
    [{ url: '' }, 'url is required'],
    [{ url: 5 }, 'url is invalid'],
    [{ url: null }, 'url is invalid'],
    [{ url: 'example.com' }, 'url is invalid'],
    [{ url: 'https://exa mple.com' }, 'url is invalid'],
    [{ url: 'ftp://example.com' }, 'url must begin with https:// or http://'],
    [{ url: 'https://me:secret@example.com' }, 'url must not contain credentials'],
    [{ url: 'http://10.0.0.1/' }, 'url must lead to a public address'],
    [{ url: 'http://[::ffff:169.254.169.254]/' }, 'url must lead to a public address'],
    [{ url: `https://example.com/${'a'.repeat(2_048)}` }, 'url is too long (max 2048 characters)'],
    [{ url: 'https://example.com', event_types: 'all' }, 'event_types must be a list of event types'],
    [{ url: 'https://example.com', event_types: ['order.completion'] }, 'event_types holds an unknown type'],
    [{ url: 'https://example.com', event_types: ['webhook.test'] }, 'event_types holds an unknown type'],
    [{ url: 'https://example.com', event_types: [7] }, 'event_types holds an unknown type'],
    [{ url: 'https://example.com', event_types: ['order.failed', 'order.failed'] }, 'event_types holds a type twice'],
    [{ url: 'https://example.com', description: 7 }, 'description is invalid'],
    ...['a\0b', 'a\ud800b', 'a\nb', 'a\u001b[2Jb', 'a\u202eb', 'a\u2028b'].map((description): [object, string] => [
      { url: 'https://example.com', description },
      'description is invalid',
    ]),
    [{ url: 'https://example.com', description: 'a'.repeat(501) }, 'description is too long (max 500 characters)'],
    [{ url: 'https://example.com', enabled: 'yes' }, 'enabled must be true or false'],
  ])('When the body is %j, then it is rejected: %s', async (body, message) => {
    expect(await api.post(endpointsPath, body)).toMatchObject(validation(message));
  });

  test('When a change is invalid, then it is rejected like an invalid registration', async () => {
    const { id } = await register(api, await newReceiver());
    const path = `${endpointsPath}/${id}`;
    expect(await api.patch(path, { url: 'http://192.168.0.1/' })).toMatchObject(
      validation('url must lead to a public address'),
    );
    expect(await api.patch(path, { enabled: null })).toMatchObject(validation('enabled must be true or false'));
    expect(await api.post(`${path}/replay`, {})).toMatchObject(validation('since is required'));
    for (const since of [
      'yesterday',
      '2026-01-31',
      '2026-13-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      5,
      '2026-01-31T00:00:00',
    ]) {
      expect(await api.post(`${path}/replay`, { since })).toMatchObject(
        validation('since must be a date and time with its offset'),
      );
    }
    for (const query of ['page=0', 'per_page=501', 'type=order.completion', 'type=']) {
      const answer = await api.get(`${eventsPath}?${query}`);
      expect(answer).toMatchObject(invalidQuery);
    }
  });

  test('When a client registers more than twenty endpoints concurrently, then exactly twenty exist', async () => {
    const crowded = (await newClient(database)).api;
    await crowded.accessToken();
    const attempts = Array.from({ length: 25 }, () => crowded.post(endpointsPath, { url: 'https://example.com/' }));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(await crowded.post(endpointsPath, { url: 'https://example.com/' })).toMatchObject(
      validation('No more than 20 endpoints are allowed'),
    );
    const page = await crowded.get<Json[]>(`${endpointsPath}?page=2&per_page=15`);
    expect(page.body).toHaveLength(5);
    expect(Object.fromEntries(page.headers)).toMatchObject({ 'x-total-count': '20', 'x-has-more': 'false' });
  });
});

describe('webhook deliveries as clients see them', () => {
  let client: OwnClient;
  let api: ApiClient;
  beforeEach(async () => {
    client = await newClient(database, { USD: 100 });
    api = client.api;
  });

  test('When an endpoint is tested, then it gets a signed event, and the log shows the event with its attempt', async () => {
    const receiver = await newReceiver();
    const { id } = await register(api, receiver);
    const answer = await api.post<EventBody>(`${endpointsPath}/${id}/test`, undefined);
    expect(answer).toMatchObject({ status: 202, body: { type: 'webhook.test', data: { endpoint_id: id } } });
    const [received] = await receiver.untilTaken(1);
    expect(JSON.parse(received?.body as string)).toEqual(answer.body);
    expect(received?.headers['webhook-id']).toBe(answer.body.id);
    expect(await settled(api, answer.body.id)).toEqual({
      ...answer.body,
      deliveries: [{ endpoint_id: id, status: 'DELIVERED', tries: 1, next_try_at: null }],
      attempts: [
        {
          endpoint_id: id,
          attempted_at: expect.stringMatching(/Z$/),
          duration_ms: expect.any(Number),
          success: true,
          response_status: 204,
          error: null,
        },
      ],
    });
    const { body: tests } = await api.get<EventBody[]>(`${eventsPath}?type=webhook.test`);
    expect(tests[0]).toEqual(answer.body);
    expect(receiver.faults).toEqual([]);
  });

  test('When the secret is rotated, then both the old and the new secret sign', async () => {
    const receiver = await newReceiver();
    const { id, secret: old } = await register(api, receiver);
    const { status, body } = await api.post<Json>(`${endpointsPath}/${id}/secret/rotate`, undefined);
    expect(status).toBe(200);
    const hours = (ownMoment(body['previous_secret_valid_until'] as string).getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect((await api.get(`${endpointsPath}/${id}/secret`)).body).toEqual(body);
    await api.post(`${endpointsPath}/${id}/test`, undefined);
    const [received] = await receiver.untilTaken(1);
    const headers = received?.headers as Record<string, string>;
    for (const secret of [old, body['secret'] as string]) {
      expect(() => new Webhook(secret).verify(received?.body as string, headers)).not.toThrow();
    }
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  });

  test('When the secret is rotated repeatedly, then each old secret signs for 24 hours, and at most ten sign beside the newest', async () => {
    const receiver = await newReceiver();
    const { id, secret } = await register(api, receiver);
    const rotate = () => api.post<Json>(`${endpointsPath}/${id}/secret/rotate`, undefined);
    const secrets = [secret];
    for (let rotation = 1; rotation <= 10; rotation++) {
      secrets.unshift((await rotate()).body['secret'] as string);
    }
    expect(await rotate()).toMatchObject(validation('No more than 10 secrets can be replaced in 24 hours'));
    expect((await api.get<Json>(`${endpointsPath}/${id}/secret`)).body['secret']).toBe(secrets[0]);

    const verified = async (events: number) => {
      await api.post(`${endpointsPath}/${id}/test`, undefined);
      const { body, headers } = (await receiver.untilTaken(events))[events - 1] as Received;
      return secrets.filter((one) => {
        try {
          return Boolean(new Webhook(one).verify(body, headers as Record<string, string>));
        } catch {
          return false;
        }
      });
    };
    expect(await verified(1)).toEqual(secrets);
    // The oldest secret has been replaced for a day.
    await sql(database)`UPDATE webhook_previous_secrets SET valid_until = now()
        WHERE id = (SELECT min(id) FROM webhook_previous_secrets WHERE endpoint_id = ${id})`;
    receiver.secret = secrets[0] as string;
    expect(await verified(2)).toEqual(secrets.slice(0, -1));
    expect((await rotate()).status).toBe(200);
  });

  test('When concurrent requests rotate the secret, then every returned secret signs', async () => {
    const receiver = await newReceiver();
    const { id, secret } = await register(api, receiver);
    const rotate = () => api.post<Json>(`${endpointsPath}/${id}/secret/rotate`, undefined);
    const rotated = await Promise.all([rotate(), rotate(), rotate()]);
    await api.post(`${endpointsPath}/${id}/test`, undefined);
    const [received] = await receiver.untilTaken(1);
    const headers = received?.headers as Record<string, string>;
    for (const one of [secret, ...rotated.map(({ body }) => body['secret'] as string)]) {
      expect(() => new Webhook(one).verify(received?.body as string, headers)).not.toThrow();
    }
  });

  test('When an endpoint lists types, then it gets only those types, instead of every type except those of top-ups', async () => {
    const [all, listed, deaf] = [await newReceiver(), await newReceiver(), await newReceiver()];
    await register(api, all);
    await register(api, listed, { event_types: ['wallet.debited'] });
    await register(api, deaf, { enabled: false });
    await fund(database, client.wallets['USD'] as number, 5);
    await fund(database, client.wallets['USD'] as number, -5);
    await Promise.all([all.untilTaken(2), listed.untilTaken(1)]);
    await sleep(500);
    expect(all.types).toEqual(['wallet.credited', 'wallet.debited']);
    expect(listed.types).toEqual(['wallet.debited']);
    expect(deaf.types).toEqual([]);
    expect(all.taken[1]?.data).toEqual({
      wallet_id: client.wallets['USD'],
      ledger_id: expect.any(Number),
      amount: '5.00',
      currency: 'USD',
      reference_number: expect.any(String),
      remarks: expect.any(String),
    });
  });

  test('When a failing endpoint recovers, then the log has the failed attempts, and the event is delivered', async () => {
    const receiver = await newReceiver();
    const { id } = await register(api, receiver);
    receiver.answer = () => ({ status: 500, retryAfter: 1 });
    const { body: event } = await api.post<EventBody>(`${endpointsPath}/${id}/test`, undefined);
    let log: EventBody | undefined;
    for (let look = 0; look < 50 && !log?.attempts.length; look++) {
      await sleep(100);
      log = (await api.get<EventBody>(`${eventsPath}/${event.id}`)).body;
    }
    expect(log).toMatchObject({
      deliveries: [{ status: 'PENDING', tries: 1, next_try_at: expect.stringMatching(/Z$/) }],
      attempts: [{ success: false, response_status: 500, error: null }],
    });
    expect((await api.get(`${endpointsPath}/${id}`)).body).toMatchObject({
      failing_since: expect.stringMatching(/Z$/),
    });
    receiver.answer = () => 200;
    await receiver.untilTaken(1);
    const { attempts } = await settled(api, event.id);
    expect(attempts.map(({ success }) => success)).toEqual([true, false]);
    expect(JSON.stringify(attempts)).not.toContain('not for your eyes');
  });

  test('When a client requests a redelivery, then the event arrives again with the same bytes', async () => {
    const receiver = await newReceiver();
    const { id } = await register(api, receiver);
    await fund(database, client.wallets['USD'] as number, 5);
    const [first] = await receiver.untilTaken(1);
    await settled(api, first?.id as string);
    const answer = await api.post(`${eventsPath}/${first?.id}/redeliver`, undefined);
    expect(answer).toMatchObject({ status: 202, body: { event_id: first?.id, endpoint_ids: [id] } });
    const [, second] = await receiver.untilTaken(2);
    expect(second?.body).toBe(first?.body);
    expect((await settled(api, first?.id as string)).attempts).toHaveLength(2);
  });

  test('When an event has a thousand attempts, then the log shows the newest hundred, newest first', async () => {
    const { id } = await register(api, await newReceiver());
    const { body: event } = await api.post<EventBody>(`${endpointsPath}/${id}/test`, undefined);
    await settled(api, event.id);
    await sql(database)`
      INSERT INTO webhook_attempts (event_sequence, endpoint_id, attempted_at, duration_ms, response_status)
       SELECT sequence, ${id}, now(), n, 500 FROM events, generate_series(1, 1000) n WHERE events.id = ${event.id}`;
    const { body } = await api.get<EventBody>(`${eventsPath}/${event.id}`);
    expect(body.attempts.map(({ duration_ms: n }) => n)).toEqual([...Array(100).keys()].map((n) => 1_000 - n));
  });

  test('When events are replayed, then every event since the date is delivered, also events older than the endpoint', async () => {
    await fund(database, client.wallets['USD'] as number, 1);
    // The date has a resolution of a millisecond.
    await sleep(5);
    const since = new Date().toISOString();
    await fund(database, client.wallets['USD'] as number, 2);
    await fund(database, client.wallets['USD'] as number, 3);
    const receiver = await newReceiver();
    const { id } = await register(api, receiver);
    const answer = await api.post(`${endpointsPath}/${id}/replay`, { since });
    expect(answer).toMatchObject({ status: 202, body: { events: 2 } });
    const received = await receiver.untilTaken(2);
    expect(received.map(({ data }) => data['amount']).sort()).toEqual(['2.00', '3.00']);
    const future = new Date(Date.now() + 60_000).toISOString();
    expect((await api.post(`${endpointsPath}/${id}/replay`, { since: future })).body).toEqual({ events: 0 });
  });

  test('When one endpoint never responds, then no other endpoint waits for it', async () => {
    const [silent, lively, stranger] = [await newReceiver(), await newReceiver(), await newReceiver()];
    silent.answer = () => null;
    const other = await newClient(database, { USD: 1 });
    await register(api, silent);
    await register(api, lively);
    await register(other.api, stranger);
    for (let amount = 1; amount <= 5; amount++) await fund(database, client.wallets['USD'] as number, amount);
    await fund(database, other.wallets['USD'] as number, 1);
    await Promise.all([lively.untilTaken(5, 5), stranger.untilTaken(1, 5)]);
    expect(silent.taken).toEqual([]);
  });

  test('When an endpoint is disabled, then tests, replays and redeliveries for it are rejected', async () => {
    const receiver = await newReceiver();
    const { id } = await register(api, receiver);
    await fund(database, client.wallets['USD'] as number, 5);
    const [event] = await receiver.untilTaken(1);
    await api.patch(`${endpointsPath}/${id}`, { enabled: false });
    const disabled = validation('Endpoint is disabled');
    expect(await api.post(`${endpointsPath}/${id}/test`, undefined)).toMatchObject(disabled);
    expect(await api.post(`${endpointsPath}/${id}/replay`, { since: '2026-01-01T00:00:00Z' })).toMatchObject(disabled);
    expect(await api.post(`${eventsPath}/${event?.id}/redeliver`, undefined)).toMatchObject(
      validation('No enabled endpoint takes this event'),
    );
  });

  test('When the log is paged, then every event appears once, newest first, and the counts are exact', async () => {
    for (let amount = 1; amount <= 5; amount++) await fund(database, client.wallets['USD'] as number, amount);
    await fund(database, client.wallets['USD'] as number, -1);
    const first = await api.get<EventBody[]>(`${eventsPath}?per_page=4`);
    const second = await api.get<EventBody[]>(`${eventsPath}?per_page=4&page=2`);
    expect(Object.fromEntries(first.headers)).toMatchObject({ 'x-total-count': '7', 'x-has-more': 'true' });
    expect(first.body[0]?.type).toBe('wallet.debited');
    const ids = [...first.body, ...second.body].map((event) => event.id);
    expect(new Set(ids).size).toBe(7);
    const credits = await api.get<EventBody[]>(`${eventsPath}?type=wallet.credited`);
    expect(credits.headers.get('x-total-count')).toBe('6');
    const beyond = await api.get<EventBody[]>(`${eventsPath}?page=9`);
    expect([beyond.status, beyond.body]).toEqual([200, []]);
  });
});

describe('a new URL', () => {
  let api: ApiClient;
  let client: OwnClient;
  beforeAll(async () => {
    client = await newClient(database, { USD: 100 });
    api = client.api;
  });

  const verifiedAt = async (id: number) => (await api.get(`${endpointsPath}/${id}`)).body['verified_at'];
  const verified = (id: number) => until('the URL to be verified', async () => (await verifiedAt(id)) !== null);
  const verificationTests = async (id: number) => {
    const { body } = await api.get<EventBody[]>(`${eventsPath}?type=webhook.test`);
    return body.filter(({ data }) => (data as Json)['endpoint_id'] === id);
  };

  test('When an endpoint is registered, then it gets a webhook.test, and is verified once it accepts an event', async () => {
    const receiver = await newReceiver();
    const { body } = await api.post<EndpointBody>(endpointsPath, { url: receiver.url });
    receiver.secret = body.secret;
    expect(body['verified_at']).toBeNull();
    await fund(database, client.wallets['USD'] as number, 1);
    // The other event does not wait for the test, so it may come first.
    const events = await receiver.untilTaken(2);
    const verification = events.find(({ type }) => type === 'webhook.test');
    expect(verification).toMatchObject({ data: { endpoint_id: body.id } });
    await verified(body.id);
    expect(await verifiedAt(body.id)).toMatch(/Z$/);
  });

  test('When the URL rejects its webhook.test, then no retry follows, and the URL is verified by the next event that it accepts', async () => {
    const receiver = await newReceiver();
    receiver.answer = ({ type }) => (type === 'webhook.test' ? 410 : 204);
    const { body } = await api.post<EndpointBody>(endpointsPath, { url: receiver.url });
    receiver.secret = body.secret;
    await until('the verification test', async () => receiver.seen.length > 0);
    const [first] = await verificationTests(body.id);
    expect(await settled(api, first?.id as string)).toMatchObject({
      deliveries: [{ status: 'FAILED', tries: 1 }],
      attempts: [{ success: false, response_status: 410 }],
    });
    expect((await api.get(`${endpointsPath}/${body.id}`)).body).toMatchObject({
      enabled: true,
      failing_since: null,
      verified_at: null,
    });
    await fund(database, client.wallets['USD'] as number, 1);
    expect((await receiver.untilTaken(1, 4))[0]?.type).toBe('wallet.credited');
    await verified(body.id);
  });

  test('When the URL is changed, and only then, the URL is unverified and gets a webhook.test', async () => {
    const [before, after] = [await newReceiver(), await newReceiver()];
    const { id, secret } = await register(api, before);
    await verified(id);
    const same = await api.patch(`${endpointsPath}/${id}`, { url: before.url });
    expect(same.body['verified_at']).toMatch(/Z$/);
    expect(await verificationTests(id)).toHaveLength(1);

    after.answer = () => 500;
    after.secret = secret;
    const changed = await api.patch(`${endpointsPath}/${id}`, { url: after.url });
    expect(changed.body['verified_at']).toBeNull();
    await until('the verification test', async () => after.seen.length > 0);
    expect(await verificationTests(id)).toHaveLength(2);
    expect(await verifiedAt(id)).toBeNull();
  });

  test('When the URL hangs on its webhook.test, then other events do not wait for the response', async () => {
    const receiver = await newReceiver();
    receiver.answer = async ({ type }) => {
      if (type === 'webhook.test') await until('another event', async () => receiver.taken[0]);
      return 204;
    };
    const { id, secret } = await register(api, receiver, { enabled: false });
    receiver.secret = secret;
    await api.patch(`${endpointsPath}/${id}`, { enabled: true });
    await until('the webhook.test', async () => receiver.seen.length > 0);
    await fund(database, client.wallets['USD'] as number, 1);
    await receiver.untilTaken(2);
    expect(receiver.types).toEqual(['wallet.credited', 'webhook.test']);
    const [verificationTest] = await verificationTests(id);
    expect(await settled(api, verificationTest?.id as string)).toMatchObject({
      deliveries: [{ status: 'DELIVERED', tries: 1 }],
      attempts: [{ success: true, response_status: 204 }],
    });
  });

  test('When an unverified URL is set again or enabled again, then it gets no second webhook.test', async () => {
    const receiver = await newReceiver();
    receiver.answer = ({ type }) => (type === 'webhook.test' ? 500 : 204);
    const { id } = (await api.post<EndpointBody>(endpointsPath, { url: receiver.url })).body;
    const path = `${endpointsPath}/${id}`;
    expect((await api.patch(path, { url: receiver.url })).body['verified_at']).toBeNull();
    await api.patch(path, { enabled: false });
    await api.patch(path, { enabled: true });
    expect(await verificationTests(id)).toHaveLength(1);
  });

  test('When a URL is changed before its webhook.test is sent, then only the current URL gets a webhook.test', async () => {
    const [before, after] = [await newReceiver(), await newReceiver()];
    const { id } = await register(api, before);
    await verified(id);
    await sql(database)`UPDATE webhook_endpoints SET paused = true WHERE id = ${id}`;
    await api.patch(`${endpointsPath}/${id}`, { url: `${before.url}&other` });
    await api.patch(`${endpointsPath}/${id}`, { url: after.url });
    const sent = await Promise.all(
      (await verificationTests(id)).map(async (event) => (await api.get(`${eventsPath}/${event.id}`)).body),
    );
    expect(sent.flatMap(({ deliveries }) => (deliveries as Json[]).map(({ status }) => status))).toEqual([
      'PENDING',
      'SKIPPED',
      'DELIVERED',
    ]);
  });

  test('When the client changes the endpoint during a delivery, then the response to that delivery still verifies the URL', async () => {
    const receiver = await newReceiver();
    const { id, secret } = await register(api, receiver, { enabled: false });
    receiver.secret = secret;
    receiver.answer = async () => {
      await api.patch(`${endpointsPath}/${id}`, { enabled: true });
      return 204;
    };
    const before = Date.now();
    await api.patch(`${endpointsPath}/${id}`, { enabled: true });
    await receiver.untilTaken(1);
    await verified(id);
    expect(ownMoment((await verifiedAt(id)) as string).getTime()).toBeGreaterThanOrEqual(before);
  });

  test('When the URL is changed during a delivery, then the response of the old URL does not verify the new URL', async () => {
    const [before, after] = [await newReceiver(), await newReceiver()];
    const { id, secret } = (await api.post<EndpointBody>(endpointsPath, { url: before.url })).body;
    before.secret = after.secret = secret;
    before.answer = async ({ type }) => {
      if (type === 'webhook.test') return 410;
      await api.patch(`${endpointsPath}/${id}`, { url: after.url });
      return 204;
    };
    after.answer = () => 500;
    await fund(database, client.wallets['USD'] as number, 1);
    // The service sends it after it has recorded the response of the old URL.
    await until('the webhook.test of the new URL', async () => after.seen[0]);
    expect(await verifiedAt(id)).toBeNull();
  });

  test('When an endpoint is registered as disabled, then it gets its webhook.test when it is enabled', async () => {
    const receiver = await newReceiver();
    const { id, secret } = await register(api, receiver, { enabled: false });
    expect(await verificationTests(id)).toEqual([]);
    receiver.secret = secret;
    await api.patch(`${endpointsPath}/${id}`, { enabled: true });
    expect((await receiver.untilTaken(1))[0]?.type).toBe('webhook.test');
  });

  test.each([
    ['https://SHOP.example', 'https://shop.example/'],
    ['https://shop.example:443/a/../b', 'https://shop.example/b'],
    ['https:\\\\shop.example\\hook', 'https://shop.example/hook'],
    ['https://shop.example/"hook"', 'https://shop.example/%22hook%22'],
    ['https://@shop.example/', 'https://shop.example/'],
    ['http://0x7f.1:9/', 'http://127.0.0.1:9/'],
  ])('When the given URL is %s, then the endpoint has its normalized form %s', async (typed, url) => {
    const settings = { url: typed, enabled: false };
    const { status, body } = await api.post<EndpointBody>(endpointsPath, settings);
    expect(status).toBe(201);
    expect(body['url']).toBe(url);
    expect((await api.get(`${endpointsPath}/${body.id}`)).body).toMatchObject({ url });
    await api.send(`${endpointsPath}/${body.id}`, { method: 'DELETE' });
  });

  test('When the normalized form of a URL is too long, then the URL is rejected like a long input', async () => {
    const url = `https://shop.example/${'"'.repeat(1_000)}`;
    expect(await api.post(endpointsPath, { url })).toMatchObject(validation('url is too long (max 2048 characters)'));
  });
});

describe('replays', () => {
  let api: ApiClient;
  let client: OwnClient;
  beforeAll(async () => {
    client = await newClient(database, { USD: 100 });
    api = client.api;
    await sql(database)`INSERT INTO events (client_id, type, data)
       SELECT ${client.id}, 'wallet.low_balance', '{}' FROM generate_series(1, 1200)`;
  });

  const since = '2020-01-01T00:00:00Z';
  const replay = (id: number) => api.post<Json>(`${endpointsPath}/${id}/replay`, { since });
  const inProgress = (message: string) => refusal('REPLAY_IN_PROGRESS', message);

  /** Registers an endpoint whose receiver rejects everything, so that its replay stays in progress. */
  async function stuck(): Promise<number> {
    const receiver = await newReceiver();
    const { id } = await register(api, receiver);
    receiver.answer = () => ({ status: 503, retryAfter: 3_600 });
    return id;
  }

  test('When a replay is in progress, then further replays of the endpoint are rejected, also concurrent ones', async () => {
    const id = await stuck();
    const answers = await Promise.all([1, 2, 3, 4].map(() => replay(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409]);
    expect(await replay(id)).toMatchObject(inProgress('A replay of this endpoint is in progress'));
    await api.patch(`${endpointsPath}/${id}`, { enabled: false });
    await api.patch(`${endpointsPath}/${id}`, { enabled: true });
    expect((await replay(id)).status).toBe(202);
    await api.send(`${endpointsPath}/${id}`, { method: 'DELETE' });
  });

  test('When a client has the maximum number of replays in progress, then a further replay is rejected', async () => {
    const ids = [await stuck(), await stuck(), await stuck(), await stuck(), await stuck(), await stuck()];
    const before = (await Promise.all(ids.map(replay))).map(({ status }) => status);
    expect(before.sort()).toEqual([202, 202, 202, 202, 202, 409]);
    const statuses = await Promise.all(ids.map(replay));
    expect(statuses.map(({ body }) => (body['error'] as Json)['message']).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'A replay of this endpoint is in progress'),
      'No more than 5 replays can be in progress',
    ]);
  });

  test('When a client requests many replays concurrently, then they start one at a time and its other calls are answered', async () => {
    const own = await newClient(database, { USD: 1 });
    const { id } = await register(own.api, await newReceiver());
    const { asked } = await database.transaction(async (blocker) => {
      await sql(database, blocker)`SELECT FROM clients WHERE id = ${own.id} FOR NO KEY UPDATE`;
      const asked = Promise.all(
        Array.from({ length: 20 }, () => own.api.post(`${endpointsPath}/${id}/replay`, { since })),
      );
      const lock = 'SELECT FROM clients';
      await lockWaits(database, 1, lock);
      expect((await own.api.get(`${endpointsPath}/${id}`)).status).toBe(200);
      // Other tests may start a replay of another client at the same time.
      expect(await waitingStatements(database, lock)).toBeLessThan(5);
      return { asked };
    });
    for (const answer of await asked) expect(answer).toMatchObject({ status: 202, body: { events: 1 } });
  });

  test('When a replay is small, then the client can repeat it at once', async () => {
    const other = await newClient(database, { USD: 1 });
    const receiver = await newReceiver();
    const { id } = await register(other.api, receiver);
    const again = () => other.api.post(`${endpointsPath}/${id}/replay`, { since });
    expect(await again()).toMatchObject({ status: 202, body: { events: 1 } });
    expect(await again()).toMatchObject({ status: 202, body: { events: 1 } });
  });

  test('When events are older than the retention period, then no replay delivers them', async () => {
    const other = await newClient(database, { USD: 1 });
    const setAge = (days: number) =>
      sql(database)`UPDATE events SET created_at = now() - ${days} * interval '1 day'
           WHERE client_id = ${other.id}`;
    await setAge(91);
    const receiver = await newReceiver();
    const { id } = await register(other.api, receiver);
    expect(await other.api.post(`${endpointsPath}/${id}/replay`, { since })).toMatchObject({
      status: 202,
      body: { events: 0 },
    });
    // Otherwise retention deletes the events, and `ledger verify` reports them as missing.
    await setAge(0);
  });
});
