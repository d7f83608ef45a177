/** One run of an endpoint's deliveries: what a change and the end of the worker do to it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { sql } from '../../dev/testbed/sql';
import { rotateSecret } from '../../src/data/webhooks/endpoint-secrets';
import { addEndpoint, changeEndpoint, type Endpoint } from '../../src/data/webhooks/endpoints';
import { deliverEvents } from '../../src/notifications/webhooks/delivery';
import { createWebhookSender } from '../../src/notifications/webhooks/sender';
import { newWebhookSecret } from '../../src/notifications/webhooks/signing';
import { Sealer, webhookSecret } from '../../src/security/sealing';
import { callerOf } from '../support/callers';
import { newKeyRing } from '../support/keys';
import { Receiver } from '../support/receiver';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { useMade } from '../support/made';

const EVENTS = 40;
const { database } = scratchDatabase();
const sealer = new Sealer(newKeyRing());
const sender = createWebhookSender({ allowLoopback: true });
const dependencies = { database, sealer, sender, log: pino({ level: 'silent' }) };
const never = new AbortController().signal;
const receiver = useMade(() => Receiver.listen());
afterEach(() => {
  jest.restoreAllMocks();
  receiver.answer = () => 204;
});
afterAll(async () => {
  receiver.close();
  await sender.close();
});

/** An enabled and verified endpoint with due events. */
async function newEndpoint(count: number): Promise<{ id: number; clientId: number }> {
  const nonce = randomUUID();
  const { id: clientId } = await sql.one(database)<{ id: number }>`INSERT INTO clients (name, contact_email)
       VALUES (${nonce}, 'a@client.example') RETURNING id`;
  receiver.secret = newWebhookSecret();
  const settings = { url: receiver.url, description: '', eventTypes: [], enabled: false };
  const secret = { nonce, sealedSecret: sealer.seal(webhookSecret(nonce), receiver.secret) };
  const { id } = (await addEndpoint(database, callerOf(clientId), settings, secret)) as Endpoint;
  await sql(database)`UPDATE webhook_endpoints
       SET enabled = true, verified_at = now(), is_test_written = true WHERE id = ${id}`;
  await sql(database)`INSERT INTO events (client_id, type, data)
       SELECT ${clientId}, 'wallet.credited', '{"id": 1}' FROM generate_series(1, ${count})`;
  return { id, clientId };
}

test('When the worker stops during a delivery, then it sends no further event, and records those that it has sent', async () => {
  const { id } = await newEndpoint(EVENTS);
  const stopping = new AbortController();
  receiver.answer = async () => {
    stopping.abort();
    await sleep(500);
    return 204;
  };
  const run = await deliverEvents(dependencies, id, () => new Date(), stopping.signal);
  const sent = receiver.taken.length;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(EVENTS);
  expect(run).toMatchObject({ state: 'BUSY', pending: EVENTS - sent });
});

/** A run reads the endpoint, then its due deliveries. The change comes between the two. */
function whileRunBegins(change: () => Promise<unknown>): void {
  const pool = database.connectionManager;
  const connect = pool.getConnection.bind(pool);
  let reads = 0;
  jest.spyOn(pool, 'getConnection').mockImplementation(async (options) => {
    reads += 1;
    if (reads === 2) await change();
    return connect(options);
  });
}

test('When the secret is rotated as a run begins, then both secrets sign its first event', async () => {
  const { id, clientId } = await newEndpoint(1);
  const takenBefore = receiver.taken.length;
  whileRunBegins(async () => {
    const { nonce } = await sql.one(database)<{ nonce: string }>`SELECT nonce FROM webhook_endpoints
         WHERE id = ${id}`;
    const sealed = sealer.seal(webhookSecret(nonce), newWebhookSecret());
    await rotateSecret(database, callerOf(clientId), id, sealed);
  });
  await deliverEvents(dependencies, id, () => new Date(), never);
  const [event] = receiver.taken.slice(takenBefore);
  expect(String(event?.headers['webhook-signature']).split(' ')).toHaveLength(2);
});

test('When the URL is changed as a run begins, then the new URL gets the webhook.test', async () => {
  const { id, clientId } = await newEndpoint(0);
  const after = await Receiver.listen();
  after.secret = receiver.secret;
  const url = after.url;
  const takenBefore = receiver.taken.length;
  whileRunBegins(() => changeEndpoint(database, callerOf(clientId), id, { url }));
  await deliverEvents(dependencies, id, () => new Date(), never);
  after.close();
  expect(receiver.taken).toHaveLength(takenBefore);
  expect(after.types).toEqual(['webhook.test']);
});
