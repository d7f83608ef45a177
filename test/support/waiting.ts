import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until there is an answer; fails where none comes in time. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, seconds = 30): Promise<T> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(100);
  }
}
