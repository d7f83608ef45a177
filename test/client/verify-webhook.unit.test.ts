/** The webhooks that the client library accepts: docs/clients/webhooks.md#verify. */
import { verifyWebhook, WebhookVerificationError, type WebhookHeaders } from '@digital-goods/client';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from '../../src/notifications/webhooks/signing';

const secret = newWebhookSecret();
const event = {
  id: 'evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234',
  type: 'order.delivered',
  created_at: '2026-01-31T12:00:00.123Z',
  data: { id: 17, product_name: 'Caf\u00e9' },
};
const body = JSON.stringify(event);

const headersOf = (secrets = [secret], at = new Date()) => signatureHeaders(secrets, event.id, at, body);
const signature = headersOf()['webhook-signature'] ?? '';
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const verify = (headers: WebhookHeaders, sent: string | Uint8Array = body, by: string | string[] = secret) =>
  verifyWebhook(sent, headers, by);

test('When the service has signed the webhook, then verification returns the event, from text and from bytes', () => {
  expect(verify(headersOf())).toEqual(event);
  expect(verify(headersOf(), Buffer.from(body))).toEqual(event);
  expect(verify(headersOf(), new Uint8Array(Buffer.from(body)))).toEqual(event);
});

test('When the official library has signed the webhook, then verification accepts it', () => {
  const at = new Date();
  const signature = new Webhook(secret).sign(event.id, at, body);
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const headers = { 'webhook-id': event.id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  expect(verify(headers)).toEqual(event);
});

test('When the headers have another type, then the library finds them', () => {
  const headers = headersOf();
  expect(verify(new Headers(headers))).toEqual(event);
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  expect(verify(upper)).toEqual(event);
});

test('When the secret was rotated, then the old and the new secret verify, both at the sender and at the receiver', () => {
  const [old, other] = [newWebhookSecret(), newWebhookSecret()];
  expect(verify(headersOf([secret, old]))).toEqual(event);
  expect(verify(headersOf([secret, old]), body, old)).toEqual(event);
  expect(verify(headersOf([old]), body, [secret, old])).toEqual(event);
  expect(() => verify(headersOf([secret, old]), body, other)).toThrow(WebhookVerificationError);
});

test.each<[string, WebhookHeaders, string]>([
  ['its body was changed', headersOf(), body.replace('17', '18')],
  ['its id was changed', { ...headersOf(), 'webhook-id': 'evt_2' }, body],
  ['its time was changed', { ...headersOf(), 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 1) }, body],
  ['its signature has another version', { ...headersOf(), 'webhook-signature': signature.replace('v1,', 'v2,') }, body],
  ['its signature is truncated', { ...headersOf(), 'webhook-signature': signature.slice(0, 20) }, body],
  ['it has no signature', { ...headersOf(), 'webhook-signature': undefined }, body],
  ['its signature is empty', { ...headersOf(), 'webhook-signature': '' }, body],
  ['it has no id', { ...headersOf(), 'webhook-id': undefined }, body],
  ['its time is not a number', { ...headersOf(), 'webhook-timestamp': 'today' }, body],
  ['its time is infinite', { ...headersOf(), 'webhook-timestamp': '1e999' }, body],
  ['it is older than 5 minutes', headersOf([secret], ago(305)), body],
  ['its time is in the future', headersOf([secret], ago(-305)), body],
])('When %s, then it is rejected', (_, headers, sent) => {
  expect(() => verify(headers, sent)).toThrow(WebhookVerificationError);
});

test('When the webhook is nearly 5 minutes old, then it is accepted', () => {
  expect(verify(headersOf([secret], ago(290)))).toEqual(event);
});

test('When the secret is empty, then it verifies nothing', () => {
  expect(() => verify(headersOf(), body, 'whsec_')).toThrow(TypeError);
});
