/** Finding and ending processes that an earlier run of the stack left behind. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process as it was when it was started: a number alone may have gone to another process since. */
export interface ProcessRecord {
  pid: number;
  command: string;
}

/** The command line of a running process; undefined when there is none. */
export function commandLine(pid: number): string | undefined {
  try {
    const line =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        : execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return line.trim() === '' ? undefined : line.trim();
  } catch {
    return undefined;
  }
}

/** The record of a process that runs now. */
export function recordOf(pid: number): ProcessRecord {
  return { pid, command: commandLine(pid) ?? '' };
}

/** Whether the recorded process itself is still there. */
export function isRunning({ pid, command }: ProcessRecord): boolean {
  return command !== '' && commandLine(pid) === command;
}

/** Ends a recorded process: asks, waits up to `graceMs`, then kills. */
export async function end(record: ProcessRecord, graceMs: number, signal: NodeJS.Signals): Promise<void> {
  const deadline = Date.now() + graceMs;
  if (isRunning(record)) process.kill(record.pid, signal);
  while (isRunning(record) && Date.now() < deadline) await sleep(50);
  while (isRunning(record)) {
    process.kill(record.pid, 'SIGKILL');
    await sleep(50);
  }
}
