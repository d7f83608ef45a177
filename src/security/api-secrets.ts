/**
 * API keys and secrets. Both are random, the secret 256 bits of it: nothing can be guessed, so a
 * plain SHA-256 is enough to keep it by.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new API key (`username` at login). Not secret. */
export function newApiKey(): string {
  return `dgk_${randomBytes(15).toString('base64url')}`;
}

/** Whether the text has the form of an API key, and so may be logged: what was typed into the wrong field may not. */
export function isFormedLikeApiKey(text: string): boolean {
  return /^dgk_[\w-]{20}$/.test(text);
}

/** A new API secret (`password` at login). Shown once, kept only as its hash. */
export function newApiSecret(): string {
  return `dgs_${randomBytes(32).toString('base64url')}`;
}

/** The 32 bytes under which a secret is stored. */
export function hashApiSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

const noHash = Buffer.alloc(32);

/** Whether the secret has the stored hash. Takes the same time where there is none to compare with. */
export function isApiSecret(secret: string, storedHash: Buffer | undefined): boolean {
  return timingSafeEqual(hashApiSecret(secret), storedHash ?? noHash) && storedHash !== undefined;
}
