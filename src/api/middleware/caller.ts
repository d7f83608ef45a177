/** The authenticated caller, stored in `response.locals` by `authenticate` or the console session. */
import type { Request, Response } from 'express';
import type { Client, SessionClient } from '../../data/clients/clients';
import type { AuditedCaller, CallerIds } from '../../domain/audit';

export function clientOf(response: Response): Client {
  return response.locals.client as Client;
}

/** Sets the caller of the request: a client, through a session of a key or a member. */
export function setCallerOf(
  response: Response,
  client: SessionClient,
  { apiKeyId, memberId, sessionId }: CallerIds,
): void {
  const { accessRejection } = client;
  Object.assign(response.locals, {
    client,
    apiKeyId,
    memberId,
    sessionId,
    // A suspended client is still the client.
    hasEnded: accessRejection === 'API_KEY_REVOKED' || accessRejection === 'SESSION_ENDED',
  });
}

/** Marks the call as one of a session that has ended. */
export function markEnded(response: Response): void {
  response.locals.hasEnded = true;
}

/**
 * The key under which limits count the call. Calls of a client's ended sessions share a key of their own, so that the holder of an old
 * token never uses up what the client may do. docs/specification.md#rate-limits.
 */
export function limitKeyOf(response: Response): string {
  const { hasEnded } = response.locals as { hasEnded?: boolean };
  const { id } = clientOf(response);
  return hasEnded ? `${id}:ended` : String(id);
}

export function ownerOf(response: Response): CallerIds {
  const { apiKeyId, memberId, sessionId } = response.locals as Omit<CallerIds, 'clientId'>;
  return { clientId: clientOf(response).id, apiKeyId, memberId, sessionId };
}

/** The caller, for the audit log. */
export function callerOf(request: Request, response: Response): AuditedCaller {
  const { clientId, apiKeyId, memberId } = ownerOf(response);
  return { clientId, apiKeyId, memberId, ...traceOf(request, response) };
}

/** Where a call came from, for the audit and the log. */
export function traceOf(request: Request, response: Response): Trace {
  return { address: request.ip ?? null, requestId: response.get('X-Request-Id') ?? '' };
}

export type Trace = Pick<AuditedCaller, 'address' | 'requestId'>;
