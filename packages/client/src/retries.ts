/** When a failed call is retried. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from './errors.ts';
import type { CancelSignal } from './platform.ts';

/** Doubles with each retry, up to `MAX_WAIT_MS`. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;
/** A longer `Retry-After` is an error. The rate limits of the service demand at most 60 s. */
const MAX_RETRY_AFTER_MS = 60_000;

/** The wait before retry 0, 1, ...: exponential, with jitter that spreads callers which failed together. */
export function backoffMs(retry: number): number {
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** retry) * (0.5 + Math.random() / 2);
}

/** Returns the wait in milliseconds after an error; undefined if the service demands more than `MAX_RETRY_AFTER_MS`. */
export function waitAfter(error: unknown, retry: number): number | undefined {
  const retryAfterMs = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
  if (retryAfterMs > MAX_RETRY_AFTER_MS) return undefined;
  // Never earlier than demanded, and not all callers at the same moment.
  return retryAfterMs > 0 ? retryAfterMs + backoffMs(0) : backoffMs(retry);
}

/** Waits. Throws the reason of the signal as soon as it is aborted. */
export async function pause(ms: number, signal: CancelSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Runs until it succeeds, an error may not be repeated, or `maxRetries` is reached. */
export async function withRetries<T>(
  run: () => Promise<T>,
  mayRepeat: (error: unknown) => boolean,
  { maxRetries, signal }: { maxRetries: number; signal: CancelSignal | undefined },
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await run();
    } catch (error) {
      const wait = waitAfter(error, retry);
      if (retry >= maxRetries || wait === undefined || !mayRepeat(error)) throw error;
      await pause(wait, signal);
    }
  }
}
