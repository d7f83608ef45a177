import { setTimeout as sleep } from 'node:timers/promises';

/** The longest pause between two checks, in milliseconds. A check is mostly a request, and many tests wait at once. */
const MAX_PAUSE_MS = 300;

/** Repeats the check until it returns a value other than false. Throws after the time limit. */
export async function until<T>(what: string, check: () => Promise<T | false | undefined>, seconds = 30): Promise<T> {
  const deadline = Date.now() + seconds * 1_000;
  for (let pause = 10; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    const answer = await check();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(pause);
  }
}
