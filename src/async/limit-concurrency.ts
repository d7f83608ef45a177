/** Limits how many pieces of work run concurrently. */

/**
 * Runs work in order of arrival, at most `max` pieces at a time. A piece that calls `free` lets the next one begin, and continues.
 */
export function limitConcurrency(
  max: number,
): <Result>(work: (free: () => void) => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const begin = () => {
    while (waiting.length > 0 && running < max) {
      running++;
      waiting.shift()?.();
    }
  };
  return async (work) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      begin();
    });
    let isFree = false;
    const free = () => {
      if (isFree) return;
      isFree = true;
      running--;
      begin();
    };
    try {
      return await work(free);
    } finally {
      free();
    }
  };
}
