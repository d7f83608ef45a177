/**
 * All errors that an API client can receive, with the messages of the envelope `{error: {name, code, message, param}}`.
 * `error-kinds.ts` has their statuses and codes. docs/specification.md#errors.
 */
import { errorKinds, type ErrorKey } from './error-kinds';
import type { Scope } from './clients/scopes';
import type { Family } from './orders/families';

interface ErrorDetails {
  headers?: Readonly<Record<string, string>> | undefined;
  param?: string | undefined;
  loggedMessage?: string | undefined;
}

/** An error for the API client, which receives its message and headers. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Response headers that belong to the error, such as `Retry-After` (seconds) or `Location`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The field or parameter that is to blame, if it is one: a name that the service knows, never text of the client. */
  readonly param: string | undefined;
  /** The message without text of the client, for the log of API requests. */
  readonly loggedMessage: string;

  constructor(
    readonly key: ErrorKey,
    message: string,
    { headers = {}, param, loggedMessage = message }: ErrorDetails = {},
  ) {
    super(message);
    const kind = errorKinds[key];
    this.name = kind.name;
    this.status = kind.status;
    this.code = kind.code;
    this.headers = headers;
    this.param = param;
    this.loggedMessage = loggedMessage;
  }

  /** The same error, which blames the field or parameter. */
  about(param: string): ApiError {
    const { headers, loggedMessage } = this;
    return new ApiError(this.key, this.message, { headers, loggedMessage, param });
  }

  /** The `Link` header of the error: the entry of its code in the clients' pages. */
  get helpLink(): string {
    return `</docs/errors#${this.code.toLowerCase()}>; rel="help"`;
  }

  /** The response body of the error. */
  envelope(): { error: { name: string; code: string; message: string; param?: string } } {
    const { name, code, message, param } = this;
    return { error: { name, code, message, ...(param !== undefined && { param }) } };
  }
}

const amountMessages: Readonly<Record<Family, string>> = {
  VOUCHER: 'Invalid denomination: not available for this product',
  TOPUP: 'Amount is not available for this product',
  ESIM: 'Amount is not available for this product',
};

/** The field of the amount that selects an item of the product. */
const amountFields: Readonly<Record<Family, string>> = { VOUCHER: 'denomination', TOPUP: 'amount', ESIM: 'amount' };

const amountRejected = (family: Family) =>
  new ApiError('validation', amountMessages[family], { param: amountFields[family] });

const retryAfter = (seconds: number) => ({ headers: { 'Retry-After': String(seconds) } });
const ofKey = { param: 'Idempotency-Key' };
const unavailable = 'Service temporarily unavailable';

/** Errors by cause. The contract fixes their messages. */
export const errors = {
  amountNotAvailable: (family: Family) =>
    family === 'ESIM'
      ? new ApiError('notFound', 'Variant not found', { param: amountFields.ESIM })
      : amountRejected(family),
  priceRoundsToZero: amountRejected,
  validation: (message: string, param?: string) => new ApiError('validation', message, { param }),
  /** The only message that quotes text of the client. */
  unknownInputField: (name: string) =>
    new ApiError('validation', `Unknown input field: ${name.slice(0, 64)}`, {
      param: 'input_data',
      loggedMessage: 'Unknown input field',
    }),
  badRequest: (message: string, param?: string) => new ApiError('badRequest', message, { param }),
  invalidQuery: (param?: string) => new ApiError('badRequest', 'Invalid query parameters', { param }),
  invalidBody: () => new ApiError('validation', 'Invalid request body'),
  invalidFeature: () => new ApiError('invalidFeature', 'The requested feature is not enabled for this client'),
  duplicateReference: (orderPath: string) =>
    new ApiError('duplicateReference', 'Duplicate client_reference', {
      headers: { Location: orderPath },
      param: 'client_reference',
    }),
  insufficientBalance: () => new ApiError('insufficientBalance', 'Insufficient wallet balance'),
  exchangeRateUnavailable: () =>
    new ApiError('exchangeRateUnavailable', 'Exchange rate not available for the wallet currency'),
  voucherNotRedeemable: () =>
    new ApiError('voucherNotRedeemable', 'Voucher cannot be redeemed', { param: 'redeem_voucher_code' }),
  esimNotRechargeable: () =>
    new ApiError('esimNotRechargeable', 'The eSIM cannot be recharged', { param: 'recharge_order_id' }),
  bulkLimitExceeded: (maximum: number) =>
    new ApiError('bulkLimitExceeded', `Quantity exceeds the maximum of ${maximum}`, { param: 'quantity' }),
  /** `total`: a decimal with the digits of the currency. */
  priceChanged: (total: string, currency: string) =>
    new ApiError('priceChanged', `The total is ${total} ${currency}`, { param: 'max_total_payable' }),
  nothingToClaim: () => new ApiError('claimNotPossible', 'The order has no delivered goods'),
  /** Only a voucher order has a unit to choose. */
  unitSettled: (family: Family) =>
    new ApiError('claimNotPossible', 'The unit was refunded or replaced', {
      param: family === 'VOUCHER' ? 'unit' : undefined,
    }),
  esimInstalled: () => new ApiError('claimNotPossible', 'The eSIM is installed already'),
  claimTooLate: () => new ApiError('claimTooLate', 'The time to claim goods of this product is over'),
  clientLimitExceeded: () => new ApiError('clientLimitExceeded', 'Daily limit of the account reached'),
  authorizationRequired: () => new ApiError('unauthorized', 'Authorization header required'),
  unauthorized: (message: string) => new ApiError('unauthorized', message),
  addressNotAllowed: () => new ApiError('forbidden', 'IP address not allowed'),
  conversionsDisabled: () => new ApiError('forbidden', 'Conversions are not enabled'),
  suspended: () => new ApiError('forbidden', 'Client is suspended'),
  scopeMissing: (scope: Scope) => new ApiError('forbidden', `API key lacks the scope ${scope}`),
  /** For a member in the console. */
  roleLacks: (scope: Scope) => new ApiError('forbidden', `Your role lacks the scope ${scope}`),
  /** For a member in the console. `Location` is the page that asks for it. */
  secondFactorNeeded: () =>
    new ApiError('forbidden', 'This needs your second factor again', {
      headers: { Location: '/identity/second-factor' },
    }),
  noTokenForMembers: () => new ApiError('forbidden', 'Members get no access token: use an API key'),
  apiKeyRevoked: () => new ApiError('forbidden', 'API key revoked'),
  sessionEnded: () => new ApiError('forbidden', 'Session ended'),
  readOnlyToken: () => new ApiError('forbidden', 'The access token permits only reads'),
  otherSite: () => new ApiError('forbidden', 'The request comes from another site'),
  notFound: (what: string, param?: string) => new ApiError('notFound', `${what} not found`, { param }),
  noMatch: () => new ApiError('notFound', 'No Matching Result Found!'),
  methodNotAllowed: (allowed: string) =>
    new ApiError('methodNotAllowed', 'Method not allowed', { headers: { Allow: allowed } }),
  idempotencyKeyInUse: () =>
    new ApiError('idempotencyKeyInUse', 'A request with this Idempotency-Key is in progress', ofKey),
  idempotencyKeyReused: () =>
    new ApiError('idempotencyKeyReused', 'Idempotency-Key was used with another request', ofKey),
  replayInProgress: () => new ApiError('replayInProgress', 'A replay of this endpoint is in progress'),
  tooManyReplays: (maximum: number) =>
    new ApiError('replayInProgress', `No more than ${maximum} replays can be in progress`),
  secretUnreadable: () =>
    new ApiError('secretUnreadable', 'The secret cannot be read any more. Rotate it to get a new one'),
  /** `message`: the current state. */
  notPossibleNow: (message: string) => new ApiError('notPossibleNow', message),
  malformedRequest: () => new ApiError('badRequest', 'Malformed request'),
  requestTimeout: () => new ApiError('requestTimeout', 'The request did not arrive in time'),
  headersTooLarge: () => new ApiError('headersTooLarge', 'Request headers are too large'),
  unknownMethod: () => new ApiError('methodNotAllowed', 'Method not allowed'),
  payloadTooLarge: () => new ApiError('payloadTooLarge', 'Request body is too large'),
  tooManyRequests: (seconds: number) =>
    new ApiError('tooManyRequests', `Rate limit exceeded. Retry after ${seconds} seconds.`, retryAfter(seconds)),
  internal: () => new ApiError('internal', 'Internal server error'),
  serviceUnavailable: (seconds = 2) => new ApiError('serviceUnavailable', unavailable, retryAfter(seconds)),
  /** Of one caller, at doors that limit running calls. */
  tooManyCalls: (seconds = 2) =>
    new ApiError('overloaded', 'Too many of your calls run. Repeat this one later.', retryAfter(seconds)),
  overloaded: (seconds = 2) => new ApiError('overloaded', unavailable, retryAfter(seconds)),
  noWorkers: (seconds: number) => new ApiError('noWorkers', unavailable, retryAfter(seconds)),
  /** For a probe: Temporal answers but has lost its workflows. */
  temporalEmptied: () => new ApiError('serviceUnavailable', 'Temporal was emptied', retryAfter(10)),
  outcomeUnknown: () => new ApiError('outcomeUnknown', 'Outcome unknown. Look the order up by client_reference'),
} as const;

/**
 * The errors of calls with an unexpired token whose access has ended. Keys: the reasons that the SQL function `access_refusal`
 * returns. Such a token may still read. docs/specification.md#authentication.
 */
export const accessErrors = {
  API_KEY_REVOKED: errors.apiKeyRevoked,
  CLIENT_SUSPENDED: errors.suspended,
  SESSION_ENDED: errors.sessionEnded,
} as const satisfies Readonly<Record<string, () => ApiError>>;

export type AccessRejection = keyof typeof accessErrors;

export function isAccessRejection(text: string): text is AccessRejection {
  return Object.hasOwn(accessErrors, text);
}
