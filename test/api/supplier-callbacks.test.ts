import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiAsNobody, refusal, type Answer, type ErrorBody } from '../support/stack';

/** The secret that the stack shares with its simulator. */
function sharedSecret(): string {
  const file = join(dirname(process.env['STACK_FILE'] as string), 'secrets.json');
  const { SIMULATOR_SECRET: secret } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return secret as string;
}

function push(body: string, special: { secret?: string; age?: number; supplier?: string } = {}) {
  const { secret = sharedSecret(), age = 0, supplier = 'simulator' } = special;
  const timestamp = String(Math.floor(Date.now() / 1_000) - age);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return apiAsNobody().send<ErrorBody>(`/suppliers/${supplier}/callbacks`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-simulator-timestamp': timestamp,
      'x-simulator-signature': signature,
    },
  });
}

const refused = refusal(401, 'UnauthorizedError', 'UNAUTHORIZED', 'Invalid signature');

describe('pushes of suppliers', () => {
  test.each([
    '{"type":"purchase","reference":"order-1-abcdefghijkl-0001"}',
    '{"type":"purchase","reference":"somebody-elses"}',
    '{"type":"reversal","reference":"order-1-abcdefghijkl-0001"}',
    '{"type":"esim","iccid":"8900000000000000000"}',
  ])('When a push is signed, then it is taken, whatever it concerns: %s', async (body) => {
    expect((await push(body)).status).toBe(204);
  });

  test('When the signature does not hold, then the push is refused; who our suppliers are is not told', async () => {
    const body = '{"type":"purchase","reference":"order-1-abcdefghijkl-0001"}';
    const answers: Answer<ErrorBody>[] = [
      await push(body, { secret: 'somebody else' }),
      await push(body, { age: 600 }),
      await push(body, { age: -600 }),
      await push('not JSON at all'),
      await push(''),
      await apiAsNobody().send('/suppliers/simulator/callbacks', { method: 'POST', body }),
      await push(body, { supplier: 'nobody' }),
    ];
    for (const answer of answers) expect(answer).toMatchObject(refused);
  });

  test('When the push is too large or none, then it is refused', async () => {
    expect((await push('x'.repeat(70_000))).status).toBe(413);
    expect((await apiAsNobody().get(`/suppliers/simulator/callbacks`)).status).toBe(405);
  });
});
