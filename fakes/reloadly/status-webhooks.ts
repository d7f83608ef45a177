/** Webhooks about final states. */
import { createHmac } from 'node:crypto';
import type { FakeContext } from '../kit/fake';
import { copiesIn, sendWebhook } from '../kit/webhooks';

export type WebhookType = 'airtime_transaction.status' | 'giftcard_transaction.status';

export interface Announced {
  readonly id: number;
  readonly sku: string;
  readonly reference: string | undefined;
  readonly isAsync: boolean;
}

/** The time from a state to its webhook. Only in mode `early` does a webhook arrive before a prompt response. */
const afterStateMs = 100;

/**
 * Sends the webhook in the background. Asynchronous purchases have a webhook, and so do gift orders with a
 * webhook mode. The retry schedule is not known, so the fake sends each webhook once and never repeats a lost webhook.
 */
export function sendStatusWebhook(
  { modes, settings }: FakeContext,
  type: WebhookType,
  { id, sku, reference, isAsync }: Announced,
  status: string,
): void {
  const current = modes.of(sku);
  const { webhook: mode } = current;
  const { callbackUrl: url, secret } = settings;
  const isWanted = isAsync || (mode !== undefined && type === 'giftcard_transaction.status');
  if (url === undefined || !isWanted) return;
  const send = (): void => {
    const body = JSON.stringify(payload(type, id, reference, status));
    // The unit of the time is not known, so a receiver can use it only to verify the signature.
    const sentAt = String(Date.now());
    const key = mode === 'forged' ? `${secret}-forged` : secret;
    const signature = createHmac('sha256', key).update(`${body}:${sentAt}`).digest('hex');
    const headers = { 'X-Reloadly-Signature': signature, 'X-Reloadly-Request-Timestamp': sentAt };
    sendWebhook({ url, body, headers, accepted: [200], repeatsAfterMs: [] }, copiesIn(current));
  };
  if (mode === 'early') send();
  else setTimeout(send, afterStateMs).unref();
}

/** The payload. Its form is not known, and third-party programs read two forms: even ids get one form, odd ids the other. */
function payload(type: WebhookType, id: number, reference: string | undefined, status: string): object {
  const customIdentifier = reference ?? null;
  return id % 2 === 0
    ? { type, data: { transactionId: id, customIdentifier, status } }
    : { type, transaction: { id, customIdentifier, status } };
}
