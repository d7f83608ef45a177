/** Tokens and hashes of the sign-in. The database stores no text that opens a door. */
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** The token as a browser or the ops CLI sends it: with its signature, as the library signs its cookies. */
export function signedToken(secret: string, token: string): string {
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return encodeURIComponent(`${token}.${signature}`);
}

/** A hash that only this door can compute, for codes that are short enough to be guessed. */
export function keyedHash(secret: string, purpose: 'mail-code' | 'second-factor', code: string): Buffer {
  return createHmac('sha256', secret).update(`${purpose}:${code}`).digest();
}

/** The hash of a random token. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Distinguishes the token of a service account from that of a person. */
const SERVICE_PREFIX = 'opsvc_';

export function newServiceToken(): string {
  return SERVICE_PREFIX + randomBytes(32).toString('base64url');
}

export function isServiceToken(token: string): boolean {
  return token.startsWith(SERVICE_PREFIX);
}

export function newDeviceCode(): string {
  return randomBytes(32).toString('base64url');
}
