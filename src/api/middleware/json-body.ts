import express, { type RequestHandler, type Response } from 'express';
import { weightOfBody } from '../../domain/rate-classes';
import { whenThere } from '../../domain/when-there';
import { boundedBody } from './bounded-body';
import { chargeCall } from './rate-limit';

/** Keys that all objects of a body may have together, and how many objects and arrays it may have. docs/specification.md#limits. */
const MOST = { keys: 1_000, containers: 10_000 };

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
      // JSON between systems is UTF-8 (RFC 8259, section 8.1). In another encoding nothing could be counted by bytes.
      if (charset !== 'utf-8' || isTooComplex(body)) throw new Error('not a body of ours');
    },
  });
  return boundedBody(parse, maxBytes, (request, response, error, next) => {
    if (error) request.body = error;
    const bytes = (response.locals.bodyBytes as number | undefined) ?? 0;
    const weight = error?.key === 'payloadTooLarge' ? 0 : weightOfBody(bytes);
    void whenThere(chargeCall(response, weight), () => next());
  });
}

const [QUOTE, BACKSLASH, COLON, BRACKET, BRACE] = [0x22, 0x5c, 0x3a, 0x5b, 0x7b];

/**
 * Whether a JSON text in UTF-8 has more keys, or more objects and arrays, than a body may have. A colon outside a string
 * follows a key, and nothing else does. Counting takes 2 ms for each MiB; a parser would spend a hundred times as much on
 * keys, and 30 MB of memory on arrays.
 */
function isTooComplex(json: Buffer): boolean {
  let [keys, containers] = [0, 0];
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COLON) keys++;
    else if (byte === BRACKET || byte === BRACE) containers++;
    if (keys > MOST.keys || containers > MOST.containers) return true;
  }
  return false;
}
