/** Finds and ends processes that an earlier run of the stack left behind. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process with its command line, because another process may have its number by now. */
export interface ProcessRecord {
  pid: number;
  command: string;
}

/** The command line of a running process; undefined if it has ended. */
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

/** The record of a running process. */
export function recordOf(pid: number): ProcessRecord {
  return { pid, command: commandLine(pid) ?? '' };
}

/** Whether exactly the recorded process still runs. */
export function isRunning({ pid, command }: ProcessRecord): boolean {
  return command !== '' && commandLine(pid) === command;
}

/** Ends a recorded process: sends `signal`, waits up to `graceMs`, then kills it. */
export async function end(record: ProcessRecord, graceMs: number, signal: NodeJS.Signals): Promise<void> {
  const deadline = Date.now() + graceMs;
  if (isRunning(record)) process.kill(record.pid, signal);
  while (isRunning(record) && Date.now() < deadline) await sleep(50);
  while (isRunning(record)) {
    process.kill(record.pid, 'SIGKILL');
    await sleep(50);
  }
}
