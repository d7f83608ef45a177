/** The error bodies of Airalo, which have three shapes. */
import { StatedError } from '../kit/errors';
import type { RateLimit } from '../kit/rate-limit';

/** Becomes a response with this status and body. */
export class ApiError extends StatedError {
  constructor(
    readonly status: number,
    readonly body: object,
    readonly reason: string,
    override readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(reason);
  }

  /**
   * Whether the response leaves open if a purchase ran: 5xx and code 53, according to the section "What an answer to an order
   * means". The fake runs such a purchase, because that is the harder case for the buyer.
   */
  get isUnclear(): boolean {
    return this.status >= 500 || ('code' in this.body && this.body.code === 53);
  }
}

/** The reasons of the documented codes. The documentation gives their meaning, but not their exact text. */
const reasons: Readonly<Record<number, string>> = {
  11: 'Insufficient Airalo credit',
  13: 'The operator is currently undergoing maintenance. Please try again later.',
  14: 'Invalid checksum',
  23: 'The top-up is switched off by the operator.',
  33: 'Insufficient stock of eSIMs remaining.',
  34: 'The requested eSIM package is invalid or it is currently out of stock.',
  43: 'Bad request',
  53: 'Something unexpected happened. Please try again later.',
  73: 'The iccid has been recycled.',
  89: 'The IP address is not on the allow list.',
};

/** The business shape: `{code, reason}` with 422, and code 89 with 403. */
export function businessError(code: number, status = code === 89 ? 403 : 422): ApiError {
  const reason = reasons[code] ?? `Error ${code}`;
  return new ApiError(status, { code, reason }, reason);
}

/** The validation shape: `{data: {<field>: <text>}, meta: {message}}` with 422. */
export function validationError(data: Readonly<Record<string, string>>, status = 422): ApiError {
  const reason = Object.values(data).join(' ');
  return new ApiError(status, { data, meta: { message: 'the parameter is invalid' } }, reason);
}

/** Counts a call. Throws 429 with `Retry-After` if `limit` calls of the key ran within the window. */
export function checkLimit(limits: RateLimit, key: string, limit: number, windowMs: number): void {
  const { waitMs } = limits.take(key, limit, windowMs);
  if (waitMs !== undefined) throw rateError(waitMs);
}

/** The shape of limits: `{message}` with 429 and `Retry-After`. */
function rateError(waitMs: number): ApiError {
  const message = 'Too Many Attempts.';
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new ApiError(429, { message }, message, { 'Retry-After': String(seconds) });
}

/** An error with 401, 404, 429 or 5xx. Most have no documented body, so the fake uses the shape without a code. */
export function statusError(status: number, message = messages[status] ?? `Error ${status}`): ApiError {
  return status === 429 ? rateError(1_000) : new ApiError(status, { message }, message);
}

const messages: Readonly<Record<number, string>> = {
  401: 'Unauthenticated.',
  404: 'Not Found',
  500: 'Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export const packageInvalid = 'The selected package id is invalid.';

const fieldTexts: Readonly<Record<string, string>> = {
  package_id: packageInvalid,
  quantity: stockText(9),
  iccid: 'The selected iccid is invalid.',
};

/** The text of a validation error about the stock. */
export function stockText(available: number): string {
  return `SIM quantity is not available. Available quantity: ${available}.`;
}

/**
 * The error of a mode or of a test package. A number below 400 is a code, and a larger number is an HTTP status. Any other word is
 * the field of a validation error. `200:34` is the error of code 34 with the status 200, as in some documented samples.
 */
export function errorOf(word: string): ApiError {
  const [, under200, rest = word] = /^(200:)?(.*)$/s.exec(word) ?? [];
  const error = errorOfWord(rest);
  return under200 === undefined ? error : new ApiError(200, error.body, error.reason);
}

function errorOfWord(word: string): ApiError {
  if (!isNumber(word)) return validationError({ [word]: fieldTexts[word] ?? `The ${word} is invalid.` });
  const number = Number(word);
  // The documentation has 403 only with code 89.
  if (number === 403) return businessError(89);
  return number >= 400 && number <= 599 ? statusError(number) : businessError(number);
}

/** Whether the word of a mode is a code or an HTTP status, and not a state or a field. */
export function isErrorCode(word: string): boolean {
  return isNumber(word.replace(/^200:/, ''));
}

function isNumber(word: string): boolean {
  return /^\d+$/.test(word);
}
