/** The JSON of a codec server, as the Temporal UI sends and expects it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Payload } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { propertyOf } from '../domain/unknown-values';

const { Payload: PayloadMessage } = temporal.api.common.v1;

/** The payloads that are converted at once, in some milliseconds. */
const SLICE = 100;

/** Converts the payloads of a request's body, in slices between which other calls run. Throws if they cannot be read or converted. */
export async function convertPayloads(
  convert: (payloads: Payload[]) => Promise<Payload[]>,
  body: unknown,
): Promise<{ payloads: object[] }> {
  const payloads = propertyOf(body, 'payloads');
  if (!Array.isArray(payloads)) throw new TypeError('The payloads must be a list');
  const converted: object[] = [];
  for (let from = 0; from < payloads.length; from += SLICE) {
    const received = payloads
      .slice(from, from + SLICE)
      .map((payload: object) => PayloadMessage.fromObject(payload) as Payload);
    converted.push(...(await convert(received)).map(toJson));
    await nextTurn();
  }
  return { payloads: converted };
}

function toJson(payload: Payload): object {
  return PayloadMessage.toObject(PayloadMessage.create(payload), { bytes: String });
}
