/** When a call that failed is tried again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from './errors.ts';

/** Doubled each time up to the longest. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** A service that asks to be left alone for longer is reported instead. Its own rate limits ask for 60 s at most. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** The wait before retry 0, 1, ...: exponential, with jitter, so that callers that failed together do not come back together. */
export function backoffMs(retry: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retry) * (0.5 + Math.random() / 2);
}

/** The wait that is due after this error; undefined where the service asks for one that is too long to be waited. */
export function waitAfter(error: unknown, retry: number): number | undefined {
  const retryAfterMs = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
  if (retryAfterMs > LONGEST_RETRY_AFTER_MS) return undefined;
  // Never sooner than asked, and not all at the same moment.
  return retryAfterMs > 0 ? retryAfterMs + backoffMs(0) : backoffMs(retry);
}

/** Waits; throws at once what the signal is aborted with. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Runs until it succeeds, fails in a way that may not be repeated, or has been repeated often enough. */
export async function withRetries<T>(
  run: () => Promise<T>,
  mayRepeat: (error: unknown) => boolean,
  { maxRetries, signal }: { maxRetries: number; signal: AbortSignal | undefined },
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
