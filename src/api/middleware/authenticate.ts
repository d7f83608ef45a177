/** Who is calling: the bearer token of every call except login and refresh. */
import type { Request, RequestHandler, Response } from 'express';
import { findWriter, type Client } from '../../data/clients/clients';
import { accessErrors, errors } from '../../domain/errors';
import type { Caller } from '../../domain/operations/audit';
import { thenMaybe } from '../../async/promises';
import { AccessTokens, type SessionOwner } from '../../security/tokens';
import type { Dependencies } from '../dependencies';

/** Methods that change nothing. */
export const reads: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Lets a request pass that carries an unexpired access token, and loads its client; else 401. A suspended client and a
 * revoked key pass, too: the contract always accepts unexpired tokens (see `refuseEndedAccess`). A client that is known
 * costs no statement, so that calls beyond its rate limit cost none.
 */
export function authenticate(deps: Dependencies): RequestHandler {
  const tokens = new AccessTokens(deps.keyRing);
  return (request, response, next) => {
    const header = request.get('authorization');
    if (!header) throw errors.authorizationRequired();
    const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
    const claims = token === undefined ? undefined : tokens.verify(token);
    if (!claims) throw invalidToken();
    return thenMaybe(becomesCaller(deps, response, claims), (isCaller) => {
      if (!isCaller) throw invalidToken();
      next();
    });
  };
}

function invalidToken() {
  return errors.unauthorized('Invalid or expired access token');
}

/** Makes the client of a session the caller of the request. False if there is no such client. */
export function becomesCaller(
  { knownClients }: Pick<Dependencies, 'knownClients'>,
  response: Response,
  owner: SessionOwner,
): boolean | Promise<boolean> {
  return thenMaybe(knownClients.find(owner.clientId), (client) => {
    if (!client) return false;
    response.locals.client = client;
    response.locals.apiKeyId = owner.apiKeyId;
    response.locals.sessionId = owner.sessionId;
    return true;
  });
}

/**
 * 403 for every write of a suspended client, a revoked key or an ended session; they still read, and ask what an order
 * would cost. What may change something is decided by how the client stands at this moment.
 */
export function refuseEndedAccess({ database }: Pick<Dependencies, 'database'>): RequestHandler {
  return async (request, response, next) => {
    if (reads.includes(request.method)) return next();
    const writer = await findWriter(database, ownerOf(response));
    if (!writer) throw invalidToken();
    response.locals.client = writer;
    const { accessRefusal } = writer;
    if (accessRefusal && !/\/charges\/?$/i.test(request.path)) throw accessErrors[accessRefusal]();
    next();
  };
}

/** The client that `authenticate` found. */
export function clientOf(response: Response): Client {
  return response.locals.client as Client;
}

/** The session that the call belongs to. */
export function ownerOf(response: Response): SessionOwner {
  const { apiKeyId, sessionId } = response.locals as Pick<SessionOwner, 'apiKeyId' | 'sessionId'>;
  return { clientId: clientOf(response).id, apiKeyId, sessionId };
}

/** Who is calling, for what is written down of the call. */
export function callerOf(request: Request, response: Response): Caller {
  const { clientId, apiKeyId } = ownerOf(response);
  return {
    clientId,
    apiKeyId,
    address: request.ip ?? null,
    requestId: response.get('X-Request-Id') ?? '',
  };
}
