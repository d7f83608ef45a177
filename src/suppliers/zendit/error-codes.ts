/** The meanings of Zendit's error codes and purchase states, according to its Node SDK 1.9.0 and its error guide. */
import type { FailureCode } from '../../domain/orders/failure-codes';
import type { Meaning } from '../kit/http';
import { byWord } from '../../domain/by-word';

/** The only documented code inside a purchase that failed: our wallet is empty. */
export const INSUFFICIENT_FUNDS = 'INSUFFICIENT_FUNDS';
/** As the response to a purchase: the offer is unknown or disabled. As the response to a lookup: no such purchase exists. */
export const ZENDIT_NOT_FOUND = 'NOT_FOUND';
/** The body of the request is wrong. The `fields` of the error say where. */
export const INVALID_REQUEST = 'INVALID_REQUEST';

/** The meaning of the code of an error response. */
interface CodeMeaning {
  meaning: Extract<Meaning['meaning'], 'rejected' | 'account-blocked'>;
  /** The lowest and the highest status with which Zendit sends the code. */
  statuses: readonly [number, number];
  failureCode?: FailureCode;
}

/**
 * The codes that prove that nothing was bought. SYSTEM_UNAVAILABLE (503) is missing: it leaves open whether the purchase ran.
 * The error guide mentions further codes for providers and recipients, but does not list them.
 */
export const errorCodes: Readonly<Record<string, CodeMeaning>> = byWord({
  NOT_AUTHORIZED: { meaning: 'account-blocked', statuses: [401, 401] },
  FORBIDDEN: { meaning: 'account-blocked', statuses: [403, 403] },
  [INVALID_REQUEST]: { meaning: 'rejected', statuses: [400, 499], failureCode: 'UNKNOWN' },
  [ZENDIT_NOT_FOUND]: { meaning: 'rejected', statuses: [404, 404], failureCode: 'PRODUCT_UNAVAILABLE' },
});

/** Every code that messages may name. */
export const codes: readonly string[] = [...Object.keys(errorCodes), INSUFFICIENT_FUNDS, 'SYSTEM_UNAVAILABLE'];

/** The meanings of purchase states. Every other state is unknown. One page of Zendit's writes FAIL for FAILED. */
const states = {
  ACCEPTED: 'open',
  PENDING: 'open',
  AUTHORIZED: 'open',
  IN_PROGRESS: 'open',
  DONE: 'done',
  FAILED: 'failed',
  FAIL: 'failed',
} as const;

export type StateMeaning = (typeof states)[keyof typeof states];

const meanings = byWord<StateMeaning>(states);

/** The meaning of a state; undefined for a state that Zendit does not document. */
export function meaningOf(state: string): StateMeaning | undefined {
  return meanings[state];
}
