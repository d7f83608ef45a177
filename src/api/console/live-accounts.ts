/**
 * Sends the changes of an account to its open pages. A client with open pages costs one statement a second
 * (`readLiveAccount`), whatever the number of pages. Other clients cost nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_DELTA, readLiveAccount, type LiveAccount } from '../../data/clients/live-account';
import type { Client } from '../../data/clients/clients';
import { rateClassesOfClient } from '../../domain/clients/rate-classes';
import { errors } from '../../domain/errors';
import type { Dependencies } from '../dependencies';
import type { ClassUsage } from '../rate-limits/rate-limiter';
import type { EventStream } from './event-stream';
import { attemptView, eventView, orderView, liveWalletView } from './live-view';
import { whenMemberLeaves, type ConsoleSession } from './session';

const POLL_INTERVAL_MS = 1_000;

const MAX_STREAMS_OF_CLIENT = 10;
const MAX_STREAMS = 500;
/** Seconds until a rejected page may retry. */
const RETRY_AFTER_S = 15;

type Needed = Pick<Dependencies, 'database' | 'rateLimiter' | 'knownClients' | 'members' | 'log' | 'stopping'>;

export class LiveAccounts {
  private readonly accounts = new Map<number, WatchedAccount>();

  constructor(private readonly deps: Needed) {}

  /** Throws 429 at the limit of the client, and 503 at the limit of the process. */
  checkCapacity(clientId: number): void {
    const own = this.accounts.get(clientId)?.size ?? 0;
    if (own >= MAX_STREAMS_OF_CLIENT) throw errors.tooManyRequests(RETRY_AFTER_S);
    let all = 0;
    for (const { size } of this.accounts.values()) all += size;
    if (all >= MAX_STREAMS) throw errors.overloaded(RETRY_AFTER_S);
  }

  /** Sends the current state and then every change, until the session, the process or the stream ends. */
  follow(page: OpenPage, stream: EventStream): void {
    const clientId = page.client.id;
    const known = this.accounts.get(clientId);
    const account = known ?? new WatchedAccount(clientId, this.deps);
    account.add(page, stream);
    if (known) return;
    this.accounts.set(clientId, account);
    void account.watch(() => this.accounts.delete(clientId));
  }
}

/** An open page: its session, and the client when it opened. */
export interface OpenPage {
  session: ConsoleSession;
  client: Pick<Client, 'id' | 'rateLimits'>;
}

/** The state of an account as its pages show it. */
interface State {
  wallets: ReturnType<typeof liveWalletView>[];
  usage: ClassUsage[];
  orders: ReturnType<typeof orderView>[];
  events: ReturnType<typeof eventView>[];
  attempts: ReturnType<typeof attemptView>[];
}

/** The changes since the last poll. */
interface Delta extends Partial<State> {
  /** Set if changes may be missing, so that the page must read its lists again. */
  is_cut?: true;
}

class WatchedAccount {
  private readonly streams = new Map<EventStream, { page: OpenPage; isInitialised: boolean }>();
  private readonly events = new DeduplicationSet();
  private readonly attempts = new DeduplicationSet();
  /** Sent to each page that opens. */
  private state: State = { wallets: [], usage: [], orders: [], events: [], attempts: [] };

  constructor(
    private readonly clientId: number,
    private readonly deps: Needed,
  ) {}

  /** The number of open streams. */
  get size(): number {
    return this.streams.size;
  }

  add(page: OpenPage, stream: EventStream): void {
    this.streams.set(stream, { page, isInitialised: false });
    const { session } = page;
    const end = () => stream.end();
    const expiry = setTimeout(end, session.expiresAt.getTime() - Date.now());
    this.deps.stopping.addEventListener('abort', end, { signal: stream.ended });
    // `poll` notices the end of a key's session.
    if (session.member) whenMemberLeaves(this.deps, session, stream.ended, end);
    stream.ended.addEventListener('abort', () => {
      clearTimeout(expiry);
      this.streams.delete(stream);
    });
  }

  /** Polls until the last stream has ended. Then calls `onEnd` at once, so that no stream joins an account without polls. */
  async watch(onEnd: () => void): Promise<void> {
    const { log } = this.deps;
    while (this.streams.size > 0) {
      await this.poll().catch((err: unknown) =>
        log.warn({ err }, 'the state of an account with open pages cannot be read'),
      );
      await sleep(POLL_INTERVAL_MS);
    }
    onEnd();
  }

  private async poll(): Promise<void> {
    const sessions = new Set(
      [...this.streams.values()].flatMap(({ page: { session } }) => (session.member ? [] : session.sessionId)),
    );
    const [account, usage] = await Promise.all([
      readLiveAccount(this.deps.database, {
        clientId: this.clientId,
        sessionIds: [...sessions],
        eventsAfter: this.events.completeUpTo,
        attemptsAfter: this.attempts.completeUpTo,
      }),
      this.readUsage(),
    ]);
    const delta = this.update(account, usage);
    const alive = new Set(account.activeSessionIds);
    // The session of a page that opened after the read began was not read, so it does not count as ended.
    const hasEnded = ({ session }: OpenPage) =>
      !session.member && sessions.has(session.sessionId) && !alive.has(session.sessionId);
    for (const [stream, { page }] of this.streams) if (hasEnded(page)) stream.end();
    this.send(delta);
  }

  private async readUsage(): Promise<ClassUsage[]> {
    const { rateLimiter, knownClients } = this.deps;
    const [reader] = this.streams.values();
    const session = reader?.page.session;
    const client = session && !session.member ? await knownClients.find(session) : reader?.page.client;
    const caller = { key: String(this.clientId), overrides: client?.rateLimits ?? {} };
    return rateLimiter.usage(rateClassesOfClient, caller);
  }

  /** Stores the current state, and returns its changes. */
  private update(account: LiveAccount, usage: ClassUsage[]): Delta {
    const events = this.events.addNew(account.events, ({ sequence }) => sequence);
    const attempts = this.attempts.addNew(account.attempts, ({ id }) => id);
    const touched = new Set(events.map(({ orderId }) => orderId));
    const orders = account.orders.filter(({ id }) => touched.has(id)).map(orderView);
    const wallets = account.wallets.map(liveWalletView);
    const delta: Delta = {
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
      events: newest(this.state.events, delta.events),
      attempts: newest(this.state.attempts, delta.attempts),
    };
    return delta;
  }

  private send(delta: Delta): void {
    const change = Object.keys(delta).length > 0 ? JSON.stringify(delta) : undefined;
    let state: string | undefined;
    for (const [stream, reader] of this.streams) {
      if (!reader.isInitialised) stream.send('state', (state ??= JSON.stringify(this.state)));
      else if (change !== undefined) stream.send('news', change);
      reader.isInitialised = true;
    }
  }
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The newest entries, at most as many as one poll reads. */
function newest<T>(list: readonly T[], added: readonly T[] = []): T[] {
  return [...list, ...added].slice(-MAX_DELTA);
}

/** No statement runs longer. So a row with a lower number can be committed for this long after a higher number was seen. */
const COMMITTED_WITHIN_MS = 20_000;

/** The numbers that were already seen. The database assigns numbers in order, but commits their rows in any order. */
class DeduplicationSet {
  /** All numbers up to this one were seen, or will never exist. */
  completeUpTo = 0;
  /** When each number was first seen. Holds the numbers of the last `COMMITTED_WITHIN_MS`. */
  private readonly recent = new Map<number, number>();

  /** Records the entries. Returns those that were not seen before. */
  addNew<T>(numbered: readonly T[], numberOf: (each: T) => number): T[] {
    const now = performance.now();
    const fresh = numbered.filter((each) => !this.recent.has(numberOf(each)));
    for (const each of fresh) this.recent.set(numberOf(each), now);
    for (const [number, seenAt] of this.recent) {
      if (now - seenAt < COMMITTED_WITHIN_MS) continue;
      this.recent.delete(number);
      this.completeUpTo = Math.max(this.completeUpTo, number);
    }
    return fresh;
  }
}
