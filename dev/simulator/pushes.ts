/** Signed calls to the buyer after a change. They are only hints, so a lost one does no harm. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** The change. The buyer is expected to look up the details. */
export type Push = { type: 'purchase' | 'reversal'; reference: string } | { type: 'esim'; iccid: string };

const retryDelaysMs = [1_000, 3_000];
const timeoutMs = 5_000;

/**
 * The signature of a push: HMAC-SHA256 in hexadecimal over `<timestamp>.<raw body>`, with the timestamp
 * of its header, in seconds since 1970.
 */
export function signPush(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

/** Returns the push function. It returns immediately, and makes at most three attempts in the background. */
export function createPusher(callbackUrl: string | undefined, secret: string): (push: Push) => void {
  if (callbackUrl === undefined) return () => undefined;
  return (push) => void deliver(callbackUrl, secret, JSON.stringify(push));
}

async function deliver(url: string, secret: string, body: string): Promise<void> {
  for (const delayMs of [0, ...retryDelaysMs]) {
    await sleep(delayMs, undefined, { ref: false });
    if (await send(url, secret, body)) return;
  }
}

async function send(url: string, secret: string, body: string): Promise<boolean> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const headers = {
    'content-type': 'application/json',
    'x-simulator-timestamp': timestamp,
    'x-simulator-signature': signPush(secret, timestamp, body),
  };
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
