import { setTimeout as sleep } from 'node:timers/promises';

/** Does the work, waits so many milliseconds, and does it again, until the signal aborts. Ends with the first failure. */
export async function repeatUntil(
  stopping: AbortSignal,
  pauseMs: number,
  work: () => Promise<unknown>,
): Promise<void> {
  while (!stopping.aborted) {
    await work();
    await sleep(pauseMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }
}
