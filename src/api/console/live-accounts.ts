/**
 * Tells open pages what happens to their account. Each client whose pages are open costs one statement a second
 * (`readLiveAccount`), however many they are; a client without costs nothing, and no order waits for any of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_DELTA, readLiveAccount, type LiveAccount } from '../../data/clients/live-account';
import type { LiveSession } from '../../data/clients/sessions';
import { errors } from '../../domain/errors';
import { rateClassesOfClient } from '../../domain/clients/rate-classes';
import type { Dependencies } from '../dependencies';
import type { ClassUsage } from '../rate-limits/rate-limiter';
import type { EventStream } from './event-stream';
import { attemptView, eventView, orderView, walletView } from './live-view';
import { Seen } from './seen';

const LOOK_EVERY_MS = 1_000;

const MOST_STREAMS_OF_CLIENT = 10;
const MOST_STREAMS = 500;
/** Seconds until a page that found no place may ask again. */
const ASK_AGAIN_S = 15;

type Needed = Pick<Dependencies, 'database' | 'rateLimiter' | 'knownClients' | 'log' | 'stopping'>;

export class LiveAccounts {
  private readonly accounts = new Map<number, WatchedAccount>();

  constructor(private readonly deps: Needed) {}

  /** Throws where as many pages are open as one client may have (429), or as the process carries (503). */
  checkPlace(clientId: number): void {
    if (this.streamsOf(clientId) >= MOST_STREAMS_OF_CLIENT) throw errors.tooManyRequests(ASK_AGAIN_S);
    const all = [...this.accounts.keys()].reduce((sum, id) => sum + this.streamsOf(id), 0);
    if (all >= MOST_STREAMS) throw errors.overloaded(ASK_AGAIN_S);
  }

  /** Sends what happens, beginning with how all stands, until the session, the process or the stream ends. */
  follow(session: LiveSession, stream: EventStream): void {
    const { clientId } = session;
    const known = this.accounts.get(clientId);
    const account = known ?? new WatchedAccount(clientId, this.deps);
    account.add(session, stream);
    if (known) return;
    this.accounts.set(clientId, account);
    void account.watch(() => this.accounts.delete(clientId));
  }

  private streamsOf(clientId: number): number {
    return this.accounts.get(clientId)?.size ?? 0;
  }
}

/** How all stands. */
interface State {
  wallets: ReturnType<typeof walletView>[];
  usage: ClassUsage[];
  orders: ReturnType<typeof orderView>[];
  events: ReturnType<typeof eventView>[];
  attempts: ReturnType<typeof attemptView>[];
}

/** What has changed. */
interface News extends Partial<State> {
  /** More has happened than is told here. */
  is_cut?: true;
}

class WatchedAccount {
  private readonly streams = new Map<EventStream, { session: LiveSession; isTold: boolean }>();
  private readonly events = new Seen();
  private readonly attempts = new Seen();
  /** How all stands, for pages that open. */
  private state: State = { wallets: [], usage: [], orders: [], events: [], attempts: [] };

  constructor(
    private readonly clientId: number,
    private readonly deps: Needed,
  ) {}

  get size(): number {
    return this.streams.size;
  }

  add(session: LiveSession, stream: EventStream): void {
    this.streams.set(stream, { session, isTold: false });
    const expiry = setTimeout(() => stream.end(), session.expiresAt.getTime() - Date.now());
    this.deps.stopping.addEventListener('abort', () => stream.end(), { signal: stream.ended });
    stream.ended.addEventListener('abort', () => {
      clearTimeout(expiry);
      this.streams.delete(stream);
    });
  }

  /** Looks again and again until the last stream has ended; `over` is called in the same turn. */
  async watch(over: () => void): Promise<void> {
    const { log } = this.deps;
    while (this.streams.size > 0) {
      await this.look().catch((err: unknown) =>
        log.warn({ err }, 'what happens to an account cannot be read'),
      );
      await sleep(LOOK_EVERY_MS);
    }
    over();
  }

  private async look(): Promise<void> {
    const sessions = [...this.streams.values()].map(({ session }) => session.sessionId);
    const [account, usage] = await Promise.all([
      readLiveAccount(this.deps.database, {
        clientId: this.clientId,
        families: [...new Set(sessions)],
        eventsAfter: this.events.through,
        attemptsAfter: this.attempts.through,
      }),
      this.readUsage(),
    ]);
    const news = this.take(account, usage);
    const alive = new Set(account.families);
    for (const [stream, { session }] of this.streams) if (!alive.has(session.sessionId)) stream.end();
    this.tell(news);
  }

  private async readUsage(): Promise<ClassUsage[]> {
    const { rateLimiter, knownClients } = this.deps;
    const client = await knownClients.find(this.clientId);
    const caller = { key: String(this.clientId), overrides: client?.rateLimits ?? {} };
    return rateLimiter.usage(rateClassesOfClient, caller);
  }

  /** Takes over how all stands, and returns what of it is new. */
  private take(account: LiveAccount, usage: ClassUsage[]): News {
    const events = this.events.take(account.events, ({ sequence }) => sequence);
    const attempts = this.attempts.take(account.attempts, ({ id }) => id);
    const touched = new Set(events.map(({ orderId }) => orderId));
    const orders = account.orders.filter(({ id }) => touched.has(id)).map(orderView);
    const wallets = account.wallets.map(walletView);
    const news: News = {
      ...(!isSame(wallets, this.state.wallets) && { wallets }),
      ...(!isSame(usage, this.state.usage) && { usage }),
      ...(orders.length > 0 && { orders }),
      ...(events.length > 0 && { events: events.map(eventView) }),
      ...(attempts.length > 0 && { attempts: attempts.map(attemptView) }),
      ...(Math.max(events.length, attempts.length) === MAX_DELTA && { is_cut: true }),
    };
    this.state = {
      wallets,
      usage,
      orders: newest(this.state.orders, orders),
      events: newest(this.state.events, news.events),
      attempts: newest(this.state.attempts, news.attempts),
    };
    return news;
  }

  private tell(news: News): void {
    const change = Object.keys(news).length > 0 ? JSON.stringify(news) : undefined;
    let state: string | undefined;
    for (const [stream, reader] of this.streams) {
      if (!reader.isTold) stream.send('state', (state ??= JSON.stringify(this.state)));
      else if (change !== undefined) stream.send('news', change);
      reader.isTold = true;
    }
  }
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A list and what came to it, no longer than what one look reads. */
function newest<T>(list: readonly T[], added: readonly T[] = []): T[] {
  return [...list, ...added].slice(-MAX_DELTA);
}
