/** The caller, as `authenticate` or the session of the console set it. */
import type { Request, Response } from 'express';
import type { Client } from '../../data/clients/clients';
import type { Caller } from '../../domain/operations/audit';
import type { SessionOwner } from '../../security/tokens';

export function clientOf(response: Response): Client {
  return response.locals.client as Client;
}

export function ownerOf(response: Response): SessionOwner {
  const { apiKeyId, sessionId } = response.locals as Pick<SessionOwner, 'apiKeyId' | 'sessionId'>;
  return { clientId: clientOf(response).id, apiKeyId, sessionId };
}

/** The caller, for the audit log. */
export function callerOf(request: Request, response: Response): Caller {
  const { clientId, apiKeyId } = ownerOf(response);
  return {
    clientId,
    apiKeyId,
    address: request.ip ?? null,
    requestId: response.get('X-Request-Id') ?? '',
  };
}
