/** The error codes of Zendit, and error bodies. */
import { StatedError } from '../kit/errors';

/** The HTTP status and a message of each listed code. A failed purchase can have any code, listed or not. */
const listed = new Map<string, readonly [status: number, message: string]>([
  ['NOT_AUTHORIZED', [401, 'The API key is missing or invalid.']],
  ['FORBIDDEN', [403, 'The address is not on the allow list.']],
  ['INVALID_REQUEST', [400, 'The request is invalid.']],
  ['NOT_FOUND', [404, 'The resource was not found.']],
  ['SYSTEM_UNAVAILABLE', [503, 'The system is unavailable.']],
  ['INSUFFICIENT_FUNDS', [200, 'The wallet has insufficient funds.']],
]);

/** An unlisted code comes with 400, the usual status of a rejection. */
const usual = 400;

/** The message of a code, in responses and in purchases. */
export function messageOf(code: string): string {
  return listed.get(code)?.[1] ?? `Error ${code}.`;
}

/** One text for each faulty field of a request. */
export type Faults = Readonly<Record<string, string>>;

/** Becomes `{errorCode, message, fields}` with the HTTP status of the code. */
export class ApiError extends StatedError {
  readonly status: number;

  constructor(
    readonly code: string,
    private readonly details: { message?: string; fields?: Faults; status?: number } = {},
  ) {
    super(details.message ?? messageOf(code));
    this.status = details.status ?? listed.get(code)?.[0] ?? usual;
  }

  /** The documentation names `fields` for INVALID_REQUEST only. */
  get body(): { errorCode: string; message: string; fields?: Faults } {
    const { fields } = this.details;
    return { errorCode: this.code, message: this.message, ...(fields && { fields }) };
  }
}

/** A request with a wrong form. */
export function malformed(fields: Faults): ApiError {
  return new ApiError('INVALID_REQUEST', { fields });
}

/**
 * A well-formed request with a value that the offer does not have. The documentation names 4xx for INVALID_REQUEST without an
 * exact status, so the fake sends two statuses.
 */
export function unacceptable(fields: Faults): ApiError {
  return new ApiError('INVALID_REQUEST', { fields, status: 422 });
}
