/** The priority of a process that gives way to all others. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const LOWEST = constants.priority.PRIORITY_LOW;

/**
 * Gives every thread of this process the lowest priority. Threads that start later inherit it. On Linux, processes of different
 * sessions share the processors by their autogroups, whatever the priority of their threads, so the autogroup of the session gets
 * the priority, too.
 */
export function lowerPriority(): void {
  setPriority(LOWEST);
  // A thread that has not been reached yet may start another one.
  for (let left = threads(); left.length > 0; left = threads().filter((id) => getPriority(id) < LOWEST)) {
    for (const thread of left) setPriority(thread, LOWEST);
  }
  lowerAutogroup();
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
    if (sessionId() === process.pid) writeFileSync('/proc/self/autogroup', String(LOWEST));
  } catch {
    // There are no autogroups on other systems, and in most containers they have no effect.
  }
}

/** The id of the session's leader. */
function sessionId(): number {
  const afterName = readFileSync('/proc/self/stat', 'utf8').replace(/^.*\) /, '');
  return Number(afterName.split(' ')[3]);
}
