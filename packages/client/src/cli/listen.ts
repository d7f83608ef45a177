/** `dgo listen`: forwards the events of the account to a receiver on this machine, signed as webhooks are. */
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DigitalGoods } from '../client.ts';
import type { WebhookEvent } from '../models.ts';
import { openExchange } from '../exchange.ts';
import { DigitalGoodsError } from '../errors.ts';
import { Problem } from './problem.ts';

export interface ListenOptions {
  forwardTo: string;
  /** The types of the events to forward; all if absent. */
  types?: readonly string[] | undefined;
  /** The secret that signs; a new one if absent. */
  secret?: string | undefined;
  say: (line: string) => void;
  signal: AbortSignal;
}

/** Milliseconds between two reads of the log. */
const EVERY_MS = 1_000;
/** The timeout of the receiver, the same as for the webhooks of the service. */
const TIMEOUT_MS = 15_000;
const PAGE_SIZE = 100;
/** The maximum number of remembered event ids, above the number of events that the log gets between two reads. */
const MAX_REMEMBERED = 10_000;

/**
 * Until the signal is aborted, forwards every event that is written or sent again (by a redelivery or a replay) from now on,
 * oldest first. An event that the receiver does not accept is not repeated. The events come from the event log, so no public address and no endpoint is needed.
 */
export async function listen(client: DigitalGoods, options: ListenOptions): Promise<void> {
  const { forwardTo, say, signal, secret = `whsec_${randomBytes(24).toString('base64')}` } = options;
  checkReceiver(forwardTo, secret);
  const log = new EventLog(client, options.types);
  await log.skip();
  say(`Forwarding events to ${forwardTo}`);
  say(`Signing secret: ${secret}`);
  say('Ctrl-C ends it.');
  while (!signal.aborted) {
    for (const event of await newEvents(log, say)) {
      say(`${event.created_at} ${event.type} ${event.id}: ${await forward(event, forwardTo, secret)}`);
    }
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

function checkReceiver(forwardTo: string, secret: string): void {
  const url = URL.canParse(forwardTo) ? new URL(forwardTo) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Problem(`--forward-to must be a URL such as http://localhost:4999/hooks, not ${forwardTo}.`);
  if (!/^whsec_[A-Za-z0-9+/]{8,}={0,2}$/.test(secret))
    throw new Problem('--secret must be a secret such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw.');
}

/** For how long a resend may become visible after its time: no transaction of the service takes longer. */
const RESEND_OVERLAP_MS = 60_000;

/** The events that were written or sent again since the last read. */
class EventLog {
  private readonly seen = new Set<string>();

  constructor(
    private readonly client: DigitalGoods,
    private readonly types: readonly string[] | undefined,
  ) {}

  /** The time of the newest known resend, by the clock of the service. */
  private resentAt = Date.now();

  /** Marks the newest events of the log and the newest resends as seen. */
  async skip(): Promise<void> {
    for (const { id } of await this.page()) this.remember(id);
    await this.resent();
  }

  /** New events, oldest first, then those that were sent again. */
  async read(): Promise<WebhookEvent[]> {
    const all = [...(await this.written()), ...(await this.resent())];
    return all.filter(({ type }) => this.types?.includes(type) ?? true);
  }

  private async resent(): Promise<WebhookEvent[]> {
    const list = this.client.webhooks.events.resends(new Date(this.resentAt - RESEND_OVERLAP_MS));
    const fresh = (await list.toArray()).filter(({ id }) => !this.seen.has(`resend ${id}`));
    for (const { id, requested_at } of fresh) {
      this.remember(`resend ${id}`);
      this.resentAt = Math.max(this.resentAt, Date.parse(requested_at));
    }
    return fresh.reverse().map(({ event }) => event);
  }

  private async written(): Promise<WebhookEvent[]> {
    const fresh: WebhookEvent[] = [];
    for (;;) {
      const page = await this.page(fresh.at(-1)?.id);
      const unseen = page.filter(({ id }) => !this.seen.has(id));
      fresh.push(...unseen);
      if (unseen.length < page.length || page.length < PAGE_SIZE) break;
    }
    fresh.forEach(({ id }) => this.remember(id));
    return fresh.reverse();
  }

  /** The newest events, or the newest of those that are older than the event with the id. */
  private async page(beforeId?: string): Promise<WebhookEvent[]> {
    const query = { per_page: PAGE_SIZE, ...(beforeId !== undefined && { before_id: beforeId }) };
    return (await this.client.webhooks.events.list(query).page()).items;
  }

  private remember(id: string): void {
    this.seen.add(id);
    const [oldest] = this.seen;
    if (this.seen.size > MAX_REMEMBERED && oldest !== undefined) this.seen.delete(oldest);
  }
}

/** The new events; empty if the service cannot be reached. The next successful read then returns the missed events, too. */
async function newEvents(log: EventLog, say: ListenOptions['say']): Promise<WebhookEvent[]> {
  try {
    return await log.read();
  } catch (error) {
    if (!(error instanceof DigitalGoodsError)) throw error;
    say(`The events cannot be read now: ${error.message}`);
    return [];
  }
}

/** Posts the event. Returns the result in words. */
async function forward(event: WebhookEvent, url: string, secret: string): Promise<string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signed = `${event.id}.${timestamp}.${JSON.stringify(event)}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // The headers of a delivery by the service.
  const headers = {
    'user-agent': 'digital-goods-webhooks/1',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  };
  try {
    const request = { method: 'POST', url, headers, body: event, timeoutMs: TIMEOUT_MS, signal: undefined };
    const response = await openExchange(request);
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return error instanceof DigitalGoodsError ? error.message.replace(`POST ${url}: `, '') : String(error);
  }
}
