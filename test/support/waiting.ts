import { setTimeout as sleep } from 'node:timers/promises';

/** The longest pause between two checks, in milliseconds. Most conditions are met sooner. */
const MAX_PAUSE_MS = 100;

/** Repeats the check until it returns a value. Throws after the time limit. */
export async function until<T>(what: string, check: () => Promise<T | undefined>, seconds = 30): Promise<T> {
  const deadline = Date.now() + seconds * 1_000;
  for (let pause = 10; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    const answer = await check();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(pause);
  }
}
