/** Why a call failed, as pages show it. */
import { ApiError, DigitalGoodsError } from '../../client/src/errors.ts';

/** The text that the page shows, and the field or parameter that is to blame, if it is one. */
export interface Rejection {
  text: string;
  param: string | undefined;
}

export function rejectionOf(error: unknown): Rejection {
  return { text: messageOf(error), param: error instanceof ApiError ? error.param : undefined };
}

/** Whether the service cannot be reached or cannot answer now, so that the same call may succeed later. */
export function isOutage(error: unknown): boolean {
  return error instanceof ApiError ? error.status >= 500 : error instanceof DigitalGoodsError;
}

/** Returns the text that the page shows for an error. */
export function messageOf(error: unknown): string {
  if (error instanceof DigitalGoodsError && !(error instanceof ApiError))
    return 'The service cannot be reached. Try again in a moment.';
  return error instanceof Error ? error.message : String(error);
}
