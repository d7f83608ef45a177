/**
 * Random API keys and secrets. The database stores a keyed hash of a secret's SHA-256, so that an attacker who can write to the
 * database but has no key cannot add a valid secret.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Key, KeyRing } from './key-ring';

/** Returns a new API key (`username` at login), which is not secret. */
export function newApiKey(): string {
  return `dgk_${randomBytes(15).toString('base64url')}`;
}

/** Whether the text has the form of an API key. Other text must not be logged: it may be a secret in the wrong field. */
export function isFormedLikeApiKey(text: string): boolean {
  return /^dgk_[\w-]{20}$/.test(text);
}

/** Returns a new API secret (`password` at login). It is shown once, and only its hash is stored. */
export function newApiSecret(): string {
  return `dgs_${randomBytes(32).toString('base64url')}`;
}

/** The credentials of a login. */
export interface Credentials {
  apiKey: string;
  secret: string;
}

/** A stored secret. */
export interface SecretHash {
  /** 32 bytes. */
  secretHash: Buffer;
  /** The id of the credential key that made the hash. */
  hashKeyId: string;
}

/** The hash to store. It is bound to the API key, so it is useless for another key. */
export function hashApiSecret(keyRing: KeyRing, { apiKey, secret }: Credentials): SecretHash {
  const key = keyRing.current('credential');
  return { secretHash: keyedHash(key, apiKey, secret), hashKeyId: key.id };
}

const noHash = Buffer.alloc(32);

/**
 * Whether the secret has the stored hash. Takes the same time without a stored hash, so it does not reveal whether the API key
 * exists. Throws if this process does not hold the credential key of the hash.
 */
export function isApiSecret(
  keyRing: KeyRing,
  { apiKey, secret }: Credentials,
  stored: SecretHash | undefined,
): boolean {
  const key = stored ? keyRing.find('credential', stored.hashKeyId) : keyRing.current('credential');
  if (!key) throw new Error(`A secret is hashed with credential key "${stored?.hashKeyId}", which is not held`);
  const isEqual = timingSafeEqual(keyedHash(key, apiKey, secret), stored?.secretHash ?? noHash);
  return isEqual && stored !== undefined;
}

/** Hashes the SHA-256 of the secret, whose fixed length separates it from the API key. */
function keyedHash(key: Key, apiKey: string, secret: string): Buffer {
  const plain = createHash('sha256').update(secret).digest();
  return createHmac('sha256', key.secret).update(plain).update(apiKey).digest();
}
