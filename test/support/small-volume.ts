/** A separate volume that is small enough to fill. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';

/** Mounts a volume at the folder, with the options of tmpfs. Without root rights it prints a note and returns false. */
export function mountVolume(folder: string, options: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('  Skipped: a full disk, because only root may mount the volume.\n');
    return false;
  }
}

export function unmountVolume(folder: string): void {
  execFileSync('umount', [folder]);
}

/** Writes until the volume is full. */
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
