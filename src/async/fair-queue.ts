/**
 * Work that would hold up others takes turns: of what comes, in its order, so many pieces are under way as `most` allows
 * whenever one begins or ends.
 */
export function limitConcurrency(
  most: () => number,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const begin = () => {
    while (waiting.length > 0 && underWay < most()) {
      underWay++;
      waiting.shift()?.();
    }
  };
  return async (work) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      begin();
    });
    try {
      return await work();
    } finally {
      underWay--;
      begin();
    }
  };
}
