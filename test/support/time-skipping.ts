/**
 * Temporal's time-skipping test server, on which a timer of days takes no time. It comes from Maven Central if Java and
 * Maven are installed, otherwise from its release page. It is stored with the other downloads. Both sources are pinned by
 * checksum. The SDK's own download is not used, because nothing verifies it.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { succeeds } from '../../dev/stack/commands';
import { cacheDirectory, fetchArchive, verifyFiles } from '../../dev/stack/downloads';
import { messageOf } from '../../dev/stack/problem';
import { freePorts } from '../../dev/stack/ports';
import { ROOT } from '../../dev/stack/run-directory';
import { quietRuntime } from './quiet-runtime';
import { until } from '../../dev/testbed/waiting';

const VERSION = '1.38.0';
const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const FETCH_LIMIT_MS = 150_000;

const run = promisify(execFile);

/** The time limit of `beforeAll` in tests that may download the server, in milliseconds. */
export const serverStartLimit = FETCH_LIMIT_MS + 30_000;

/** A new server, and a quiet runtime. Tear it down in `afterAll`. */
export async function timeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  const path = await ownServer().catch((error: unknown) => {
    throw new Error(`No time-skipping test server: install Java and Maven, or fix the download: ${messageOf(error)}`);
  });
  const server = { executable: { type: 'existing-path' as const, path } };
  return started(() => TestWorkflowEnvironment.createTimeSkipping({ server }));
}

/** Retries the start, because the SDK gives a server only 5 s, which is too short on a busy machine. */
async function started(start: () => Promise<TestWorkflowEnvironment>, tries = 4): Promise<TestWorkflowEnvironment> {
  try {
    return await start();
  } catch (error) {
    if (tries === 1) throw error;
    return started(start, tries - 1);
  }
}

/** The program that starts the server. Downloads it on first use. */
async function ownServer(): Promise<string> {
  const runsJava = (await succeeds('java', ['-version'])) && (await succeeds('mvn', ['--version']));
  const { name, program, fetch } = runsJava ? fromMaven : fromRelease;
  const home = join(cacheDirectory(), name);
  if (!existsSync(home)) await fetchTo(home, fetch);
  if (runsJava) await prepareProgram(home);
  return join(home, program);
}

/**
 * Writes the program, and an archive of the classes that a starting server loads. With the archive, a start takes a
 * quarter of the CPU time: the SDK's limit for a start holds on a busy machine, too.
 */
async function prepareProgram(home: string): Promise<void> {
  const archive = join(home, 'classes.jsa');
  if (existsSync(archive)) return;
  const partial = `${archive}-${process.pid}`;
  writeFileSync(`${partial}.sh`, programText, { mode: 0o755 });
  renameSync(`${partial}.sh`, join(home, fromMaven.program));
  await archiveClasses(home, partial);
  // Java before 13 makes none.
  if (existsSync(partial)) renameSync(partial, archive);
}

/** Runs the server until it is ready. Java writes the archive when the server stops. */
async function archiveClasses(home: string, archive: string): Promise<void> {
  const { SMTP_PORT: port } = await freePorts();
  const options = [`-XX:ArchiveClassesAtExit=${archive}`, ...javaOptions, '-cp', `${home}/lib/*`];
  const server = spawn('java', [...options, mainClass, String(port)], { stdio: 'ignore' });
  const exit = once(server, 'exit');
  await Promise.race([exit, until('the test server', () => isListening(port), 120)]).finally(() => server.kill());
  await exit;
}

/** Short runs: what the second compiler gains costs more than it saves. */
const javaOptions = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const mainClass = 'io.temporal.testserver.TestServer';

/** The SDK runs one file, to which it passes its own arguments. Java ignores an archive of another version, and a missing one. */
const programText = `#!/bin/sh
home=$(dirname "$0")
exec java -XX:SharedArchiveFile="$home/classes.jsa" ${javaOptions.join(' ')} -cp "$home/lib/*" ${mainClass} "$@"
`;

async function isListening(port: number): Promise<true | undefined> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

/** Installs the server atomically, also when several test processes do it concurrently. */
async function fetchTo(home: string, fetch: Source['fetch']): Promise<void> {
  const partial = `${home}-partial-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    await fetch(partial);
    renameSync(partial, home);
  } catch (error) {
    if (!existsSync(home)) throw error;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** A source of the server, and the path of its program within the download folder. */
interface Source {
  name: string;
  program: string;
  fetch: (folder: string) => Promise<void>;
}

const fromMaven: Source = {
  name: `temporal-test-server-${VERSION}`,
  program: 'start-temporal-test-server',
  async fetch(folder) {
    writeFileSync(join(folder, 'pom.xml'), pom);
    const jars = join(folder, 'lib');
    const command = ['--batch-mode', '--quiet', '--file', folder, copyDependencies, `-DoutputDirectory=${jars}`];
    await run('mvn', command, { timeout: FETCH_LIMIT_MS });
    await verifyFiles(jars, readFileSync(join(ROOT, 'test/support/test-server.sha256'), 'utf8'));
  },
};

/** The vendor's program without Java. Its checksum is pinned only for Linux x64. */
const native = `temporal-test-server_${VERSION}_linux_amd64`;
const fromRelease: Source = {
  name: native,
  program: join(native, 'temporal-test-server'),
  async fetch(folder) {
    if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('no other download fits this machine');
    const url = `https://github.com/temporalio/sdk-java/releases/download/v${VERSION}/${native}.tar.gz`;
    const sha256 = '41df834fe8e1ac59619e13908f41b63e4d1054f37634a2f89033d8cf6af71b96';
    await fetchArchive({ url, sha256 }, folder);
  },
};

const pom = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>test-server</artifactId><version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version>
    </dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`;
