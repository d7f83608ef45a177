/** The priority of a process that gives way to all others. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Against a busy process of normal priority, this one gets a tenth of a CPU. With the lowest priority it would get 1.5 %: a
 * cancellation, which waits until the process has stopped buying, would then time out on a busy machine.
 */
const LOW = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Gives every thread of this process a low priority. Threads that start later inherit it. On Linux, processes of different
 * sessions share the CPUs by their autogroups, whatever the priority of their threads, so the autogroup of the session gets
 * the priority, too.
 */
export function lowerPriority(): void {
  lower(process.pid);
  // A thread that the first pass has not reached yet may start another one.
  for (let pass = 0; pass < 2; pass++) threads().forEach(lower);
  lowerAutogroup();
}

/** A process cannot raise a priority that is lower already. */
function lower(thread: number): void {
  try {
    if (getPriority(thread) < LOW) setPriority(thread, LOW);
  } catch {
    // The thread has ended.
  }
}

/** The ids of all threads; empty on other systems than Linux, where the priority is the process's. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [];
  }
}

/** The autogroup also holds the other processes of the session, so only the leader of a session of its own lowers it. */
function lowerAutogroup(): void {
  try {
    if (sessionId() === process.pid) writeFileSync('/proc/self/autogroup', String(LOW));
  } catch {
    // There are no autogroups on other systems, and in most containers they have no effect.
  }
}

/** The id of the session's leader. */
function sessionId(): number {
  const afterName = readFileSync('/proc/self/stat', 'utf8').replace(/^.*\) /, '');
  return Number(afterName.split(' ')[3]);
}
