/** Webhooks of a fake, repeated until the receiver accepts them. */
import type { Modes } from './modes';
import { pause } from './times';

/** The accepted statuses of suppliers for which every 2xx counts as a delivery. */
export const every2xx = Array.from({ length: 100 }, (_, index) => 200 + index);

export interface Webhook {
  url: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  /** The statuses that count as a delivery. After any other status, the supplier repeats the call. */
  accepted: readonly number[];
  /** Milliseconds before each repetition. */
  repeatsAfterMs: readonly number[];
}

const timeoutMs = 5_000;

/** Sends copies of the webhook in the background. A webhook that is never accepted is dropped. */
export function sendWebhook(webhook: Webhook, copies = 1): void {
  for (let copy = 0; copy < copies; copy++) void deliver(webhook);
}

/** The number of copies of each webhook in these modes. */
export function copiesIn({ webhook }: Modes): number {
  if (webhook === 'none') return 0;
  return webhook === 'twice' ? 2 : 1;
}

/** Whether the URL answers HEAD with 200. */
export async function answersHead(url: string): Promise<boolean> {
  try {
    const { status } = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs) });
    return status === 200;
  } catch {
    return false;
  }
}

async function deliver({ url, body, headers, accepted, repeatsAfterMs }: Webhook): Promise<void> {
  for (const delayMs of [0, ...repeatsAfterMs]) {
    await pause(delayMs);
    const status = await post(url, body, headers);
    if (status !== undefined && accepted.includes(status)) return;
  }
}

/** The response's status; undefined without a response. */
async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
