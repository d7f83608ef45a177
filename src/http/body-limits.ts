/**
 * Bodies of requests, for every door: read within limits, or discarded. No other file reads a body.
 * docs/decisions/0081-check-every-door-alike.md.
 */
import express, { type Request, type RequestHandler, type Response } from 'express';
import { errors, type ApiError } from '../domain/errors';

/** How much JSON may hold. */
export interface Complexity {
  /** Over all its objects. */
  keys: number;
  /** Objects and arrays. */
  containers: number;
  /** How deep containers may nest. `JSON.stringify` fails at some thousand levels. */
  depth: number;
}

const COMPLEXITY: Complexity = { keys: 1_000, containers: 10_000, depth: 100 };

/** What the API has always taken: its readers look at named keys only. docs/specification.md#limits. */
export const API_COMPLEXITY: Complexity = { ...COMPLEXITY, depth: COMPLEXITY.containers };

export interface JsonLimits {
  /** After decompression, too. */
  maxBytes: number;
  complexity?: Complexity;
  /** Whether the body is JSON. Default: if its content type says so. */
  type?: () => boolean;
}

/** Continues with the error of the body, if any. */
type BodyEnd = (
  request: Request,
  response: Response,
  error: ApiError | undefined,
  next: (error?: ApiError) => void,
) => void;

declare module 'express-serve-static-core' {
  interface Locals {
    /** The size of a JSON body that was read. */
    bodyBytes?: number;
  }
}

/** Reads a JSON body into `request.body`. `response.locals.bodyBytes` is then its size. */
export function boundedJson(
  { maxBytes, complexity = COMPLEXITY, type }: JsonLimits,
  done: BodyEnd = (_request, _response, error, next) => next(error),
): RequestHandler {
  const parser = express.json({
    limit: maxBytes,
    ...(type && { type }),
    verify(request, response, body, charset) {
      (response as Response).locals.bodyBytes = body.length;
      // JSON between systems is UTF-8 (RFC 8259, section 8.1). `JsonCounter` could not count another encoding.
      // A plain body was inspected while it arrived.
      const isTooComplex = !isPlain(request as Request) && complexityInspector(complexity)(body);
      if (charset !== 'utf-8' || isTooComplex) throw new Error('the body is too complex or not UTF-8');
    },
  });
  const inspectorOf = (request: Request) => (isPlain(request) ? complexityInspector(complexity) : undefined);
  return boundedBody(withNameOfUtf8(parser), { maxBytes, inspectorOf }, done);
}

/** Reads the fields of a form into `request.body`. */
export function boundedForm(maxBytes: number): RequestHandler {
  const parser = express.urlencoded({ extended: false, limit: maxBytes });
  return boundedBody(parser, { maxBytes }, (_request, _response, error, next) => next(error));
}

/** Reads the bytes of a body of any type into `request.body`. */
export function boundedBytes(maxBytes: number): RequestHandler {
  const parser = express.raw({ type: () => true, limit: maxBytes });
  return boundedBody(parser, { maxBytes }, (_request, _response, error, next) => next(error));
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

/** Whether the body is not compressed. A compressed body is inspected only when it is decompressed. */
export function isPlain(request: Request): boolean {
  return (request.get('content-encoding') ?? 'identity').toLowerCase() === 'identity';
}

/** Rejects a body as soon as it exceeds the limits. */
function complexityInspector({ keys, containers, depth }: Complexity): Inspector {
  const counter = new JsonCounter();
  return (part) => {
    counter.add(part);
    return counter.keys > keys || counter.containers > containers || counter.depth > depth;
  };
}

/** Reads a body. `type` names the kind of its error. */
type BodyParser = (request: Request, response: Response, done: (error?: { type?: string }) => void) => void;

/** Whether a JSON text in UTF-8 exceeds the limits. */
export function isTooComplex(text: Buffer): boolean {
  return complexityInspector(COMPLEXITY)(text);
}

/** Called with each part of a body. Returns true if the body is invalid. */
type Inspector = (part: Buffer) => boolean;

/**
 * Reads a body of at most `maxBytes`, and passes its error, if any, to `done`. Rejects early: by Content-Length, at the first
 * excess byte, or when the inspector rejects a chunk. Express would read the whole body first.
 */
function boundedBody(
  parse: BodyParser,
  { maxBytes, inspectorOf }: { maxBytes: number; inspectorOf?: (request: Request) => Inspector | undefined },
  done: BodyEnd,
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
const [END_OF_BRACKET, END_OF_BRACE] = [0x5d, 0x7d];

/**
 * Counts the keys and the containers (objects and arrays) of a JSON text in UTF-8, part by part, and the deepest nesting of
 * containers. Much cheaper than parsing: about 4 ms for 1 MiB.
 */
export class JsonCounter {
  keys = 0;
  containers = 0;
  depth = 0;
  private level = 0;
  private isInString = false;
  private isEscaped = false;

  add(part: Buffer): void {
    let { keys, containers, depth, level, isInString, isEscaped } = this;
    for (let at = 0; at < part.length; at++) {
      const byte = part[at];
      if (isEscaped) isEscaped = false;
      else if (byte === QUOTE) isInString = !isInString;
      else if (isInString) isEscaped = byte === BACKSLASH;
      else if (byte === COLON) keys++; // Outside strings, a colon always follows a key.
      else if (byte === BRACKET || byte === BRACE) {
        containers++;
        level++;
        if (level > depth) depth = level;
      } else if (byte === END_OF_BRACKET || byte === END_OF_BRACE) level--;
    }
    Object.assign(this, { keys, containers, depth, level, isInString, isEscaped });
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
