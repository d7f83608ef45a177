import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { AccessTokens, signToken, verifyToken } from '../../src/security/tokens';
import { newKey, ringOf } from '../support/keys';

const older = newKey('old');
const newer = newKey('new');
const ring = ringOf(newer);
const claims = { id: 'token-1', clientId: 17, apiKeyId: 3, sessionId: '6f1c9d0e-7b1a-4c57-9f0e-2d5c1a3b4e5f' };
const inAnHour = () => new Date((Math.floor(Date.now() / 1000) + 3600) * 1000);

describe('tokens', () => {
  test('When a token is verified by the ring that signed it, then its claims are returned', () => {
    const token = signToken(ring, 'access', claims, inAnHour());
    expect(verifyToken(ring, 'access', token)).toEqual(claims);
  });

  test('When a refresh token is used as an access token, or vice versa, then it is rejected', () => {
    expect(verifyToken(ring, 'access', signToken(ring, 'refresh', claims, inAnHour()))).toBeUndefined();
    expect(verifyToken(ring, 'refresh', signToken(ring, 'access', claims, inAnHour()))).toBeUndefined();
  });

  test('When a held key is not promoted yet, then its tokens are accepted, but it signs no token', () => {
    const ahead = ringOf(older, newer);
    expect(verifyToken(ahead, 'access', signToken(ring, 'access', claims, inAnHour()))).toEqual(claims);
    expect(verifyToken(ring, 'access', signToken(ahead, 'access', claims, inAnHour()))).toBeUndefined();
  });

  test('When the key was rotated and the old one is still in the ring, then old tokens stay valid', () => {
    const token = signToken(ringOf(older), 'access', claims, inAnHour());
    expect(verifyToken(ringOf(newer, older), 'access', token)).toEqual(claims);
    expect(verifyToken(ring, 'access', token)).toBeUndefined();
  });

  test('When a token has expired, then it is rejected', () => {
    expect(verifyToken(ring, 'access', signToken(ring, 'access', claims, new Date(1000)))).toBeUndefined();
  });

  test('When a token names no API key or no session, then it is rejected', () => {
    const { id, secret } = ring.current('token');
    const options = { keyid: id, issuer: 'digital-goods-ordering-service', audience: 'digital-goods-api' };
    const body = { type: 'access', sub: '17', jti: 'token-1', exp: inAnHour().getTime() / 1000 };
    const names = { api_key_id: 3, session_id: claims.sessionId };
    const taken = (named: object) => verifyToken(ring, 'access', jwt.sign({ ...body, ...named }, secret, options));
    expect(taken(names)).toEqual(claims);
    expect(taken({ ...names, api_key_id: undefined })).toBeUndefined();
    expect(taken({ ...names, session_id: undefined })).toBeUndefined();
  });

  test('When a token has no expiry, then it is rejected', () => {
    const endless = (body: object) => {
      const { id, secret } = ring.current('token');
      const options = { keyid: id, issuer: 'digital-goods-ordering-service', audience: 'digital-goods-api' };
      return jwt.sign({ type: 'access', api_key_id: 3, session_id: claims.sessionId, ...body }, secret, {
        ...options,
        subject: '17',
        jwtid: 'token-1',
      });
    };
    expect(verifyToken(ring, 'access', endless({}))).toBeUndefined();
    expect(verifyToken(ring, 'access', endless({ exp: inAnHour().getTime() / 1000 }))).toBeDefined();
  });

  test('When the signature, algorithm, issuer or key of a token is foreign, then it is rejected', () => {
    const [header, payload, signature] = signToken(ring, 'access', claims, inAnHour()).split('.');
    const key = ring.current('token');
    const named = { api_key_id: 3, session_id: claims.sessionId };
    const body = { type: 'access', sub: '17', jti: 'token-1', ...named, exp: inAnHour().getTime() / 1000 };
    const signedElsewhere = { keyid: key.id, issuer: 'somebody', audience: 'digital-goods-api' };
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT","kid":"new"}').toString('base64url');
    const forgeries = [
      `${header}.${payload}.${signature?.startsWith('A') ? 'B' : 'A'}${signature?.slice(1)}`,
      `${unsigned}.${payload}.`,
      `${header}.${payload}.`,
      jwt.sign(body, key.secret, signedElsewhere),
      jwt.sign(body, key.secret, { issuer: 'digital-goods-ordering-service', audience: 'digital-goods-api' }),
      jwt.sign(body, randomBytes(32), { ...signedElsewhere, issuer: 'digital-goods-ordering-service' }),
      '',
      'a.b.c',
      '\0',
    ];
    for (const forgery of forgeries) expect(verifyToken(ring, 'access', forgery)).toBeUndefined();
  });

  describe('When an access token was verified before', () => {
    const shown = (ring = ringOf(newer), expiresAt = inAnHour()) => {
      const tokens = new AccessTokens(ring);
      const token = signToken(ring, 'access', claims, expiresAt);
      expect(tokens.verify(token)).toEqual(claims);
      return () => tokens.verify(token);
    };

    test('then it is accepted again', () => {
      expect(shown()()).toEqual(claims);
    });

    test('and has expired since, then it is rejected', () => {
      const verify = shown(ringOf(newer), inAnHour());
      jest.useFakeTimers({ now: Date.now() + 3_601_000 });
      expect(verify()).toBeUndefined();
      jest.useRealTimers();
    });

    test('and its key is no longer held, or was replaced, then it is rejected', () => {
      const retired = ringOf(newer);
      const verify = shown(retired);
      retired.replace({ token: [older] });
      expect(verify()).toBeUndefined();
      retired.replace({ token: [{ ...older, id: newer.id }] });
      expect(verify()).toBeUndefined();
    });
  });
});
