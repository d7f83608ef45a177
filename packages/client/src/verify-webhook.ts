/** Verifies a webhook by the Standard Webhooks specification. docs/clients/webhooks.md#verify. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './models.ts';
import type { HttpHeaders } from './platform.ts';

/** Headers of Node, Express or the Fetch API. */
export type WebhookHeaders = HttpHeaders | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The largest accepted difference between the time of sending and now, in seconds. An older webhook may be a replay. */
const TOLERANCE_SECONDS = 300;

/**
 * Returns the event. Throws `WebhookVerificationError` if the signature is wrong, too old or missing. `body`: the received
 * bytes, not parsed. `secret`: the secret of the endpoint (`whsec_...`), or several, one of which must match. For 24 hours
 * after a rotation the service signs with both secrets, so either one verifies.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): WebhookEvent {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  // The pattern rejects a timestamp that is not a number: then `age` would be NaN, which exceeds no tolerance.
  if (!/^\d+$/.test(timestamp) || age > TOLERANCE_SECONDS) {
    throw new WebhookVerificationError('The webhook was not sent within the last 5 minutes');
  }
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const expected = secrets.map((each) => signatureOf(each, id, timestamp, body));
  if (!expected.some((one) => signatures.some((given) => isSame(given, one)))) {
    throw new WebhookVerificationError('No signature of the webhook matches');
  }
  return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString()) as WebhookEvent;
}

function signatureOf(secret: string, id: string, timestamp: string, body: string | Uint8Array): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // Anyone can sign with an empty key.
  if (key.length === 0) throw new TypeError('The secret of the webhook endpoint is empty');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') {
    throw new WebhookVerificationError(`The header ${name} is missing`);
  }
  return value;
}
