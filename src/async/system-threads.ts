/** Worker threads as the operating system knows them: their priority, and the time that they have used. Only Linux says so. */
import { readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/** The number of the thread that calls; 0 where the system has none. */
export function numberOfThread(): number {
  return process.platform === 'linux' ? Number(basename(readlinkSync('/proc/thread-self'))) : 0;
}

/** Lets the main thread run first if processors are few. */
export function lowerThreadPriority(): void {
  const thread = numberOfThread();
  if (thread !== 0) setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
}

/** Linux counts the time of threads in such parts of a second for every program, whatever its own clock. */
const TICK_MS = 10;

/** The time of the CPU that a thread of this process has used, in milliseconds; undefined where the system does not say. */
export async function cpuTimeOf(thread: number): Promise<number | undefined> {
  if (thread === 0) return undefined;
  const stat = await readFile(`/proc/self/task/${thread}/stat`, 'utf8').catch(() => '');
  // The name, in brackets, may have any characters. Behind it, the 12th and 13th fields are the ticks in the program and in the system.
  const [user, system] = stat
    .slice(stat.lastIndexOf(') ') + 2)
    .split(' ')
    .slice(11, 13);
  return user === undefined ? undefined : (Number(user) + Number(system)) * TICK_MS;
}
