/** Gives processes a wrong wall clock by libfaketime. Their monotonic clock stays right. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Say } from './commands';
import { messageOf, Problem } from './problem';
import { cacheDirectory, installWheel } from './downloads';
import { ROOT } from './run-directory';

const LIBRARY = 'libfaketime.so.1';
/** The variant for programs with several threads, which the wheel does not contain. */
const THREADED = 'libfaketimeMT.so.1';
const CLOCK = 'clock';
const VERSION = '3.0.1';

/** Where Debian's package `faketime` puts the library. */
const installed = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (architecture) => `/usr/lib/${architecture}/faketime/${THREADED}`,
);

/** The path of the library: the distribution's, an earlier download, or a download. Throws a `Problem` without one. */
export async function libfaketime(say: Say): Promise<string> {
  const kept = join(cacheDirectory(), `libfaketime-${VERSION}.so.1`);
  return [...installed, kept].find((file) => existsSync(file)) ?? (await download(kept, say));
}

async function download(kept: string, say: Say): Promise<string> {
  const folder = join(cacheDirectory(), `partial-faketime-${process.pid}`);
  try {
    if (`${process.platform}-${process.arch}` !== 'linux-x64') throw new Error('its wheel is for Linux x64 only');
    mkdirSync(folder, { recursive: true });
    await installWheel('libfaketime', join(ROOT, 'dev/stack', 'libfaketime.txt'), folder, say);
    renameSync(join(folder, 'libfaketime', 'vendor', 'libfaketime', 'src', LIBRARY), kept);
    return kept;
  } catch (error) {
    throw new Problem(
      `Wrong clocks need libfaketime, which could not be downloaded (${messageOf(error)}). Install it (Debian: apt-get install faketime), then try again.`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The environment of a process whose clock is this many seconds ahead. `library`: from `libfaketime`. */
export function aheadBy(seconds: number, library: string): NodeJS.ProcessEnv {
  return { LD_PRELOAD: library, FAKETIME: `+${seconds}s`, DONT_FAKE_MONOTONIC: '1' };
}

/** A clock that steps while the processes that read it run. */
export interface SteppingClock {
  /** The folder with the library and the clock, which every user can read. */
  folder: string;
  /** Sets the clock this many seconds ahead of the machine's, below 0 behind it. Processes see it within a second. */
  step(seconds: number): void;
  remove(): void;
}

/** A clock that is right until its first step. `library`: from `libfaketime`. */
export function steppingClock(library: string): SteppingClock {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'));
  chmodSync(folder, 0o755);
  copyFileSync(library, join(folder, LIBRARY));
  const step = (seconds: number): void => {
    // Renamed into place: a process never reads half a file.
    const next = join(folder, 'next');
    writeFileSync(next, `${seconds < 0 ? '' : '+'}${seconds}s\n`, { mode: 0o644 });
    renameSync(next, join(folder, CLOCK));
  };
  step(0);
  return { folder, step, remove: () => rmSync(folder, { recursive: true }) };
}

/** The environment of a process that reads the clock of a `SteppingClock` folder. */
export function readingClock(folder: string): NodeJS.ProcessEnv {
  return {
    LD_PRELOAD: join(folder, LIBRARY),
    FAKETIME_TIMESTAMP_FILE: join(folder, CLOCK),
    FAKETIME_CACHE_DURATION: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
}
