/** Rolling windows that processes share in Redis. docs/specification.md#rate-limits. */
import { createClient } from '@redis/client';
import pino from 'pino';
import { MemoryWindows, WINDOW_MS, type WindowState } from '../../src/api/rate-limits/call-windows';
import { RedisWindows } from '../../src/api/rate-limits/redis-windows';
import { describeWithRedis, Redis } from '../support/redis';
import { until } from '../../dev/testbed/waiting';
import { useMade } from '../support/made';

describeWithRedis('with a Redis', () => {
  const redis = useMade(() => Redis.start(), 'kill');
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => logged.push(line) });
  const opened: RedisWindows[] = [];
  beforeEach(() => logged.splice(0));
  afterEach(() => opened.splice(0).forEach((windows) => windows.close()));

  const words = () => logged.map((line) => (JSON.parse(line) as { msg: string }).msg);

  /** The connected windows of one process. */
  async function aProcess(): Promise<RedisWindows> {
    const windows = new RedisWindows(redis.url, new MemoryWindows(), log);
    opened.push(windows);
    await isShared(windows);
    logged.splice(0);
    return windows;
  }

  /** Waits until the process counts its calls in Redis. */
  async function isShared(windows: RedisWindows): Promise<void> {
    const client = await createClient({ url: redis.url }).connect();
    await until('counting in Redis', async () => {
      const key = `probe-${Math.random()}`;
      await windows.take(key, 1);
      return (await client.exists(`digital-goods:calls:${key}`)) === 1;
    });
    client.destroy();
  }

  test('When two processes admit calls of one client, then together they admit exactly its limit', async () => {
    const [one, other] = [await aProcess(), await aProcess()];
    const taken: WindowState[] = [];
    // Not 300 at once: a call that waits too long for Redis is counted in the process.
    for (let round = 0; round < 15; round++) {
      const calls = Array.from({ length: 20 }, (_, call) => (call % 2 ? one : other).take('both', 100));
      taken.push(...(await Promise.all(calls)));
    }
    const admitted = taken.filter(({ isAdmitted }) => isAdmitted);
    expect(admitted).toHaveLength(100);
    expect(new Set(admitted.map(({ remaining }) => remaining)).size).toBe(100);
    for (const { nextInMs } of taken) {
      expect(nextInMs).toBeGreaterThan(WINDOW_MS - 10_000);
      expect(nextInMs).toBeLessThanOrEqual(WINDOW_MS);
    }
  });

  test('When a call weighs more than the calls left, then its whole weight counts in every process', async () => {
    const [one, other] = [await aProcess(), await aProcess()];
    await one.take('heavy', 3);
    expect(await one.add('heavy', 3, 1)).toMatchObject({ isAdmitted: true, remaining: 1 });
    expect(await other.take('heavy', 3)).toMatchObject({ isAdmitted: true, remaining: 0 });
    expect(await other.add('heavy', 3, 4)).toMatchObject({ isAdmitted: false, remaining: 0 });
    expect(await one.look('heavy', 7)).toMatchObject({ isAdmitted: false, remaining: 0 });
    expect(await one.look('heavy', 8)).toMatchObject({ isAdmitted: true, remaining: 1 });
  });

  test('When a call is rejected, or a caller only reads the window, then nothing is counted', async () => {
    const windows = await aProcess();
    await windows.look('quiet', 1);
    expect(await windows.take('quiet', 1)).toMatchObject({ isAdmitted: true, remaining: 0 });
    for (let call = 0; call < 5; call++) {
      expect(await windows.take('quiet', 1)).toMatchObject({ isAdmitted: false, remaining: 0 });
    }
    expect(await windows.look('quiet', 2)).toMatchObject({ isAdmitted: true, remaining: 1 });
  });

  test('When calls are a minute old, then they no longer count, and Redis drops an idle window', async () => {
    const windows = await aProcess();
    const client = await createClient({ url: redis.url }).connect();
    const key = 'digital-goods:calls:aged';
    for (let call = 0; call < 3; call++) await windows.take('aged', 3);
    expect((await windows.take('aged', 3)).isAdmitted).toBe(false);
    expect(await client.pTTL(key)).toBeGreaterThan(WINDOW_MS - 10_000);
    // The two oldest calls have just left the window. The third call leaves it in half a minute.
    const [first, second, third] = await client.zRange(key, 0, -1);
    const now = Number(third);
    await client.zRem(key, [first, second, third] as string[]);
    const aged = [now - 60_000_001, now - 60_000_000, now - 30_000_000];
    await client.zAdd(
      key,
      aged.map((score) => ({ score, value: String(score) })),
    );
    expect(await windows.take('aged', 3)).toMatchObject({ isAdmitted: true, remaining: 1 });
    const { nextInMs } = await windows.look('aged', 3);
    expect(nextInMs).toBeGreaterThan(20_000);
    expect(nextInMs).toBeLessThanOrEqual(30_000);
    client.destroy();
  });

  test('When Redis fails and recovers, then each process counts alone in between, and logs each change once', async () => {
    const [one, other] = [await aProcess(), await aProcess()];
    await one.take('dying', 5);
    await redis.kill();
    for (const windows of [one, other]) {
      const taken = await Promise.all(Array.from({ length: 20 }, () => windows.take('dying', 5)));
      expect(taken.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(5);
    }
    expect(words()).toEqual(Array(2).fill('Redis does not answer: this process counts calls by itself'));
    expect([one.isAnswering, other.isAnswering]).toEqual([false, false]);
    await redis.start();
    await Promise.all([isShared(one), isShared(other)]);
    expect([one.isAnswering, other.isAnswering]).toEqual([true, true]);
    expect(words().slice(2)).toEqual(Array(2).fill('Redis answers again: calls are counted there'));
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, call) => (call % 2 ? one : other).take('reborn', 10)),
    );
    expect(taken.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(10);
  });

  test('When the process was too busy to read the response of Redis in time, then it still uses that response', async () => {
    const windows = await aProcess();
    const taken = Array.from({ length: 5 }, () => windows.take('stalled', 3));
    await new Promise((resolve) => setImmediate(resolve));
    for (const end = performance.now() + 600; performance.now() < end;);
    redis.blockUntilCounted('digital-goods:calls:stalled', 3);
    expect((await Promise.all(taken)).filter(({ isAdmitted }) => isAdmitted)).toHaveLength(3);
    expect(words()).toEqual([]);
    const client = await createClient({ url: redis.url }).connect();
    expect(await client.zCard('digital-goods:calls:stalled')).toBe(3);
    client.destroy();
  });

  test('When Redis hangs, then no call waits for Redis longer than 250 ms, and most calls do not wait', async () => {
    const windows = await aProcess();
    redis.hang();
    const began = performance.now();
    for (let call = 0; call < 50; call++) expect((await windows.take('hanging', 1_000)).isAdmitted).toBe(true);
    // If each call waited for the 250 ms timeout of Redis, the calls would take 12.5 s.
    expect(performance.now() - began).toBeLessThan(6_000);
    redis.goOn();
    await isShared(windows);
  });
});

test('When Redis is unreachable, then the process still counts calls', async () => {
  const windows = new RedisWindows('redis://127.0.0.1:1', new MemoryWindows(), pino({ level: 'silent' }));
  const taken = [];
  for (let call = 0; call < 4; call++) taken.push((await windows.take('key', 3)).isAdmitted);
  expect(taken).toEqual([true, true, true, false]);
  windows.close();
});
