/** The token that the API reference fills in for a reader who is signed in to the console. docs/operators/security.md#the-console. */
import { randomUUID } from 'node:crypto';
import { referenceToken } from '../../src/api/console/session-routes';
import type { Config } from '../../src/settings/config';
import type { KeyRing } from '../../src/security/key-ring';
import { signToken, verifyToken } from '../../src/security/tokens';
import { useClient, useDatabase } from '../support/clients';
import { ConsoleSession, fromConsole } from '../support/console';
import { stackKeyRing } from '../../dev/testbed/stack-keys';
import { orderOf, ordersPath } from '../support/orders';
import { apiWithoutToken, refusal, type Json } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { ownMoment } from '../../src/domain/time';

const PATH = '/console/session/token';

const database = useDatabase();
const client = useClient(database, { USD: 100 });
let session: ConsoleSession;
let keyRing: KeyRing;
beforeAll(async () => {
  session = await ConsoleSession.begin(client.credentials);
  keyRing = await stackKeyRing();
});

/** Sends a request with the token. */
function sendWith(token: string, method: string, path: string, body?: Json) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return apiWithoutToken().send(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

test('When a signed-in reader opens the reference of a sandbox, then its token reads and orders for 15 minutes', async () => {
  const { status, body } = await session.send('POST', PATH);
  expect(status).toBe(200);
  const left = ownMoment(String(body['expires_at'])).getTime() - Date.now();
  expect(left).toBeGreaterThan(14 * 60_000);
  expect(left).toBeLessThanOrEqual(15 * 60_000);
  const token = String(body['access_token']);
  expect((await sendWith(token, 'GET', '/api/v1/wallets')).status).toBe(200);
  expect((await sendWith(token, 'POST', ordersPath, orderOf('voucher_instant'))).status).toBe(200);
});

test('When a caller has no session, or the request comes from another site, then there is no token', async () => {
  const url = loadStack().api_url + PATH;
  const withoutSession = await fetch(url, { method: 'POST', headers: fromConsole });
  expect(withoutSession.status).toBe(401);
  const headers = { cookie: session.cookie, 'sec-fetch-site': 'cross-site' };
  expect((await fetch(url, { method: 'POST', headers })).status).toBe(403);
});

test('When the service runs in production, then the token permits only reads and charges', async () => {
  const { apiKeyId, sessionId } = verifyToken(keyRing, 'access', await client.api.accessToken()) as NonNullable<
    ReturnType<typeof verifyToken>
  >;
  const owner = { clientId: client.id, apiKeyId, sessionId };
  const inMode = (mode: Config['mode']) => referenceToken({ mode, keyRing }, owner).access_token;
  expect(verifyToken(keyRing, 'access', inMode('sandbox'))?.readsOnly).toBeUndefined();
  expect(verifyToken(keyRing, 'access', inMode('production'))?.readsOnly).toBe(true);

  const expiresAt = new Date(Math.ceil(Date.now() / 1_000 + 60) * 1_000);
  const token = signToken(keyRing, 'access', { id: randomUUID(), ...owner, readsOnly: true }, expiresAt);
  expect((await sendWith(token, 'GET', '/api/v1/wallets')).status).toBe(200);
  const charges = { denomination: 10, quantity: 1 };
  expect((await sendWith(token, 'POST', '/api/v1/products/1/charges', charges)).status).toBe(200);
  for (const [method, path, body] of [
    ['POST', ordersPath, orderOf('voucher_instant')],
    ['PATCH', `/api/v1/wallets/${client.wallets['USD']}`, { low_balance_threshold: 1 }],
    ['DELETE', '/api/v1/webhooks/endpoints/1', undefined],
  ] as const)
    expect(await sendWith(token, method, path, body)).toMatchObject(
      refusal('FORBIDDEN', 'The access token permits only reads'),
    );
});
