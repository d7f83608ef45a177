/** CPU time and memory of processes, as the kernel counts them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;

interface Counted {
  parent: number;
  /** User and system time of the process and its ended children. */
  ms: number;
}

/**
 * Milliseconds of user and system time that the processes have used so far, with all their descendants. NaN if
 * the system does not report it: only Linux does.
 */
export function treesCpuMs(roots: readonly number[]): number {
  return sumOverTrees(roots, (_, { ms }) => ms);
}

/**
 * The memory of the processes and all their descendants in bytes. Each process counts its part of a shared page (PSS), so
 * that the sum over all processes is what the machine needs. NaN if the system does not report it, or not to this user.
 */
export function treesMemory(roots: readonly number[]): number {
  return sumOverTrees(roots, (pid) => pssOf(pid));
}

function sumOverTrees(roots: readonly number[], figure: (pid: number, counted: Counted) => number): number {
  if (!existsSync('/proc/self/stat')) return NaN;
  const all = new Map<number, Counted>();
  for (const entry of readdirSync('/proc')) {
    const counted = /^\d+$/.test(entry) ? counterOf(entry) : undefined;
    if (counted) all.set(Number(entry), counted);
  }
  const isOfTree = (pid: number): boolean => roots.includes(pid) || (pid > 1 && isOfTree(all.get(pid)?.parent ?? 0));
  return [...all].reduce((sum, [pid, counted]) => sum + (isOfTree(pid) ? figure(pid, counted) : 0), 0);
}

/** `Pss` of proc(5)'s smaps_rollup. */
function pssOf(pid: number): number {
  return bytesIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB$/m);
}

/** The size in a file of the kernel; NaN if this user cannot read it. */
function bytesIn(file: string, kilobytes: RegExp): number {
  try {
    return Number(kilobytes.exec(readFileSync(file, 'utf8'))?.[1]) * 1024;
  } catch {
    return NaN;
  }
}

/** Milliseconds that the threads of one process have run so far, to the microsecond: of each, the first figure of its `schedstat`. */
export function processCpuMs(pid: number): number {
  if (!existsSync('/proc/self/schedstat')) return NaN;
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(nanoseconds) / 1e6;
  }, 0);
}

/** Fields 4 and 14 to 17 of proc(5)'s stat, counted after the name; undefined if the process has ended. */
function counterOf(pid: string): Counted | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { parent: Number(fields[1]), ms: ticks * TICK_MS };
  } catch {
    return undefined;
  }
}
