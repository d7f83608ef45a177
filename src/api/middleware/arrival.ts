import type { RequestHandler, Response } from 'express';

/** Notes when the request came, before anything else is done about it. */
export const noteArrival: RequestHandler = (_request, response, next) => {
  response.locals.arrivedAt = performance.now();
  next();
};

/** When the request came, a reading of `performance.now()`. */
export function arrivalOf(response: Response): number {
  return response.locals.arrivedAt as number;
}
