/** Webhooks to the URL in the settings, as if the buyer had subscribed with this URL. */
import type { FakeSettings } from '../kit/fake';
import type { Modes } from '../kit/modes';
import { jsonOf, withAdditionalFields } from '../kit/responses';
import { minuteMs, pause } from '../kit/times';
import { answersHead, copiesIn, sendWebhook } from '../kit/webhooks';
import { phpText, signatureOf } from './signatures';

export interface NotificationsOptions {
  settings: FakeSettings;
  timeScale: number;
  /** The text that is signed: the sent body, or the body as PHP parses and writes it again. */
  signs: 'raw' | 'reserialised';
}

/** Sends the body in the background. */
export type Notify = (body: object, modes: Modes) => void;

/** Every other status counts as a failed delivery. */
const accepted = [200, 201, 202, 203];
const repeatCount = 20;
const repeatAfterMs = 15 * minuteMs;

/** Returns the function that sends webhooks. Without a URL, it sends none. */
export function createNotify({ settings, timeScale, signs }: NotificationsOptions): Notify {
  const { callbackUrl: url } = settings;
  if (url === undefined) return () => undefined;
  const waits = Array.from({ length: repeatCount }, () => repeatAfterMs * timeScale);

  /** Airalo first sends `HEAD` and expects 200. A failed `HEAD` counts as one of the attempts. */
  async function deliver(address: string, text: string, { webhook }: Modes): Promise<void> {
    const php = phpText(text);
    const secret = webhook === 'forged' ? `not ${settings.secret}` : settings.secret;
    const headers = { 'airalo-signature': signatureOf(php, secret) };
    const body = signs === 'raw' ? php : text;
    for (const [attempt, waitMs] of [0, ...waits].entries()) {
      await pause(waitMs);
      if (!(await answersHead(address))) continue;
      return sendWebhook({ url: address, body, headers, accepted, repeatsAfterMs: waits.slice(attempt) });
    }
  }

  return (body, modes) => {
    const text = jsonOf(withAdditionalFields(body, modes));
    for (let copy = 0; copy < copiesIn(modes); copy++) void deliver(url, text, modes);
  };
}
