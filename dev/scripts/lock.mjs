/** Keeps two processes from the same work on the files of the project. Plain Node. */
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './install.mjs';

/** Allows one build at a time: waits for a running one, and takes over from a dead one. */
export async function lock(file) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  for (let waits = 0; !link(mine, file); waits += 1) {
    const holder = read(file);
    if (holder !== undefined && !isAlive(Number(holder))) rmSync(file, { force: true });
    else await sleep(200);
    if (waits === 5) console.error(`Waiting for another command (process ${holder}) ...`);
  }
  rmSync(mine);
  return () => rmSync(file, { force: true });
}

/** Links a file atomically under a second name. Returns false if the name exists. */
function link(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The content of a file; undefined if it cannot be read. */
export function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
