/**
 * API keys and secrets. Both are random, the secret 256 bits of it, so that nothing can be guessed. A secret is kept as
 * a keyed hash of its SHA-256: who writes into the database but has no key cannot make a secret of theirs valid.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Key, KeyRing } from './key-ring';

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

/** What a client logs in with. */
export interface Credentials {
  apiKey: string;
  secret: string;
}

/** A secret as it is stored. */
export interface SecretHash {
  /** 32 bytes. */
  secretHash: Buffer;
  /** The credential key it is under. */
  hashKeyId: string;
}

/** The hash under which a secret is stored: bound to its API key, so that it is worth nothing beside another. */
export function hashApiSecret(keyRing: KeyRing, { apiKey, secret }: Credentials): SecretHash {
  const key = keyRing.current('credential');
  return { secretHash: keyed(key, apiKey, secret), hashKeyId: key.id };
}

const noHash = Buffer.alloc(32);

/**
 * Whether the secret has the stored hash. Takes the same time if there is none to compare with. Throws if it is under a
 * key that is not held.
 */
export function isApiSecret(
  keyRing: KeyRing,
  { apiKey, secret }: Credentials,
  stored: SecretHash | undefined,
): boolean {
  const key = stored ? keyRing.find('credential', stored.hashKeyId) : keyRing.current('credential');
  if (!key)
    throw new Error(`A secret is hashed with credential key "${stored?.hashKeyId}", which is not held`);
  const isEqual = timingSafeEqual(keyed(key, apiKey, secret), stored?.secretHash ?? noHash);
  return isEqual && stored !== undefined;
}

/** Of the SHA-256, so that secret and API key are told apart wherever the secret ends. */
function keyed(key: Key, apiKey: string, secret: string): Buffer {
  const plain = createHash('sha256').update(secret).digest();
  return createHmac('sha256', key.secret).update(plain).update(apiKey).digest();
}
