/** Time limits and retries that the activities of several workflows share. */
import { mailRetries } from '../src/domain/mail-retries';

/** A short step, retried until the database answers. */
export const shortStep = {
  startToCloseTimeout: '20s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
} as const;

/** Mail. An attempt may take long, so heartbeats show whether the worker is alive. */
export const mail = {
  startToCloseTimeout: mailRetries.attemptMs,
  scheduleToCloseTimeout: mailRetries.givenUpAfterMs,
  heartbeatTimeout: '12s',
  retry: { initialInterval: mailRetries.firstRetryMs, maximumInterval: mailRetries.maxRetryMs },
} as const;
