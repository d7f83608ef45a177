/** The pinned programs of OpenAPI Generator and oapi-codegen, and how tests run them. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDirectory, verifyFiles } from '../../dev/stack/downloads';
import { messageOf } from '../../dev/stack/problem';

const VERSION = '7.25.0';
const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
const FETCH_LIMIT_MS = 240_000;

const run = promisify(execFile);

/** The path of the program. Downloads it on first use; an unexpected file is never run. */
export async function generatorJar(): Promise<string> {
  const home = join(cacheDirectory(), `openapi-generator-${VERSION}`);
  if (!existsSync(home)) await fetchTo(home);
  await verifyFiles(home, readFileSync(join(__dirname, 'openapi-generator.sha256'), 'utf8'));
  return join(home, `openapi-generator-cli-${VERSION}.jar`);
}

async function fetchTo(home: string): Promise<void> {
  const partial = `${home}-partial-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${VERSION}`;
    const args = ['--batch-mode', '--quiet', copy, artifact, `-DoutputDirectory=${partial}`];
    await run('mvn', args, { timeout: FETCH_LIMIT_MS });
    renameSync(partial, home);
  } catch (error) {
    throw new Error(`No OpenAPI Generator: install Java and Maven, or fix the download: ${messageOf(error)}`);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Writes the program into a folder under the name that its own packages give it, for scripts. */
export async function installGenerator(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const program = `#!/bin/sh\nexec java -jar '${await generatorJar()}' "$@"\n`;
  writeFileSync(join(folder, 'openapi-generator-cli'), program, { mode: 0o755 });
}

/** Generates a client without its tests and documents. */
export async function generateClient(
  language: 'go' | 'java' | 'php' | 'python',
  document: string,
  folder: string,
  properties: string,
): Promise<void> {
  const jar = await generatorJar();
  const without = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const args = ['-jar', jar, 'generate', '-i', document, '-g', language, '-o', folder];
  const options = ['--additional-properties', properties, '--global-property', without];
  await run('java', [...args, ...options], { maxBuffer: 64 * 1024 * 1024 });
}

const OAPI_CODEGEN_VERSION = 'v2.8.2';
/** What `go install` installs, as the page about generated clients says. */
export const OAPI_CODEGEN = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${OAPI_CODEGEN_VERSION}`;

/** Writes the client of oapi-codegen as the Go package `dgo`. Builds the program on first use; Go verifies its checksum. */
export async function oapiCodegen(document: string, folder: string): Promise<void> {
  const home = join(cacheDirectory(), `oapi-codegen-${OAPI_CODEGEN_VERSION}`);
  const program = join(home, 'oapi-codegen');
  if (!existsSync(program)) {
    await run('go', ['install', OAPI_CODEGEN], { env: { ...process.env, GOBIN: home }, timeout: FETCH_LIMIT_MS });
  }
  mkdirSync(folder, { recursive: true });
  const options = ['-generate', 'types,client', '-package', 'dgo', '-o', join(folder, 'client.go')];
  await run(program, [...options, document]);
}

/** The first of the commands that this machine cannot run; undefined if it can run all of them. */
export function missingCommand(commands: readonly string[]): string | undefined {
  return commands.find((command) => {
    const [program = '', ...args] = command.split(' ');
    return spawnSync(program, args).status !== 0;
  });
}
