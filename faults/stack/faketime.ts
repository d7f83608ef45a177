/** Processes whose wall clock is wrong, by Debian's libfaketime. Their monotonic clock stays right. */
import { readdirSync } from 'node:fs';

/** The library, wherever the distribution put it; undefined if it is not installed. */
export const libfaketime = ['/usr/lib', '/usr/lib64', '/usr/local/lib']
  .flatMap((folder) => librariesIn(folder))
  .find((file) => /\/faketime\/libfaketimeMT\.so\.1$/.test(file));

/** The environment of a process that is so many seconds ahead. */
export function aheadBy(seconds: number): NodeJS.ProcessEnv {
  return { LD_PRELOAD: libfaketime, FAKETIME: `+${seconds}s`, DONT_FAKE_MONOTONIC: '1' };
}

function librariesIn(folder: string): string[] {
  try {
    const architectures = readdirSync(folder).filter((name) => /-linux-gnu|faketime/.test(name));
    return architectures.map((name) =>
      name === 'faketime'
        ? `${folder}/faketime/libfaketimeMT.so.1`
        : `${folder}/${name}/faketime/libfaketimeMT.so.1`,
    );
  } catch {
    return [];
  }
}
