import { setTimeout as sleep } from 'node:timers/promises';

/** What `within` gives where the time was over first. */
export const unanswered = Symbol('no answer yet');

/** The promise's value, or `unanswered` when the time (milliseconds) is over first. */
export async function within<T>(promise: Promise<T>, time: number): Promise<T | typeof unanswered> {
  const timer = new AbortController();
  const timeUp = sleep<typeof unanswered>(Math.max(0, time), unanswered, {
    signal: timer.signal,
    ref: false,
  });
  timeUp.catch(() => undefined);
  try {
    return await Promise.race([promise, timeUp]);
  } finally {
    timer.abort();
  }
}
