/** The database's machine in its operator's view: its programs, its user, its folders. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  writeFileSync,
  chownSync,
  mkdirSync,
  readdirSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { install, type Installation, serverEnvironment, SUPERUSER } from '../../../dev/stack/postgres';
import { Program } from '../../../dev/stack/program';
import { ROOT } from '../../../dev/stack/run-directory';
import { openDatabase, rows } from '../../../src/data/database/database';
import type { Host } from './runbook-case';
import type { OperatedStack } from './operated-stack';

export class DatabaseHost implements Host {
  private constructor(
    private readonly installation: Installation,
    private readonly stack: OperatedStack,
    /** A folder of the server's user, for backups and other servers. */
    readonly folder: string,
  ) {}

  static async of(stack: OperatedStack): Promise<DatabaseHost> {
    const password = stack.directory.secrets().POSTGRES_PASSWORD;
    const installation = await install(stack.directory, password);
    const folder = mkdtempSync(join(tmpdir(), 'runbook-'));
    chmodSync(folder, 0o755);
    const { owner } = installation;
    if (owner) chownSync(folder, owner.uid, owner.gid);
    return new DatabaseHost(installation, stack, folder);
  }

  get data(): string {
    return this.installation.data;
  }

  get user(): Partial<{ uid: number; gid: number }> {
    return this.installation.owner ?? {};
  }

  /** The environment of PostgreSQL's programs. */
  get env(): NodeJS.ProcessEnv {
    const { port } = new URL(this.stack.now.database_url);
    return {
      ...serverEnvironment(),
      PATH: [join(this.installation.binaries, 'bin'), this.programs(), process.env['PATH']].join(delimiter),
      PGHOST: '127.0.0.1',
      PGPORT: port,
      PGUSER: SUPERUSER,
      PGPASSWORD: this.stack.directory.secrets().POSTGRES_PASSWORD,
      PGDATA: this.data,
      BACKUPS: join(this.folder, 'base'),
      BACKUP: join(this.folder, 'base', this.backups().findLast((name) => this.isComplete(name)) ?? ''),
      ARCHIVE: join(this.folder, 'wal'),
      STANDBY: join(this.folder, 'standby'),
    };
  }

  /** The names of the base backups, oldest first. */
  backups(): string[] {
    const folder = join(this.folder, 'base');
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  }

  private isComplete(backup: string): boolean {
    return existsSync(join(this.folder, 'base', backup, 'backup_manifest'));
  }

  /** A folder of the server's user. */
  makeFolder(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(path, { recursive: true });
    const { owner } = this.installation;
    if (owner) chownSync(path, owner.uid, owner.gid);
    return path;
  }

  /** Runs a statement as the owner, on the stack's server or on the one at this port. */
  async sql(statement: string, port?: number): Promise<object[]> {
    const url = new URL(this.stack.now.database_url);
    if (port !== undefined) url.port = String(port);
    const database = openDatabase(url.href, 1);
    return rows<object>(database, statement).finally(() => database.close());
  }

  /** Another server on this machine, with existing data. */
  server(data: string, port: number): Program {
    const values = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200 };
    const { owner } = this.installation;
    return new Program(
      {
        name: 'postgres',
        command: join(this.installation.binaries, 'bin', 'postgres'),
        args: ['-D', data, ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        env: serverEnvironment(),
        cwd: data,
        log: join(this.stack.directory.path, 'logs', `postgres-${port}.log`),
        ...(owner && { user: owner }),
        stopSignal: 'SIGINT',
        isReady: () => this.sql('SELECT 1', port).then(() => true),
      },
      { changed: () => undefined, said: () => undefined },
    );
  }

  /**
   * The package contains only the server. Without a `pg_basebackup` of its version, this replacement makes a low-level
   * base backup through the server's functions, as PostgreSQL's documentation describes.
   */
  private programs(): string {
    const folder = join(this.folder, 'bin');
    const program = join(folder, 'pg_basebackup');
    if (existsSync(program) || this.hasOwnBackup()) return folder;
    mkdirSync(folder, { recursive: true });
    const script = join(ROOT, 'dist/dev/testbed/base-backup.js');
    accessSync(script, constants.R_OK);
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
    chmodSync(program, 0o755);
    return folder;
  }

  private hasOwnBackup(): boolean {
    const versionOf = (program: string) => /\d+/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[0];
    try {
      return versionOf('pg_basebackup') === versionOf(join(this.installation.binaries, 'bin', 'postgres'));
    } catch {
      return false;
    }
  }
}
