/** What begins a session with a key and its secret, whatever the session is carried by. */
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

/** An API key and its secret, as somebody typed them. */
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
 * Begins a session with its first token and tells whose it is. Throws 401 in the same time whether the key exists or
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
    log.warn({ ...trace, ...namedKey(username, apiKey) }, 'login refused');
    throw errors.unauthorized('Invalid credentials');
  }
  const sessionId = await startSession(database, apiKey.id, first);
  if (sessionId === undefined) {
    log.warn({ ...trace, ...namedKey(username, apiKey) }, 'login refused: no access');
    throw await refusedLogin(database, apiKey.clientId);
  }
  return { clientId: apiKey.clientId, apiKeyId: apiKey.id, sessionId };
}

/** Why a right secret begins no session: its client is suspended, or its key was revoked at this moment. */
async function refusedLogin(database: Database, clientId: number): Promise<ApiError> {
  const client = await findClient(database, clientId);
  return errors.unauthorized(client?.status === 'SUSPENDED' ? 'Client is suspended' : 'Invalid credentials');
}

/** Tells the caller whose limits a login counts in: the key that one field of the body names, with its secret in another. */
export function keyHolder(
  database: Database,
  fields: { apiKey: string; secret: string },
): (request: Request) => ClaimedCaller | undefined {
  return (request) => {
    const { [fields.apiKey]: apiKey, [fields.secret]: secret } = claimsOf(request);
    if (!isFilled(apiKey)) return undefined;
    const name = withoutNul(apiKey);
    const rateLimits = () => rateLimitsOfKey(database, name);
    return { name, isGenuine: false, secret: isFilled(secret) ? secret : undefined, rateLimits };
  };
}

/** The caller whose limits the renewal of a session counts in: the client of its token. */
export function sessionHolder(database: Database, { clientId }: TokenClaims): ClaimedCaller {
  const rateLimits = async () => (await findClient(database, clientId))?.rateLimits ?? {};
  return { name: String(clientId), isGenuine: true, rateLimits };
}

/** Where a call came from, for the log. */
export function traceOf(request: Request, response: Response): Trace {
  return { requestId: response.get('X-Request-Id'), address: request.ip };
}

/** What the body says, as far as it can be read; what cannot is refused by the handler. */
export function claimsOf(request: Request): Partial<Record<string, unknown>> {
  const body: unknown = request.body;
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** Whether something was given that is text and not empty. */
export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The key that a refused login named: by its id where there is one, else as it was typed, if it can be a key. */
function namedKey(username: string, apiKey: ApiKey | undefined): object {
  if (apiKey) return { clientId: apiKey.clientId, apiKeyId: apiKey.id };
  return isFormedLikeApiKey(username) ? { apiKey: username } : {};
}

/** PostgreSQL text cannot hold a NUL; no key contains what takes its place. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
