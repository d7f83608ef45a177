/** Authenticates the calls of `/api/v1` by their bearer token. */
import type { RequestHandler, Response } from 'express';
import { findSessionClient } from '../../data/clients/clients';
import { errors, accessErrors } from '../../domain/errors';
import { thenMaybe } from '../../async/promises';
import { AccessTokens, type SessionOwner } from '../../security/tokens';
import type { Dependencies } from '../dependencies';
import { matchOf, readMethods } from '../server/dispatch';
import { ownerOf, setCallerOf } from './caller';

/**
 * Requires an unexpired access token and loads its client; else 401. Suspended clients and revoked keys pass: the
 * contract accepts every unexpired token (see `rejectEndedAccess`). Reads the client from a cache, so that a call beyond
 * the rate limit, which is checked later, costs no SQL statement.
 */
export function authenticate(deps: Dependencies): RequestHandler {
  const tokens = new AccessTokens(deps.keyRing);
  return (request, response, next) => {
    const header = request.get('authorization');
    if (!header) throw errors.authorizationRequired();
    const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
    const claims = token === undefined ? undefined : tokens.verify(token);
    if (!claims) throw invalidToken();
    response.locals.readsOnly = claims.readsOnly;
    return thenMaybe(setCaller(deps, response, claims), (isKnown) => {
      if (!isKnown) throw invalidToken();
      next();
    });
  };
}

function invalidToken() {
  return errors.unauthorized('Invalid or expired access token');
}

/** Sets the client of the session as the caller of the request. False if there is no such client. */
export function setCaller(
  { knownClients }: Pick<Dependencies, 'knownClients'>,
  response: Response,
  owner: SessionOwner,
): boolean | Promise<boolean> {
  return thenMaybe(knownClients.find(owner), (client) => {
    if (client) setCallerOf(response, client, { ...owner, memberId: null });
    return client !== undefined;
  });
}

declare module 'express-serve-static-core' {
  interface Locals {
    /** Whether the token permits only reads. */
    readsOnly?: boolean | undefined;
  }
}

/**
 * Throws 403 for writes of a suspended client, a revoked key or an ended session, as the database (not the cache) shows them, and for
 * writes with a token that permits only reads. These callers may still read and request charges.
 */
export function rejectEndedAccess({ database }: Pick<Dependencies, 'database'>): RequestHandler {
  return async (request, response, next) => {
    const isRead = matchOf(response).route?.allowsEndedAccess === true;
    if (isRead || readMethods.includes(request.method)) return next();
    const owner = ownerOf(response);
    const client = await findSessionClient(database, owner);
    if (!client) throw invalidToken();
    setCallerOf(response, client, owner);
    const { accessRejection } = client;
    if (accessRejection) throw accessErrors[accessRejection]();
    if (response.locals.readsOnly === true) throw errors.readOnlyToken();
    next();
  };
}
