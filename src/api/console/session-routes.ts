/** Signing in to the console and out, and the account that a member's session works for. docs/developers/console.md#sessions. */
import type { Request, RequestHandler, Response } from 'express';
import Joi from 'joi';
import { enterMember, listMemberships } from '../../data/clients/chosen-accounts';
import { findSession, type LiveSession, type RefreshTokenRow } from '../../data/clients/token-sessions';
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
import type { Config } from '../../settings/config';
import { callerOfLogin, callerOfToken, isFilled, logIn, newToken, renewSession } from '../auth/login';
import type { Dependencies } from '../dependencies';
import { setCaller } from '../middleware/authenticate';
import { clientOf, traceOf } from '../middleware/caller';
import { hasScope } from '../middleware/scope';
import { limitClient } from '../rate-limits/rate-limiter';
import { sequence } from '../server/dispatch';
import type { Routes } from '../server/route';
import { jsonObject, validBody } from '../shared/validation';
import { clearSessionCookie, cookieClaims, setSessionCookie } from './cookie';
import {
  authenticateSession,
  endEverySession,
  limitCookie,
  openSessionOf,
  notSignedIn,
  memberIn,
  rejectEndedSession,
  type ConsoleSession,
} from './session';

const accountBody = Joi.object<{ member_id: number }>({
  member_id: Joi.number().strict().integer().min(1).required().messages({ '*': 'member_id is invalid' }),
});

export const consoleSessionRoutes: Routes = {
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
          await sendWithCookie(deps, request, response, owner, first);
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
          const owner = await renewSession(deps, traceOf(request, response), 'console', claims, next);
          if (owner) return sendWithCookie(deps, request, response, owner, next);
          // Two pages of one browser share the cookie, and may renew it at the same time.
          const session = await findSession(deps.database, claims.id);
          if (session) return sendKeySession(deps, response, session);
          clearSessionCookie(deps.config, request, response);
          throw notSignedIn();
        },
      ),
  },
  'GET /console/session': {
    scope: 'none',
    handler: (deps) => withSession(deps, (session, response) => sendSession(deps, response, session)),
  },
  'POST /console/session/token': {
    scope: 'none',
    handler: (deps) =>
      withSession(deps, (session, response) => {
        if (session.member) throw errors.noTokenForMembers();
        response.json(referenceToken({ mode: deps.config.mode, keyRing: deps.keyRing }, session));
      }),
  },
  'DELETE /console/session': {
    scope: 'none',
    handler: (deps) =>
      sequence([
        limitCookie(deps),
        async (request, response) => {
          await endEverySession(deps, request);
          clearSessionCookie(deps.config, request, response);
          response.status(204).end();
        },
      ]),
  },
  'GET /console/session/accounts': {
    scope: 'none',
    handler: (deps) => async (request, response) => {
      const { email } = await signedInPerson(deps, request);
      const accounts = await listMemberships(deps.database, email);
      response.json({
        email,
        accounts: accounts.map(({ memberId, client }) => ({ member_id: memberId, client_name: client })),
      });
    },
  },
  'PUT /console/session/account': {
    scope: 'none',
    handler: (deps) => async (request, response) => {
      const person = await signedInPerson(deps, request);
      const { member_id: memberId } = validBody(accountBody, jsonObject(request));
      const hasEntered = await enterMember(deps.database, person, memberId, traceOf(request, response));
      if (!hasEntered) throw errors.notFound('Member', 'member_id');
      response.status(204).end();
    },
  },
};

/** Handles the counted call of a live session; else 401. */
function withSession(
  deps: Dependencies,
  handle: (session: ConsoleSession, response: Response) => void,
): RequestHandler {
  return sequence([
    authenticateSession(deps),
    limitClient(deps.rateLimiter),
    rejectEndedSession(deps),
    (_request, response) => handle(openSessionOf(response), response),
  ]);
}

/** The person of the request, also one who has not chosen an account; else 401. */
async function signedInPerson(deps: Dependencies, request: Request) {
  const person = await memberIn(deps, request);
  if (!person) throw notSignedIn();
  return person;
}

/** Responds with the session of a key and the cookie with its next token. */
async function sendWithCookie(
  deps: Dependencies,
  request: Request,
  response: Response,
  owner: SessionOwner,
  { id, expiresAt }: RefreshTokenRow,
): Promise<void> {
  const token = signToken(deps.keyRing, 'console', { id, ...owner }, expiresAt);
  setSessionCookie(deps.config, request, response, { token, expiresAt });
  await sendKeySession(deps, response, { ...owner, expiresAt });
}

async function sendKeySession(deps: Dependencies, response: Response, session: LiveSession): Promise<void> {
  if (!(await setCaller(deps, response, session))) throw notSignedIn();
  sendSession(deps, response, { ...session, member: null });
}

/** A short-lived access token for the API reference. In production it permits only reads. docs/operators/security.md#the-console. */
export function referenceToken(
  { mode, keyRing }: Pick<Config, 'mode'> & Pick<Dependencies, 'keyRing'>,
  owner: SessionOwner,
): { access_token: string; expires_at: string } {
  const { id, expiresAt } = newToken(REFERENCE_TOKEN_SECONDS);
  const claims: TokenClaims = { id, ...owner, ...(mode === 'production' && { readsOnly: true }) };
  return { access_token: signToken(keyRing, 'access', claims, expiresAt), expires_at: expiresAt.toISOString() };
}

/** Responds with the session and the client of the caller. */
function sendSession({ config }: Dependencies, response: Response, { member, expiresAt }: ConsoleSession): void {
  const { id, name, features } = clientOf(response);
  response.json({
    client_id: id,
    client_name: name,
    features,
    mode: config.mode,
    missing_scopes: scopes.filter((scope) => !hasScope(response, scope)),
    funding_currencies: [...config.funding.bankAccounts.keys()],
    member: member && { id: member.id, name: member.name, email: member.email, role: member.role },
    expires_at: expiresAt.toISOString(),
  });
}

function nextToken(): RefreshTokenRow {
  return { ...newToken(CONSOLE_TOKEN_SECONDS), accessExpiresAt: null };
}
