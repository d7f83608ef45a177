/** A volume of its own, small enough to be filled up. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';

/** Mounts a volume at the folder, with the options of tmpfs. Returns false, and says so, where only root may. */
export function mountVolume(folder: string, options: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('  Skipped: a full disk, because only root may mount the volume that is filled.\n');
    return false;
  }
}

export function unmountVolume(folder: string): void {
  execFileSync('umount', [folder]);
}

/** Writes until nothing more can be written. */
export function fillUp(file: string): void {
  const filler = openSync(file, 'w');
  for (const bytes of [1 << 20, 1 << 12, 1]) {
    const block = Buffer.alloc(bytes);
    try {
      for (;;) writeSync(filler, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(filler);
}
