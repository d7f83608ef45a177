import type { Request, RequestHandler, Response } from 'express';
import { errors, type ApiError } from '../../domain/errors';

/** Reads a body; what it cannot read is told by an error, of which `type` names the kind. */
export type BodyParser = (
  request: Request,
  response: Response,
  done: (error?: { type?: string }) => void,
) => void;

/** Looks at each part of a body as it comes. True: the body is invalid, whatever else comes. */
export type Inspect = (part: Buffer) => boolean;

/**
 * Reads a body of at most so many bytes and hands over what is wrong with it, if anything is. One that is too long
 * is refused as soon as that is known: by the length it was announced with, else at the byte that is too much. One that
 * `inspectorOf` finds fault with is refused at that part. The parsers of Express would read all of it first.
 */
export function boundedBody(
  parse: BodyParser,
  { maxBytes, inspectorOf }: { maxBytes: number; inspectorOf?: (request: Request) => Inspect | undefined },
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
      // The parser would go on gathering what the error handler throws away.
      if (error) request.unpipe().removeAllListeners('data').resume();
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
    const isInvalid = inspectorOf?.(request);
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > maxBytes) end(errors.payloadTooLarge());
      else if (isInvalid?.(part)) end(errors.invalidBody());
    });
  };
}
