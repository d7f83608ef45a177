/** Deliveries of a worker that stops. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { oneRow, rows } from '../../src/data/database/database';
import { addEndpoint, type Endpoint } from '../../src/data/webhooks/endpoints';
import { deliverEvents } from '../../src/notifications/webhooks/deliver-events';
import { createWebhookSender } from '../../src/notifications/webhooks/sender';
import { newWebhookSecret } from '../../src/notifications/webhooks/signing';
import { Sealer, webhookSecret } from '../../src/security/sealing';
import { callerOf } from '../support/callers';
import { newKeyRing } from '../support/keys';
import { Receiver } from '../support/receiver';
import { scratchDatabase } from '../support/scratch-database';

const EVENTS = 40;
const { database } = scratchDatabase();
const sealer = new Sealer(newKeyRing());
const sender = createWebhookSender({ allowLoopback: true });
let receiver: Receiver;
beforeAll(async () => void (receiver = await Receiver.listen()));
afterAll(async () => {
  receiver.close();
  await sender.close();
});

/** An enabled endpoint with due events. */
async function newEndpoint(): Promise<number> {
  const { id: clientId } = await oneRow<{ id: number }>(
    database,
    `INSERT INTO clients (name, contact_email) VALUES ('Stopped', 'a@client.example') RETURNING id`,
  );
  receiver.secret = newWebhookSecret();
  const settings = { url: receiver.url, description: '', eventTypes: [], enabled: false };
  const secret = { nonce: 'nonce', sealedSecret: sealer.seal(webhookSecret('nonce'), receiver.secret) };
  const { id } = (await addEndpoint(database, callerOf(clientId), settings, secret)) as Endpoint;
  const enable =
    'UPDATE webhook_endpoints SET enabled = true, verified_at = now(), is_test_written = true WHERE id = $id';
  await rows(database, enable, { id });
  const emit = `INSERT INTO events (client_id, type, data) SELECT $clientId, 'wallet.credited', '{"id": 1}' FROM generate_series(1, $count)`;
  await rows(database, emit, { clientId, count: EVENTS });
  return id;
}

test('When the worker stops during a delivery, then it sends no further event, and records those that it has sent', async () => {
  const id = await newEndpoint();
  const stopping = new AbortController();
  receiver.answer = async () => {
    stopping.abort();
    await sleep(500);
    return 204;
  };
  const dependencies = { database, sealer, sender, log: pino({ level: 'silent' }) };
  const run = await deliverEvents(dependencies, id, () => new Date(), stopping.signal);
  const sent = receiver.taken.length;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(EVENTS);
  expect(run).toMatchObject({ state: 'BUSY', pending: EVENTS - sent });
});
