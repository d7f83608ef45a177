import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { sql } from '../../dev/testbed/sql';
import { deleteExpiredSessions } from '../../src/data/clients/token-sessions';
import { useClient, useDatabase } from '../support/clients';
import { loggedIn, login, refresh, rejectedRefresh, unauthorized, type Login } from '../support/logins';
import { apiWithoutToken, validation } from '../support/stack';
import { ownMoment } from '../../src/domain/time';

const nobody = apiWithoutToken();

const database = useDatabase();
const client = useClient(database, { USD: 1 });

describe('authentication', () => {
  async function age(refreshToken: string, seconds: number): Promise<void> {
    const { jti } = jwt.decode(refreshToken) as { jti: string };
    await sql(database)`UPDATE refresh_tokens SET rotated_at = rotated_at - make_interval(secs => ${seconds})
         WHERE id = ${jti}`;
  }

  describe('POST /auth/login', () => {
    test('When key and secret are right, then the tokens are valid for 1 hour and 7 days', async () => {
      const before = Date.now();
      const { status, body, headers } = await login(client.credentials);
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        data: {
          access_token: expect.any(String),
          refresh_token: expect.any(String),
          access_expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          refresh_expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          client_id: client.id,
        },
      });
      expect(ownMoment(body.data.access_expires_at).getTime() - before).toBeGreaterThan(3_598_000);
      expect(ownMoment(body.data.access_expires_at).getTime() - before).toBeLessThan(3_610_000);
      expect(ownMoment(body.data.refresh_expires_at).getTime() - before).toBeGreaterThan(604_798_000);
      const { exp } = jwt.decode(body.data.access_token) as { exp: number };
      expect(exp * 1000).toBe(ownMoment(body.data.access_expires_at).getTime());
      expect(headers.get('cache-control')).toBe('no-store');
    });

    test.each([
      {},
      { username: 'x' },
      { password: 'x' },
      { username: '', password: '' },
      { username: 1, password: [] },
    ])('When the body is %j, then the error names both fields', async (body) => {
      expect(await nobody.post('/auth/login', body)).toMatchObject(validation('Username and password are required'));
    });

    test('When key or secret is wrong, then the response does not reveal which', async () => {
      const { api_key, api_secret } = client.credentials;
      for (const body of [
        { username: api_key, password: 'wrong' },
        { username: 'nobody', password: api_secret },
        { username: `${api_key}\0`, password: api_secret },
        { username: 'x'.repeat(16_000), password: '\0' },
      ]) {
        const answer = await nobody.post('/auth/login', body);
        expect(answer).toMatchObject(unauthorized('Invalid credentials'));
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
    });
  });

  describe('POST /auth/refresh', () => {
    test.each([{}, { refresh_token: '' }, { refresh_token: null }, { refresh_token: 7 }])(
      'When the body is %j, then the error names the token',
      async (body) => {
        expect(await nobody.post('/auth/refresh', body)).toMatchObject(validation('Refresh token is required'));
      },
    );

    test('When a refresh token is used, then it returns a new pair, and both access tokens are valid', async () => {
      const first = await loggedIn(client.credentials);
      const { status, body } = await refresh(first.refresh_token);
      expect(status).toBe(200);
      expect(body.success).toBe(true);
      expect(body.data.refresh_token).not.toBe(first.refresh_token);
      for (const token of [first.access_token, body.data.access_token]) {
        const answer = await nobody.get('/api/v1/wallets', { authorization: `Bearer ${token}` });
        expect(answer.status).toBe(200);
      }
    });

    test('When the token is nonsense, forged or an access token, then the response is 401', async () => {
      const { access_token } = await loggedIn(client.credentials);
      for (const token of ['nonsense', access_token, jwt.sign({ type: 'refresh', jti: randomUUID() }, 'guess')]) {
        expect(await refresh(token)).toMatchObject(rejectedRefresh);
      }
    });

    test('When a client sends 10 concurrent refreshes, then one succeeds and its tokens stay valid', async () => {
      const { refresh_token } = await loggedIn(client.credentials);
      const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refresh_token)));
      const winners = answers.filter((answer) => answer.status === 200);
      expect(winners).toHaveLength(1);
      for (const loser of answers.filter((answer) => answer.status !== 200))
        expect(loser).toMatchObject(rejectedRefresh);
      expect((await refresh((winners[0] as Login).body.data.refresh_token)).status).toBe(200);
    });

    test('When the previous token is used again after 10 s, then the whole token family is revoked', async () => {
      const first = await loggedIn(client.credentials);
      const second = (await refresh(first.refresh_token)).body.data;
      await age(first.refresh_token, 11);
      expect(await refresh(first.refresh_token)).toMatchObject(rejectedRefresh);
      expect(await refresh(second.refresh_token)).toMatchObject(rejectedRefresh);
    });

    test('When a token before the previous one is used again, then the token family is revoked at once', async () => {
      const first = await loggedIn(client.credentials);
      const second = (await refresh(first.refresh_token)).body.data;
      const third = (await refresh(second.refresh_token)).body.data;
      expect(await refresh(first.refresh_token)).toMatchObject(rejectedRefresh);
      expect(await refresh(third.refresh_token)).toMatchObject(rejectedRefresh);
      expect((await login(client.credentials)).status).toBe(200);
    });
  });

  describe('bearer token', () => {
    test('When the Authorization header is missing, then the 401 response requires the header', async () => {
      expect(await nobody.get('/api/v1/wallets')).toMatchObject(unauthorized('Authorization header required'));
    });

    test('When the header has no valid access token, then the response is 401', async () => {
      const { refresh_token } = await loggedIn(client.credentials);
      const { api_key, api_secret } = client.credentials;
      const basic = `Basic ${Buffer.from(`${api_key}:${api_secret}`).toString('base64')}`;
      for (const authorization of ['Bearer', 'Bearer nonsense', `Bearer ${refresh_token}`, basic]) {
        const answer = await nobody.get('/api/v1/wallets', { authorization });
        expect(answer).toMatchObject(unauthorized('Invalid or expired access token'));
      }
    });

    test('When a client uses an access token often, then every call accepts the token', async () => {
      const { api } = client;
      const answers = await Promise.all(Array.from({ length: 50 }, () => api.get('/api/v1/wallets')));
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    });
  });

  test('When maintenance runs, then it deletes expired tokens and keeps active sessions', async () => {
    const expired = await loggedIn(client.credentials);
    const living = await loggedIn(client.credentials);
    const { jti } = jwt.decode(expired.refresh_token) as { jti: string };
    await sql(database)`UPDATE refresh_tokens SET expires_at = now() - interval '61 minutes'
         WHERE id = ${jti}`;
    await deleteExpiredSessions(database);
    expect(await sql(database)`SELECT FROM refresh_tokens WHERE id = ${jti}`).toEqual([]);
    expect(await refresh(expired.refresh_token)).toMatchObject(rejectedRefresh);
    expect((await refresh(living.refresh_token)).status).toBe(200);
  });
});
