/** Taking times and making figures of them. */

/** The middle of the figures. */
export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

/** The figure below which the share (0 to 1) of all figures lies. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** How long the work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The time of each run, one run after the other. */
export async function latencies(work: () => Promise<unknown>, runs: number): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await timed(work));
  return times;
}

/** Runs a second when so many clients each run the work so many times, one run after the other. */
export async function throughput(
  work: () => Promise<unknown>,
  clients: number,
  runs: number,
): Promise<number> {
  const all = () => Promise.all(Array.from({ length: clients }, () => latencies(work, runs)));
  return (clients * runs * 1_000) / (await timed(all));
}

/** `1.52 x (target below 2.00): met` */
export function verdict(ratio: number, target: number, wanted: 'below' | 'above'): string {
  const isMet = wanted === 'below' ? ratio < target : ratio > target;
  return `${ratio.toFixed(2)} x (target ${wanted} ${target.toFixed(2)}): ${isMet ? 'met' : 'MISSED'}`;
}
