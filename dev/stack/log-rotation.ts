/** Keeps the logs of a local stack small: a full one becomes `<name>.1`, older ones are numbered on. */
import { copyFileSync, existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';

/** How large a log may grow, and how many full ones are kept. */
const MOST = { bytes: 20 * 1024 * 1024, files: 3 };
const CHECK_EVERY_MS = 5_000;

/** Watches a log, to which its program only ever appends, until what it returns is called. */
export function rotate(log: string, most = MOST, checkEveryMs = CHECK_EVERY_MS): () => void {
  const timer = setInterval(() => rotateIfFull(log, most), checkEveryMs).unref();
  return () => clearInterval(timer);
}

/** The program holds the file open, so its content moves and the file stays. */
function rotateIfFull(log: string, { bytes, files }: typeof MOST): void {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < bytes) return;
  for (let number = files - 1; number > 0; number--) {
    if (existsSync(`${log}.${number}`)) renameSync(`${log}.${number}`, `${log}.${number + 1}`);
  }
  copyFileSync(log, `${log}.1`);
  truncateSync(log);
}

/** Removes a log with those that were full. */
export function removeLogs(log: string, files = MOST.files): void {
  rmSync(log, { force: true });
  for (let number = 1; number <= files; number++) rmSync(`${log}.${number}`, { force: true });
}
