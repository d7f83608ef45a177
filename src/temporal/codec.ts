/**
 * Encrypts what Temporal stores: AES-256-GCM under a named key. Nothing secret is ever handed to
 * Temporal; this covers the rest (ids, amounts, summaries) on a server that others may run.
 */
import { defaultPayloadConverter, RawValue, type Payload, type PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { decrypt, encrypt } from '../security/aes-gcm';
import type { KeyRing } from '../security/key-ring';

const ENCODING = 'binary/encrypted';
/** Payloads are moved about by Temporal: they are bound to no place. */
const NO_CONTEXT = '';
const PayloadMessage = temporal.api.common.v1.Payload;
const READABLE = 'readable';

/**
 * A value that everybody who lists workflows can read: clients decode memos whether they hold keys or not, and fail at
 * one that they cannot.
 */
export function readable(value: string): RawValue<string> {
  const { metadata, data = null } = defaultPayloadConverter.toPayload(value);
  return RawValue.fromPayload({ metadata: { ...metadata, [READABLE]: Buffer.from('true') }, data });
}

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
    if (payload.metadata?.[READABLE]) return payload;
    const key = this.ring.current('payload');
    return {
      metadata: { encoding: Buffer.from(ENCODING), 'encryption-key-id': Buffer.from(key.id) },
      data: encrypt(key.secret, NO_CONTEXT, PayloadMessage.encode(payload).finish()),
    };
  }

  private decrypt(payload: Payload): Payload {
    if (text(payload.metadata?.['encoding']) !== ENCODING) return payload;
    const id = text(payload.metadata?.['encryption-key-id']);
    const key = this.ring.find('payload', id);
    if (!key)
      throw new Error(`Payload encrypted with the key payload/${id}, which this process does not hold`);
    return PayloadMessage.decode(decrypt(key.secret, NO_CONTEXT, Buffer.from(payload.data ?? [])));
  }
}

function text(bytes: Uint8Array | null | undefined): string {
  return bytes ? Buffer.from(bytes).toString() : '';
}
