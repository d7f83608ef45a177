/**
 * Temporal's time-skipping test server: a timer of days takes no time. It comes from Maven Central
 * where Java and Maven are installed, else from where it is published, and is kept beside the other downloads. Either
 * is what was pinned: the SDK's own download, which nothing checks, is never asked.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { cacheDirectory, fetchArchive, verifyFiles } from '../../dev/stack/downloads';
import { messageOf } from '../../dev/stack/problem';
import { ROOT } from '../../dev/stack/run-directory';

const VERSION = '1.38.0';
const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const FETCH_LIMIT_MS = 150_000;

const run = promisify(execFile);

/** For `beforeAll` of tests that may be the first to need the server, in milliseconds. */
export const serverStartLimit = FETCH_LIMIT_MS + 30_000;

/** A server of the caller's own. Tear it down in `afterAll`. */
export async function timeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  const path = await ownServer().catch((error: unknown) => {
    throw new Error(
      `No time-skipping test server: install Java and Maven, or see why it could not be had: ${messageOf(error)}`,
    );
  });
  const server = { executable: { type: 'existing-path' as const, path } };
  return started(() => TestWorkflowEnvironment.createTimeSkipping({ server }));
}

/** The SDK gives a server 5 s to start, which is little on a machine that does other things. */
async function started(
  start: () => Promise<TestWorkflowEnvironment>,
  tries = 4,
): Promise<TestWorkflowEnvironment> {
  try {
    return await start();
  } catch (error) {
    if (tries === 1) throw error;
    return started(start, tries - 1);
  }
}

/** The program that starts the server, fetched if it is not kept from before. */
async function ownServer(): Promise<string> {
  const runsJava = (await succeeds('java', '-version')) && (await succeeds('mvn', '--version'));
  const { name, program, fetch } = runsJava ? fromMaven : fromRelease;
  const home = join(cacheDirectory(), name);
  if (!existsSync(home)) await fetchTo(home, fetch);
  return join(home, program);
}

/** Puts the server there complete or not at all, also when several test processes come at once. */
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

/** A place to get the server from, and its program within the folder that it is fetched to. */
interface Source {
  name: string;
  program: string;
  fetch: (folder: string) => Promise<void>;
}

const fromMaven: Source = {
  name: `temporal-test-server-${VERSION}`,
  program: 'temporal-test-server',
  async fetch(folder) {
    writeFileSync(join(folder, 'pom.xml'), pom);
    const jars = join(folder, 'lib');
    const command = [
      '--batch-mode',
      '--quiet',
      '--file',
      folder,
      copyDependencies,
      `-DoutputDirectory=${jars}`,
    ];
    await run('mvn', command, { timeout: FETCH_LIMIT_MS });
    await verifyFiles(jars, readFileSync(join(ROOT, 'test/support/test-server.sha256'), 'utf8'));
    writeFileSync(join(folder, 'temporal-test-server'), program, { mode: 0o755 });
  },
};

/** The vendor's program without Java, whose checksum is known for Linux x64 alone. */
const native = `temporal-test-server_${VERSION}_linux_amd64`;
const fromRelease: Source = {
  name: native,
  program: join(native, 'temporal-test-server'),
  async fetch(folder) {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      throw new Error('there is no other for this machine');
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

/** What the SDK runs: one file, with arguments of its own. */
const program = `#!/bin/sh
exec java -Xmx512m -XX:+UseSerialGC -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"
`;

async function succeeds(command: string, argument: string): Promise<boolean> {
  return run(command, [argument]).then(
    () => true,
    () => false,
  );
}
