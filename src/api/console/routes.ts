/** The console: its page, signing in and out, and the stream of an account. docs/clients/console.md. */
import type { Request, Response } from 'express';
import {
  endSession,
  findSession,
  revokeReusedSession,
  rotateSession,
  type RefreshTokenRow,
} from '../../data/clients/sessions';
import { loginCalls, refreshCalls } from '../../domain/clients/rate-classes';
import { scopes } from '../../domain/clients/scopes';
import { errors } from '../../domain/errors';
import {
  CONSOLE_TOKEN_SECONDS,
  REFERENCE_TOKEN_SECONDS,
  signToken,
  type SessionOwner,
  type TokenClaims,
} from '../../security/tokens';
import { callerOfLogin, callerOfToken, isFilled, logIn, newToken, traceOf } from '../auth/login';
import type { SessionMember } from '../../data/clients/member-sessions';
import type { Config } from '../../settings/config';
import type { Dependencies } from '../dependencies';
import { setCaller } from '../middleware/authenticate';
import { clientOf, ownerOf } from '../middleware/caller';
import { hasScope } from '../middleware/scope';
import { limitClient } from '../rate-limits/rate-limiter';
import { countStream } from '../middleware/request-metrics';
import { sequence } from '../server/dispatch';
import { pageRoutes } from '../server/page-routes';
import type { Routes } from '../server/route';
import { jsonObject } from '../shared/validation';
import { EventStream } from './event-stream';
import { LiveAccounts } from './live-accounts';
import {
  authenticateSession,
  clearToken,
  claimsOfCookie,
  identifyCookie,
  limitCookie,
  rejectEndedSession,
  setSessionCookie,
  notSignedIn,
  cookieClaims,
  sessionEndOf,
  keySessionOf,
} from './session';
import { memberSessionOf, memberPersonOf, whenMemberLeaves } from './members';

/** The page runs only its own scripts, and calls only this service. It shows the pictures of products from any host. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

export const consoleRoutes: Routes = {
  ...pageRoutes('/console', ({ consoleFiles }) => consoleFiles, CONTENT_SECURITY_POLICY),
  'POST /console/session': {
    scope: 'none',
    rateClass: loginCalls,
    handler: (deps) =>
      deps.authLimits.limited(
        loginCalls,
        callerOfLogin(deps.database, { apiKey: 'api_key', secret: 'api_secret' }),
        async (request, response) => {
          const { api_key: username, api_secret: password } = jsonObject(request);
          if (!isFilled(username) || !isFilled(password)) {
            throw errors.validation('API key and secret are required');
          }
          const first = nextToken();
          const owner = await logIn(deps, traceOf(request, response), { username, password }, first);
          await sendSession(deps, request, response, owner, first);
        },
      ),
  },
  'PUT /console/session': {
    scope: 'none',
    rateClass: refreshCalls,
    handler: (deps) =>
      deps.authLimits.limited(
        refreshCalls,
        (request) => {
          const claims = cookieClaims(deps, request);
          return claims && callerOfToken(deps, claims);
        },
        async (request, response) => {
          const claims = cookieClaims(deps, request);
          if (!claims) throw notSignedIn();
          const next = nextToken();
          const rotated = await rotateSession(deps.database, claims.id, next);
          if (!rotated) return answerReused(deps, request, response, claims);
          await sendSession(deps, request, response, { clientId: claims.clientId, ...rotated }, next);
        },
      ),
  },
  'GET /console/session': {
    scope: 'none',
    handler: (deps) =>
      sequence([
        authenticateSession(deps),
        limitClient(deps.rateLimiter),
        rejectEndedSession(deps),
        (_request, response) => {
          response.json(sessionView(deps, response, sessionEndOf(response)));
        },
      ]),
  },
  'POST /console/session/token': {
    scope: 'none',
    handler: (deps) =>
      sequence([
        authenticateSession(deps),
        limitClient(deps.rateLimiter),
        rejectEndedSession(deps),
        (_request, response) => {
          const { config, keyRing } = deps;
          const session = keySessionOf(response);
          if (!session) throw errors.noTokenForMembers();
          response.json(referenceToken({ mode: config.mode, keyRing }, session));
        },
      ]),
  },
  'DELETE /console/session': {
    scope: 'none',
    handler: (deps) =>
      sequence([
        identifyCookie(deps),
        limitCookie(deps),
        async (request, response) => {
          const person = await memberPersonOf(deps, request);
          if (person) await deps.members.identity.endSession(person.id, [person.email]);
          const claims = claimsOfCookie(response);
          if (claims) await endSession(deps.database, claims.id);
          clearToken(deps.config, request, response);
          response.status(204).end();
        },
      ]),
  },
  'GET /console/stream': {
    scope: 'read',
    handler: (deps) => {
      const accounts = new LiveAccounts(deps);
      return (request, response) => {
        accounts.checkCapacity(clientOf(response).id);
        // The response to HEAD has no body.
        if (request.method === 'HEAD') return void response.type('text/event-stream').end();
        // The connection closed while the session was looked up. `close` is not emitted again, so the stream would never end.
        if (response.destroyed) return;
        const stream = new EventStream(response);
        const page = {
          ...ownerOf(response),
          expiresAt: sessionEndOf(response),
          rateLimits: clientOf(response).rateLimits,
        };
        accounts.follow(page, stream);
        const session = memberSessionOf(response);
        if (session) whenMemberLeaves(deps, session, stream.ended, () => stream.end());
        countStream(response);
      };
    },
  },
};

/**
 * Handles a renewal with a token that was already used. Responds with the session if it is still alive: two pages of one
 * browser share the cookie, and may renew it at the same time. Otherwise deletes the cookie and throws 401.
 */
async function answerReused(
  deps: Dependencies,
  request: Request,
  response: Response,
  claims: TokenClaims,
): Promise<void> {
  const reused = await revokeReusedSession(deps.database, claims.id);
  if (reused) {
    deps.log.warn({ ...traceOf(request, response), ...reused }, 'console token reused, session revoked');
  }
  const session = await findSession(deps.database, claims.id);
  if (!session || !(await setCaller(deps, response, session))) {
    clearToken(deps.config, request, response);
    throw notSignedIn();
  }
  response.json(sessionView(deps, response, session.expiresAt));
}

async function sendSession(
  deps: Dependencies,
  request: Request,
  response: Response,
  owner: SessionOwner,
  { id, expiresAt }: { id: string; expiresAt: Date },
): Promise<void> {
  if (!(await setCaller(deps, response, owner))) throw notSignedIn();
  const token = signToken(deps.keyRing, 'console', { id, ...owner }, expiresAt);
  setSessionCookie(deps.config, request, response, { token, expiresAt });
  response.json(sessionView(deps, response, expiresAt));
}

/** A short-lived access token for the API reference. In production it permits only reads. docs/operators/security.md#the-console. */
export function referenceToken(
  { mode, keyRing }: Pick<Config, 'mode'> & Pick<Dependencies, 'keyRing'>,
  owner: SessionOwner,
): { access_token: string; expires_at: string } {
  const { id, expiresAt } = newToken(REFERENCE_TOKEN_SECONDS);
  const claims: TokenClaims = {
    ...{ id, ...owner },
    ...(mode === 'production' && { readsOnly: true }),
  };
  return {
    access_token: signToken(keyRing, 'access', claims, expiresAt),
    expires_at: expiresAt.toISOString(),
  };
}

/** The signed-in client as JSON. */
function sessionView({ config }: Dependencies, response: Response, expiresAt: Date): object {
  const { id, name, features } = clientOf(response);
  const missing = scopes.filter((scope) => !hasScope(response, scope));
  return {
    client_id: id,
    client_name: name,
    features,
    mode: config.mode,
    missing_scopes: missing,
    member: memberView(memberSessionOf(response)?.member),
    expires_at: expiresAt.toISOString(),
  };
}

function memberView(member: SessionMember | undefined) {
  return member ? { id: member.id, name: member.name, email: member.email, role: member.role } : null;
}

function nextToken(): RefreshTokenRow {
  return { ...newToken(CONSOLE_TOKEN_SECONDS), accessExpiresAt: null };
}
