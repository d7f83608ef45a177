/** Rate limits of two API processes that share a Redis, and what becomes of them when it dies. */
import type { Database } from '../../src/data/database/database';
import { startApiProcess, type ApiProcess } from '../support/service-process';
import { newClient, stackDatabase } from '../support/clients';
import { describeWithRedis, Redis } from '../support/redis';
import { ApiClient } from '../support/stack';
import { until } from '../support/waiting';

describeWithRedis('two API processes with one Redis', () => {
  let database: Database;
  let redis: Redis;
  let processes: ApiProcess[];
  beforeAll(async () => {
    database = stackDatabase();
    redis = await Redis.start();
    const settings = { REDIS_URL: redis.url };
    processes = await Promise.all([startApiProcess(settings), startApiProcess(settings)]);
  });
  afterAll(async () => {
    await Promise.all(processes.map((api) => api.stop()));
    await redis.kill();
    await database.close();
  });

  /** A client that may read so often, as each of the processes serves it, logged in at both. */
  async function clientAtBoth(reads: number): Promise<ApiClient[]> {
    const { credentials } = await newClient(database, {}, { reads });
    const apis = processes.map(({ url }) => new ApiClient(url, credentials));
    await Promise.all(apis.map((api) => api.accessToken()));
    return apis;
  }

  /** The statuses of so many reads at each process, all sent at once. */
  async function readsAt(apis: readonly ApiClient[], calls: number): Promise<number[][]> {
    const reads = async (api: ApiClient) => {
      const answers = Array.from({ length: calls }, () => api.get('/api/v1/wallets'));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    return Promise.all(apis.map(reads));
  }

  const admitted = (statuses: readonly number[][]) =>
    statuses.flat().filter((status) => status === 200).length;

  /** Waits until what is read at one process counts at the other. */
  async function isShared(): Promise<void> {
    await until('counting together', async () => {
      return admitted(await readsAt(await clientAtBoth(1), 1)) === 1 || undefined;
    });
  }

  test('When a client calls both at once, then together they admit exactly its limit', async () => {
    await isShared();
    const statuses = await readsAt(await clientAtBoth(50), 100);
    expect(admitted(statuses)).toBe(50);
    expect(new Set(statuses.flat())).toEqual(new Set([200, 429]));
  });

  test('When the key logs in at both, then its logins are counted together', async () => {
    await isShared();
    const { credentials } = await newClient(database, {}, {});
    const login = ({ url }: ApiProcess) =>
      new ApiClient(url).post('/auth/login', {
        username: credentials.api_key,
        password: credentials.api_secret,
      });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, call) => login(processes[call % 2] as ApiProcess)),
    );
    expect(admitted([answers.map(({ status }) => status)])).toBe(30);
  });

  test('When Redis is killed while clients call, then each process counts alone: nobody is locked out, nothing waits', async () => {
    const busy = await clientAtBoth(1_000_000);
    const fresh = await clientAtBoth(20);
    const answered = [0, 0];
    let isOver = false;
    const calling = busy.map(async (api, index) => {
      while (!isOver) {
        expect((await api.get('/api/v1/wallets')).status).toBe(200);
        answered[index] = (answered[index] ?? 0) + 1;
      }
    });
    await redis.kill();
    const before = [...answered];
    const alone = await readsAt(fresh, 40);
    expect(alone.map((statuses) => admitted([statuses]))).toEqual([20, 20]);
    // One of each may have been answered by Redis yet.
    await until('answers without Redis', async () =>
      answered.every((count, index) => count > (before[index] ?? 0) + 1) ? true : undefined,
    );
    await redis.start();
    await isShared();
    isOver = true;
    await Promise.all(calling);
    expect(admitted(await readsAt(await clientAtBoth(30), 60))).toBe(30);
  });
});
