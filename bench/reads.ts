/** What a read costs the API's process, beside a bare server that gives the same, in turns. */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { Pool } from 'undici';
import type { StackFile } from '../stack/stack-file';
import type { BareServerSetting } from './bare/server';
import { median, throughput, verdict } from './figures';
import { OrderClient } from './order-client';

const CLIENTS = 8;
const REQUESTS_OF_EACH = 400;
const ROUNDS = 5;
const NANOSECONDS_IN_MS = 1e6;
const SECRET = randomBytes(32).toString('hex');

interface Read {
  what: string;
  path: string;
  barePath: string;
  /** The least share of our cost that the bare server's must be. */
  target: number;
}

/** Measures each read of the kinds and prints the CPU time of a request, and its share of ours. */
export async function compareReads(stack: StackFile, orders: OrderClient): Promise<void> {
  const { id } = await orders.order({});
  for (let placed = 0; placed < 50; placed++) await orders.orderOne();
  const products = '/api/v1/products?limit=50';
  const countries = '/api/v1/countries';
  const bare = await startBareServer({
    databaseUrl: stack.database_url,
    clientId: stack.clients['load']?.client_id ?? 0,
    secret: SECRET,
    fixedAnswers: { products: await orders.text(products), countries: await orders.text(countries) },
  });
  const reads: Read[] = [
    { what: 'an order of one', path: `/api/v1/orders/${id}`, barePath: `/order/${id}`, target: 0.7 },
    { what: 'a list of 50 orders', path: '/api/v1/orders?limit=50', barePath: '/list', target: 0.4 },
    { what: 'a list of 50 products', path: products, barePath: '/fixed/products', target: 0.6 },
    { what: 'the countries', path: countries, barePath: '/fixed/countries', target: 0.8 },
  ];
  const { api: pid } = stack.pids;
  if (pid === undefined) throw new Error('The stack file names no API process.');
  const rivals = { ours: { url: stack.api_url, pid }, bare };
  try {
    console.log('\nA read, CPU time of the process that answers');
    for (const read of reads) await compareRead(read, rivals, orders.token);
  } finally {
    bare.process.disconnect();
    await once(bare.process, 'exit');
  }
}

interface Rival {
  url: string;
  pid: number;
}

async function compareRead(
  { what, path, barePath, target }: Read,
  { ours, bare }: { ours: Rival; bare: Rival },
  token: string,
): Promise<void> {
  const bareToken = jwt.sign({ sub: '1' }, SECRET, { expiresIn: '1h' });
  const cost = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const figures = [await cpuOf(ours, path, token), await cpuOf(bare, barePath, bareToken)] as const;
    // The first round only warms up.
    if (round === 0) continue;
    cost.ours.push(figures[0]);
    cost.bare.push(figures[1]);
  }
  const [mine, least] = [median(cost.ours), median(cost.bare)];
  console.log(
    `  ${what.padEnd(24)}${mine.toFixed(2)} ms, bare ${least.toFixed(2)} ms: ${verdict(least / mine, target, 'above')}`,
  );
}

/** Milliseconds of CPU that one request costs the process. */
async function cpuOf({ url, pid }: Rival, path: string, token: string): Promise<number> {
  const pool = new Pool(url, { connections: CLIENTS });
  const before = cpuTime(pid);
  await throughput(
    async () => {
      const { statusCode, body } = await pool.request({
        ...{ path, method: 'GET', headers: { authorization: `Bearer ${token}` } },
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${text}`);
    },
    CLIENTS,
    REQUESTS_OF_EACH,
  );
  const used = (cpuTime(pid) - before) / NANOSECONDS_IN_MS;
  await pool.close();
  return used / (CLIENTS * REQUESTS_OF_EACH);
}

/** Nanoseconds that the threads of the process have run so far: the first figure of each one's `schedstat`. */
function cpuTime(pid: number): number {
  const times = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return times.reduce((sum, time) => sum + time, 0);
}

async function startBareServer(setting: BareServerSetting): Promise<Rival & { process: ChildProcess }> {
  const server = fork(join(__dirname, 'bare/server.js'));
  server.send(setting);
  const [port] = (await once(server, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, pid: server.pid ?? 0, process: server };
}
