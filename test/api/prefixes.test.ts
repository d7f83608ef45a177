/** API and console serve the same routes under two prefixes. Every limit of a client holds for both. */
import { gzipSync } from 'node:zlib';
import { sql } from '../../dev/testbed/sql';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { ConsoleSession, fromConsole } from '../support/console';
import { loadStack } from '../../dev/testbed/loaded-stack';

const KiB = 1024;
const LIMIT = 32;
const database = useDatabase();

type Headers = Record<string, string>;

/** The prefixes, and the headers with which a client authenticates there. */
const prefixes: readonly [string, (client: OwnClient) => Promise<Headers>][] = [
  ['/api/v1', async ({ api }) => ({ authorization: `Bearer ${await api.accessToken()}` })],
  [
    '/console/api/v1',
    async ({ credentials }) => {
      const { cookie } = await ConsoleSession.begin(credentials);
      return { ...fromConsole, cookie };
    },
  ],
];

interface Attempt {
  client: OwnClient;
  /** Sends a change of a wallet. */
  change: (body: string | Buffer, headers?: Headers) => Promise<{ status: number; limits: string | null }>;
}

const bodyOf = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
const keys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])));
const gzip = { 'content-encoding': 'gzip' };
const statuses = async (calls: Promise<{ status: number }>[]) => (await Promise.all(calls)).map(({ status }) => status);

/** Every limit. A wallet with id 0 does not exist, so a call within the limits gets 404. */
const limits: Readonly<Record<string, (attempt: Attempt) => Promise<void>>> = {
  'calls a minute': async ({ change }) => {
    expect((await change('{}')).limits).toContain(`"changes";r=${LIMIT - 1};`);
    for (let call = 1; call < LIMIT; call++) await change('{}');
    expect((await change('{}')).status).toBe(429);
  },
  'weight of a body': async ({ change }) => {
    expect((await change(bodyOf(KiB * KiB))).limits).toContain(`r=${LIMIT - 16};`);
  },
  'bytes of a body': async ({ change }) => {
    expect((await change(bodyOf(KiB * KiB + 1))).status).toBe(413);
    expect((await change(gzipSync(bodyOf(2 * KiB * KiB)), gzip)).status).toBe(413);
  },
  'keys of a body': async ({ change }) => {
    expect((await change(keys(1_001))).status).toBe(400);
  },
  'bodies of unknown size': async ({ change }) => {
    const sent = gzipSync(bodyOf(KiB * KiB));
    const found = await statuses(Array.from({ length: LIMIT }, () => change(sent, gzip)));
    expect(found.filter((status) => status !== 429).length).toBeLessThanOrEqual(LIMIT / 16 + 4);
  },
  'changes by a suspended client': async ({ client, change }) => {
    await sql(database)`UPDATE clients SET status = 'SUSPENDED' WHERE id = ${client.id}`;
    expect([401, 403]).toContain((await change('{}')).status);
  },
  'order requests from other addresses': async ({ client, change }) => {
    await sql(database)`UPDATE clients SET allowed_cidrs = '{203.0.113.0/24}' WHERE id = ${client.id}`;
    expect((await change('{}', { path: '/orders', method: 'POST' })).status).toBe(403);
  },
};

describe.each(prefixes)('%s', (prefix, headersOf) => {
  test.each(Object.entries(limits))(
    'When a client exceeds the limit of %s, then the call is rejected',
    async (_name, exceed) => {
      const client = await newClient(database, { USD: 1 }, { changes: LIMIT, voucher_orders: LIMIT });
      const authenticated = await headersOf(client);
      const change: Attempt['change'] = async (body, { path = '/wallets/0', method = 'PATCH', ...headers } = {}) => {
        const all = { 'content-type': 'application/json', ...authenticated, ...headers };
        const response = await fetch(loadStack().api_url + prefix + path, { method, body, headers: all });
        await response.arrayBuffer();
        return { status: response.status, limits: response.headers.get('ratelimit') };
      };
      expect((await change('{}', { path: '/orders', method: 'POST' })).status).toBe(400);
      await exceed({ client, change });
    },
  );
});
