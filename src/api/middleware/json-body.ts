import express, { type Request, type RequestHandler, type Response } from 'express';
import { weightOfBody } from '../../domain/clients/rate-classes';
import { thenMaybe } from '../../async/promises';
import { boundedBody } from './bounded-body';
import { JsonCounter } from './json-counter';
import { chargeCall } from './rate-limit';

/** Keys that all objects of a body may have together, and how many objects and arrays it may have. docs/specification.md#limits. */
const MOST = { keys: 1_000, containers: 10_000 };

/**
 * Reads a JSON body of up to so many bytes into `request.body`, and charges the call for its size: before it is read where
 * its length is announced, so that no more bodies are read at once than the client's limit admits. Where the body cannot be
 * read, the error becomes the body, and `jsonObject` throws it when the handler comes to the body: address and feature are
 * checked first.
 */
export function jsonBody(maxBytes: number): RequestHandler {
  const parse = express.json({
    limit: maxBytes,
    verify(request, response, body, charset) {
      (response as Response).locals.bodyBytes = body.length;
      // JSON between systems is UTF-8 (RFC 8259, section 8.1). In another encoding nothing could be counted by bytes.
      const isOurs = charset === 'utf-8' && (isPlain(request as Request) || !complexity()(body));
      if (!isOurs) throw new Error('not a body of ours');
    },
  });
  const inspectorOf = (request: Request) => (isPlain(request) ? complexity() : undefined);
  const read = boundedBody(parse, { maxBytes, inspectorOf }, (request, response, error, next) => {
    if (error) request.body = error;
    const { bodyBytes = 0 } = response.locals as { bodyBytes?: number };
    const weight = error?.key === 'payloadTooLarge' ? 0 : weightOfBody(bodyBytes);
    const uncharged = Math.max(0, weight - announcedWeight(request, maxBytes));
    void thenMaybe(chargeCall(response, uncharged), () => next());
  });
  return (request, response, next) =>
    thenMaybe(chargeCall(response, announcedWeight(request, maxBytes)), () => read(request, response, next));
}

/** What a body weighs by its announced length; nothing where it is too long, because a body rejected for its size weighs one. */
function announcedWeight(request: Request, maxBytes: number): number {
  const bytes = Number(request.get('content-length') ?? 0);
  return isPlain(request) && bytes <= maxBytes ? weightOfBody(bytes) : 0;
}

/** Whether what comes is the body itself; a compressed one is longer, and is inspected when it is whole. */
function isPlain(request: Request): boolean {
  return (request.get('content-encoding') ?? 'identity').toLowerCase() === 'identity';
}

/** Finds the part of a body that holds one key or one container too many. */
function complexity(): (part: Buffer) => boolean {
  const counter = new JsonCounter();
  return (part) => {
    counter.add(part);
    return counter.keys > MOST.keys || counter.containers > MOST.containers;
  };
}
