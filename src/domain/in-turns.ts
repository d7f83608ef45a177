/** Work on many things that must hold up nobody: large lists take turns, a slice in each turn of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Things that are worked on in one turn: about a millisecond's work where each has a few values to be sealed. */
const SLICE = 25;

/** Whether a list is worked on in several turns. */
export const isLong = (list: readonly unknown[]): boolean => list.length > SLICE;

/** The last slice that was given a turn, of whichever list of this process. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Maps a list in order. One that is longer than a slice lets everything else in the process go on in between, other
 * such lists included: of all of them together one slice is worked on in a turn.
 */
export async function mapInTurns<From, To>(list: readonly From[], map: (one: From) => To): Promise<To[]> {
  if (!isLong(list)) return list.map(map);
  const mapped: To[] = [];
  for (let from = 0; from < list.length; from += SLICE) {
    await (last = last.then(() => nextTurn()));
    for (const one of list.slice(from, from + SLICE)) mapped.push(map(one));
  }
  return mapped;
}

/** Runs work of which at most so many are under way at once; what comes later waits in line. */
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
