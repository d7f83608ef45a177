/** The priority of worker threads. */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Lets the main thread run first if processors are few. Only Linux has priorities of threads. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL);
}
