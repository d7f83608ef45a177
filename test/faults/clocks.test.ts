/**
 * Orders while the wall clocks of two workers differ. The database's clock decides shared time limits:
 * docs/decisions/0006-claim-a-purchase-before-sending-it.md.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { aheadBy, libfaketime } from '../../dev/stack/faketime';
import { ROOT, RunDirectory } from '../../dev/stack/run-directory';
import { freePorts } from '../../dev/stack/ports';
import { type Database } from '../../src/data/database/database';
import { newClient, stackDatabase } from '../support/clients';
import { orderOf, ordersPath } from '../support/orders';
import { startOwnStack, type OwnStack } from '../support/own-stack';
import { unsoundWallets } from '../support/records';
import type { Json } from '../support/stack';
import { until } from '../support/waiting';

jest.setTimeout(180_000);

const RUN_NAME = 'clocks';
const CREATES = 30;
const AT_ONCE = 3;

describe('two workers, one ahead of the other', () => {
  let stack: OwnStack;
  let database: Database;
  let library: string;
  beforeAll(async () => {
    library = await libfaketime(console.log);
    stack = await startOwnStack(RUN_NAME);
    database = stackDatabase();
  });
  afterAll(async () => {
    await database.close();
    await stack.stop();
  });

  test.each([12, 30])(
    'When a worker is %i s ahead, then every order request is accepted and debited once',
    async (seconds) => {
      const worker = await startWorker(stack, aheadBy(seconds, library));
      try {
        const client = await newClient(database, { USD: 10_000 });
        await client.api.accessToken();
        const statuses: number[] = [];
        const orderInTurn = async () => {
          for (let made = 0; made < CREATES / AT_ONCE; made++) {
            const { status, body } = await client.api.post<Json>(ordersPath, orderOf('voucher_instant'));
            statuses.push(status);
            expect(body).toMatchObject({ status: 'DELIVERED' });
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, orderInTurn));
        expect(statuses).toEqual(Array(CREATES).fill(200));
        expect(await unsoundWallets(database)).toEqual([]);
      } finally {
        worker.kill('SIGTERM');
        await once(worker, 'exit');
      }
    },
  );
});

/** Starts a second worker of the stack; returns once it takes tasks. */
async function startWorker(stack: OwnStack, special: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const { METRICS_PORT } = await freePorts();
  const { database_url, temporal_address, temporal_namespace, simulator_url } = stack.now();
  const { SECRET_KEYS, SIMULATOR_SECRET } = new RunDirectory(`.run/test/${RUN_NAME}`).secrets();
  const worker = spawn(process.execPath, [join(ROOT, 'dist', 'src', 'worker', 'main.js')], {
    env: {
      ...process.env,
      DATABASE_URL: database_url,
      TEMPORAL_ADDRESS: temporal_address,
      SIMULATOR_URL: simulator_url,
      TEMPORAL_NAMESPACE: temporal_namespace,
      SECRET_KEYS,
      SIMULATOR_SECRET,
      METRICS_PORT: String(METRICS_PORT),
      WEBHOOKS_ALLOW_LOOPBACK: 'true',
      ...special,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  worker.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until('the second worker', async () => said.includes('worker ready') || undefined, 60);
  return worker;
}
