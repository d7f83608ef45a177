/** Who is signed in to the console. */
import type { Request, RequestHandler, Response } from 'express';
import { findSession, type LiveSession } from '../../data/clients/sessions';
import { errors } from '../../domain/errors';
import { verifyToken, type TokenClaims } from '../../security/tokens';
import type { Dependencies } from '../dependencies';
import { becomesCaller } from '../middleware/authenticate';
import { sentToken } from './session-cookie';

/** What the request's cookie claims, if this service signed it and it has not expired. */
export function sentClaims({ config, keyRing }: Dependencies, request: Request): TokenClaims | undefined {
  const token = sentToken(config, request);
  return token === undefined ? undefined : verifyToken(keyRing, 'console', token);
}

/**
 * In place of `authenticate` where a cookie says who is calling: 401 unless its session is alive at this moment. Signing
 * out, a suspension and a revoked key end it, unlike an access token, at once.
 */
export function authenticateSession(deps: Dependencies): RequestHandler {
  return async (request, response, next) => {
    const claims = sentClaims(deps, request);
    const session = claims && (await findSession(deps.database, claims.id));
    if (!session || !(await becomesCaller(deps, response, session))) throw notSignedIn();
    response.locals.session = session;
    next();
  };
}

/** The session that `authenticateSession` found. */
export function sessionOf(response: Response): LiveSession {
  return response.locals.session as LiveSession;
}

/** 401 of a session that is over, or never was. */
export function notSignedIn() {
  return errors.unauthorized('Not signed in');
}
