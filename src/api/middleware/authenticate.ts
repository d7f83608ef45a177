/** Who is calling: the bearer token of every call except login and refresh. */
import type { Request, RequestHandler, Response } from 'express';
import { findClient, type Client } from '../../data/clients';
import type { Caller } from '../../domain/audit';
import { errors } from '../../domain/errors';
import { whenThere } from '../../domain/when-there';
import { AccessTokens, type SessionOwner } from '../../security/tokens';
import type { Dependencies } from '../dependencies';

/** Methods that change nothing. */
export const reads: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Lets a request pass that carries an unexpired access token, and loads its client; else 401. A
 * suspended client passes too: the contract accepts unexpired tokens always (see `refuseSuspendedWrites`).
 */
export function authenticate(deps: Dependencies): RequestHandler {
  const tokens = new AccessTokens(deps.keyRing);
  return (request, response, next) => {
    const header = request.get('authorization');
    if (!header) throw errors.authorizationRequired();
    const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
    const claims = token === undefined ? undefined : tokens.verify(token);
    if (!claims) throw invalidToken();
    return whenThere(becomesCaller(deps, request, response, claims), (isCaller) => {
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
  { database, knownClients }: Dependencies,
  request: Request,
  response: Response,
  { clientId, apiKeyId }: SessionOwner,
): boolean | Promise<boolean> {
  // What may change something is decided by how the client stands now.
  const isRead = reads.includes(request.method);
  const found = isRead ? knownClients.find(clientId) : findClient(database, clientId);
  return whenThere<Client | undefined, boolean>(found, (client) => {
    if (!client) return false;
    response.locals.client = client;
    response.locals.apiKeyId = apiKeyId;
    return true;
  });
}

/** 403 for everything that a suspended client could change; it still reads, and asks what an order would cost. */
export const refuseSuspendedWrites: RequestHandler = (request, response, next) => {
  const isRead = reads.includes(request.method) || /\/charges\/?$/i.test(request.path);
  if (!isRead && clientOf(response).status === 'SUSPENDED') throw errors.suspended();
  next();
};

/** The client that `authenticate` found. */
export function clientOf(response: Response): Client {
  return response.locals.client as Client;
}

/** Who is calling, for what is written down of the call. */
export function callerOf(request: Request, response: Response): Caller {
  return {
    clientId: clientOf(response).id,
    apiKeyId: (response.locals.apiKeyId as number | undefined) ?? null,
    address: request.ip ?? null,
    requestId: response.get('X-Request-Id') ?? '',
  };
}
