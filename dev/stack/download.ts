/** What is fetched from elsewhere and run here is the very file that was pinned, by its SHA-256. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const ANSWER_LIMIT_MS = 5_000;

/** A file somewhere else, and the SHA-256 of the bytes that were pinned, in hex. */
export interface Pinned {
  url: string;
  sha256: string;
}

/** Unpacks an archive into a folder. Throws, with nothing unpacked, where it is not the pinned one. */
export async function fetchArchive({ url, sha256 }: Pinned, folder: string): Promise<void> {
  const archive = join(folder, 'archive.tar.gz');
  try {
    await pipeline(await answer(url), createWriteStream(archive));
    await verifyFile(archive, sha256, url);
    await promisify(execFile)('tar', ['-xzf', archive, '-C', folder]);
  } finally {
    rmSync(archive, { force: true });
  }
}

/**
 * Throws unless a folder holds the files of a list as `sha256sum` writes it, and no others: a file that was
 * added would be run as well.
 */
export async function verifyFiles(folder: string, list: string): Promise<void> {
  const lines = list.trim().split('\n');
  const pinned = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  for (const name of new Set([...pinned.keys(), ...readdirSync(folder)]))
    await verifyFile(join(folder, name), pinned.get(name), name);
}

/** The SHA-256 of a file, in hex. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

async function verifyFile(file: string, sha256: string | undefined, name: string): Promise<void> {
  const found = await sha256Of(file);
  if (found === sha256) return;
  throw new Error(
    `${name} is not the file that was pinned (SHA-256 ${found} instead of ${sha256 ?? 'none'}): nothing of it was run`,
  );
}

/** The body of an address that answers soon. Once it does, it may take its time. */
async function answer(url: string): Promise<Readable> {
  const unanswered = new AbortController();
  const timer = setTimeout(() => unanswered.abort(new Error('no answer')), ANSWER_LIMIT_MS);
  const response = await fetch(url, { signal: unanswered.signal }).finally(() => clearTimeout(timer));
  if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
  return Readable.fromWeb(response.body);
}
