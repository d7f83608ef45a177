/**
 * The one registry of errors an API client can meet: HTTP status, `name`, `code` and message of the
 * envelope `{error: {name, code, message}}`. docs/specification.md#errors.
 */
import type { Family } from './orders/families';

interface ErrorKind {
  readonly status: number;
  readonly name: string;
  readonly code: string;
  /** What leads to it, in one sentence. */
  readonly cause: string;
  /** What the caller does about it, in one sentence. */
  readonly remedy: string;
  /** Whether the same request can succeed later. */
  readonly isRepeatable: boolean;
}

const kinds = {
  validation: {
    status: 400,
    name: 'ValidationException',
    code: 'VALIDATION_FAILURE',
    cause: 'A field of the body, a header or an id in the path is invalid. The message names the first one.',
    remedy: 'Correct it, then send the request again.',
    isRepeatable: false,
  },
  badRequest: {
    status: 400,
    name: 'BadRequestError',
    code: 'BAD_REQUEST',
    cause:
      'A query parameter or an id in the path is malformed or out of range, or the request is not valid HTTP.',
    remedy: 'Correct it, then send the request again.',
    isRepeatable: false,
  },
  invalidFeature: {
    status: 400,
    name: 'BadRequestError',
    code: 'INVALID_FEATURE',
    cause: 'The product family is not enabled for your account.',
    remedy: 'Ask your account manager to enable it.',
    isRepeatable: false,
  },
  duplicateReference: {
    status: 400,
    name: 'BadRequestError',
    code: 'DUPLICATE_CLIENT_REFERENCE',
    cause: 'One of your orders, of any family, already has this `client_reference`.',
    remedy:
      'Read that order at the path in `Location`. If it is not the order you meant, use another reference.',
    isRepeatable: false,
  },
  insufficientBalance: {
    status: 400,
    name: 'BadRequestError',
    code: 'INSUFFICIENT_BALANCE',
    cause: 'The wallet holds less than the order costs. Nothing was debited.',
    remedy: 'Fund the wallet, or pass another `wallet_id`, then order again.',
    isRepeatable: true,
  },
  exchangeRateUnavailable: {
    status: 400,
    name: 'BadRequestError',
    code: 'EXCHANGE_RATE_UNAVAILABLE',
    cause: "No exchange rate from the product's currency to the wallet's exists.",
    remedy: 'Pass the `wallet_id` of a wallet in another currency, or ask your account manager for a rate.',
    isRepeatable: false,
  },
  voucherNotRedeemable: {
    status: 400,
    name: 'BadRequestError',
    code: 'VOUCHER_NOT_REDEEMABLE',
    cause:
      'The voucher was not delivered to you, is redeemed or expired, has another currency than the wallet, or is worth less than the order.',
    remedy:
      'Use another voucher of a redeemable product, or omit `redeem_voucher_code` to pay from the wallet.',
    isRepeatable: false,
  },
  bulkLimitExceeded: {
    status: 400,
    name: 'BadRequestError',
    code: 'BULK_LIMIT_EXCEEDED',
    cause: 'The quantity exceeds the maximum for one order of this product. The message names the maximum.',
    remedy: 'Split the quantity into several orders.',
    isRepeatable: false,
  },
  clientLimitExceeded: {
    status: 400,
    name: 'BadRequestError',
    code: 'CLIENT_LIMIT_EXCEEDED',
    cause: 'The order exceeds the daily count or value limit of your account.',
    remedy: 'Order again tomorrow (UTC), or ask your account manager for a higher limit.',
    isRepeatable: true,
  },
  unauthorized: {
    status: 401,
    name: 'UnauthorizedError',
    code: 'UNAUTHORIZED',
    cause: 'The access token, the refresh token or the credentials are missing, wrong, expired or revoked.',
    remedy: 'Refresh the session or log in again, and send the request with the new access token.',
    isRepeatable: false,
  },
  forbidden: {
    status: 403,
    name: 'ForbiddenError',
    code: 'FORBIDDEN',
    cause:
      'Your account is suspended, the API key is revoked, the session of the access token has ended, or your address is not allowed to order.',
    remedy:
      'The message names the cause. Log in again, send orders from an allowed address, or ask your account manager.',
    isRepeatable: false,
  },
  notFound: {
    status: 404,
    name: 'NotFoundError',
    code: 'NOT_FOUND',
    cause: 'The resource does not exist or is not yours, or the path does not exist.',
    remedy: 'Check the id and the path. List the resources to find their ids.',
    isRepeatable: false,
  },
  methodNotAllowed: {
    status: 405,
    name: 'MethodNotAllowedError',
    code: 'METHOD_NOT_ALLOWED',
    cause: 'The path does not support this method.',
    remedy: 'Use one of the methods in `Allow`.',
    isRepeatable: false,
  },
  requestTimeout: {
    status: 408,
    name: 'RequestTimeoutError',
    code: 'REQUEST_TIMEOUT',
    cause: 'The request did not arrive in time. Its head must arrive within 15 seconds, all of it within 30.',
    remedy: 'Send it again over a new connection.',
    isRepeatable: true,
  },
  idempotencyKeyInUse: {
    status: 409,
    name: 'ConflictError',
    code: 'IDEMPOTENCY_KEY_IN_USE',
    cause: 'An earlier request with this `Idempotency-Key` is still in progress.',
    remedy: 'Wait a few seconds, then retry the same request with the same key.',
    isRepeatable: true,
  },
  replayInProgress: {
    status: 409,
    name: 'ConflictError',
    code: 'REPLAY_IN_PROGRESS',
    cause:
      'A replay to this endpoint, or the maximum number of replays to your endpoints, is already in progress.',
    remedy: 'Wait until a replay ends, then retry.',
    isRepeatable: true,
  },
  secretUnreadable: {
    status: 409,
    name: 'ConflictError',
    code: 'SECRET_UNREADABLE',
    cause: 'We can no longer read the secret of this endpoint.',
    remedy: 'Rotate the secret, then store the new one.',
    isRepeatable: false,
  },
  notPossibleNow: {
    status: 409,
    name: 'ConflictError',
    code: 'NOT_POSSIBLE_NOW',
    cause: 'The current state does not allow this call. The message says why.',
    remedy: 'If the state can still change, retry after it has changed.',
    isRepeatable: false,
  },
  payloadTooLarge: {
    status: 413,
    name: 'PayloadTooLargeError',
    code: 'PAYLOAD_TOO_LARGE',
    cause: 'The body is larger than 1 MiB, or than 16 KiB in a login or refresh.',
    remedy: 'Send a smaller body.',
    isRepeatable: false,
  },
  idempotencyKeyReused: {
    status: 422,
    name: 'UnprocessableEntityError',
    code: 'IDEMPOTENCY_KEY_REUSED',
    cause: 'This `Idempotency-Key` already placed an order with another body, or of another family.',
    remedy: 'Use a new key for each new order, and the same body for each retry.',
    isRepeatable: false,
  },
  tooManyRequests: {
    status: 429,
    name: 'TooManyRequestsError',
    code: 'TOO_MANY_REQUESTS',
    cause: 'Your account exceeded the rate limit of this class of calls.',
    remedy: 'Wait for the seconds in `Retry-After`, then retry.',
    isRepeatable: true,
  },
  headersTooLarge: {
    status: 431,
    name: 'HeadersTooLargeError',
    code: 'HEADERS_TOO_LARGE',
    cause: 'The headers of the request are too large.',
    remedy: 'Send fewer or shorter headers.',
    isRepeatable: false,
  },
  internal: {
    status: 500,
    name: 'InternalServerError',
    code: 'INTERNAL_ERROR',
    cause: 'The service has a fault. Order requests never get this error.',
    remedy: 'Retry. If the error persists, send us the `X-Request-Id`.',
    isRepeatable: true,
  },
  serviceUnavailable: {
    status: 503,
    name: 'ServiceUnavailableError',
    code: 'SERVICE_UNAVAILABLE',
    cause:
      'The service cannot reach a system that the request needs. An order request made no order and debited nothing.',
    remedy: 'Wait for the seconds in `Retry-After`, then retry the same request.',
    isRepeatable: true,
  },
  noWorkers: {
    status: 503,
    name: 'ServiceUnavailableError',
    code: 'SERVICE_UNAVAILABLE',
    cause: 'No worker can process new orders at the moment. No order was made and nothing was debited.',
    remedy: 'Wait for the seconds in `Retry-After`, then retry the same request.',
    isRepeatable: true,
  },
  overloaded: {
    status: 503,
    name: 'ServiceUnavailableError',
    code: 'SERVICE_UNAVAILABLE',
    cause: 'Too many requests are in progress. No order was made and nothing was debited.',
    remedy: 'Wait for the seconds in `Retry-After`, then retry the same request.',
    isRepeatable: true,
  },
  outcomeUnknown: {
    status: 504,
    name: 'GatewayTimeoutError',
    code: 'OUTCOME_UNKNOWN',
    cause: 'The service cannot tell whether the order request made an order.',
    remedy:
      'Look the order up by `client_reference`, or retry the same request with the same `Idempotency-Key`. Never order again without either.',
    isRepeatable: true,
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorKey = keyof typeof kinds;

/** Every kind of error by its key, with what it means to the caller. docs/specification.md#errors. */
export const errorKinds: Readonly<Record<ErrorKey, ErrorKind>> = kinds;

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

const amountMessages: Readonly<Record<Family, string>> = {
  VOUCHER: 'Invalid denomination: not available for this product',
  TOPUP: 'Amount is not available for this product',
  ESIM: 'Amount is not available for this product',
};

/** Rejects the amount of a request: docs/specification.md#errors. */
const amountRejected = (family: Family) => new ApiError('validation', amountMessages[family]);

/** Errors whose words the contract fixes, by what happened. */
export const errors = {
  amountNotAvailable: (family: Family) =>
    family === 'ESIM' ? new ApiError('notFound', 'Variant not found') : amountRejected(family),
  priceRoundsToZero: amountRejected,
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
  apiKeyRevoked: () => new ApiError('forbidden', 'API key revoked'),
  sessionEnded: () => new ApiError('forbidden', 'Session ended'),
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
  /** Of a probe: Temporal answers, and holds nothing of what it held. */
  temporalEmptied: () => new ApiError('serviceUnavailable', 'Temporal was emptied', { 'Retry-After': '10' }),
  outcomeUnknown: () =>
    new ApiError('outcomeUnknown', 'Outcome unknown. Look the order up by client_reference'),
} as const;
