/** Starts and renews sessions of API keys, for the API and the console. */
import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { findApiKey, rateLimitsOfKey, type ApiKey } from '../../data/clients/api-keys';
import { findClient } from '../../data/clients/clients';
import { hasMembers } from '../../data/clients/members';
import type { Database } from '../../data/database/database';
import {
  revokeReusedSession,
  rotateSession,
  startSession,
  type RefreshTokenRow,
} from '../../data/clients/token-sessions';
import { errors, type ApiError } from '../../domain/errors';
import { storableText } from '../../domain/shown-text';
import { isApiSecret, isFormedLikeApiKey } from '../../security/api-secrets';
import type { SessionOwner, TokenClaims, TokenType } from '../../security/tokens';
import type { Dependencies } from '../dependencies';
import type { Trace } from '../middleware/caller';
import type { ClaimedCaller } from './limits';

/** An API key and its secret, as the caller sent them. */
export interface SentCredentials {
  username: string;
  password: string;
}

/**
 * Starts a session with its first token, and returns its owner. Throws 401 in the same time whether the key exists or
 * not. docs/specification.md#authentication.
 */
export async function logIn(
  { database, keyRing, keyUses, log }: Pick<Dependencies, 'database' | 'keyRing' | 'keyUses' | 'log'>,
  trace: Trace,
  { username, password }: SentCredentials,
  firstToken: RefreshTokenRow,
): Promise<Required<SessionOwner>> {
  const keyText = storableText(username);
  const apiKey = await findApiKey(database, keyText);
  const isValid = isApiSecret(keyRing, { apiKey: keyText, secret: password }, apiKey);
  if (!apiKey || !isValid) {
    log.warn({ ...trace, ...keyForLog(username, apiKey) }, 'login rejected');
    throw errors.unauthorized('Invalid credentials');
  }
  const sessionId = await startSession(database, apiKey.id, firstToken, trace);
  if (sessionId === undefined) {
    log.warn({ ...trace, ...keyForLog(username, apiKey) }, 'login rejected: no access');
    throw await rejectedLogin(database, apiKey.clientId, firstToken);
  }
  keyUses.add(apiKey.id);
  return { clientId: apiKey.clientId, apiKeyId: apiKey.id, sessionId };
}

/** Replaces a token with the next one, and returns its owner. Undefined if `rotateSession` rejects it; a reused token also ends its session. */
export async function renewSession(
  { database, log }: Pick<Dependencies, 'database' | 'log'>,
  trace: Trace,
  type: TokenType,
  { id, clientId }: TokenClaims,
  next: RefreshTokenRow,
): Promise<SessionOwner | undefined> {
  const rotated = await rotateSession(database, id, next);
  if (rotated) return { clientId, ...rotated };
  const reused = await revokeReusedSession(database, id);
  if (reused) log.warn({ ...trace, ...reused }, `${type} token reused, session revoked`);
  return undefined;
}

/** The error for a valid secret without a session: the client is suspended, the key was just revoked, or members use the console. */
async function rejectedLogin(
  database: Database,
  clientId: number,
  { accessExpiresAt }: RefreshTokenRow,
): Promise<ApiError> {
  const client = await findClient(database, clientId);
  if (client?.status === 'ACTIVE' && accessExpiresAt === null && (await hasMembers(database, clientId)))
    return errors.unauthorized('This account has members: sign in with your email address');
  return errors.unauthorized(client?.status === 'SUSPENDED' ? 'Client is suspended' : 'Invalid credentials');
}

/**
 * Reads the API key and the secret of a login from the named fields of the body. Undefined unless both are filled, so that
 * such a login counts for its address: if it counted for its key, each invented key would cost a statement and a window.
 */
export function callerOfLogin(
  database: Database,
  fields: { apiKey: string; secret: string },
): (request: Request) => ClaimedCaller | undefined {
  return (request) => {
    const { [fields.apiKey]: apiKey, [fields.secret]: secret } = claimsOf(request);
    if (!isFilled(apiKey) || !isFilled(secret)) return undefined;
    const name = storableText(apiKey);
    const rateLimits = () => rateLimitsOfKey(database, name);
    return { name, isGenuine: false, secret, rateLimits };
  };
}

/** The caller of a refresh: the client that its signed token names. */
export function callerOfToken(
  { database, sessionTokens }: Pick<Dependencies, 'database' | 'sessionTokens'>,
  { id, clientId }: TokenClaims,
): ClaimedCaller {
  const rateLimits = async () => (await findClient(database, clientId))?.rateLimits ?? {};
  const hasEnded = async () => (await sessionTokens.find(id)) === undefined;
  return { name: String(clientId), isGenuine: true, hasEnded, rateLimits };
}

/** The id and the end of a token. Tokens hold whole seconds (`exp`), so that responses show exactly the signed time. */
export function newToken(seconds: number): { id: string; expiresAt: Date } {
  return { id: randomUUID(), expiresAt: new Date((Math.floor(Date.now() / 1000) + seconds) * 1000) };
}

/** The fields of the body; empty if it is not an object. The handler rejects an invalid body. */
export function claimsOf(request: Request): Partial<Record<string, unknown>> {
  const body: unknown = request.body;
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Names the API key of a rejected login in the log: by its id if it exists, else by the sent text if that looks like a key. */
function keyForLog(username: string, apiKey: ApiKey | undefined): object {
  if (apiKey) return { clientId: apiKey.clientId, apiKeyId: apiKey.id };
  return isFormedLikeApiKey(username) ? { apiKey: username } : {};
}
