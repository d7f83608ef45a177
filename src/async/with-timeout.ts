/** What `withTimeout` gives where the time was over first. */
export const timedOut = Symbol('timed out');

/**
 * The promise's value, or `timedOut` when the time (milliseconds, measured monotonically) is over or the
 * signal aborts first. The promise goes on; where it fails later nobody is told.
 */
export function withTimeout<T>(
  promise: Promise<T>,
  timeMs: number,
  signal?: AbortSignal,
): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    const giveUp = () => settle(() => resolve(timedOut));
    const timer = setTimeout(giveUp, Math.max(0, timeMs)).unref();
    const settle = (end: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      end();
    };
    signal?.addEventListener('abort', giveUp);
    promise.then(
      (value) => settle(() => resolve(value)),
      (error: Error) => settle(() => reject(error)),
    );
    if (signal?.aborted) giveUp();
  });
}
