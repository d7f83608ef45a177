import type { Request, RequestHandler, Response } from 'express';
import { errors, type ApiError } from '../../domain/errors';

/** How long what is still sent of a refused body is thrown away, so that its sender comes to read the answer. */
const DISCARD_MS = 1_000;

/** Reads a body; what it cannot read is told by an error, of which `type` names the kind. */
export type BodyParser = (
  request: Request,
  response: Response,
  done: (error?: { type?: string }) => void,
) => void;

/**
 * Reads a body of at most so many bytes and hands over what is wrong with it, if anything is. One that is too long
 * is refused as soon as that is known: by the length it was announced with, else at the byte that is too much.
 * The parsers of Express would read all of it first.
 */
export function boundedBody(
  parse: BodyParser,
  maxBytes: number,
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
      if (error?.key === 'payloadTooLarge') discardRest(request, response);
      done(request, response, error, next);
    };
    if (Number(request.get('content-length') ?? 0) > maxBytes) return end(errors.payloadTooLarge());
    parse(request, response, (error) => {
      if (!error) return end();
      end(error.type === 'entity.too.large' ? errors.payloadTooLarge() : errors.invalidBody());
    });
    // Nobody reads a body that the parser does not take.
    if (isDone) return;
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) end(errors.payloadTooLarge());
    });
  };
}

/** Throws away what comes after the answer, and hangs up on who does not stop. */
function discardRest(request: Request, response: Response): void {
  request.resume();
  response.once('finish', () => {
    if (request.complete) return;
    const hangUp = setTimeout(() => request.socket.destroy(), DISCARD_MS);
    request.once('close', () => clearTimeout(hangUp));
  });
}
