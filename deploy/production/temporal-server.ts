/** The containers' Temporal server, built on this machine: the program and its schema tool, in one version. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Say } from '../../dev/stack/commands';
import { cacheDirectory, goInstall } from '../../dev/stack/downloads';
import { messageOf, Problem } from '../../dev/stack/problem';

const MODULE = 'go.temporal.io/server';

export interface TemporalServer {
  /** Holds `temporal-server` and `temporal-sql-tool`, as the images call them. */
  programs: string;
  /** The server's own schema, as the image of the tools has it in `/etc/temporal/schema`. */
  schema: string;
}

/** Builds the version, unless an earlier run did. Throws a message if that fails. */
export async function temporalServer(version: string, say: Say): Promise<TemporalServer> {
  const programs = join(cacheDirectory(), `temporal-server-${version}`);
  try {
    if (!existsSync(programs)) await build(version, programs, say);
    return { programs, schema: join(await moduleFolder(version), 'schema') };
  } catch (error) {
    throw new Problem(
      `Temporal server ${version} could not be built: ${messageOf(error)}. It needs Go (https://go.dev/dl) and a proxy of Go modules.`,
    );
  }
}

async function build(version: string, programs: string, say: Say): Promise<void> {
  say(`Temporal server ${version}: building it with its schema tool (takes minutes, once) ...`);
  const partial = `${programs}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    const packages = ['cmd/server', 'cmd/tools/sql'].map((path) => `${MODULE}/${path}@v${version}`);
    await goInstall(packages, partial, say);
    renameSync(join(partial, 'server'), join(partial, 'temporal-server'));
    renameSync(join(partial, 'sql'), join(partial, 'temporal-sql-tool'));
    renameSync(partial, programs);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

async function moduleFolder(version: string): Promise<string> {
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', `${MODULE}@v${version}`]);
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}
