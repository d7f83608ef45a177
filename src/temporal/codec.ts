/**
 * Encrypts the payloads that Temporal stores: AES-256-GCM under a named key. Temporal never gets secrets. Encryption
 * protects the rest (ids, amounts, summaries) on a server that others may run.
 */
import {
  defaultPayloadConverter,
  RawValue,
  type Payload,
  type PayloadCodec,
  type LoadedDataConverter,
  type ProtoFailure,
} from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { decrypt, encrypt } from '../security/aes-gcm';
import type { KeyRing } from '../security/key-ring';

const ENCODING = 'binary/encrypted';
/** No additional authenticated data: Temporal copies payloads between events. */
const NO_CONTEXT = '';
const PayloadMessage = temporal.api.common.v1.Payload;
const READABLE = 'readable';

/** A value that stays in plain text. Use it in memos: clients without keys also decode memos and would fail. */
export function readable(value: string): RawValue<string> {
  const { metadata, data = null } = defaultPayloadConverter.toPayload(value);
  return RawValue.fromPayload({ metadata: { ...metadata, [READABLE]: Buffer.from('true') }, data });
}

export class EncryptionCodec implements PayloadCodec {
  constructor(private readonly ring: KeyRing) {}

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.encrypt(payload));
  }

  /** Decrypts what `encode` produced and returns every other payload unchanged. */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.decrypt(payload));
  }

  private encrypt(payload: Payload): Payload {
    if (payload.metadata?.[READABLE] || isEmpty(payload)) return payload;
    const key = this.ring.encrypting('payload');
    return {
      metadata: { encoding: Buffer.from(ENCODING), 'encryption-key-id': Buffer.from(key.id) },
      data: encrypt(key.secret, NO_CONTEXT, PayloadMessage.encode(payload).finish()),
    };
  }

  private decrypt(payload: Payload): Payload {
    if (text(payload.metadata?.['encoding']) !== ENCODING) return payload;
    const id = text(payload.metadata?.['encryption-key-id']);
    const key = this.ring.find('payload', id);
    if (!key) throw new Error(`Payload encrypted with the key payload/${id}, which this process does not hold`);
    return PayloadMessage.decode(decrypt(key.secret, NO_CONTEXT, Buffer.from(payload.data ?? [])));
  }
}

/**
 * Whether the payload is `undefined`, which needs no protection. Temporal passes the result of a schedule's run to the next one,
 * which must start even if the payload key is retired by then.
 */
function isEmpty({ data }: Payload): boolean {
  return !data || data.length === 0;
}

function text(bytes: Uint8Array | null | undefined): string {
  return bytes ? Buffer.from(bytes).toString() : '';
}

/** Returns the server's message with every payload in it decoded. */
export async function openPayloads(message: unknown, codecs: readonly PayloadCodec[]): Promise<unknown> {
  if (typeof message !== 'object' || message === null || message instanceof Uint8Array) return message;
  if (Array.isArray(message)) return Promise.all(message.map((item) => openPayloads(item, codecs)));
  if (isPayload(message)) return decodePayload(message, codecs);
  const entries = await Promise.all(
    Object.entries(message).map(async ([key, item]) => [key, await openPayloads(item, codecs)] as const),
  );
  return Object.fromEntries(entries);
}

/** Placeholder for a value that cannot be decoded (missing key or malformed payload). */
const unreadable = 'unreadable';

/** The values of payloads; `unreadable` for each that cannot be decoded or is binary. */
export function valuesOf(
  converter: LoadedDataConverter,
  payloads: readonly Payload[] | null | undefined,
): Promise<unknown[]> {
  return Promise.all((payloads ?? []).map((payload) => valueOf(converter, payload)));
}

async function valueOf({ payloadCodecs, payloadConverter }: LoadedDataConverter, payload: Payload): Promise<unknown> {
  try {
    const value: unknown = payloadConverter.fromPayload(await decodePayload(payload, payloadCodecs));
    return value instanceof Uint8Array ? unreadable : value;
  } catch {
    return unreadable;
  }
}

/** The error that a failure carries, with its causes; the error `unreadable` if the failure cannot be decoded. */
export async function errorOf(
  { payloadCodecs, payloadConverter, failureConverter }: LoadedDataConverter,
  failure: ProtoFailure,
): Promise<Error> {
  try {
    const plain = (await openPayloads(failure, payloadCodecs)) as ProtoFailure;
    return failureConverter.failureToError(plain, payloadConverter);
  } catch {
    return new Error(unreadable);
  }
}

/** The last codec encoded last, so it decodes first. */
async function decodePayload(payload: Payload, codecs: readonly PayloadCodec[]): Promise<Payload> {
  let payloads = [payload];
  for (const codec of codecs.toReversed()) payloads = await codec.decode(payloads);
  return payloads[0] ?? payload;
}

function isPayload(value: object): value is Payload {
  return 'metadata' in value && 'data' in value;
}
