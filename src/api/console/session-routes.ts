/** Signing in to the console, staying signed in, signing out. docs/clients/console.md. */
import { randomUUID } from 'node:crypto';
import { Router, type Request, type Response } from 'express';
import {
  endSession,
  findSession,
  revokeReusedSession,
  rotateSession,
  type RefreshTokenRow,
} from '../../data/clients/sessions';
import { errors } from '../../domain/errors';
import { loginCalls, refreshCalls } from '../../domain/clients/rate-classes';
import { CONSOLE_TOKEN_SECONDS, signToken, type SessionOwner, type TokenClaims } from '../../security/tokens';
import type { AuthLimits, ClaimedCaller } from '../auth/limits';
import { isFilled, keyHolder, logIn, sessionHolder, traceOf } from '../auth/login';
import type { Dependencies } from '../dependencies';
import { becomesCaller, clientOf } from '../middleware/authenticate';
import { limitClient } from '../middleware/rate-limit';
import { jsonObject } from '../shared/validation';
import { authenticateSession, notSignedIn, sentClaims, sessionOf } from './session';
import { forgetToken, keepToken } from './session-cookie';

/** POST, PUT, GET, DELETE /. What other sites send has been refused before. */
export function consoleSessionRoutes(deps: Dependencies, limits: AuthLimits): Router {
  const { config, database, rateLimiter } = deps;
  const router = Router();

  const holder = keyHolder(database, { apiKey: 'api_key', secret: 'api_secret' });
  router.post('/', limits.limit(loginCalls, holder), async (request, response) => {
    const { api_key: username, api_secret: password } = jsonObject(request);
    if (!isFilled(username) || !isFilled(password)) {
      throw errors.validation('API key and secret are required');
    }
    const first = nextToken();
    const owner = await logIn(deps, traceOf(request, response), { username, password }, first);
    await answer(request, response, owner, first);
  });

  router.put('/', limits.limit(refreshCalls, tokenHolder), async (request, response) => {
    const used = sentClaims(deps, request);
    if (!used) throw notSignedIn();
    const next = nextToken();
    const rotated = await rotateSession(database, used.id, next);
    if (rotated) return answer(request, response, { clientId: used.clientId, ...rotated }, next);
    await refuseReused(request, response, used);
  });

  router.get('/', authenticateSession(deps), limitClient(rateLimiter), (_request, response) => {
    response.json(sessionView(response, sessionOf(response).expiresAt));
  });

  router.delete('/', async (request, response) => {
    const claims = sentClaims(deps, request);
    if (claims) await endSession(database, claims.id);
    forgetToken(config, request, response);
    response.status(204).end();
  });

  router.use(limits.noteFailure);

  function tokenHolder(request: Request): ClaimedCaller | undefined {
    const claims = sentClaims(deps, request);
    return claims && sessionHolder(database, claims);
  }

  /** Two pages of one browser may renew at once: the later one's cookie is the other's by now. */
  async function refuseReused(request: Request, response: Response, used: TokenClaims): Promise<void> {
    const reused = await revokeReusedSession(database, used.id);
    if (reused) {
      deps.log.warn({ ...traceOf(request, response), ...reused }, 'console token reused, session revoked');
    }
    const session = await findSession(database, used.id);
    if (!session || !(await becomesCaller(deps, response, session))) {
      forgetToken(config, request, response);
      throw notSignedIn();
    }
    response.json(sessionView(response, session.expiresAt));
  }

  async function answer(
    request: Request,
    response: Response,
    owner: SessionOwner,
    { id, expiresAt }: { id: string; expiresAt: Date },
  ): Promise<void> {
    if (!(await becomesCaller(deps, response, owner))) throw notSignedIn();
    const token = signToken(deps.keyRing, 'console', { id, ...owner }, expiresAt);
    keepToken(config, request, response, { token, expiresAt });
    response.json(sessionView(response, expiresAt));
  }

  /** What the pages need to know of who looks at them. */
  function sessionView(response: Response, expiresAt: Date): object {
    const { id, name, features } = clientOf(response);
    return {
      client_id: id,
      client_name: name,
      features,
      mode: config.mode,
      expires_at: expiresAt.toISOString(),
    };
  }

  return router;
}

function nextToken(): RefreshTokenRow {
  // Whole seconds, as in a token's `exp`.
  const now = Math.floor(Date.now() / 1000);
  const expiresAt = new Date((now + CONSOLE_TOKEN_SECONDS) * 1000);
  return { id: randomUUID(), expiresAt, accessExpiresAt: null };
}
