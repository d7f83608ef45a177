/** How long the service tries to deliver a mail. Then the mail is put on the attention list. */
import { day, hour, minute, second } from '../time';

/** `attemptMs`: the limit of one attempt. Retries wait from `firstRetryMs` up to `maxRetryMs`, until `givenUpAfterMs`. */
export const mailRetries = {
  attemptMs: hour,
  givenUpAfterMs: day,
  firstRetryMs: 5 * second,
  maxRetryMs: 15 * minute,
} as const;
