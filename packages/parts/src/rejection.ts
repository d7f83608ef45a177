/** Why a call failed, as pages show it. */
import { ApiError, DigitalGoodsError, type ErrorAnswer } from '../../client/src/errors.ts';

/** The text that the page shows, and the field or parameter that is to blame, if it is one. */
export interface Rejection {
  text: string;
  param: string | undefined;
  /** The page where the person gives the second factor again, if the call needs it. */
  secondFactorPage: string | undefined;
}

/** A call that needs the second factor again. */
export class SecondFactorNeeded extends ApiError {
  constructor(
    answer: ErrorAnswer,
    readonly page: string,
  ) {
    super(answer);
  }
}

export function rejectionOf(error: unknown): Rejection {
  return {
    text: messageOf(error),
    param: error instanceof ApiError ? error.param : undefined,
    secondFactorPage: error instanceof SecondFactorNeeded ? error.page : undefined,
  };
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
