import express, { type RequestHandler, type Response } from 'express';
import { weightOfBody } from '../../domain/rate-classes';
import { whenThere } from '../../domain/when-there';
import { boundedBody } from './bounded-body';
import { chargeCall } from './rate-limit';

/** Keys that all objects of a body may have together. docs/specification.md#limits. */
const MAX_KEYS = 1_000;

/**
 * Reads a JSON body of up to so many bytes into `request.body`, and charges the call for its size. Where it cannot, the
 * error becomes the body, and `jsonObject` throws it when the handler comes to the body: address and feature are checked
 * first.
 */
export function jsonBody(maxBytes: number): RequestHandler {
  const parse = express.json({
    limit: maxBytes,
    verify(_request, response, body, charset) {
      (response as Response).locals.bodyBytes = body.length;
      // JSON between systems is UTF-8 (RFC 8259, section 8.1). Of another encoding the keys could not be counted by bytes.
      if (charset !== 'utf-8' || hasMoreKeysThan(MAX_KEYS, body)) throw new Error('not a body of ours');
    },
  });
  return boundedBody(parse, maxBytes, (request, response, error, next) => {
    if (error) request.body = error;
    const bytes = (response.locals.bodyBytes as number | undefined) ?? 0;
    const weight = error?.key === 'payloadTooLarge' ? 0 : weightOfBody(bytes);
    void whenThere(chargeCall(response, weight), () => next());
  });
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];

/**
 * Whether the objects of a JSON text in UTF-8 have more keys together. A colon outside a string follows a key, and nothing
 * else does: so the keys are counted in 2 ms for each MiB, before a parser spends a hundred times as much on them.
 */
function hasMoreKeysThan(most: number, json: Buffer): boolean {
  let keys = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString && byte === BACKSLASH) at++;
    else if (!isInString && byte === COLON && ++keys > most) return true;
  }
  return false;
}
