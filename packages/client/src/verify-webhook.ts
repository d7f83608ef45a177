/** Whether a webhook is what the service sent, by the Standard Webhooks specification. docs/clients/webhooks.md#verifying. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './models.ts';

/** Headers as Node, Express or the Fetch API have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How far the time of sending may be from now, in seconds: what was recorded cannot be sent again later. */
const TOLERANCE_SECONDS = 300;

/**
 * The event that was sent. Throws `WebhookVerificationError` where the signature does not fit, is of another time, or is
 * missing. `body`: the bytes as they came, not parsed. `secret`: that of the endpoint (`whsec_...`), or several, of which
 * one must fit. After a rotation the service signs with the old secret too, so either is taken for 24 hours.
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
  // Not a number is not within the tolerance either.
  if (!/^\d+$/.test(timestamp) || age > TOLERANCE_SECONDS) {
    throw new WebhookVerificationError('The webhook was not sent within the last 5 minutes');
  }
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const expected = secrets.map((each) => signatureOf(each, id, timestamp, body));
  if (!expected.some((one) => signatures.some((given) => isSame(given, one)))) {
    throw new WebhookVerificationError('No signature of the webhook fits');
  }
  return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString()) as WebhookEvent;
}

function signatureOf(secret: string, id: string, timestamp: string, body: string | Uint8Array): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // An empty key would be known to everybody.
  if (key.length === 0) throw new TypeError('The secret of the webhook endpoint is empty');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/** In a time that tells nothing of how much fits. */
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
