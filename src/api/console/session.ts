/** The session of the console: its cookie, and the checks of each request. A member has a session of the sign-in instead. */
import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import type { Config } from '../../settings/config';
import { findSessionClient } from '../../data/clients/clients';
import type { LiveSession } from '../../data/clients/sessions';
import { accessErrors, errors } from '../../domain/errors';
import { verifyToken, type TokenClaims } from '../../security/tokens';
import type { Dependencies } from '../dependencies';
import { setCaller } from '../middleware/authenticate';
import { markEnded, ownerOf } from '../middleware/caller';
import { identifyMember, memberSessionOf } from './members';
import { checkClient, limitClient } from '../rate-limits/rate-limiter';
import { readMethods, sequence } from '../server/dispatch';

/** The claims of the cookie; undefined unless this service signed it and it has not expired. */
export function cookieClaims({ config, keyRing }: Dependencies, request: Request): TokenClaims | undefined {
  const token = sentToken(config, request);
  return token === undefined ? undefined : verifyToken(keyRing, 'console', token);
}

/**
 * Replaces `authenticate` for requests with a cookie: the client of a signed cookie is the caller, whether the session is alive or not;
 * else 401. `rejectEndedSession` must follow when the call is counted. A call beyond the client's limit runs no SQL.
 */
export function authenticateSession(deps: Dependencies): RequestHandler {
  return sequence([identifyMember(deps), identifyCookie(deps), requireCookie]);
}

const requireCookie: RequestHandler = (_request, response, next) => {
  if (!claimsOfCookie(response) && !memberSessionOf(response)) throw notSignedIn();
  next();
};

/** Like `authenticateSession`, but lets calls without a signed cookie pass. */
export function identifyCookie(deps: Dependencies): RequestHandler {
  return async (request, response, next) => {
    const claims = memberSessionOf(response) ? undefined : cookieClaims(deps, request);
    if (!claims) return next();
    if (!(await setCaller(deps, response, claims))) throw notSignedIn();
    response.locals.cookieClaims = claims;
    await checkClient(deps.rateLimiter, request, response);
    const session = await deps.sessionTokens.find(claims.id);
    if (!session) markEnded(response);
    response.locals.session = session;
    next();
  };
}

/**
 * Throws 401 for a call with the cookie of a session that has ended, and says why. Unlike an access token, the cookie ends at once with
 * a sign-out, a suspension or a revoked key. Calls without a cookie pass.
 */
export function rejectEndedSession({ database }: Pick<Dependencies, 'database'>): RequestHandler {
  const reject = async (response: Response) => {
    const client = await findSessionClient(database, ownerOf(response));
    const rejection = client?.accessRejection;
    throw rejection ? errors.unauthorized(accessErrors[rejection]().message) : notSignedIn();
  };
  return (_request, response, next) => {
    return claimsOfCookie(response) && !response.locals.session ? reject(response) : next();
  };
}

/** `limitClient` for calls with a signed cookie. Other calls are not counted. */
export function limitCookie(deps: Dependencies): RequestHandler {
  const limits = limitClient(deps.rateLimiter);
  return (request, response, next) => (claimsOfCookie(response) ? limits(request, response, next) : next());
}

/** The claims of the signed cookie that `identifyCookie` found. */
export function claimsOfCookie(response: Response): TokenClaims | undefined {
  return response.locals.cookieClaims as TokenClaims | undefined;
}

/** The session of a key that `authenticateSession` found; undefined for a member. */
export function keySessionOf(response: Response): LiveSession | undefined {
  return response.locals.session as LiveSession | undefined;
}

/** When the session that `authenticateSession` found ends. */
export function sessionEndOf(response: Response): Date {
  const session = memberSessionOf(response) ?? keySessionOf(response);
  if (!session) throw notSignedIn();
  return session.expiresAt;
}

/** The 401 for a session that has ended or never existed. */
export function notSignedIn() {
  return errors.unauthorized('Not signed in');
}

type Mode = Pick<Config, 'mode'>;

/** A browser accepts a `__Host-` cookie only from this host and over TLS: no neighbouring host name can set one. */
const cookieNames = { production: '__Host-console_session', sandbox: 'console_session' } as const;

/** The token that the browser sent; undefined without one. Throws 400 if there are two: one of them is forged. */
function sentToken({ mode }: Mode, request: Request): string | undefined {
  const cookies = (request.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
  const sent = cookies.filter((cookie) => cookie.startsWith(`${cookieNames[mode]}=`));
  if (sent.length > 1) throw errors.malformedRequest();
  return sent[0]?.slice(cookieNames[mode].length + 1);
}

export function setSessionCookie(
  config: Mode,
  request: Request,
  response: Response,
  { token, expiresAt }: { token: string; expiresAt: Date },
): void {
  response.cookie(cookieNames[config.mode], token, { ...optionsFor(config, request), expires: expiresAt });
}

export function clearToken(config: Mode, request: Request, response: Response): void {
  response.clearCookie(cookieNames[config.mode], optionsFor(config, request));
}

function optionsFor({ mode }: Mode, request: Request): CookieOptions {
  return {
    // A `__Host-` cookie is for every path.
    path: mode === 'production' ? '/' : '/console',
    httpOnly: true,
    sameSite: 'strict',
    // Production has TLS in front, even if its proxy is not in the list of trusted ones.
    secure: request.secure || mode === 'production',
  };
}

/**
 * Rejects requests that another site makes the browser send with the cookie: 403. `SameSite=Strict` does not stop
 * pages of a neighbouring host name. Writes must also carry a header that no form can send.
 * docs/operators/security.md#the-console.
 */
export const rejectOtherSites: RequestHandler = (request, _response, next) => {
  const site = request.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') throw errors.otherSite();
  if (!readMethods.includes(request.method)) {
    if (request.get('x-requested-with') !== 'console') throw errors.otherSite();
    // Browsers send this header only over secure or local connections.
    if (site === undefined && hostOf(request.get('origin')) !== request.host) throw errors.otherSite();
  }
  next();
};

function hostOf(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined;
}
