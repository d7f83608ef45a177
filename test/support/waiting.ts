import { setTimeout as sleep } from 'node:timers/promises';
import { rows, type Database } from '../../src/data/database/database';

/** The most that passes between two questions, in milliseconds. What is awaited mostly comes sooner. */
const LONGEST_PAUSE_MS = 100;

/** Asks again and again until there is an answer; fails where none comes in time. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, seconds = 30): Promise<T> {
  const deadline = Date.now() + seconds * 1_000;
  for (let pause = 10; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(pause);
  }
}

/** Returns once so many statements, whose text holds `text`, wait for a lock in the database. */
export async function lockWaits(database: Database, statements: number, text = ''): Promise<void> {
  await until('statements that wait', async () => {
    const found = await rows(
      database,
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $text) > 0`,
      { text },
    );
    return found.length >= statements ? true : undefined;
  });
}
