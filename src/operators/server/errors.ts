/** Errors of the operators' process, in the envelope of the API. docs/operators/api.md. */
import type { Response } from 'express';
import { ApiError } from '../../domain/errors';
import { InvalidArgument } from '../operations/arguments';
import { isFault, isUnstorableValue, sentenceOf } from '../operations/failure';
import { ForceRequired } from '../operations/guarded-prices';
import { isUnavailable } from '../../ordering/unavailable';
import { NotAllowed, SecondFactorNeeded } from './calls';

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
  timeout: { status: 408, name: 'RequestTimeoutError', code: 'REQUEST_TIMEOUT' },
  tooLarge: { status: 413, name: 'PayloadTooLargeError', code: 'PAYLOAD_TOO_LARGE' },
  forceRequired: { status: 409, name: 'ConflictError', code: 'FORCE_REQUIRED' },
  notDone: { status: 409, name: 'ConflictError', code: 'NOT_DONE' },
  unavailable: { status: 503, name: 'ServiceUnavailableError', code: 'UNAVAILABLE' },
  internal: { status: 500, name: 'InternalError', code: 'INTERNAL_ERROR' },
} as const satisfies Record<string, ErrorKind>;

/** When a call that could not be served may be repeated. */
const RETRY_SECONDS = 2;

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

/** Errors that operations throw are for operators; the log has those of this program. */
export function sentenceFor(response: Response, error: unknown): string {
  return isFault(error) ? faultText(response) : sentenceOf(error);
}

/** The kind of an error of a call. What is left for 409 is a state that forbids the call. */
export function kindOf(error: unknown): ErrorKind {
  if (error instanceof NotAllowed) return operatorErrors.forbidden;
  if (error instanceof SecondFactorNeeded) return operatorErrors.secondFactorNeeded;
  if (error instanceof InvalidArgument || isUnstorableValue(error)) return operatorErrors.badRequest;
  if (error instanceof ForceRequired) return operatorErrors.forceRequired;
  if (error instanceof ApiError) return kindOfCheck(error);
  if (isUnavailable(error)) return operatorErrors.unavailable;
  return isFault(error) ? operatorErrors.internal : operatorErrors.notDone;
}

/** The checks of all doors throw errors of the API. */
function kindOfCheck({ status }: ApiError): ErrorKind {
  const { unavailable, timeout, tooLarge, badRequest } = operatorErrors;
  return [unavailable, timeout, tooLarge].find((kind) => kind.status === status) ?? badRequest;
}

export function detailsOf(error: unknown): object | undefined {
  return error instanceof SecondFactorNeeded ? { confirmation_url: error.confirmationUrl } : undefined;
}

/** Responds to a call that failed. Nothing that is unavailable is a state of the service: the caller can repeat the call. */
export function failCall(response: Response, error: unknown): void {
  const kind = kindOf(error);
  if (kind === operatorErrors.unavailable && !response.headersSent) response.set('Retry-After', String(RETRY_SECONDS));
  rejectCall(response, kind, sentenceFor(response, error), detailsOf(error));
}
