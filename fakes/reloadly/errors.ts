/** Reloadly's error codes, and its two error bodies. */
import { plainTime } from '../kit/times';
import type { ErrorRequestHandler, RequestHandler } from 'express';

/** An error that becomes Reloadly's error body with this status. `code` may be null, as in the documentation. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string | null,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** The statuses that the documentation names, by code. */
const statuses: Readonly<Record<string, number>> = {
  INVALID_CREDENTIALS: 401,
  INVALID_TOKEN: 401,
  TOKEN_EXPIRED: 401,
  MISSING_TOKEN: 401,
  COULD_NOT_AUTO_DETECT_OPERATOR: 404,
  INVALID_PRODUCT: 404,
  // The documentation names the code without a status, and 404 for unknown transactions without a code.
  TRANSACTION_NOT_FOUND: 404,
  COUNTRY_NOT_SUPPORTED: 409,
  INSUFFICIENT_WALLET_BALANCE: 409,
  FX_RATE_NOT_AVAILABLE: 500,
  TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT: 500,
  OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE: 503,
};

/** The status of every other code. The documentation shows no other status for them. */
const usualStatus = 400;

/** The error for a code, with the status that belongs to it. */
export function apiError(code: string, message = sentenceOf(code)): ApiError {
  return new ApiError(statuses[code] ?? usualStatus, code, message);
}

/**
 * The error for a code of the mode `rejects`. A number from 400 to 599 is a status whose body has a null code.
 * The 429 has the headers that the official SDK reads.
 */
export function rejectionOf(code: string): ApiError {
  if (!/^[45]\d\d$/.test(code)) return apiError(code);
  if (code !== '429') return new ApiError(Number(code), null, 'The request cannot be processed.');
  // The unit of Reset is not known. A buyer that takes this time for seconds to wait would wait for decades.
  const resetAt = Math.ceil(Date.now() / 1_000) + 1;
  return new ApiError(429, null, 'Too many requests.', {
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(resetAt),
  });
}

/** The error body of the product hosts. */
export function errorBody({ code, message }: ApiError, path: string): object {
  return { timeStamp: plainTime(Date.now()), message, path, errorCode: code, infoLink: null, details: [] };
}

/** `Phone recently recharged.` for `PHONE_RECENTLY_RECHARGED`. */
export function sentenceOf(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Answers 404 with the other body to requests without a route. */
export const unknownPath: RequestHandler = (request, response) => {
  response
    .status(404)
    .json({
      timestamp: new Date().toISOString(),
      status: 404,
      error: 'Not Found',
      message: 'No message available',
      path: request.path,
    });
};

/** Answers every error with Reloadly's error body. Logs internal errors. */
export const answerErrors: ErrorRequestHandler = (thrown: unknown, request, response, next) => {
  if (response.headersSent) return next(thrown);
  const error = asApiError(thrown);
  response.status(error.status).set(error.headers).json(errorBody(error, request.path));
};

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // Express and its body parser mark the caller's errors. The code for them is not known.
  const status = thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : 500;
  if (status >= 400 && status < 500) return new ApiError(status, null, 'The request cannot be read.');
  console.error(thrown);
  return new ApiError(500, null, 'An internal error occurred.');
}
