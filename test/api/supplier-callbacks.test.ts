import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { until } from '../../dev/testbed/waiting';
import { apiWithoutToken, refusal, type Answer, type ErrorBody } from '../support/stack';
import { loadStack, stackDirectory } from '../../dev/testbed/loaded-stack';

/** The secret that the stack shares with its simulator. */
const sharedSecret = () => stackDirectory().secrets().SIMULATOR_SECRET;

function push(body: string, special: { secret?: string; age?: number; to?: string } = {}) {
  const { secret = sharedSecret(), age = 0, to = 'simulator/callbacks' } = special;
  const timestamp = String(Math.floor(Date.now() / 1_000) - age);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return apiWithoutToken().send<ErrorBody>(`/suppliers/${to}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-simulator-timestamp': timestamp,
      'x-simulator-signature': signature,
    },
  });
}

const refused = refusal('UNAUTHORIZED', 'Invalid signature');

describe('pushes of suppliers', () => {
  test.each([
    '{"type":"purchase","reference":"order-1-abcdefghijkl-0001"}',
    '{"type":"purchase","reference":"somebody-elses"}',
    '{"type":"reversal","reference":"order-1-abcdefghijkl-0001"}',
    '{"type":"esim","iccid":"8900000000000000000"}',
  ])('When a push is signed, then it is accepted, whatever its content: %s', async (body) => {
    expect((await push(body)).status).toBe(200);
  });

  test('When a signed push goes to an address with an unused secret, then it is accepted', async () => {
    const body = '{"type":"purchase","reference":"order-1-abcdefghijkl-0001"}';
    expect((await push(body, { to: 'simulator/callbacks/unused-secret' })).status).toBe(200);
  });

  test("When the signature is invalid, then the push is rejected without a supplier's name", async () => {
    const body = '{"type":"purchase","reference":"order-1-abcdefghijkl-0001"}';
    const answers: Answer<ErrorBody>[] = [
      await push(body, { secret: 'somebody else' }),
      await push(body, { age: 600 }),
      await push(body, { age: -600 }),
      await push('not JSON at all'),
      await push(''),
      await apiWithoutToken().send('/suppliers/simulator/callbacks', { method: 'POST', body }),
      await push(body, { to: 'nobody/callbacks' }),
      await push(body, { to: 'nobody/callbacks/unused-secret' }),
    ];
    for (const answer of answers) expect(answer).toMatchObject(refused);
  });

  test.each(['/suppliers/simulator/callbacks', '/suppliers/nobody/callbacks/a-secret-of-a-supplier'])(
    'When a supplier tests the address %s with HEAD, then the response is 200',
    async (path) => {
      expect((await fetch(loadStack().api_url + path, { method: 'HEAD' })).status).toBe(200);
    },
  );

  test('When a push goes to an address with a secret, then no log shows the secret', async () => {
    const secret = `a-secret-of-a-supplier-${Date.now()}`;
    const paths = ['dtone/callbacks', 'dtone/Callbacks', 'dtone/call%62acks', 'dtone/callback'];
    for (const path of [...paths.map((start) => `${start}/${secret}`), `dtone/callbacks/${secret}/more`]) {
      const headers = { 'x-request-id': `last-${secret.slice(-6)}` };
      await fetch(`${loadStack().api_url}/suppliers/${path}`, { method: 'POST', body: '{}', headers });
    }
    const log = await until('the requests in the log', async () => {
      const text = readFileSync(stackDirectory().log('api'), 'utf8');
      const logged = text.split('\n').filter((line) => line.includes(`last-${secret.slice(-6)}`));
      return logged.length === paths.length + 1 ? logged.join('\n') : undefined;
    });
    expect(log).not.toContain(secret);
    expect(log).toContain('"/suppliers/:name/callbacks/:secret"');
  });

  test('When a push is too large, or the method is not POST, then the request is rejected', async () => {
    expect((await push('x'.repeat(70_000))).status).toBe(413);
    expect((await apiWithoutToken().get(`/suppliers/simulator/callbacks`)).status).toBe(405);
  });
});
