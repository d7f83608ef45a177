/**
 * The one registry of errors an API client can meet: HTTP status, `name`, `code` and message of the
 * envelope `{error: {name, code, message}}`. docs/specification.md#errors.
 */
import type { Family } from './families';

interface ErrorKind {
  readonly status: number;
  readonly name: string;
  readonly code: string;
}

const kinds = {
  validation: { status: 400, name: 'ValidationException', code: 'VALIDATION_FAILURE' },
  badRequest: { status: 400, name: 'BadRequestError', code: 'BAD_REQUEST' },
  invalidFeature: { status: 400, name: 'BadRequestError', code: 'INVALID_FEATURE' },
  duplicateReference: { status: 400, name: 'BadRequestError', code: 'DUPLICATE_CLIENT_REFERENCE' },
  insufficientBalance: { status: 400, name: 'BadRequestError', code: 'INSUFFICIENT_BALANCE' },
  exchangeRateUnavailable: { status: 400, name: 'BadRequestError', code: 'EXCHANGE_RATE_UNAVAILABLE' },
  voucherNotRedeemable: { status: 400, name: 'BadRequestError', code: 'VOUCHER_NOT_REDEEMABLE' },
  bulkLimitExceeded: { status: 400, name: 'BadRequestError', code: 'BULK_LIMIT_EXCEEDED' },
  clientLimitExceeded: { status: 400, name: 'BadRequestError', code: 'CLIENT_LIMIT_EXCEEDED' },
  unauthorized: { status: 401, name: 'UnauthorizedError', code: 'UNAUTHORIZED' },
  forbidden: { status: 403, name: 'ForbiddenError', code: 'FORBIDDEN' },
  notFound: { status: 404, name: 'NotFoundError', code: 'NOT_FOUND' },
  methodNotAllowed: { status: 405, name: 'MethodNotAllowedError', code: 'METHOD_NOT_ALLOWED' },
  requestTimeout: { status: 408, name: 'RequestTimeoutError', code: 'REQUEST_TIMEOUT' },
  idempotencyKeyInUse: { status: 409, name: 'ConflictError', code: 'IDEMPOTENCY_KEY_IN_USE' },
  replayInProgress: { status: 409, name: 'ConflictError', code: 'REPLAY_IN_PROGRESS' },
  secretUnreadable: { status: 409, name: 'ConflictError', code: 'SECRET_UNREADABLE' },
  notPossibleNow: { status: 409, name: 'ConflictError', code: 'NOT_POSSIBLE_NOW' },
  payloadTooLarge: { status: 413, name: 'PayloadTooLargeError', code: 'PAYLOAD_TOO_LARGE' },
  idempotencyKeyReused: { status: 422, name: 'UnprocessableEntityError', code: 'IDEMPOTENCY_KEY_REUSED' },
  tooManyRequests: { status: 429, name: 'TooManyRequestsError', code: 'TOO_MANY_REQUESTS' },
  headersTooLarge: { status: 431, name: 'HeadersTooLargeError', code: 'HEADERS_TOO_LARGE' },
  internal: { status: 500, name: 'InternalServerError', code: 'INTERNAL_ERROR' },
  serviceUnavailable: { status: 503, name: 'ServiceUnavailableError', code: 'SERVICE_UNAVAILABLE' },
  noWorkers: { status: 503, name: 'ServiceUnavailableError', code: 'SERVICE_UNAVAILABLE' },
  overloaded: { status: 503, name: 'ServiceUnavailableError', code: 'SERVICE_UNAVAILABLE' },
  outcomeUnknown: { status: 504, name: 'GatewayTimeoutError', code: 'OUTCOME_UNKNOWN' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorKey = keyof typeof kinds;

/** An error meant for the API client: everything in it may be shown. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(
    readonly key: ErrorKey,
    message: string,
    /** Response headers that belong to the error, such as `Retry-After` (seconds) or `Location`. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    const kind = kinds[key];
    this.name = kind.name;
    this.status = kind.status;
    this.code = kind.code;
  }

  /** The response body of the error. */
  envelope(): { error: { name: string; code: string; message: string } } {
    return { error: { name: this.name, code: this.code, message: this.message } };
  }
}

/** What is said of an amount that fits nothing on sale, or whose price rounds to nothing: docs/specification.md#errors. */
const amountsNotAvailable: Readonly<Record<Family, () => ApiError>> = {
  VOUCHER: () => new ApiError('validation', 'Invalid denomination: not available for this product'),
  TOPUP: () => new ApiError('validation', 'Amount is not available for this product'),
  ESIM: () => new ApiError('notFound', 'Variant not found'),
};

/** Errors whose words the contract fixes, by what happened. */
export const errors = {
  amountNotAvailable: (family: Family) => amountsNotAvailable[family](),
  validation: (message: string) => new ApiError('validation', message),
  badRequest: (message: string) => new ApiError('badRequest', message),
  invalidQuery: () => new ApiError('badRequest', 'Invalid query parameters'),
  invalidBody: () => new ApiError('validation', 'Invalid request body'),
  invalidFeature: () =>
    new ApiError('invalidFeature', 'The requested feature is not enabled for this client'),
  duplicateReference: (orderPath: string) =>
    new ApiError('duplicateReference', 'Duplicate client_reference', { Location: orderPath }),
  insufficientBalance: () => new ApiError('insufficientBalance', 'Insufficient wallet balance'),
  exchangeRateUnavailable: () =>
    new ApiError('exchangeRateUnavailable', 'Exchange rate not available for the wallet currency'),
  voucherNotRedeemable: () => new ApiError('voucherNotRedeemable', 'Voucher cannot be redeemed'),
  bulkLimitExceeded: (maximum: number) =>
    new ApiError('bulkLimitExceeded', `Quantity exceeds the maximum of ${maximum}`),
  clientLimitExceeded: () => new ApiError('clientLimitExceeded', 'Daily limit of the account reached'),
  authorizationRequired: () => new ApiError('unauthorized', 'Authorization header required'),
  unauthorized: (message: string) => new ApiError('unauthorized', message),
  addressNotAllowed: () => new ApiError('forbidden', 'IP address not allowed'),
  suspended: () => new ApiError('forbidden', 'Client is suspended'),
  otherSite: () => new ApiError('forbidden', 'The request comes from another site'),
  notFound: (what: string) => new ApiError('notFound', `${what} not found`),
  noMatch: () => new ApiError('notFound', 'No Matching Result Found!'),
  methodNotAllowed: (allowed: string) =>
    new ApiError('methodNotAllowed', 'Method not allowed', { Allow: allowed }),
  idempotencyKeyInUse: () =>
    new ApiError('idempotencyKeyInUse', 'A request with this Idempotency-Key is in progress'),
  idempotencyKeyReused: () =>
    new ApiError('idempotencyKeyReused', 'Idempotency-Key was used with another request'),
  replayInProgress: () => new ApiError('replayInProgress', 'A replay of this endpoint is in progress'),
  tooManyReplays: (maximum: number) =>
    new ApiError('replayInProgress', `No more than ${maximum} replays can be in progress`),
  secretUnreadable: () =>
    new ApiError('secretUnreadable', 'The secret cannot be read any more. Rotate it to get a new one'),
  /** As things stand; `message`: how they stand. */
  notPossibleNow: (message: string) => new ApiError('notPossibleNow', message),
  malformedRequest: () => new ApiError('badRequest', 'Malformed request'),
  requestTimeout: () => new ApiError('requestTimeout', 'The request did not arrive in time'),
  headersTooLarge: () => new ApiError('headersTooLarge', 'Request headers are too large'),
  unknownMethod: () => new ApiError('methodNotAllowed', 'Method not allowed'),
  payloadTooLarge: () => new ApiError('payloadTooLarge', 'Request body is too large'),
  tooManyRequests: (seconds: number) =>
    new ApiError('tooManyRequests', `Rate limit exceeded. Retry after ${seconds} seconds.`, {
      'Retry-After': String(seconds),
    }),
  internal: () => new ApiError('internal', 'Internal server error'),
  serviceUnavailable: (retryAfterSeconds = 2) =>
    new ApiError('serviceUnavailable', 'Service temporarily unavailable', {
      'Retry-After': String(retryAfterSeconds),
    }),
  /** As `serviceUnavailable`, because more creates came than can be taken in. */
  overloaded: (retryAfterSeconds = 2) =>
    new ApiError('overloaded', 'Service temporarily unavailable', {
      'Retry-After': String(retryAfterSeconds),
    }),
  /** As `serviceUnavailable`, because nobody would work on the order. */
  noWorkers: (retryAfterSeconds: number) =>
    new ApiError('noWorkers', 'Service temporarily unavailable', {
      'Retry-After': String(retryAfterSeconds),
    }),
  outcomeUnknown: () =>
    new ApiError('outcomeUnknown', 'Outcome unknown. Look the order up by client_reference'),
} as const;
