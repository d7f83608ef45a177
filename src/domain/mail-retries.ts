/**
 * How long the service tries to deliver a mail, and when the mail server counts as failing.
 * Rule: how long a mail is tried, and when the mail server counts as failing
 */
import { day, hour, minute, second } from './time';

/**
 * `attemptMs`: the limit of one attempt. Retries wait from `firstRetryMs` up to `maxRetryMs`. After `givenUpAfterMs`, the mail is put
 * on the attention list.
 */
export const mailRetries = {
  attemptMs: hour,
  givenUpAfterMs: day,
  firstRetryMs: 5 * second,
  maxRetryMs: 15 * minute,
} as const;

/**
 * A server that has accepted no mail for `listedAfterMs` is on the attention list. A failure `newAfterMs` after the previous one
 * begins a new outage: longer than the wait before a retry and an attempt at a server that is silent for 10 minutes.
 */
export const mailOutages = { listedAfterMs: 10 * minute, newAfterMs: 30 * minute } as const;
