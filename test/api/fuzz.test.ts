/**
 * Sends random requests to every route of the route table. No response is a 5xx, and every error has the envelope.
 * `npm run test:more -- fuzz` sends 10,000 requests, and checks that the process keeps no memory of a request: other tests would use
 * memory of the same process. FUZZ_REQUESTS and FUZZ_SEED change that.
 */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { Agent, request } from 'undici';
import { useClient, useDatabase } from '../support/clients';
import { routes, type Route } from '../support/route-table';
import { holdAgainstDocument } from '../support/documented-answers';
import { keysOfError } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 600);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_120);
/** Of the demo catalogue: the simulator does not know every product that other tests add. */
const LAST_ID = 8;
const isAlone = REQUESTS > 1_000;
const AT_ONCE = 8;
/** The allowed growth of the process: garbage that is not collected yet. It does not depend on the number of requests. */
const GROWTH_MB = 120;

jest.setTimeout(900_000);

const database = useDatabase();
const agent = new Agent({ connections: AT_ONCE });
const client = useClient(database, { USD: 1_000, EUR: 10 });
let token: string;
beforeAll(async () => {
  token = await client.api.accessToken();
});
afterAll(() => agent.close());

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

const oddIds = wordsOf(`2147483648 9007199254740993 1e3 0x1 01 +1 %00 % %2e%2e ' 💫 null`);
const ids = fc.oneof(
  fc.integer({ min: -1, max: LAST_ID }).map(String),
  fc.constantFrom(...oddIds).map((text) => (text.includes('%') ? text : encodeURIComponent(text))),
  fc.constant(`evt_${'0'.repeat(32)}`),
);
const oddTexts = ['', ' ', '\u0000', '\ud800', 'x'.repeat(3_000)];
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(...oddTexts, ...wordsOf('1 -1 1e309 __proto__ 9007199254740993 USD DELIVERED')),
);
const parameters = wordsOf(`
  page limit per_page search status wallet_id client_reference type number category country x[]`);
const query = fc
  .dictionary(fc.constantFrom(...parameters), texts, { maxKeys: 4 })
  .map((given) => new URLSearchParams(given).toString());

/** Without `url`, because the service would send webhooks to a random address. */
const fields = wordsOf(`
  product_id amount denomination quantity wallet_id client_reference email category input_data redeem_voucher_code max_total_payable
  username password refresh_token event_types enabled since low_balance_threshold
  label scopes expires_at overlap_hours networks description __proto__ constructor`);
const numbers = fc.constantFrom(...wordsOf('0 -0 1 10 2147483648 9007199254740993 1e309 -1e309 1e-400 0.1 1.005'));
const anything = fc.oneof(
  { weight: 3, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 3, arbitrary: texts.map((text) => JSON.stringify(text)) },
  { weight: 3, arbitrary: numbers },
  fc.nat(2_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
);
const objects = fc.dictionary(fc.constantFrom(...fields), anything, { maxKeys: 8 }).map(
  (body) =>
    `{${Object.entries(body)
      .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
      .join()}}`,
);
const bodies = fc.option(fc.oneof({ weight: 5, arbitrary: objects }, anything, fc.string({ maxLength: 50 })), {
  nil: undefined,
});

const charsets = ['utf-8', 'latin1'].map((charset) => `application/json; charset=${charset}`);
const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'text/plain', ...charsets),
    'content-encoding': fc.constantFrom('identity', 'gzip', 'rot13'),
    'idempotency-key': fc.constantFrom('key', '', 'x'.repeat(300)),
    'x-request-id': fc.constantFrom('mine', 'two words', 'x'.repeat(200)),
    'x-forwarded-for': fc.constantFrom('1.2.3.4', ',', '::1, junk'),
    'if-none-match': fc.constantFrom('*', '"x"', ','),
    accept: fc.constantFrom('text/html', '*/*'),
  },
  { requiredKeys: [] },
);

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function requestTo(route: Route): fc.Arbitrary<Sent> {
  const method = fc.oneof({ weight: 6, arbitrary: fc.constant(route.method) }, fc.constantFrom(...methods));
  return fc
    .tuple(method, ids, query, headers, bodies, fc.nat(9))
    .map(([verb, id, parameters, given, body, chance]) => ({
      method: verb,
      path: `${route.path.replace(/:\w+/, () => id)}${parameters === '' ? '' : `?${parameters}`}`,
      headers: {
        ...(chance > 0 && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && chance < 8 && { 'content-type': 'application/json' }),
        ...(chance > 6 && given),
      },
      body: ['GET', 'HEAD'].includes(verb) ? undefined : body,
    }));
}

const sent = fc.constantFrom(...routes).chain(requestTo);

async function check({ method, path, headers: given, body }: Sent): Promise<void> {
  // `URL` resolves `..` and its encoded forms before the request is sent.
  const url = new URL(`${loadStack().api_url}${path}`);
  const answer = await request(url, { method, headers: given, body: body ?? null, dispatcher: agent });
  const text = await answer.body.text();
  const headers = new Headers(
    Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
  holdAgainstDocument({ method, path: url.pathname + url.search, status: answer.statusCode, headers, text });
  const what = `${method} ${path} ${JSON.stringify(given)} ${body}`.slice(0, 600);
  expect([what, answer.statusCode < 500 || text]).toEqual([what, true]);
  expect([what, typeof answer.headers['x-request-id']]).toEqual([what, 'string']);
  if (answer.statusCode < 400 || method === 'HEAD') return;
  const { error } = JSON.parse(text) as { error: object };
  expect([what, keysOfError(error)]).toEqual([what, ['name', 'code', 'message']]);
}

/** Resident memory of the API in MB. */
function memory(): number {
  const pid = String(loadStack().pids['api']);
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', pid]).toString()) / 1024;
}

const run = (seed: number, count: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (each) => {
      await Promise.all(each.map(check));
    }),
    { seed, numRuns: Math.ceil(count / AT_ONCE), endOnFailure: true },
  );

test(`When ${REQUESTS} requests of all kinds arrive, then no response is a 5xx or an error without the envelope`, async () => {
  await run(SEED, REQUESTS);
});

if (isAlone)
  test('When as many requests arrive again, then the process keeps none in memory', async () => {
    // After the first requests, code and caches have reached their full size.
    const before = memory();
    await run(SEED + 1, REQUESTS);
    expect(memory() - before).toBeLessThan(GROWTH_MB);
  });
