/** One error class for each failure that a caller may handle differently. */
import type { ErrorCode } from './models.ts';
import type { HttpHeaders } from './platform.ts';

/** The base class of this library's errors. The library rethrows the reason of an aborted `signal` unchanged. */
export class DigitalGoodsError extends Error {
  override name = 'DigitalGoodsError';
  /** True if the service may have carried out the call; false if it certainly did not. */
  mayHaveTakenEffect = false;
}

/** No complete response: the service could not be reached, or the connection broke. */
export class ConnectionError extends DigitalGoodsError {
  override name = 'ConnectionError';

  constructor(message: string, mayHaveTakenEffect: boolean, options?: ErrorOptions) {
    super(message, options);
    this.mayHaveTakenEffect = mayHaveTakenEffect;
  }
}

/** No response within the timeout of the call. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** The parts of an error response. */
export interface ErrorAnswer {
  status: number;
  /** The `code` of the error envelope; empty if a proxy responded instead of the service. */
  code: ErrorCode | '';
  message: string;
  /** The `param` of the error envelope. */
  param?: string | undefined;
  headers: HttpHeaders;
}

/** The service answered with an error. docs/specification.md#errors. */
export class ApiError extends DigitalGoodsError {
  override name = 'ApiError';
  readonly status: number;
  /** The `code` of the error envelope, to branch on; empty if a proxy responded instead of the service. */
  readonly code: ErrorCode | '';
  /** The field, parameter or header that is to blame; undefined if it is not exactly one. */
  readonly param: string | undefined;
  /** The `X-Request-Id` of the response. Quote it in support requests. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry, if the response has `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor({ status, code, message, param, headers }: ErrorAnswer) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfter = secondsOf(headers.get('retry-after'));
    this.mayHaveTakenEffect = status >= 500;
  }
}

/** 400: the request is not valid; `code` says why. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError';
}

/** 400 `VALIDATION_FAILURE`: a field of the body, or an id, is not valid; `param` and `message` name it. */
export class ValidationError extends BadRequestError {
  override name = 'ValidationError';
}

/** 400 `INSUFFICIENT_BALANCE`: the wallet cannot pay for the order. Nothing was debited. */
export class InsufficientBalanceError extends BadRequestError {
  override name = 'InsufficientBalanceError';
}

/** 400 `DUPLICATE_CLIENT_REFERENCE`: another order already has this `client_reference`. */
export class DuplicateClientReferenceError extends BadRequestError {
  override name = 'DuplicateClientReferenceError';
  /** Path of the order that has the reference, such as `/api/v1/orders/17`. */
  readonly orderPath: string | undefined;

  constructor(answer: ErrorAnswer) {
    super(answer);
    this.orderPath = answer.headers.get('location') ?? undefined;
  }
}

/** 401: the API key or its secret is wrong, or the session could not be renewed. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 403: the client is suspended, its API key is revoked, or it may not order from this address. */
export class PermissionDeniedError extends ApiError {
  override name = 'PermissionDeniedError';
}

/** 404: the object does not exist, or it belongs to another client. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409: the call conflicts with the present state or with another call; `code` says why. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** 409 `PRICE_CHANGED`: the order costs more than its `max_total_payable`. Nothing was debited. Read the charges again. */
export class PriceChangedError extends ConflictError {
  override name = 'PriceChangedError';
}

/** 422 `IDEMPOTENCY_KEY_REUSED`: the `idempotencyKey` already placed an order with another body. */
export class IdempotencyKeyReusedError extends ApiError {
  override name = 'IdempotencyKeyReusedError';
}

/** 429: too many calls, even after the library waited as `Retry-After` demands. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 5xx: the service failed. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

/** 503: the service cannot do this now. In response to an order request: it placed no order and will not. */
export class ServiceUnavailableError extends ServerError {
  override name = 'ServiceUnavailableError';
}

/**
 * The library could not find out whether the order was placed. At most one order exists. Call `lookUp`, or call `create`
 * again with the same body, `client_reference` and `idempotencyKey`. Neither places a second order.
 */
export class OutcomeUnknownError<Order = unknown> extends DigitalGoodsError {
  override name = 'OutcomeUnknownError';
  override mayHaveTakenEffect = true;

  constructor(
    readonly clientReference: string,
    readonly idempotencyKey: string,
    /** Looks up the order by its `client_reference`. Undefined if it does not exist (yet). */
    readonly lookUp: () => Promise<Order | undefined>,
    options: ErrorOptions,
  ) {
    super(
      `It is not known whether the order was placed. Look it up by its client_reference: ${clientReference}`,
      options,
    );
  }
}

/** The order is still open at the end of the timeout. The service continues to process it. */
export class WaitTimeoutError<Order = unknown> extends DigitalGoodsError {
  override name = 'WaitTimeoutError';

  constructor(
    /** The order as last read; undefined if no read succeeded. */
    readonly order: Order | undefined,
    options?: ErrorOptions,
  ) {
    super('The order is still open at the end of the timeout', options);
  }
}

/** The webhook is not from the service, is too old, or was changed in transit. Respond with 401. */
export class WebhookVerificationError extends DigitalGoodsError {
  override name = 'WebhookVerificationError';
}

const byCode = new Map<string, new (answer: ErrorAnswer) => ApiError>(
  Object.entries({
    VALIDATION_FAILURE: ValidationError,
    INSUFFICIENT_BALANCE: InsufficientBalanceError,
    DUPLICATE_CLIENT_REFERENCE: DuplicateClientReferenceError,
    PRICE_CHANGED: PriceChangedError,
  }),
);

const byStatus: Readonly<Record<number, new (answer: ErrorAnswer) => ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: IdempotencyKeyReusedError,
  429: RateLimitError,
  503: ServiceUnavailableError,
};

/** Returns the error of the class that fits the response. */
export function apiError(answer: ErrorAnswer): ApiError {
  const ErrorClass =
    byCode.get(answer.code) ?? byStatus[answer.status] ?? (answer.status >= 500 ? ServerError : ApiError);
  return new ErrorClass(answer);
}

/** Whether a retry of the same call may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return [408, 429, 502, 503, 504].includes(error.status);
  return error instanceof ConnectionError;
}

/** The seconds of a `Retry-After` header, which holds seconds or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
