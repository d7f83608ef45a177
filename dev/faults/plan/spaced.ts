import type { Random } from '../random';

/** When the first one starts, and the bounds of the wait between two of them, in milliseconds. */
interface Spacing {
  first: number;
  shortestPause: number;
  longestPause: number;
}

/** What `plan` makes again and again until the run ends, each with the milliseconds after which it starts. */
export function spaced<Planned extends object>(
  random: Random,
  seconds: number,
  { first, shortestPause, longestPause }: Spacing,
  plan: () => Planned,
): (Planned & { at: number })[] {
  const planned: (Planned & { at: number })[] = [];
  for (let at = first; at < seconds * 1_000; at += random.whole(shortestPause, longestPause))
    planned.push({ at, ...plan() });
  return planned;
}
