/** Subscriptions and webhooks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeSettings } from '../kit/fake';
import type { Modes } from '../kit/modes';
import { jsonOf, withAdditionalFields } from '../kit/responses';
import { answersHead, copiesIn, sendWebhook } from '../kit/webhooks';
import { validationError } from './errors';
import { notificationTypes, type NotificationType } from './requests';
import { phpText, signatureOf } from './signatures';

export interface Subscription {
  readonly webhook_url: string;
  /** Of `webhook_credit_limit`, in per cent. */
  readonly levels: readonly number[];
}

export interface NotificationsOptions {
  settings: FakeSettings;
  timeScale: number;
  isSandbox: boolean;
  /** What the signature is over: the sent body, or the body as PHP writes it again after parsing. */
  signs: 'raw' | 'reserialised';
}

/** Anything but 200 to 203 counts as failed. */
const accepted = [200, 201, 202, 203];
const repeatCount = 20;
const repeatAfterMs = 900_000;

export class Notifications {
  private readonly subscriptions = new Map<NotificationType, Subscription>();

  constructor(private readonly options: NotificationsOptions) {
    this.clear();
  }

  find(type: NotificationType): Subscription | undefined {
    return this.subscriptions.get(type);
  }

  list() {
    return [...this.subscriptions].map(([type, subscription]) => ({ type, ...subscription }));
  }

  /** Replaces the subscription of the type. Throws a validation error if the URL does not answer `HEAD` with 200. */
  async optIn(type: NotificationType, subscription: Subscription): Promise<void> {
    if (!(await answersHead(subscription.webhook_url))) {
      throw validationError({ webhook_url: 'The webhook url does not respond with 200.' });
    }
    this.subscriptions.set(type, subscription);
  }

  optOut(type: NotificationType): void {
    this.subscriptions.delete(type);
  }

  /** Sends to the subscriber of the type, if there is one. */
  notify(type: NotificationType, body: object, modes: Modes): void {
    const subscription = this.subscriptions.get(type);
    if (subscription) this.send(subscription.webhook_url, body, modes);
  }

  /** Sends in the background. In the sandbox, webhooks do not fire. */
  send(url: string, body: object, modes: Modes): void {
    if (!this.options.isSandbox) this.simulate(url, body, modes);
  }

  /** Sends in the background, in the sandbox too. */
  simulate(url: string, body: object, modes: Modes): void {
    const text = jsonOf(withAdditionalFields(body, modes));
    for (let copy = 0; copy < copiesIn(modes); copy++) void this.deliver(url, text, modes);
  }

  /** Restores the state after the start: every type goes to the URL of the settings, if there is one. */
  clear(): void {
    const { callbackUrl } = this.options.settings;
    this.subscriptions.clear();
    if (callbackUrl === undefined) return;
    for (const type of notificationTypes) {
      this.subscriptions.set(type, { webhook_url: callbackUrl, levels: [50, 70, 80, 90] });
    }
  }

  /** Airalo sends `HEAD` first and wants 200. A failed `HEAD` counts as one of the attempts. */
  private async deliver(url: string, text: string, { webhook }: Modes): Promise<void> {
    const { settings, signs, timeScale } = this.options;
    const php = phpText(text);
    const secret = webhook === 'forged' ? `not ${settings.secret}` : settings.secret;
    const headers = { 'airalo-signature': signatureOf(php, secret) };
    const waits = Array.from({ length: repeatCount }, () => repeatAfterMs * timeScale);
    for (const [attempt, waitMs] of [0, ...waits].entries()) {
      await sleep(waitMs, undefined, { ref: false });
      if (!(await answersHead(url))) continue;
      const body = signs === 'raw' ? php : text;
      sendWebhook({ url, body, headers, accepted, repeatsAfterMs: waits.slice(attempt) });
      return;
    }
  }
}
