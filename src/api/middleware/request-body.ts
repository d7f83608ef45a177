import type { Request, RequestHandler, Response } from 'express';
import { ConcurrencyLimiter } from '../../async/concurrency-limiter';
import { thenMaybe } from '../../async/promises';
import { weightOfBody } from '../../domain/clients/call-weights';
import { ApiError, errors } from '../../domain/errors';
import { API_COMPLEXITY, boundedJson, isPlain } from '../../http/body-limits';
import { addWeight } from '../rate-limits/rate-limiter';
import { limitKeyOf } from './caller';

/** Concurrent uploads of unknown size per client, and the wait for a slot. */
const UNSIZED = { concurrent: 4, waitMs: 10_000 };

/**
 * Admits a request whose body has no announced size (chunked or compressed) only after earlier ones of the client are read and
 * weighed. Otherwise each admitted call could upload 1 MiB at once. Throws 429 after 10 s.
 * docs/decisions/0059-bound-request-bodies.md.
 */
export function limitUnsizedBodies(): RequestHandler {
  const turns = new ConcurrencyLimiter({ maxPerOwner: UNSIZED.concurrent });
  return (request, response, next) => {
    if (hasKnownSize(request)) return next();
    return waitForTurn(turns, response, next);
  };
}

declare module 'express-serve-static-core' {
  interface Locals {
    /** Set while the call holds a permit to send a body of unknown size. */
    endTurnOfBody?: () => void;
  }
}

async function waitForTurn(turns: ConcurrencyLimiter, response: Response, next: () => void): Promise<void> {
  const turn = await turns.acquire({ owner: limitKeyOf(response) }, UNSIZED.waitMs);
  if (!turn) throw errors.tooManyRequests(1);
  if (response.destroyed) return turn.release();
  const endTurn = () => turn.release();
  response.once('close', endTurn);
  response.locals.endTurnOfBody = endTurn;
  next();
}

function hasKnownSize(request: Request): boolean {
  return isPlain(request) && request.get('transfer-encoding') === undefined;
}

/**
 * Reads a JSON body of up to `maxBytes` into `request.body`, and adds the weight of its size to the call. An announced size is
 * weighed before the body is read, so that the client's limit bounds concurrent bodies. If the body is invalid, `request.body` holds
 * the error. `readBody` throws it later, so that address, limits and feature are checked first.
 */
export function jsonBody(maxBytes: number): RequestHandler {
  const read = boundedJson({ maxBytes, complexity: API_COMPLEXITY }, (request, response, error, next) => {
    if (error) request.body = error;
    const { bodyBytes = 0, endTurnOfBody } = response.locals;
    const weight = error?.key === 'payloadTooLarge' ? 0 : weightOfBody(bodyBytes);
    const unannounced = Math.max(0, weight - announcedWeight(request, maxBytes));
    void thenMaybe(addWeight(response, unannounced), () => {
      endTurnOfBody?.();
      next();
    });
  });
  return (request, response, next) =>
    thenMaybe(addWeight(response, announcedWeight(request, maxBytes)), () => read(request, response, next));
}

/** The body. Throws the error of a body that `jsonBody` could not read. */
export function readRequestBody(request: Request): unknown {
  const body: unknown = request.body;
  if (body instanceof ApiError) throw body;
  return body;
}

/** Rejects an invalid body, even if the handler needs no body. */
export const rejectInvalidBody: RequestHandler = (request, _response, next) => {
  if (readRequestBody(request) === undefined && hasUnreadBody(request)) throw errors.invalidBody();
  next();
};

/** Whether the request has a body that `jsonBody` skipped. A chunked body without a type may be empty, so it counts as none. */
function hasUnreadBody(request: Request): boolean {
  const isChunked = request.get('transfer-encoding') !== undefined;
  return Number(request.get('content-length') ?? 0) > 0 || (isChunked && request.get('content-type') !== undefined);
}

/**
 * The extra weight of a declared length (Content-Length). 0 if the body is compressed, or too long: a call rejected for its
 * size weighs 1.
 */
function announcedWeight(request: Request, maxBytes: number): number {
  const bytes = Number(request.get('content-length') ?? 0);
  return isPlain(request) && bytes <= maxBytes ? weightOfBody(bytes) : 0;
}
