/**
 * The databases of a test run, its own stacks included, in memory: a run creates and drops a hundred databases of a thousand files, and
 * no test survives a failure of the machine. They stay on the disk where memory is short.
 */
import { createHash } from 'node:crypto';
import { existsSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join, resolve } from 'node:path';
import { DATA_FOLDER } from '../../dev/stack/postgres';

/** Linux keeps what is here in memory. */
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 4 * 2 ** 30;

/** Applies to all stacks that this process and its children start from now on. `runDirectory` tells the runs of several checkouts apart. */
export function keepDatabasesInMemory(runDirectory: string): void {
  if (!existsSync(MEMORY)) return;
  const digest = createHash('sha256').update(resolve(runDirectory)).digest('hex');
  process.env[DATA_FOLDER] = join(MEMORY, `digital-goods-tests-${digest.slice(0, 16)}`);
  // Of a killed run.
  removeDatabasesInMemory();
  const { bavail, bsize } = statfsSync(MEMORY);
  if (Math.min(bavail * bsize, freemem()) < NEEDED_BYTES) delete process.env[DATA_FOLDER];
}

/** Frees the memory. Call it when their servers have stopped. */
export function removeDatabasesInMemory(): void {
  const folder = process.env[DATA_FOLDER];
  if (folder?.startsWith(MEMORY)) rmSync(folder, { recursive: true, force: true });
}
