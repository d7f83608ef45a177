/** Processes whose wall clock is wrong, by Debian's libfaketime. Their monotonic clock stays right. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARY = 'faketime/libfaketimeMT.so.1';

/** The library, wherever the distribution put it; undefined where it is not installed. */
export function findLibfaketime(): string | undefined {
  return ['/usr/lib', '/usr/lib64', '/usr/local/lib']
    .flatMap((folder) => [folder, ...foldersIn(folder)])
    .map((folder) => join(folder, LIBRARY))
    .find((file) => existsSync(file));
}

/** The environment of a process that is so many seconds ahead. */
export function aheadBy(seconds: number, library: string): NodeJS.ProcessEnv {
  return { LD_PRELOAD: library, FAKETIME: `+${seconds}s`, DONT_FAKE_MONOTONIC: '1' };
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.includes('-linux-'));
  return names.map((name) => join(folder, name));
}
