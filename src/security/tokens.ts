/**
 * Access, refresh and console tokens: JWTs signed with HS256 under a named key of the ring, so that keys can be
 * rotated. docs/specification.md#authentication.
 */
import { createSecretKey } from 'node:crypto';
import jwt, { type JwtPayload } from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import type { Key, KeyRing } from './key-ring';

export const ACCESS_TOKEN_SECONDS = 60 * 60;
export const REFRESH_TOKEN_SECONDS = 7 * 24 * 60 * 60;
/** A page of the console renews it while it is open. */
export const CONSOLE_TOKEN_SECONDS = 60 * 60;

const issuer = 'digital-goods-ordering-service';
const audience = 'digital-goods-api';

/** A token of one type is never taken for the other. */
export type TokenType = 'access' | 'refresh' | 'console';

/** Whose session it is. */
export interface SessionOwner {
  clientId: number;
  /** The API key it was begun with. */
  apiKeyId: number;
  sessionId: string;
}

export interface TokenClaims extends SessionOwner {
  /** Unique for every token; of a refresh or console token the key of its row. */
  id: string;
}

/** Signs a token that expires at the given time (a whole second). */
export function signToken(
  keyRing: KeyRing,
  type: TokenType,
  { id, clientId, apiKeyId, sessionId }: TokenClaims,
  expiresAt: Date,
): string {
  const key = keyRing.current('token');
  const claims = { type, exp: expiresAt.getTime() / 1000, api_key_id: apiKeyId, session_id: sessionId };
  return jwt.sign(claims, key.secret, {
    algorithm: 'HS256',
    keyid: key.id,
    issuer,
    audience,
    jwtid: id,
    subject: String(clientId),
  });
}

/** A token that was verified, and what it goes on being valid by. */
interface VerifiedToken {
  claims: TokenClaims;
  key: Key;
  expiresAtMs: number;
}

/** The claims of an unexpired token of that type which this service signed; undefined for any other text. */
export function verifyToken(keyRing: KeyRing, type: TokenType, token: string): TokenClaims | undefined {
  return verified(keyRing, type, token)?.claims;
}

const MOST_TOKENS = 10_000;

/** Access tokens that are shown again and again, each verified once: 0.1 ms of every request. */
export class AccessTokens {
  private readonly known = new LRUCache<string, VerifiedToken>({ max: MOST_TOKENS });

  constructor(private readonly keyRing: KeyRing) {}

  /** Like `verifyToken`: a token is taken until it expires or its key is held no more. */
  verify(token: string): TokenClaims | undefined {
    const known = this.known.get(token);
    if (known && this.isStillValid(known)) return known.claims;
    const found = verified(this.keyRing, 'access', token);
    if (found) this.known.set(token, found);
    return found?.claims;
  }

  private isStillValid({ key, expiresAtMs }: VerifiedToken): boolean {
    const held = this.keyRing.find('token', key.id);
    return Date.now() < expiresAtMs && held !== undefined && held.secret.equals(key.secret);
  }
}

function verified(keyRing: KeyRing, type: TokenType, token: string): VerifiedToken | undefined {
  try {
    const keyId = jwt.decode(token, { complete: true })?.header.kid;
    const key = keyId === undefined ? undefined : keyRing.find('token', keyId);
    if (!key) return undefined;
    // Given bare bytes, the library tries them as a public key first: 0.3 ms of every request.
    const secret = createSecretKey(key.secret);
    const claims = jwt.verify(token, secret, { algorithms: ['HS256'], issuer, audience });
    // The library takes a token that names no end for one that has none.
    if (typeof claims === 'string' || claims.type !== type || claims.exp === undefined) return undefined;
    const known = claimsOf(claims);
    return known && { claims: known, key, expiresAtMs: claims.exp * 1_000 };
  } catch {
    return undefined;
  }
}

function claimsOf(payload: JwtPayload): TokenClaims | undefined {
  const { jti, sub, api_key_id: apiKeyId, session_id: sessionId } = payload;
  if (typeof apiKeyId !== 'number' || typeof sessionId !== 'string') return undefined;
  return { id: String(jti), clientId: Number(sub), apiKeyId, sessionId };
}
