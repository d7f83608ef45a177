import { setTimeout as sleep } from 'node:timers/promises';

/** The longest pause between two checks in the first 3 s, and ever, in milliseconds. A check is mostly a request. */
const [SHORT_PAUSE_MS, LONG_PAUSE_MS] = [300, 1_000];

/** Repeats the check until it returns a value, with pauses of a tenth of the time so far. Throws after the time limit. */
export async function until<T>(what: string, check: () => Promise<T | undefined>, seconds = 30): Promise<T> {
  const began = Date.now();
  for (let pause = 10; ; pause *= 2) {
    const answer = await check();
    if (answer !== undefined) return answer;
    const waited = Date.now() - began;
    if (waited > seconds * 1_000) throw new Error(`${what}: not within ${seconds} s`);
    pause = Math.min(pause, Math.max(SHORT_PAUSE_MS, Math.min(waited / 10, LONG_PAUSE_MS)));
    await sleep(pause);
  }
}
