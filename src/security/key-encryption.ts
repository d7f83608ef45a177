/**
 * Wrapping of data keys, the only use of key-encryption keys. A key management service could take their place.
 * docs/decisions/0028-wrap-data-keys.md.
 */
import { createHmac } from 'node:crypto';
import { decrypt, encrypt } from './aes-gcm';

/** A stored data key. */
export interface WrappedKey {
  /** The id of the key-encryption key that wraps the data key. */
  keyId: string;
  wrapped: Buffer;
}

/** The public description of a key-encryption key. */
export interface WrappingKey {
  id: string;
  /** Distinguishes keys with the same id, and reveals nothing else. */
  fingerprint: string;
}

/** Key-encryption keys. `context` names the data key, so that no wrapped key can replace another. */
export interface KeyEncryption {
  /** The keys that can unwrap. The first one also wraps. */
  readonly keys: readonly WrappingKey[];
  wrap(secret: Buffer, context: string): Promise<WrappedKey>;
  /** Throws an error that names the key-encryption key if that is missing or a different key has its id. */
  unwrap({ keyId, wrapped }: WrappedKey, context: string): Promise<Buffer>;
}

/** Key-encryption keys in the memory of this process, newest first. */
export class LocalKeyEncryption implements KeyEncryption {
  readonly keys: readonly WrappingKey[];

  constructor(private readonly secretKeys: readonly SecretKey[]) {
    this.keys = secretKeys.map(({ id, secret }) => ({ id, fingerprint: fingerprintOf(secret) }));
  }

  async wrap(secret: Buffer, context: string): Promise<WrappedKey> {
    const [newest] = this.secretKeys;
    if (!newest) throw new Error('There is no key-encryption key: set SECRET_KEYS');
    return { keyId: newest.id, wrapped: encrypt(newest.secret, context, secret) };
  }

  async unwrap({ keyId, wrapped }: WrappedKey, context: string): Promise<Buffer> {
    const key = this.secretKeys.find(({ id }) => id === keyId);
    if (!key) {
      throw new Error(
        `The data key ${context} is wrapped with the key-encryption key ${keyId}, which is not in SECRET_KEYS. Add it again.`,
      );
    }
    try {
      return decrypt(key.secret, context, wrapped);
    } catch {
      throw new Error(
        `The data key ${context} cannot be decrypted with the key-encryption key ${keyId} of SECRET_KEYS. Check whether that is another key with the same id.`,
      );
    }
  }
}

function fingerprintOf(secret: Buffer): string {
  return createHmac('sha256', secret).update('fingerprint').digest('hex').slice(0, 8);
}

/** A key-encryption key: 32 bytes that only wrap data keys. */
export interface SecretKey {
  /** Stored with everything that it wraps. */
  id: string;
  secret: Buffer;
}

const pair = /^([a-z0-9]{1,16}):([A-Za-z0-9+/]{43}=)$/;

/** 32 random bytes have about 30 different values. A key with fewer different values than this is not random. */
const MIN_DIFFERENT_BYTES = 16;

/** Parses `id:base64` pairs, newest first, separated by commas or line breaks. Throws an error with the unmet requirement. */
export function readSecretKeys(text: string): SecretKey[] {
  const keys = text
    .trim()
    .split(/\s*[,\n]\s*/)
    .map((entry) => {
      const [, id, secret] = pair.exec(entry) ?? [];
      if (id === undefined || secret === undefined)
        throw new Error('must be id:base64 pairs of 32-byte keys, separated by commas');
      return { id, secret: Buffer.from(secret, 'base64') };
    });
  const repeatedId = repeated(keys.map(({ id }) => id));
  if (repeatedId !== undefined) throw new Error(`must not hold two keys with the id ${repeatedId}`);
  const weak = keys.find(({ secret }) => new Set(secret).size < MIN_DIFFERENT_BYTES);
  if (weak) throw new Error(`must hold random keys: ${weak.id} is not one (openssl rand -base64 32)`);
  if (repeated(keys.map(({ secret }) => secret.toString('base64'))) !== undefined)
    throw new Error('must not hold the same key under two ids');
  return keys;
}

function repeated(values: readonly string[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) < index);
}
