/** Login and refresh. docs/specification.md#authentication. */
import type { Request } from 'express';
import Joi from 'joi';
import type { RefreshTokenRow } from '../../data/clients/token-sessions';
import { errors } from '../../domain/errors';
import { loginCalls, refreshCalls } from '../../domain/clients/rate-classes';
import type { KeyRing } from '../../security/key-ring';
import {
  ACCESS_TOKEN_SECONDS,
  REFRESH_TOKEN_SECONDS,
  signToken,
  verifyToken,
  type SessionOwner,
} from '../../security/tokens';
import type { Dependencies } from '../dependencies';
import { traceOf } from '../middleware/caller';
import { json } from '../openapi/operation';
import { flag, id, model, text, time } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';
import { comparedText, jsonObject, validBody } from '../shared/validation';
import type { ClaimedCaller } from './limits';
import { callerOfLogin, callerOfToken, claimsOf, isFilled, logIn, newToken, renewSession } from './login';

const credential = Joi.string().required().custom(comparedText).messages({ '*': 'Username and password are required' });

const loginBody = Joi.object<{ username: string; password: string }>({
  username: credential.description('Your API key.').example('dgk_live_2f6d9a4e'),
  password: credential.description('The secret of the key.').example('dgs_3b1f...'),
});

const refreshBody = Joi.object<{ refresh_token: string }>({
  refresh_token: Joi.string()
    .required()
    .custom(comparedText)
    .description('The refresh token of a login or refresh. It works once.')
    .example('eyJhbGciOiJIUzI1NiJ9...')
    .messages({ '*': 'Refresh token is required' }),
});

const tokenPairSchema = model('TokenPair', 'The tokens of a session.', {
  access_token: text('The bearer token of every other call. Valid for an hour (JWT).', 'eyJhbGciOiJIUzI1NiJ9...'),
  refresh_token: text('Exchange it for the next pair, once. Valid for 7 days (JWT).', 'eyJhbGciOiJIUzI1NiJ9...'),
  access_expires_at: time('When the access token expires.', '2026-01-31T13:00:00.000Z'),
  refresh_expires_at: time('When the refresh token expires.', '2026-02-07T12:00:00.000Z'),
  client_id: id('Your id.', 1),
});

const sessionSchema = model('Session', 'The tokens of a new or refreshed session.', {
  success: flag('Always true.', true),
  data: tokenPairSchema,
});

export const authRoutes: ApiRoutes = {
  'POST /auth/login': {
    id: 'login',
    tag: 'Authentication',
    summary: 'Log in',
    description: 'Exchanges an API key and its secret for an access token and a refresh token.',
    access: 'open',
    scope: 'none',
    rateClass: loginCalls,
    body: { schema: loginBody, title: 'LoginRequest' },
    responses: { 200: json('The session.', sessionSchema) },
    errors: [errors.unauthorized('Invalid credentials'), errors.unauthorized('Client is suspended')],
    handler: (deps) =>
      deps.authLimits.limited(
        loginCalls,
        callerOfLogin(deps.database, { apiKey: 'username', secret: 'password' }),
        async (request, response) => {
          const { username, password } = validBody(loginBody, jsonObject(request));
          const next = nextTokens();
          const owner = await logIn(deps, traceOf(request, response), { username, password }, next.refresh);
          response.json({ success: true, data: tokenPair(deps.keyRing, owner, next) });
        },
      ),
  },
  'POST /auth/refresh': {
    id: 'refresh',
    tag: 'Authentication',
    summary: 'Refresh a session',
    description:
      'Exchanges a refresh token for the next pair of tokens. Each refresh token works once. Reuse of an older one ends the whole session: it gets no new tokens, and its access tokens work until they expire. Reuse of the direct predecessor within 10 seconds is only rejected.',
    access: 'open',
    scope: 'none',
    rateClass: refreshCalls,
    body: { schema: refreshBody, title: 'RefreshRequest' },
    responses: { 200: json('The session, with new tokens.', sessionSchema) },
    errors: [errors.unauthorized('Invalid or expired refresh token')],
    handler: (deps) =>
      deps.authLimits.limited(
        refreshCalls,
        (request) => callerOfRefresh(deps, request),
        async (request, response) => {
          const { refresh_token: token } = validBody(refreshBody, jsonObject(request));
          const claims = verifyToken(deps.keyRing, 'refresh', token);
          if (!claims) throw errors.unauthorized('Invalid or expired refresh token');
          const next = nextTokens();
          const owner = await renewSession(deps, traceOf(request, response), 'refresh', claims, next.refresh);
          if (!owner) throw errors.unauthorized('Invalid or expired refresh token');
          deps.keyUses.add(owner.apiKeyId);
          response.json({ success: true, data: tokenPair(deps.keyRing, owner, next) });
        },
      ),
  },
};

function callerOfRefresh(deps: Dependencies, request: Request): ClaimedCaller | undefined {
  const { refresh_token: token } = claimsOf(request);
  const claims = isFilled(token) ? verifyToken(deps.keyRing, 'refresh', token) : undefined;
  return claims && callerOfToken(deps, claims);
}

/** Signs the tokens. */
function tokenPair(keyRing: KeyRing, owner: SessionOwner, { access, refresh }: NextTokens): object {
  return {
    access_token: signToken(keyRing, 'access', { id: access.id, ...owner }, access.expiresAt),
    refresh_token: signToken(keyRing, 'refresh', { id: refresh.id, ...owner }, refresh.expiresAt),
    access_expires_at: access.expiresAt.toISOString(),
    refresh_expires_at: refresh.expiresAt.toISOString(),
    client_id: owner.clientId,
  };
}

interface NextTokens {
  access: { id: string; expiresAt: Date };
  refresh: RefreshTokenRow;
}

function nextTokens(): NextTokens {
  const access = newToken(ACCESS_TOKEN_SECONDS);
  return { access, refresh: { ...newToken(REFRESH_TOKEN_SECONDS), accessExpiresAt: access.expiresAt } };
}
