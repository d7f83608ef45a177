import express, { type Request, type RequestHandler, type Response } from 'express';
import { ConcurrencyLimiter } from '../../async/concurrency-limiter';
import { thenMaybe } from '../../async/promises';
import { weightOfBody } from '../../domain/clients/rate-classes';
import { ApiError, errors } from '../../domain/errors';
import { addWeight } from '../rate-limits/rate-limiter';
import { limitKeyOf } from './caller';

/**
 * The maximum number of keys in a body, counted over all its objects, and of its containers (objects and arrays).
 * docs/specification.md#limits.
 */
const MAX = { keys: 1_000, containers: 10_000 };

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
  const parser = express.json({
    limit: maxBytes,
    verify(request, response, body, charset) {
      (response as Response).locals.bodyBytes = body.length;
      // JSON between systems is UTF-8 (RFC 8259, section 8.1). `JsonCounter` could not count another encoding.
      // A plain body was inspected while it arrived.
      const isTooComplex = !isPlain(request as Request) && complexityInspector()(body);
      if (charset !== 'utf-8' || isTooComplex) throw new Error('the body is too complex or not UTF-8');
    },
  });
  const parse = withNameOfUtf8(parser);
  const inspectorOf = (request: Request) => (isPlain(request) ? complexityInspector() : undefined);
  const read = boundedBody(parse, { maxBytes, inspectorOf }, (request, response, error, next) => {
    if (error) request.body = error;
    const { bodyBytes = 0, endTurnOfBody } = response.locals as {
      bodyBytes?: number;
      endTurnOfBody?: () => void;
    };
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

/** Reads `charset=utf8`, which many programs write, as `utf-8`. The parser knows only the latter. */
function withNameOfUtf8(parse: BodyParser): BodyParser {
  return (request, response, done) => {
    const { 'content-type': type } = request.headers;
    if (type !== undefined)
      request.headers['content-type'] = type.replace(/(;\s*charset=)("?)utf8\2(?=\s*(;|$))/i, '$1utf-8');
    parse(request, response, done);
  };
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
  return (
    Number(request.get('content-length') ?? 0) > 0 || (isChunked && request.get('content-type') !== undefined)
  );
}

/**
 * The extra weight of a declared length (Content-Length). 0 if the body is compressed, or too long: a call rejected for its
 * size weighs 1.
 */
function announcedWeight(request: Request, maxBytes: number): number {
  const bytes = Number(request.get('content-length') ?? 0);
  return isPlain(request) && bytes <= maxBytes ? weightOfBody(bytes) : 0;
}

/** Whether the body is not compressed. A compressed body is inspected only when it is decompressed. */
function isPlain(request: Request): boolean {
  return (request.get('content-encoding') ?? 'identity').toLowerCase() === 'identity';
}

/** Rejects a body as soon as it exceeds the limits. */
function complexityInspector(): Inspector {
  const counter = new JsonCounter();
  return (part) => {
    counter.add(part);
    return counter.keys > MAX.keys || counter.containers > MAX.containers;
  };
}

/** Reads a body. `type` names the kind of its error. */
type BodyParser = (request: Request, response: Response, done: (error?: { type?: string }) => void) => void;

/** Called with each part of a body. Returns true if the body is invalid. */
type Inspector = (part: Buffer) => boolean;

/**
 * Reads a body of at most `maxBytes`, and passes its error, if any, to `done`. Rejects early: by Content-Length, at the first
 * excess byte, or when the inspector rejects a chunk. Express would read the whole body first.
 */
export function boundedBody(
  parse: BodyParser,
  { maxBytes, inspectorOf }: { maxBytes: number; inspectorOf?: (request: Request) => Inspector | undefined },
  done: (
    request: Request,
    response: Response,
    error: ApiError | undefined,
    next: (error?: ApiError) => void,
  ) => void,
): RequestHandler {
  return (request, response, next) => {
    let isDone = false;
    const end = (error?: ApiError) => {
      if (isDone) return;
      isDone = true;
      // Otherwise the parser would buffer the rest, which the error handler discards.
      if (error) request.unpipe().removeAllListeners('data').resume();
      done(request, response, error, next);
    };
    if (Number(request.get('content-length') ?? 0) > maxBytes) return end(errors.payloadTooLarge());
    parse(request, response, (error) => {
      if (!error) return end();
      end(error.type === 'entity.too.large' ? errors.payloadTooLarge() : errors.invalidBody());
    });
    // The parser skips other content types.
    if (isDone) return;
    let bytes = 0;
    const isInvalid = inspectorOf?.(request);
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > maxBytes) end(errors.payloadTooLarge());
      else if (isInvalid?.(part)) end(errors.invalidBody());
    });
  };
}

const [QUOTE, BACKSLASH, COLON, BRACKET, BRACE] = [0x22, 0x5c, 0x3a, 0x5b, 0x7b];

/**
 * Counts the keys and the containers (objects and arrays) of a JSON text in UTF-8, part by part. Much cheaper than parsing: about
 * 4 ms for 1 MiB.
 */
export class JsonCounter {
  keys = 0;
  containers = 0;
  private isInString = false;
  private isEscaped = false;

  add(part: Buffer): void {
    let { keys, containers, isInString, isEscaped } = this;
    for (let at = 0; at < part.length; at++) {
      const byte = part[at];
      if (isEscaped) isEscaped = false;
      else if (byte === QUOTE) isInString = !isInString;
      else if (isInString) isEscaped = byte === BACKSLASH;
      else if (byte === COLON)
        keys++; // Outside strings, a colon always follows a key.
      else if (byte === BRACKET || byte === BRACE) containers++;
    }
    Object.assign(this, { keys, containers, isInString, isEscaped });
  }
}

/** How long the rest of a rejected body is discarded, so that its sender can read the response. */
const DISCARD_MS = 1_000;

/** Bytes of rejected bodies that are discarded in each interval, over all connections: 20 MiB a second. */
const DISCARDED_AT_ONCE = 1024 * 1024;
const INTERVAL_MS = 50;

const discarded = { interval: 0, bytes: 0, requests: new WeakSet<Request>() };

/**
 * Discards the rest of a rejected request, and closes the connection if it does not end soon. Node would read at full
 * speed, so a client beyond its rate limit could occupy a CPU.
 */
export function discardBody(request: Request, response: Response): void {
  if (request.complete || discarded.requests.has(request)) return;
  discarded.requests.add(request);
  request.on('data', ({ length }: Buffer) => {
    if (!isWithinPace(length)) pause(request);
  });
  // read(0) begins at once. After resume() alone, Node itself would read the rest when the response finishes.
  request.resume().read(0);
  response.once('finish', () => hangUpSoon(request));
}

/** Discards a body that no handler has read when the response ends, such as the body of a GET without a token. */
export const discardUnreadBody: RequestHandler = (request, response, next) => {
  const announced = request.get('content-length') ?? '0';
  const hasBody = announced !== '0' || request.get('transfer-encoding') !== undefined;
  // At `finish`, Node itself would already be reading this body.
  if (hasBody) response.once('prefinish', () => discardBody(request, response));
  next();
};

function hangUpSoon(request: Request): void {
  if (request.complete) return;
  const hangUp = setTimeout(() => request.socket.destroy(), DISCARD_MS);
  request.once('close', () => clearTimeout(hangUp));
}

function isWithinPace(bytes: number): boolean {
  const interval = Math.floor(performance.now() / INTERVAL_MS);
  if (interval !== discarded.interval) Object.assign(discarded, { interval, bytes: 0 });
  discarded.bytes += bytes;
  return discarded.bytes <= DISCARDED_AT_ONCE;
}

function pause(request: Request): void {
  request.pause();
  setTimeout(() => request.resume(), INTERVAL_MS);
}
