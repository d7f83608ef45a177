/** Login and refresh. docs/specification.md#authentication. */
import { randomUUID } from 'node:crypto';
import { Router, type Request } from 'express';
import Joi from 'joi';
import { revokeReusedSession, rotateSession, type RefreshTokenRow } from '../../data/clients/sessions';
import { errors } from '../../domain/errors';
import { loginCalls, refreshCalls } from '../../domain/clients/rate-classes';
import {
  ACCESS_TOKEN_SECONDS,
  REFRESH_TOKEN_SECONDS,
  signToken,
  verifyToken,
  type SessionOwner,
} from '../../security/tokens';
import type { Dependencies } from '../dependencies';
import { jsonObject, validBody } from '../shared/validation';
import type { AuthLimits, ClaimedCaller } from './limits';
import { claimsOf, isFilled, keyHolder, logIn, sessionHolder, traceOf } from './login';

const credential = Joi.string().required().messages({ '*': 'Username and password are required' });

export const loginBody = Joi.object<{ username: string; password: string }>({
  username: credential.description('Your API key.').example('dgk_live_2f6d9a4e'),
  password: credential.description('The secret of the key.').example('dgs_3b1f...'),
});

export const refreshBody = Joi.object<{ refresh_token: string }>({
  refresh_token: Joi.string()
    .required()
    .description('The refresh token of a login or refresh. It works once.')
    .example('eyJhbGciOiJIUzI1NiJ9...')
    .messages({ '*': 'Refresh token is required' }),
});

/** POST /login, POST /refresh. */
export function authRoutes(deps: Dependencies, limits: AuthLimits): Router {
  const { database, keyRing, log } = deps;
  const router = Router();

  router.post(
    '/login',
    limits.limit(loginCalls, keyHolder(database, { apiKey: 'username', secret: 'password' })),
    async (request, response) => {
      const { username, password } = validBody(loginBody, jsonObject(request));
      const next = nextTokens();
      const owner = await logIn(deps, traceOf(request, response), { username, password }, next.refresh);
      response.json({ success: true, data: tokenPair(owner, next) });
    },
  );

  router.post('/refresh', limits.limit(refreshCalls, tokenHolder), async (request, response) => {
    const { refresh_token: token } = validBody(refreshBody, jsonObject(request));
    const used = verifyToken(keyRing, 'refresh', token);
    if (!used) throw errors.unauthorized('Invalid or expired refresh token');
    const next = nextTokens();
    const session = await rotateSession(database, used.id, next.refresh);
    if (!session) {
      const reused = await revokeReusedSession(database, used.id);
      if (reused)
        log.warn({ ...traceOf(request, response), ...reused }, 'refresh token reused, session revoked');
      throw errors.unauthorized('Invalid or expired refresh token');
    }
    response.json({ success: true, data: tokenPair({ clientId: used.clientId, ...session }, next) });
  });

  router.use(limits.noteFailure);

  function tokenHolder(request: Request): ClaimedCaller | undefined {
    const { refresh_token: token } = claimsOf(request);
    const claims = isFilled(token) ? verifyToken(keyRing, 'refresh', token) : undefined;
    return claims && sessionHolder(database, claims);
  }

  /** The specification's token pair, signed. */
  function tokenPair(session: SessionOwner, { access, refresh }: NextTokens): object {
    return {
      access_token: signToken(keyRing, 'access', { id: access.id, ...session }, access.expiresAt),
      refresh_token: signToken(keyRing, 'refresh', { id: refresh.id, ...session }, refresh.expiresAt),
      access_expires_at: access.expiresAt.toISOString(),
      refresh_expires_at: refresh.expiresAt.toISOString(),
      client_id: session.clientId,
    };
  }

  return router;
}

interface NextTokens {
  access: { id: string; expiresAt: Date };
  refresh: RefreshTokenRow;
}

function nextTokens(): NextTokens {
  // Whole seconds, as in a token's `exp`, so that what is shown is exactly what is signed.
  const now = Math.floor(Date.now() / 1000);
  const expiringIn = (seconds: number) => ({ id: randomUUID(), expiresAt: new Date((now + seconds) * 1000) });
  const access = expiringIn(ACCESS_TOKEN_SECONDS);
  return { access, refresh: { ...expiringIn(REFRESH_TOKEN_SECONDS), accessExpiresAt: access.expiresAt } };
}
