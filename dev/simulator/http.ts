/** The simulator's HTTP behaviour: errors, validation, authentication, outages, latency. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import Joi from 'joi';

/** Becomes `{error: {code, message}}` with this status. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** One HTTP response. */
export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: unknown;
}

/** Returns the value, or throws a 404 that names the missing resource. */
export function known<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new HttpError(404, 'NOT_FOUND', `There is no such ${what}.`);
  return found;
}

/** Returns the validated value, or throws a 400 that names the fault. */
export function validated<T>(schema: Joi.Schema<T>, value: unknown): T {
  const result = schema
    .required()
    .label('body')
    .validate(value ?? {}, { errors: { wrap: { label: false } } });
  if (result.error) throw new HttpError(400, 'BAD_REQUEST', `${result.error.message}.`);
  return result.value;
}

/** Admits requests with the shared secret. */
export function requireBearer(secret: string): RequestHandler {
  const expected = digest(`Bearer ${secret}`);
  return (request, _response, next) => {
    const shown = digest(request.headers.authorization ?? '');
    if (!timingSafeEqual(shown, expected)) throw new HttpError(401, 'UNAUTHORIZED', 'Wrong or missing token.');
    next();
  };
}

/** Delays every request by `latencyMs`, give or take a fifth. */
export function delayBy(latencyMs: number): RequestHandler {
  return (_request, _response, next) => {
    if (latencyMs === 0) return next();
    setTimeout(next, latencyMs * (0.8 + Math.random() * 0.4));
  };
}

/** An outage that can be started and ended. During it, everything behind the guard answers 503. */
export class Outage {
  private endsAt = 0;

  begin(seconds: number): void {
    this.endsAt = Date.now() + seconds * 1_000;
  }

  readonly guard: RequestHandler = (_request, _response, next) => {
    if (Date.now() < this.endsAt) throw new HttpError(503, 'OUTAGE', 'The supplier is down.');
    next();
  };
}

/** Answers 404 to requests without a route. */
export const unknownPath: RequestHandler = (request) => {
  throw new HttpError(404, 'NOT_FOUND', `There is no ${request.method} ${request.baseUrl}${request.path}.`);
};

/** Answers with `{error: {code, message, reference?}}`. */
export const answerErrors: ErrorRequestHandler = (thrown: unknown, request, response, next) => {
  if (response.headersSent) return next(thrown);
  const { status, headers = {}, body } = errorReply(thrown, request);
  response.status(status).set(headers).json(body);
};

/**
 * `{error: {code, message, reference?}}` for a thrown error. The buyer's reference proves that the response comes from the
 * simulator, and names the purchase. An internal error is logged, and its response has no details.
 */
export function errorReply(thrown: unknown, { path, body }: Request): Reply {
  const { status, headers, code, message } = asHttpError(thrown);
  if (status === 500) console.error(thrown);
  const { reference } = Object(body) as { reference?: unknown };
  const named = path === '/purchases' && typeof reference === 'string' ? { reference } : {};
  return { status, headers, body: { error: { code, message, ...named } } };
}

function asHttpError(thrown: unknown): HttpError {
  if (thrown instanceof HttpError) return thrown;
  const status = statusOf(thrown);
  // Express and its body parser mark the caller's errors: broken JSON, a body too large, a bad path.
  if (status >= 400 && status < 500) return new HttpError(status, 'BAD_REQUEST', (thrown as Error).message);
  return new HttpError(500, 'INTERNAL_ERROR', 'Something went wrong.');
}

function statusOf(thrown: unknown): number {
  return thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : 500;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
