/** The authenticated caller, stored in `response.locals` by `authenticate` or the console session. */
import type { Request, Response } from 'express';
import type { SessionClient } from '../../data/clients/clients';
import type { AuditedCaller, CallerIds } from '../../domain/audit';

interface Caller extends Omit<CallerIds, 'clientId'> {
  client: SessionClient;
  /** Whether the session or its key has ended. */
  hasEnded: boolean;
}

declare module 'express-serve-static-core' {
  interface Locals {
    /** Absent until the call is authenticated. */
    caller?: Caller;
  }
}

/** Throws for a route without authentication. */
function authenticated({ locals: { caller } }: Response): Caller {
  if (!caller) throw new Error('The call has no caller: its route must authenticate it');
  return caller;
}

export function clientOf(response: Response): SessionClient {
  return authenticated(response).client;
}

/** Sets the caller of the request: a client, through a session of a key or a member. */
export function setCallerOf(
  response: Response,
  client: SessionClient,
  { apiKeyId, memberId, sessionId }: CallerIds,
): void {
  const { accessRejection } = client;
  // A suspended client is still the client.
  const hasEnded = accessRejection === 'API_KEY_REVOKED' || accessRejection === 'SESSION_ENDED';
  response.locals.caller = { client, apiKeyId, memberId, sessionId, hasEnded };
}

/** Marks the call as one of a session that has ended. */
export function markEnded(response: Response): void {
  authenticated(response).hasEnded = true;
}

/**
 * The key under which limits count the call. Calls of a client's ended sessions share a key of their own, so that the holder of an old
 * token never uses up what the client may do. docs/specification.md#rate-limits.
 */
export function limitKeyOf(response: Response): string {
  const { client, hasEnded } = authenticated(response);
  return hasEnded ? `${client.id}:ended` : String(client.id);
}

export function ownerOf(response: Response): CallerIds {
  const { client, apiKeyId, memberId, sessionId } = authenticated(response);
  return { clientId: client.id, apiKeyId, memberId, sessionId };
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
