/**
 * SQL: whether a rate still exists. With RATE_STOP_HOURS, an older one does not. Statements bind `rateStopOf`.
 * Rule: the age at which a rate does not count any more
 */

/** SQL: whether the rate exists. `rate`: the name of the row in the statement, never input. */
export const rateExists = (rate: string): string =>
  `($rateStopHours::integer IS NULL OR ${rate}.as_of > now() - $rateStopHours * interval '1 hour')`;

/** SQL: in how many milliseconds the rate ends; null if it never does. */
export const rateEndsInMs = (rate: string): string =>
  `floor(extract(epoch FROM ${rate}.as_of + $rateStopHours::integer * interval '1 hour' - now()) * 1000)::bigint`;
