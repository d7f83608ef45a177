/**
 * Shares the result of one run of the work among everybody who asks for it within so many milliseconds of its start. A
 * failure is shared, too.
 */
export function shareResultFor<Result>(forMs: number, work: () => Promise<Result>): () => Promise<Result> {
  let shared: Promise<Result> | undefined;
  let startedAt = -Infinity;
  return () => {
    if (!shared || performance.now() - startedAt >= forMs) {
      startedAt = performance.now();
      shared = work();
    }
    return shared;
  };
}
