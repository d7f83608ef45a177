/** The kinds of errors that an API client can receive. docs/specification.md#errors. */
import { namesOf, recordOf } from './records';

interface ErrorKind {
  readonly status: number;
  readonly name: string;
  readonly code: string;
  /** The cause in one or two sentences. */
  readonly cause: string;
  /** What the caller can do. */
  readonly remedy: string;
  /** Whether the same request can succeed later. */
  readonly isRepeatable: boolean;
}

/** The `name` of the errors of a status. */
const names = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  405: 'MethodNotAllowedError',
  408: 'RequestTimeoutError',
  409: 'ConflictError',
  413: 'PayloadTooLargeError',
  422: 'UnprocessableEntityError',
  429: 'TooManyRequestsError',
  431: 'HeadersTooLargeError',
  500: 'InternalServerError',
  503: 'ServiceUnavailableError',
  504: 'GatewayTimeoutError',
} as const;

/** A kind that may omit `name` (default: the name of its status) and `isRepeatable` (default: false). */
type KindFacts = Pick<ErrorKind, 'code' | 'cause' | 'remedy'> &
  Partial<Pick<ErrorKind, 'name' | 'isRepeatable'>> & { readonly status: keyof typeof names };

const retryLater = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  remedy: 'Wait for the seconds in `Retry-After`, then retry the same request.',
  isRepeatable: true,
} as const;

const kinds = {
  validation: {
    status: 400,
    name: 'ValidationException',
    code: 'VALIDATION_FAILURE',
    cause: 'A field of the body, a header or an id in the path is invalid. The message names the first invalid one.',
    remedy: 'Correct the request, then send it again.',
  },
  badRequest: {
    status: 400,
    code: 'BAD_REQUEST',
    cause: 'A query parameter or an id in the path is malformed or out of range, or the request is not valid HTTP.',
    remedy: 'Correct the request, then send it again.',
  },
  invalidFeature: {
    status: 400,
    code: 'INVALID_FEATURE',
    cause: 'The product family is not enabled for your account.',
    remedy: 'Ask your account manager to enable it.',
  },
  duplicateReference: {
    status: 400,
    code: 'DUPLICATE_CLIENT_REFERENCE',
    cause: 'One of your orders, of any family, already has this `client_reference`.',
    remedy: 'Read that order at the path in `Location`. If it is not the order you meant, use another reference.',
  },
  insufficientBalance: {
    status: 400,
    code: 'INSUFFICIENT_BALANCE',
    cause: 'The order costs more than the wallet has available. Nothing was debited.',
    remedy: 'Fund the wallet, or pass another `wallet_id`, then order again.',
    isRepeatable: true,
  },
  exchangeRateUnavailable: {
    status: 400,
    code: 'EXCHANGE_RATE_UNAVAILABLE',
    cause: "There is no exchange rate from the product's currency to the wallet's.",
    remedy: 'Pass the `wallet_id` of a wallet in another currency, or ask your account manager for a rate.',
  },
  voucherNotRedeemable: {
    status: 400,
    code: 'VOUCHER_NOT_REDEEMABLE',
    cause:
      'The voucher was not delivered to you, was bought at a discount, is redeemed or expired, is in a different currency from the wallet, or is worth less than the order.',
    remedy: 'Use another voucher of a redeemable product, or omit `redeem_voucher_code` to pay from the wallet.',
  },
  esimNotRechargeable: {
    status: 400,
    code: 'ESIM_NOT_RECHARGEABLE',
    cause:
      'The eSIM is not delivered, is not installed yet, was replaced or refunded, or has an open claim, or its supplier has no plan for it.',
    remedy: 'Wait until it is installed or the claim is closed, or order a new eSIM.',
  },
  bulkLimitExceeded: {
    status: 400,
    code: 'BULK_LIMIT_EXCEEDED',
    cause: 'The quantity exceeds the maximum for one order of this product. The message names the maximum.',
    remedy: 'Split the quantity into several orders.',
  },
  clientLimitExceeded: {
    status: 400,
    code: 'CLIENT_LIMIT_EXCEEDED',
    cause: 'The order exceeds the daily count or value limit of your account.',
    remedy: 'Order again tomorrow (UTC), or ask your account manager for a higher limit.',
    isRepeatable: true,
  },
  claimTooLate: {
    status: 400,
    code: 'CLAIM_TOO_LATE',
    cause: 'The days in which goods of the product can be claimed are over.',
    remedy: 'Ask your account manager.',
  },
  unauthorized: {
    status: 401,
    code: 'UNAUTHORIZED',
    cause: 'The access token, the refresh token or the credentials are missing, wrong, expired or revoked.',
    remedy: 'Refresh the session or log in again, and send the request with the new access token.',
  },
  forbidden: {
    status: 403,
    code: 'FORBIDDEN',
    cause:
      'Your account is suspended, the API key is revoked or lacks a scope, the session of the access token has ended, or your address is not allowed to order.',
    remedy:
      'The message names the cause. Log in again, use a key with the scope, send orders from an allowed address, or ask your account manager.',
  },
  notFound: {
    status: 404,
    code: 'NOT_FOUND',
    cause: 'The resource does not exist or is not yours, or the path does not exist.',
    remedy: 'Check the id and the path. List the resources to find their ids.',
  },
  methodNotAllowed: {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    cause: 'The path does not support this method.',
    remedy: 'Use one of the methods in `Allow`.',
  },
  requestTimeout: {
    status: 408,
    code: 'REQUEST_TIMEOUT',
    cause:
      'The request did not arrive in time. The request line and headers must arrive within 15 seconds, the whole request within 30.',
    remedy: 'Send it again over a new connection.',
    isRepeatable: true,
  },
  idempotencyKeyInUse: {
    status: 409,
    code: 'IDEMPOTENCY_KEY_IN_USE',
    cause: 'An earlier request with this `Idempotency-Key` is still in progress.',
    remedy: 'Wait a few seconds, then retry the same request with the same key.',
    isRepeatable: true,
  },
  replayInProgress: {
    status: 409,
    code: 'REPLAY_IN_PROGRESS',
    cause: 'A replay to this endpoint, or the maximum number of replays to your endpoints, is already in progress.',
    remedy: 'Wait until a replay ends, then retry.',
    isRepeatable: true,
  },
  secretUnreadable: {
    status: 409,
    code: 'SECRET_UNREADABLE',
    cause: 'We can no longer read the secret of this endpoint.',
    remedy: 'Rotate the secret, then store the new one.',
  },
  notPossibleNow: {
    status: 409,
    code: 'NOT_POSSIBLE_NOW',
    cause: 'The resource is in the wrong state. The message says why.',
    remedy: 'Retry after its state has changed, if it can still change.',
  },
  claimNotPossible: {
    status: 409,
    code: 'CLAIM_NOT_POSSIBLE',
    cause:
      'The order has no delivered goods, the unit was refunded or replaced, or the eSIM is installed already. The message says which.',
    remedy: 'Read the order, its refunds and its claims.',
  },
  priceChanged: {
    status: 409,
    code: 'PRICE_CHANGED',
    cause: 'The order costs more than its `max_total_payable`. The message names its total. Nothing was debited.',
    remedy: 'Show the new price. To accept it, order again with the new total as `max_total_payable`.',
  },
  payloadTooLarge: {
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    cause: 'The body is larger than 1 MiB (16 KiB for a login or refresh).',
    remedy: 'Send a smaller body.',
  },
  idempotencyKeyReused: {
    status: 422,
    code: 'IDEMPOTENCY_KEY_REUSED',
    cause: 'An order with another body, or of another family, was already placed with this `Idempotency-Key`.',
    remedy: 'Use a new key for each new order, and the same body for each retry.',
  },
  tooManyRequests: {
    status: 429,
    code: 'TOO_MANY_REQUESTS',
    cause: 'Your account exceeded the rate limit of this class of calls.',
    remedy: 'Wait for the seconds in `Retry-After`, then retry.',
    isRepeatable: true,
  },
  headersTooLarge: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    cause: 'The headers of the request are too large.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    code: 'INTERNAL_ERROR',
    cause: 'Internal error. Order requests never return it.',
    remedy: 'Retry. If the error persists, send us the `X-Request-Id`.',
    isRepeatable: true,
  },
  serviceUnavailable: {
    ...retryLater,
    cause:
      'The service cannot reach a system that the request needs. If this was an order request, no order was created and nothing was debited.',
  },
  noWorkers: {
    ...retryLater,
    cause: 'No worker can process new orders at the moment. No order was created and nothing was debited.',
  },
  overloaded: {
    ...retryLater,
    cause: 'Too many requests are in progress. No order was created and nothing was debited.',
  },
  outcomeUnknown: {
    status: 504,
    code: 'OUTCOME_UNKNOWN',
    cause: 'The service cannot tell whether the request created an order.',
    remedy:
      'Look the order up by `client_reference`, or retry the same request with the same `Idempotency-Key`. Do not place a new order until the outcome is known.',
    isRepeatable: true,
  },
} as const satisfies Record<string, KindFacts>;

export type ErrorKey = keyof typeof kinds;

const kindOf = (kind: KindFacts): ErrorKind => ({ name: names[kind.status], isRepeatable: false, ...kind });

/** Every kind of error by its key. docs/specification.md#errors. */
export const errorKinds: Readonly<Record<ErrorKey, ErrorKind>> = recordOf(namesOf(kinds), (key) => kindOf(kinds[key]));

/** Every code that a response can have, in alphabetical order. */
export const errorCodes: readonly string[] = [...new Set(Object.values(errorKinds).map(({ code }) => code))].sort();
