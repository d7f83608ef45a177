/** Opens what the server returns raw: payloads and failures as the converter of a client wrote them. */
import type { LoadedDataConverter, Payload, PayloadCodec, ProtoFailure } from '@temporalio/common';

/** Returns the message with each payload anywhere in it opened by the codecs. */
export async function openPayloads(message: unknown, codecs: readonly PayloadCodec[]): Promise<unknown> {
  if (typeof message !== 'object' || message === null || message instanceof Uint8Array) return message;
  if (Array.isArray(message)) return Promise.all(message.map((item) => openPayloads(item, codecs)));
  if (isPayload(message)) return opened(message, codecs);
  const entries = await Promise.all(
    Object.entries(message).map(async ([key, item]) => [key, await openPayloads(item, codecs)] as const),
  );
  return Object.fromEntries(entries);
}

/** The values of payloads. Throws if one cannot be opened. */
export async function valuesOf(
  { payloadCodecs, payloadConverter }: LoadedDataConverter,
  payloads: readonly Payload[] | null | undefined,
): Promise<unknown[]> {
  const plain = await Promise.all((payloads ?? []).map((payload) => opened(payload, payloadCodecs)));
  return plain.map((payload) => payloadConverter.fromPayload(payload));
}

/** The error that a failure carries, with its causes. */
export async function errorOf(
  { payloadCodecs, payloadConverter, failureConverter }: LoadedDataConverter,
  failure: ProtoFailure,
): Promise<Error> {
  const plain = (await openPayloads(failure, payloadCodecs)) as ProtoFailure;
  return failureConverter.failureToError(plain, payloadConverter);
}

/** The last codec encoded last, so it decodes first. */
async function opened(payload: Payload, codecs: readonly PayloadCodec[]): Promise<Payload> {
  let payloads = [payload];
  for (const codec of codecs.toReversed()) payloads = await codec.decode(payloads);
  return payloads[0] ?? payload;
}

function isPayload(value: object): value is Payload {
  return 'metadata' in value && 'data' in value;
}
