/** What can go wrong, one class for each thing a caller may want to tell apart. */
import type { ErrorCode } from './models.ts';

/** Every error this library throws of its own. What a caller's own `signal` was aborted with is thrown as it is. */
export class DigitalGoodsError extends Error {
  override name = 'DigitalGoodsError';
  /** True where the call may have been carried out all the same; false where it certainly was not. */
  mayHaveTakenEffect = false;
}

/** There was no whole answer: the service could not be reached, or the connection broke. */
export class ConnectionError extends DigitalGoodsError {
  override name = 'ConnectionError';

  constructor(message: string, mayHaveTakenEffect: boolean, options?: ErrorOptions) {
    super(message, options);
    this.mayHaveTakenEffect = mayHaveTakenEffect;
  }
}

/** There was no answer in the time a call is given. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** What an error answer holds. */
export interface ErrorAnswer {
  status: number;
  /** Of the error envelope; empty where something between us and the service answered. */
  code: ErrorCode | '';
  message: string;
  headers: Headers;
}

/** The service answered with an error. docs/specification.md#errors. */
export class ApiError extends DigitalGoodsError {
  override name = 'ApiError';
  readonly status: number;
  /** The `code` of the error envelope, to branch on; empty where a proxy answered instead of the service. */
  readonly code: ErrorCode | '';
  /** `X-Request-Id` of the answer: name it when you ask us about the call. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again, where the answer tells. */
  readonly retryAfter: number | undefined;

  constructor({ status, code, message, headers }: ErrorAnswer) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfter = secondsOf(headers.get('retry-after'));
    this.mayHaveTakenEffect = status >= 500;
  }
}

/** 400: the call does not hold; `code` tells what of it. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError';
}

/** 400 `VALIDATION_FAILURE`: a field of the body, or an id, does not hold; `message` names it. */
export class ValidationError extends BadRequestError {
  override name = 'ValidationError';
}

/** 400 `INSUFFICIENT_BALANCE`: the wallet cannot pay for the order. Nothing has moved. */
export class InsufficientBalanceError extends BadRequestError {
  override name = 'InsufficientBalanceError';
}

/** 400 `DUPLICATE_CLIENT_REFERENCE`: another create made an order with this `client_reference`. */
export class DuplicateClientReferenceError extends BadRequestError {
  override name = 'DuplicateClientReferenceError';
  /** Path of the order that has the reference, such as `/api/v1/orders/17`. */
  readonly orderPath: string | undefined;

  constructor(answer: ErrorAnswer) {
    super(answer);
    this.orderPath = answer.headers.get('location') ?? undefined;
  }
}

/** 401: wrong API key or secret, or a session that could not be renewed. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 403: the client is suspended, its API key is revoked, or it may not order from this address. */
export class PermissionDeniedError extends ApiError {
  override name = 'PermissionDeniedError';
}

/** 404: there is no such thing, or it is another client's. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409: something of the same kind is under way; `code` tells what. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** 422 `IDEMPOTENCY_KEY_REUSED`: the `idempotencyKey` made an order by another body. */
export class IdempotencyKeyReusedError extends ApiError {
  override name = 'IdempotencyKeyReusedError';
}

/** 429: too many calls, also after the waits that `Retry-After` asked for. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 5xx: the service's own trouble. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

/** 503: the service cannot do this now. To a create: there is no order, and none will come of it. */
export class ServiceUnavailableError extends ServerError {
  override name = 'ServiceUnavailableError';
}

/**
 * Whether the order was placed could not be found out. It exists once or not at all. Ask again with `lookUp`, or call
 * `create` again with the same body, `client_reference` and `idempotencyKey`, which never makes a second order.
 */
export class OutcomeUnknownError<Order = unknown> extends DigitalGoodsError {
  override name = 'OutcomeUnknownError';
  override mayHaveTakenEffect = true;

  constructor(
    readonly clientReference: string,
    readonly idempotencyKey: string,
    /** Looks for the order by its `client_reference`; undefined where there is none (yet). */
    readonly lookUp: () => Promise<Order | undefined>,
    options: ErrorOptions,
  ) {
    super(
      `It is not known whether the order was placed. Look it up by its client_reference: ${clientReference}`,
      options,
    );
  }
}

/** The order has not ended in the time that was to be waited. It goes on. */
export class WaitTimeoutError<Order = unknown> extends DigitalGoodsError {
  override name = 'WaitTimeoutError';

  constructor(
    /** The order as it was last seen; undefined where it could not be read. */
    readonly order: Order | undefined,
    options?: ErrorOptions,
  ) {
    super('The order has not ended in the time it was waited for', options);
  }
}

/** A webhook that is not from the service, is too old, or was changed on its way. Answer it with 401. */
export class WebhookVerificationError extends DigitalGoodsError {
  override name = 'WebhookVerificationError';
}

const byCode: Readonly<Record<string, new (answer: ErrorAnswer) => ApiError>> = {
  VALIDATION_FAILURE: ValidationError,
  INSUFFICIENT_BALANCE: InsufficientBalanceError,
  DUPLICATE_CLIENT_REFERENCE: DuplicateClientReferenceError,
};

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

/** The error of the class that an answer belongs to. */
export function apiError(answer: ErrorAnswer): ApiError {
  const ErrorClass =
    byCode[answer.code] ?? byStatus[answer.status] ?? (answer.status >= 500 ? ServerError : ApiError);
  return new ErrorClass(answer);
}

/** Whether the same call may succeed a little later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return [408, 429, 502, 503, 504].includes(error.status);
  return error instanceof ConnectionError;
}

/** Seconds of a `Retry-After`, which also may be a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
