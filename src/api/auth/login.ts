/** Starts a session with an API key and its secret, for the API and the console. */
import type { Request, Response } from 'express';
import { findApiKey, rateLimitsOfKey, type ApiKey } from '../../data/clients/api-keys';
import { findClient } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { startSession, type RefreshTokenRow } from '../../data/clients/sessions';
import { errors, type ApiError } from '../../domain/errors';
import { isApiSecret, isFormedLikeApiKey } from '../../security/api-secrets';
import type { SessionOwner, TokenClaims } from '../../security/tokens';
import type { Dependencies } from '../dependencies';
import type { ClaimedCaller } from './limits';

/** An API key and its secret, as the caller sent them. */
export interface Credentials {
  username: string;
  password: string;
}

/** Where a call came from, for the log. */
interface Trace {
  requestId: string | undefined;
  address: string | undefined;
}

/**
 * Starts a session with its first token, and returns its owner. Throws 401 in the same time whether the key exists or
 * not. docs/specification.md#authentication.
 */
export async function logIn(
  { database, keyRing, log }: Pick<Dependencies, 'database' | 'keyRing' | 'log'>,
  trace: Trace,
  { username, password }: Credentials,
  first: RefreshTokenRow,
): Promise<Required<SessionOwner>> {
  const named = withoutNul(username);
  const apiKey = await findApiKey(database, named);
  const isRight = isApiSecret(keyRing, { apiKey: named, secret: password }, apiKey);
  if (!apiKey || !isRight) {
    log.warn({ ...trace, ...keyForLog(username, apiKey) }, 'login rejected');
    throw errors.unauthorized('Invalid credentials');
  }
  const sessionId = await startSession(database, apiKey.id, first);
  if (sessionId === undefined) {
    log.warn({ ...trace, ...keyForLog(username, apiKey) }, 'login rejected: no access');
    throw await rejectedLogin(database, apiKey.clientId);
  }
  return { clientId: apiKey.clientId, apiKeyId: apiKey.id, sessionId };
}

/** The error for a valid secret without a session: the client is suspended, or the key was just revoked. */
async function rejectedLogin(database: Database, clientId: number): Promise<ApiError> {
  const client = await findClient(database, clientId);
  return errors.unauthorized(client?.status === 'SUSPENDED' ? 'Client is suspended' : 'Invalid credentials');
}

/**
 * Reads the caller that a login claims to be from two fields of the body: the API key and its secret. Undefined unless both
 * are filled: otherwise the login would count for its key alone, and each new key would cost a statement and a window.
 */
export function callerOfLogin(
  database: Database,
  fields: { apiKey: string; secret: string },
): (request: Request) => ClaimedCaller | undefined {
  return (request) => {
    const { [fields.apiKey]: apiKey, [fields.secret]: secret } = claimsOf(request);
    if (!isFilled(apiKey) || !isFilled(secret)) return undefined;
    const name = withoutNul(apiKey);
    const rateLimits = () => rateLimitsOfKey(database, name);
    return { name, isGenuine: false, secret, rateLimits };
  };
}

/** The caller of a refresh: the client that its signed token names. */
export function callerOfToken(database: Database, { clientId }: TokenClaims): ClaimedCaller {
  const rateLimits = async () => (await findClient(database, clientId))?.rateLimits ?? {};
  return { name: String(clientId), isGenuine: true, rateLimits };
}

/** Where a call came from, for the log. */
export function traceOf(request: Request, response: Response): Trace {
  return { requestId: response.get('X-Request-Id'), address: request.ip };
}

/** The fields of the body; empty if it is not an object. The handler rejects an invalid body. */
export function claimsOf(request: Request): Partial<Record<string, unknown>> {
  const body: unknown = request.body;
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** Whether the value is a non-empty string. */
export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * The fields of the log that name the API key of a rejected login: its id if the key exists, else the sent text if it is
 * formed like a key.
 */
function keyForLog(username: string, apiKey: ApiKey | undefined): object {
  if (apiKey) return { clientId: apiKey.clientId, apiKeyId: apiKey.id };
  return isFormedLikeApiKey(username) ? { apiKey: username } : {};
}

/** Replaces NUL, which PostgreSQL text cannot contain. No API key contains the replacement, so the result is unknown, too. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
