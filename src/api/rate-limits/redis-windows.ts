import { setImmediate } from 'node:timers/promises';
import { createClient, defineScript, type CommandParser } from '@redis/client';
import type { Logger } from 'pino';
import { timedOut, withTimeout } from '../../async/promises';
import { WINDOW_MS, type CallWindows, type WindowState } from './call-windows';

/** The time limit of a call to Redis, which a healthy Redis never reaches. */
const TIMEOUT_MS = 250;
/** While Redis does not answer, the service sends it one call per interval. */
const RETRY_INTERVAL_MS = 1_000;
const CONNECT_MS = 1_000;

const PREFIX = 'digital-goods:calls:';

/**
 * One window as a sorted set of times in microseconds, by the clock of Redis. A time that is not after the last one
 * becomes the microsecond after the last one, so no two calls collide. `take` counts one call within the limit,
 * `add` counts ARGV[4] calls in any case, `look` counts none. Returns whether the call is admitted, the remaining
 * calls, and the microseconds until one more is admitted.
 */
const WINDOW_SCRIPT = `
local limit, window, mode, calls = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local function text(number) return string.format('%.0f', number) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', text(now - window))
local counted = redis.call('ZCARD', KEYS[1])
local admitted = counted < limit
if mode == 'add' or (mode == 'take' and admitted) then
  local last = tonumber(redis.call('ZRANGE', KEYS[1], -1, -1)[1] or 0)
  local first = math.max(now, last + 1)
  for at = first, first + calls - 1 do redis.call('ZADD', KEYS[1], text(at), text(at)) end
  redis.call('PEXPIRE', KEYS[1], text(window / 1000 + 1))
  counted = counted + calls
end
local leaving = math.max(0, counted - limit)
local next = tonumber(redis.call('ZRANGE', KEYS[1], leaving, leaving)[1] or now)
return { admitted and 1 or 0, math.max(0, limit - counted), math.min(window, next + window - now) }`;

type Mode = 'take' | 'add' | 'look';
type Reply = [isAdmitted: number, remaining: number, nextInMicroseconds: number];

const runOnWindow = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: WINDOW_SCRIPT,
  parseCommand(parser: CommandParser, key: string, limit: number, mode: Mode, calls: number) {
    parser.pushKey(`${PREFIX}${key}`);
    parser.push(String(limit), String(WINDOW_MS * 1_000), mode, String(calls));
  },
  transformReply: ([isAdmitted, remaining, nextInMicroseconds]: Reply): WindowState => ({
    isAdmitted: isAdmitted === 1,
    remaining,
    nextInMs: nextInMicroseconds / 1_000,
  }),
});

/**
 * The windows of all processes that share a Redis. Each call takes one round trip. If Redis does not answer, each
 * process counts by itself, and no call is rejected or delayed. docs/decisions/0029-count-calls-exactly.md.
 */
export class RedisWindows implements CallWindows {
  private readonly client;
  private isDown = false;
  private retryAt = 0;

  constructor(
    url: string,
    /** Counts while Redis does not answer. */
    private readonly fallback: CallWindows,
    private readonly log: Logger,
  ) {
    this.client = createClient({
      url,
      scripts: { runOnWindow },
      disableOfflineQueue: true,
      socket: {
        connectTimeout: CONNECT_MS,
        reconnectStrategy: (retries) => Math.min(retries * 100, RETRY_INTERVAL_MS),
      },
    });
    this.client.on('error', (err: Error) => this.markDown(err));
    // A process without calls also notices that Redis works again.
    this.client.on('ready', () => this.markUp());
    // After a failure, the client reconnects by itself.
    this.client.connect().catch((err: Error) => this.markDown(err));
  }

  take(key: string, limit: number): Promise<WindowState> {
    return this.run('take', key, limit);
  }

  add(key: string, limit: number, calls: number): Promise<WindowState> {
    return this.run('add', key, limit, calls);
  }

  look(key: string, limit: number): Promise<WindowState> {
    return this.run('look', key, limit);
  }

  /** Whether Redis answers: since its last failure it has answered a call or a new connection. */
  get isAnswering(): boolean {
    return !this.isDown;
  }

  close(): void {
    this.client.destroy();
  }

  private async run(mode: Mode, key: string, limit: number, calls = 1): Promise<WindowState> {
    const now = performance.now();
    if (now < this.retryAt) return this.fallback[mode](key, limit, calls);
    if (this.isDown) this.retryAt = now + RETRY_INTERVAL_MS;
    try {
      const state = await withinTimeout(this.client.runOnWindow(key, limit, mode, calls));
      this.markUp();
      return state;
    } catch (err) {
      this.markDown(err);
      return this.fallback[mode](key, limit, calls);
    }
  }

  private markDown(err: unknown): void {
    this.retryAt = performance.now() + RETRY_INTERVAL_MS;
    if (this.isDown) return;
    this.isDown = true;
    this.log.error({ err }, 'Redis does not answer: this process counts calls by itself');
  }

  private markUp(): void {
    if (!this.isDown) return;
    this.isDown = false;
    this.retryAt = 0;
    this.log.info('Redis answers again: calls are counted there');
  }
}

/**
 * In a busy process, the timer may fire before Node has read a reply that arrived in time. Node reads it before an immediate
 * runs, so the function waits for one.
 */
async function withinTimeout<T>(reply: Promise<T>): Promise<T> {
  const result = await withTimeout(reply, TIMEOUT_MS);
  const read = result === timedOut ? await Promise.race([reply, setImmediate(timedOut)]) : result;
  if (read === timedOut) throw new Error('Redis did not answer in time');
  return read;
}
