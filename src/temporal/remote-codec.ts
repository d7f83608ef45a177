/** The JSON of a codec server, as the Temporal UI sends and expects it. */
import type { Payload } from '@temporalio/common';
import { temporal } from '@temporalio/proto';

const { Payload: PayloadMessage } = temporal.api.common.v1;

/** Converts the payloads of a request's body. Throws if they cannot be read or converted. */
export async function convertPayloads(
  convert: (payloads: Payload[]) => Promise<Payload[]>,
  body: unknown,
): Promise<{ payloads: object[] }> {
  const { payloads } = body as { payloads: object[] };
  const received = payloads.map((payload) => PayloadMessage.fromObject(payload) as Payload);
  return { payloads: (await convert(received)).map(toJson) };
}

function toJson(payload: Payload): object {
  return PayloadMessage.toObject(PayloadMessage.create(payload), { bytes: String });
}
