/** Login and refresh. docs/specification.md#authentication. */
import { randomUUID } from 'node:crypto';
import { Router, type Request, type Response } from 'express';
import { findApiKey, rateLimitsOfKey, type ApiKey } from '../../data/api-keys';
import { findClient } from '../../data/clients';
import { revokeReusedSession, rotateSession, startSession } from '../../data/sessions';
import { errors, type ApiError } from '../../domain/errors';
import { loginCalls, refreshCalls } from '../../domain/rate-classes';
import { isApiSecret, isFormedLikeApiKey } from '../../security/api-secrets';
import {
  ACCESS_TOKEN_SECONDS,
  REFRESH_TOKEN_SECONDS,
  signToken,
  verifyToken,
  type SessionOwner,
} from '../../security/tokens';
import type { Dependencies } from '../dependencies';
import { jsonObject } from '../shared/validation';
import { AuthLimits, type ClaimedCaller } from './limits';

/** POST /login, POST /refresh. */
export function authRoutes({ database, keyRing, rateLimiter, log }: Dependencies): Router {
  const router = Router();
  const limits = new AuthLimits(rateLimiter);

  router.post('/login', limits.limit(loginCalls, keyHolder), async (request, response) => {
    const { username, password } = jsonObject(request);
    if (!isFilled(username) || !isFilled(password)) {
      throw errors.validation('Username and password are required');
    }
    const named = withoutNul(username);
    const apiKey = await findApiKey(database, named);
    const isRight = isApiSecret(keyRing, { apiKey: named, secret: password }, apiKey);
    if (!apiKey || !isRight) {
      log.warn({ ...traceOf(request, response), ...namedKey(username, apiKey) }, 'login refused');
      throw errors.unauthorized('Invalid credentials');
    }
    const next = nextTokens();
    if (!(await startSession(database, apiKey.id, next.refresh))) {
      log.warn({ ...traceOf(request, response), ...namedKey(username, apiKey) }, 'login refused: no access');
      throw await refusedLogin(apiKey.clientId);
    }
    response.json({
      success: true,
      data: tokenPair({ clientId: apiKey.clientId, apiKeyId: apiKey.id }, next),
    });
  });

  router.post('/refresh', limits.limit(refreshCalls, tokenHolder), async (request, response) => {
    const { refresh_token: token } = jsonObject(request);
    if (!isFilled(token)) throw errors.validation('Refresh token is required');
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

  /** Why a right secret begins no session: its client is suspended, or its key was revoked at this moment. */
  async function refusedLogin(clientId: number): Promise<ApiError> {
    const client = await findClient(database, clientId);
    return errors.unauthorized(
      client?.status === 'SUSPENDED' ? 'Client is suspended' : 'Invalid credentials',
    );
  }

  function keyHolder(request: Request): ClaimedCaller | undefined {
    const { username } = claimsOf(request);
    if (!isFilled(username)) return undefined;
    const name = withoutNul(username);
    return { name, isGenuine: false, rateLimits: () => rateLimitsOfKey(database, name) };
  }

  function tokenHolder(request: Request): ClaimedCaller | undefined {
    const { refresh_token: token } = claimsOf(request);
    const claims = isFilled(token) ? verifyToken(keyRing, 'refresh', token) : undefined;
    if (!claims) return undefined;
    const { clientId } = claims;
    const rateLimits = async () => (await findClient(database, clientId))?.rateLimits ?? {};
    return { name: String(clientId), isGenuine: true, rateLimits };
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

/** Where a call came from, for the log. */
function traceOf(request: Request, response: Response): object {
  return { requestId: response.get('X-Request-Id'), address: request.ip };
}

/** The key that a refused login named: by its id where there is one, else as it was typed, if it can be a key. */
function namedKey(username: string, apiKey: ApiKey | undefined): object {
  if (apiKey) return { clientId: apiKey.clientId, apiKeyId: apiKey.id };
  return isFormedLikeApiKey(username) ? { apiKey: username } : {};
}

type NextTokens = Record<'access' | 'refresh', { id: string; expiresAt: Date }>;

function nextTokens(): NextTokens {
  // Whole seconds, as in a token's `exp`, so that what is shown is exactly what is signed.
  const now = Math.floor(Date.now() / 1000);
  const expiringIn = (seconds: number) => ({ id: randomUUID(), expiresAt: new Date((now + seconds) * 1000) });
  return { access: expiringIn(ACCESS_TOKEN_SECONDS), refresh: expiringIn(REFRESH_TOKEN_SECONDS) };
}

/** What the body says, as far as it can be read; what cannot is refused by the handler. */
function claimsOf(request: Request): Partial<Record<string, unknown>> {
  const body: unknown = request.body;
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** PostgreSQL text cannot hold a NUL; no key contains what takes its place. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
