/** PgBouncer in front of the stack's PostgreSQL, if this machine has the program. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from '../../dev/stack/ports';

const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0;
if (!isInstalled) console.warn('pgbouncer is not installed. The tests that need it are skipped.');

/** `describe` if PgBouncer is installed. Otherwise skips the tests and prints the reason. */
export const describeWithPgBouncer = isInstalled ? describe : describe.skip;

/** PgBouncer does not run as root. */
const NOBODY = 65_534;

export interface PgBouncer {
  /** The address of a database through it. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** Starts one with its defaults, apart from the mode and the number of sessions, for the user of the address. */
export async function startPgBouncer(mode: 'session' | 'transaction', address: string): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(address);
  const own = (await freePorts()).POSTGRES_PORT;
  const directory = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const users = join(directory, 'users');
  const settings = join(directory, 'pgbouncer.ini');
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 60
`,
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [directory, users, settings]) chownSync(path, NOBODY, NOBODY);
  const child = spawn('pgbouncer', [settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  await processUp(child.stderr);
  return {
    through(url) {
      const pooled = new URL(url);
      pooled.port = String(own);
      return pooled.href;
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      rmSync(directory, { recursive: true });
    },
  };
}

async function processUp(log: NodeJS.ReadableStream): Promise<void> {
  const lines = createInterface({ input: log });
  for await (const line of lines) {
    if (!line.includes('process up')) continue;
    lines.close();
    log.resume();
    return;
  }
  throw new Error('pgbouncer did not start');
}
