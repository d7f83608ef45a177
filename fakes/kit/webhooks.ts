/** Webhooks of a fake, repeated until the receiver accepts them. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Webhook {
  url: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  /** The statuses that the supplier accepts. It repeats the call after every other one. */
  accepted: readonly number[];
  /** Milliseconds before each repetition. */
  repeatsAfterMs: readonly number[];
}

/** Sends the webhook in the background. A webhook that is never accepted is dropped. */
export function sendWebhook(webhook: Webhook): void {
  void deliver(webhook);
}

async function deliver({ url, body, headers, accepted, repeatsAfterMs }: Webhook): Promise<void> {
  for (const delayMs of [0, ...repeatsAfterMs]) {
    await sleep(delayMs, undefined, { ref: false });
    const status = await post(url, body, headers);
    if (status !== undefined && accepted.includes(status)) return;
  }
}

/** The response's status; undefined without a response. */
async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(5_000),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
