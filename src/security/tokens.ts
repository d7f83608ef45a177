/**
 * Access and refresh tokens: JWTs signed with HS256 under a named key of the ring, so that keys can be
 * rotated. docs/specification.md#authentication.
 */
import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { KeyRing } from './key-ring';

export const ACCESS_TOKEN_SECONDS = 60 * 60;
export const REFRESH_TOKEN_SECONDS = 7 * 24 * 60 * 60;

const issuer = 'digital-goods-ordering-service';
const audience = 'digital-goods-api';

/** A token of one type is never taken for the other. */
export type TokenType = 'access' | 'refresh';

export interface TokenClaims {
  /** Unique for every token; of a refresh token the key of its row. */
  id: string;
  clientId: number;
}

/** Signs a token that expires at the given time (a whole second). */
export function signToken(
  keyRing: KeyRing,
  type: TokenType,
  { id, clientId }: TokenClaims,
  expiresAt: Date,
): string {
  const key = keyRing.current('token');
  return jwt.sign({ type, exp: expiresAt.getTime() / 1000 }, key.secret, {
    algorithm: 'HS256',
    keyid: key.id,
    issuer,
    audience,
    jwtid: id,
    subject: String(clientId),
  });
}

/** The claims of an unexpired token of that type which this service signed; undefined for any other text. */
export function verifyToken(keyRing: KeyRing, type: TokenType, token: string): TokenClaims | undefined {
  try {
    const keyId = jwt.decode(token, { complete: true })?.header.kid;
    const key = keyId === undefined ? undefined : keyRing.find('token', keyId);
    if (!key) return undefined;
    // Given bare bytes, the library tries them as a public key first: 0.3 ms of every request.
    const secret = createSecretKey(key.secret);
    const claims = jwt.verify(token, secret, { algorithms: ['HS256'], issuer, audience });
    if (typeof claims === 'string' || claims.type !== type) return undefined;
    return { id: String(claims.jti), clientId: Number(claims.sub) };
  } catch {
    return undefined;
  }
}
