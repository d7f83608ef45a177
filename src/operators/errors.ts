/** Errors of the operators' process, in the envelope of the API. docs/operators/api.md. */
import type { Response } from 'express';

export interface ErrorKind {
  status: number;
  name: string;
  code: string;
}

/** Every kind that this process returns. */
export const operatorErrors = {
  badRequest: { status: 400, name: 'BadRequestError', code: 'VALIDATION_FAILURE' },
  unauthenticated: { status: 401, name: 'AuthenticationError', code: 'UNAUTHENTICATED' },
  forbidden: { status: 403, name: 'ForbiddenError', code: 'FORBIDDEN' },
  secondFactorNeeded: { status: 403, name: 'ForbiddenError', code: 'SECOND_FACTOR_NEEDED' },
  notFound: { status: 404, name: 'NotFoundError', code: 'NOT_FOUND' },
  forceRequired: { status: 409, name: 'ConflictError', code: 'FORCE_REQUIRED' },
  notDone: { status: 409, name: 'ConflictError', code: 'NOT_DONE' },
  internal: { status: 500, name: 'InternalError', code: 'INTERNAL_ERROR' },
} as const satisfies Record<string, ErrorKind>;

/** The body of an error. `more`: further fields, such as `confirmation_url`. */
export function envelope({ name, code }: ErrorKind, message: string, more: object = {}): object {
  return { error: { name, code, message, ...more } };
}

/** The message about a fault of this process. The log has its cause, under the id of the request. */
export function faultText(response: Response): string {
  return `Something failed here. Try again. If it fails again, search the log for the request ${response.get('X-Request-Id')}.`;
}

/** Responds with the error. A response that has begun ends unfinished, so that its reader sees that it is not complete. */
export function rejectCall(response: Response, kind: ErrorKind, message: string, more?: object): void {
  if (response.headersSent) return void response.destroy();
  response.status(kind.status).json(envelope(kind, message, more));
}
