/** Work that would hold up others takes turns: so many pieces of it at once, whatever comes later waits in line. */
export function inLine(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (work) => {
    if (underWay < most) underWay++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever is next takes this one's place.
      const next = waiting.shift();
      if (next) next();
      else underWay--;
    }
  };
}
