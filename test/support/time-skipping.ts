/**
 * Temporal's time-skipping test server: a timer of days takes no time. It comes from Maven Central
 * where Java and Maven are installed, and is kept beside the other downloads; else the SDK downloads it.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { messageOf } from '../../stack/problem';
import { cacheDirectory } from '../../stack/temporal-binary';

const VERSION = '1.38.0';
const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const FETCH_LIMIT_MS = 150_000;

const run = promisify(execFile);

/** For `beforeAll` of tests that may be the first to need the server, in milliseconds. */
export const serverStartLimit = FETCH_LIMIT_MS + 30_000;

/** A server of the caller's own. Tear it down in `afterAll`. */
export async function timeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  const path = await ownServer().catch((error: unknown) => {
    throw new Error(`Maven could not get io.temporal:temporal-test-server: ${messageOf(error)}`);
  });
  if (path) {
    const server = { executable: { type: 'existing-path' as const, path } };
    return started(() => TestWorkflowEnvironment.createTimeSkipping({ server }));
  }
  return TestWorkflowEnvironment.createTimeSkipping().catch((error: unknown) => {
    throw new Error(
      `No time-skipping test server: install Java and Maven. Its download: ${messageOf(error)}`,
    );
  });
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

/** The program that starts the server; undefined if this machine cannot run it. */
async function ownServer(): Promise<string | undefined> {
  if (!(await succeeds('java', '-version'))) return undefined;
  const home = join(cacheDirectory(), `temporal-test-server-${VERSION}`);
  if (!existsSync(home)) {
    if (!(await succeeds('mvn', '--version'))) return undefined;
    await fetchTo(home);
  }
  return join(home, 'temporal-test-server');
}

/** Puts the server there complete or not at all, also when several test processes come at once. */
async function fetchTo(home: string): Promise<void> {
  const partial = `${home}-partial-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    writeFileSync(join(partial, 'pom.xml'), pom);
    const to = `-DoutputDirectory=${join(partial, 'lib')}`;
    const command = ['--batch-mode', '--quiet', '--file', partial, copyDependencies, to];
    await run('mvn', command, { timeout: FETCH_LIMIT_MS });
    writeFileSync(join(partial, 'temporal-test-server'), program, { mode: 0o755 });
    renameSync(partial, home);
  } catch (error) {
    if (!existsSync(home)) throw error;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

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
