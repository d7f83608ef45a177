/** Rate limits of two API processes that share a Redis, also after that Redis dies. */
import type { Database } from '../../src/data/database/database';
import { startApiProcess, type ApiProcess } from '../support/service-process';
import { newClient } from '../support/clients';
import { stackDatabase } from '../../dev/testbed/clients';
import { describeWithRedis, Redis } from '../support/redis';
import { ApiClient } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

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

  /** A client with this read limit, logged in at both processes. */
  async function clientAtBoth(reads: number): Promise<ApiClient[]> {
    const { credentials } = await newClient(database, {}, { reads });
    const apis = processes.map(({ url }) => new ApiClient(url, credentials));
    await Promise.all(apis.map((api) => api.accessToken()));
    return apis;
  }

  /** The statuses of this many concurrent reads at each process. */
  async function readsAt(apis: readonly ApiClient[], calls: number): Promise<number[][]> {
    const reads = async (api: ApiClient) => {
      const answers = Array.from({ length: calls }, () => api.get('/api/v1/wallets'));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    return Promise.all(apis.map(reads));
  }

  const admitted = (statuses: readonly number[][]) => statuses.flat().filter((status) => status === 200).length;

  /** Calls with new clients until exactly the limit is admitted: on a busy machine Redis may answer too late, and a process count alone. */
  function untilAdmitted(limit: number, call: () => Promise<number[][]>): Promise<number[][]> {
    return until('exactly the limit', async () => {
      const statuses = await call();
      return admitted(statuses) === limit ? statuses : undefined;
    });
  }

  /** Waits until a read at one process counts at the other. */
  async function isShared(): Promise<void> {
    await until('counting together', async () => {
      return admitted(await readsAt(await clientAtBoth(1), 1)) === 1;
    });
  }

  test('When a client calls both processes concurrently, then together they admit exactly its limit', async () => {
    await isShared();
    const statuses = await untilAdmitted(50, async () => readsAt(await clientAtBoth(50), 100));
    expect(new Set(statuses.flat())).toEqual(new Set([200, 429]));
  });

  test('When an API key logs in at both processes, then its logins are counted together', async () => {
    await isShared();
    await untilAdmitted(30, async () => {
      const { credentials } = await newClient(database, {}, {});
      const login = ({ url }: ApiProcess) =>
        new ApiClient(url).post('/auth/login', { username: credentials.api_key, password: credentials.api_secret });
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, call) => login(processes[call % 2] as ApiProcess)),
      );
      return [answers.map(({ status }) => status)];
    });
  });

  test('When Redis is killed while clients call, then each process counts alone, no client is locked out and no request waits', async () => {
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
    // Redis may still have answered one request of each process.
    await until('answers without Redis', async () =>
      answered.every((count, index) => count > (before[index] ?? 0) + 1),
    );
    await redis.start();
    await isShared();
    isOver = true;
    await Promise.all(calling);
    expect(admitted(await readsAt(await clientAtBoth(30), 60))).toBe(30);
  });
});
