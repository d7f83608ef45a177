/** The CPU of the API for a read, compared in turns with a bare server that gives the same answer. */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { Pool } from 'undici';
import type { BareServerSetting } from '../bare/server';
import type { Bench } from '../bench';
import { treesCpuMs } from '../cpu';
import { byTurns, throughput } from '../figures';
import { OrderClient } from '../order-client';
import { atLeast, floorShare, type Line } from '../report';

const CLIENTS = 8;
const REQUESTS_A_SECOND = 100;
const SECRET = randomBytes(32).toString('hex');

interface Read {
  what: string;
  path: string;
  barePath: string;
  /** The lowest ratio of the bare server's cost to the API's. */
  share: number;
  /** Whether PostgreSQL's CPU counts, too. */
  isWithDatabase?: boolean;
}

const lists = [
  { family: 'VOUCHER', path: '/api/v1/orders', scenario: 'voucher_instant' },
  { family: 'TOPUP', path: '/api/v1/topups/orders', scenario: 'topup_instant' },
  { family: 'ESIM', path: '/api/v1/esim/orders', scenario: 'esim_instant' },
];

/** CPU of the process that answers, for each kind of read. */
export async function measureReads({ stack, seconds, rounds, say }: Bench): Promise<Line[]> {
  const { api: apiPid, postgres: databasePid } = stack.pids;
  if (apiPid === undefined || databasePid === undefined) {
    throw new Error('The stack file names no process of the API or of PostgreSQL.');
  }
  const orders = await OrderClient.login(stack);
  const { id } = await orders.order('voucher_instant');
  for (let placed = 0; placed < 50; placed++) {
    for (const { scenario } of lists) await orders.orderInstantly(scenario);
  }
  const products = '/api/v1/products?limit=50';
  const countries = '/api/v1/countries';
  const bare = await startBareServer({
    databaseUrl: stack.database_url,
    clientId: stack.clients['load']?.client_id ?? 0,
    secret: SECRET,
    fixedAnswers: { products: await orders.text(products), countries: await orders.text(countries) },
  });
  const reads: Read[] = [
    { what: 'one order', path: `/api/v1/orders/${id}`, barePath: `/order/${id}`, share: 0.7 },
    { what: 'a list of 50 orders', path: '/api/v1/orders?limit=50', barePath: '/list/VOUCHER/50', share: 0.4 },
    ...lists.map(({ family, path }) => ({
      what: `the last 10 orders of the family ${family}, with PostgreSQL`,
      path: `${path}?limit=10`,
      barePath: `/list/${family}/10`,
      share: 0.4,
      isWithDatabase: true,
    })),
    { what: 'a list of 50 products', path: products, barePath: '/fixed/products', share: 0.6 },
    { what: 'the countries', path: countries, barePath: '/fixed/countries', share: 0.8 },
  ];
  const requests = Math.ceil(REQUESTS_A_SECOND * seconds);
  const bareToken = jwt.sign({ sub: '1' }, SECRET, { expiresIn: '1h' });
  const lines: Line[] = [];
  try {
    for (const { what, path, barePath, share, isWithDatabase = false } of reads) {
      say(`  ${what}`);
      const others = isWithDatabase ? [databasePid] : [];
      const { ours, least } = await byTurns(rounds, {
        ours: () => cpuOf({ url: stack.api_url, pids: [apiPid, ...others], path, token: orders.token }, requests),
        least: () => cpuOf({ url: bare.url, pids: [bare.pid, ...others], path: barePath, token: bareToken }, requests),
      });
      lines.push(floorShare(`read of ${what}: CPU of a request`, 'ms', ours.cpu, least.cpu, atLeast(share)));
    }
  } finally {
    bare.process.disconnect();
    await once(bare.process, 'exit');
    await orders.close();
  }
  return lines;
}

interface Target {
  url: string;
  pids: number[];
  path: string;
  token: string;
}

/** Milliseconds of CPU that one request costs the processes. */
async function cpuOf({ url, pids, path, token }: Target, requests: number): Promise<{ cpu: number }> {
  const pool = new Pool(url, { connections: CLIENTS });
  const before = treesCpuMs(pids);
  await throughput(
    async () => {
      const { statusCode, body } = await pool.request({
        path,
        method: 'GET',
        headers: { authorization: `Bearer ${token}` },
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${text}`);
    },
    CLIENTS,
    requests,
  );
  const used = treesCpuMs(pids) - before;
  await pool.close();
  return { cpu: used / (CLIENTS * requests) };
}

async function startBareServer(
  setting: BareServerSetting,
): Promise<{ url: string; pid: number; process: ChildProcess }> {
  const server = fork(join(__dirname, '../bare/server.js'));
  server.send(setting);
  const [port] = (await once(server, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, pid: server.pid ?? 0, process: server };
}
