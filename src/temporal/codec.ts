/**
 * Encrypts what Temporal stores: AES-256-GCM under a named key. Nothing secret is ever handed to
 * Temporal; this covers the rest (ids, amounts, summaries) on a server that others may run.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { KeyRing } from '../security/key-ring';

const ENCODING = 'binary/encrypted';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PayloadMessage = temporal.api.common.v1.Payload;

export class EncryptionCodec implements PayloadCodec {
  constructor(private readonly ring: KeyRing) {}

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.encrypt(payload));
  }

  /** Opens what `encode` made and leaves every other payload as it is. */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.decrypt(payload));
  }

  private encrypt(payload: Payload): Payload {
    const key = this.ring.current('payload');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key.secret, nonce);
    const plain = PayloadMessage.encode(payload).finish();
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
    return {
      metadata: { encoding: Buffer.from(ENCODING), 'encryption-key-id': Buffer.from(key.id) },
      data: Buffer.concat([nonce, cipher.getAuthTag(), sealed]),
    };
  }

  private decrypt(payload: Payload): Payload {
    if (text(payload.metadata?.['encoding']) !== ENCODING) return payload;
    const id = text(payload.metadata?.['encryption-key-id']);
    const key = this.ring.find('payload', id);
    if (!key) throw new Error(`Payload encrypted with key "${id}", which is not in SECRET_KEYS`);
    const data = Buffer.from(payload.data ?? []);
    const tagEnd = NONCE_BYTES + TAG_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', key.secret, data.subarray(0, NONCE_BYTES)).setAuthTag(
      data.subarray(NONCE_BYTES, tagEnd),
    );
    const plain = Buffer.concat([decipher.update(data.subarray(tagEnd)), decipher.final()]);
    return PayloadMessage.decode(plain);
  }
}

function text(bytes: Uint8Array | null | undefined): string {
  return bytes ? Buffer.from(bytes).toString() : '';
}
