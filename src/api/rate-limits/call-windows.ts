/** What counts calls: a rolling window for each key. */

/** A call is counted until so many milliseconds have passed since it came. */
export const WINDOW_MS = 60_000;

/** What became of a call. */
export interface Taken {
  /** False if the window was full: such a call is not counted. */
  isAdmitted: boolean;
  /** Calls that would be admitted now; 0 also where more was counted than the limit allows. */
  remaining: number;
  /** Milliseconds until there is one more of them; the whole window where nothing is counted. */
  nextInMs: number;
}

export interface CallWindows {
  /** Counts a call where fewer than `limit` (from 1) of the key were counted in the last minute; one step, whoever else counts. */
  take(key: string, limit: number): Taken | Promise<Taken>;
  /** Counts so many more calls (from 1) of the key, also beyond the limit: what an admitted call costs beside itself. */
  add(key: string, limit: number, calls: number): Taken | Promise<Taken>;
  /** What `take` would see, without counting. */
  look(key: string, limit: number): Taken | Promise<Taken>;
}
