/**
 * Wrapping of data keys: the one thing that key-encryption keys do, and all that a key management service
 * would have to do in their place. docs/decisions/0028-wrap-data-keys.md.
 */
import { createHmac } from 'node:crypto';
import { decrypt, encrypt } from './aes-gcm';
import type { SecretKey } from './secret-keys';

/** A data key as it is stored. */
export interface WrappedKey {
  /** The key-encryption key. */
  keyId: string;
  wrapped: Buffer;
}

/** A key-encryption key as others know it. */
export interface WrappingKey {
  id: string;
  /** Tells it apart from another key that was given the same id, and tells nothing else of it. */
  fingerprint: string;
}

/** Key-encryption keys, wherever they are. `context`: names the data key, so that none opens in another's place. */
export interface KeyEncryption {
  /** The keys it can unwrap with; the first wraps. */
  readonly keys: readonly WrappingKey[];
  wrap(secret: Buffer, context: string): Promise<WrappedKey>;
  /** Throws a sentence that names the key-encryption key where it is missing or another one. */
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
    if (!newest) throw new Error('There is no key-encryption key');
    return { keyId: newest.id, wrapped: encrypt(newest.secret, context, secret) };
  }

  async unwrap({ keyId, wrapped }: WrappedKey, context: string): Promise<Buffer> {
    const key = this.secretKeys.find(({ id }) => id === keyId);
    if (!key) {
      throw new Error(
        `The data key ${context} is wrapped with the key-encryption key ${keyId}, which is not in SECRET_KEYS: put it back.`,
      );
    }
    try {
      return decrypt(key.secret, context, wrapped);
    } catch {
      throw new Error(
        `The data key ${context} does not open with the key-encryption key ${keyId} of SECRET_KEYS: is it another key of that name?`,
      );
    }
  }
}

function fingerprintOf(secret: Buffer): string {
  return createHmac('sha256', secret).update('fingerprint').digest('hex').slice(0, 8);
}
