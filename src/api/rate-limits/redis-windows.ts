import { createClient, defineScript, type CommandParser } from '@redis/client';
import type { Logger } from 'pino';
import { timedOut, withTimeout } from '../../async/promises';
import { WINDOW_MS, type CallWindows, type Taken } from './call-windows';

/** Longer than Redis takes unless something is wrong with it; a call waits no longer than this for it. */
const ANSWER_MS = 250;
/** While Redis does not answer, so seldom one call tries it again. */
const ASK_AGAIN_MS = 1_000;
const CONNECT_MS = 1_000;

const PREFIX = 'digital-goods:calls:';

/**
 * One window as a sorted set of times in microseconds, by the clock of Redis. A time that is there already, or
 * lies before the last one, becomes the next that is free: so no two calls are one, whatever the clock does. 'take'
 * counts one call if there is room for it, 'add' counts ARGV[4] calls in any case, 'look' counts none.
 * Answers whether the call is admitted, what remains, and in how many microseconds there is one more.
 */
const TAKE = `
local limit, window, how, calls = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local function text(number) return string.format('%.0f', number) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', text(now - window))
local counted = redis.call('ZCARD', KEYS[1])
local admitted = counted < limit
if how == 'add' or (how == 'take' and admitted) then
  local last = tonumber(redis.call('ZRANGE', KEYS[1], -1, -1)[1] or 0)
  local first = math.max(now, last + 1)
  for at = first, first + calls - 1 do redis.call('ZADD', KEYS[1], text(at), text(at)) end
  redis.call('PEXPIRE', KEYS[1], text(window / 1000 + 1))
  counted = counted + calls
end
local leaving = math.max(0, counted - limit)
local next = tonumber(redis.call('ZRANGE', KEYS[1], leaving, leaving)[1] or now)
return { admitted and 1 or 0, math.max(0, limit - counted), math.min(window, next + window - now) }`;

type How = 'take' | 'add' | 'look';
type Reply = [isAdmitted: number, remaining: number, nextInMicroseconds: number];

const take = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: TAKE,
  parseCommand(parser: CommandParser, key: string, limit: number, how: How, calls: number) {
    parser.pushKey(`${PREFIX}${key}`);
    parser.push(String(limit), String(WINDOW_MS * 1_000), how, String(calls));
  },
  transformReply: ([isAdmitted, remaining, nextInMicroseconds]: Reply): Taken => ({
    isAdmitted: isAdmitted === 1,
    remaining,
    nextInMs: nextInMicroseconds / 1_000,
  }),
});

/**
 * The windows of all processes that share a Redis: one round trip a call, counted there or not at all. Where Redis
 * does not answer, each process counts by itself, and nobody is refused or kept waiting for it.
 * docs/decisions/0029-count-calls-exactly.md.
 */
export class RedisWindows implements CallWindows {
  private readonly client;
  private isDown = false;
  private askAgainAt = 0;

  constructor(
    url: string,
    /** What counts while Redis does not answer. */
    private readonly own: CallWindows,
    private readonly log: Logger,
  ) {
    this.client = createClient({
      url,
      scripts: { take },
      disableOfflineQueue: true,
      socket: {
        connectTimeout: CONNECT_MS,
        reconnectStrategy: (retries) => Math.min(retries * 100, ASK_AGAIN_MS),
      },
    });
    this.client.on('error', (err: Error) => this.noteDown(err));
    // The client reconnects until it is closed.
    this.client.connect().catch((err: Error) => this.noteDown(err));
  }

  take(key: string, limit: number): Promise<Taken> {
    return this.ask('take', key, limit);
  }

  add(key: string, limit: number, calls: number): Promise<Taken> {
    return this.ask('add', key, limit, calls);
  }

  look(key: string, limit: number): Promise<Taken> {
    return this.ask('look', key, limit);
  }

  close(): void {
    this.client.destroy();
  }

  private async ask(how: How, key: string, limit: number, calls = 1): Promise<Taken> {
    const now = performance.now();
    if (now < this.askAgainAt) return this.own[how](key, limit, calls);
    if (this.isDown) this.askAgainAt = now + ASK_AGAIN_MS;
    try {
      const taken = await inTime(this.client.take(key, limit, how, calls));
      this.noteUp();
      return taken;
    } catch (err) {
      this.noteDown(err);
      return this.own[how](key, limit, calls);
    }
  }

  private noteDown(err: unknown): void {
    this.askAgainAt = performance.now() + ASK_AGAIN_MS;
    if (this.isDown) return;
    this.isDown = true;
    this.log.error({ err }, 'Redis does not answer: this process counts calls by itself');
  }

  private noteUp(): void {
    if (!this.isDown) return;
    this.isDown = false;
    this.askAgainAt = 0;
    this.log.info('Redis answers again: calls are counted there');
  }
}

/** In a process that was busy the timer goes before an answer that has long arrived: what is there is read first. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const given = await withTimeout(answer, ANSWER_MS);
  const read = given === timedOut ? await withTimeout(answer, 1) : given;
  if (read === timedOut) throw new Error('Redis did not answer in time');
  return read;
}
