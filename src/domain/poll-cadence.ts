/** How often something at a supplier is polled, and how a poll says that nothing has changed. */

/**
 * The interval between two polls is `everyMs` of the first phase whose `untilMs` exceeds the age of what is polled, and `laterMs` if
 * there is none.
 */
export interface Cadence {
  readonly phases: readonly { readonly untilMs: number; readonly everyMs: number }[];
  readonly laterMs: number;
}

/** The interval between polls at this age. The age is negative if a clock was ahead and has been corrected. */
export function pollIntervalMs({ phases, laterMs }: Cadence, ageMs: number): number {
  return phases.find(({ untilMs }) => Math.abs(ageMs) < untilMs)?.everyMs ?? laterMs;
}

/** Lengthens a wait by up to a fifth (`chance`: 0 to 1), so that what began together is not polled together. */
export function spread(waitMs: number, chance: number): number {
  return Math.round(waitMs * (1 + chance / 5));
}

/** Where operators see the polls that the activity repeats. */
export const pendingPolls = (activity: string) =>
  `- Next poll, and the result of the last one: \`${activity}\` under "Pending Activities". Sooner if the supplier sends an update`;

/**
 * The failure type of a poll that found no change. Temporal repeats the poll by its retries, which write no events.
 * docs/decisions/0012-poll-by-retries-of-one-activity.md.
 */
export const unchangedType = 'Unchanged';
