/** A PostgreSQL server of a test, besides that of the stack. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../dev/stack/ports';
import { databaseUrl, postgresSpec, removePostgres } from '../../dev/stack/postgres';
import { Program } from '../../dev/stack/program';
import { RunDirectory } from '../../dev/stack/run-directory';

export class OwnPostgres {
  private constructor(
    private readonly directory: RunDirectory,
    private readonly program: Program,
    readonly port: number,
    private readonly password: string,
  ) {}

  /** `packaged`: the binaries of another version than that of the stack. */
  static async start(packaged?: string): Promise<OwnPostgres> {
    const directory = new RunDirectory(mkdtempSync(join(tmpdir(), 'own-postgres-')));
    const port = Number((await freePorts()).POSTGRES_PORT);
    const password = randomBytes(16).toString('hex');
    const spec = await postgresSpec(directory, port, password, packaged === undefined ? {} : { packaged });
    const program = new Program(spec, { changed: () => undefined, said: () => undefined });
    await program.start();
    return new OwnPostgres(directory, program, port, password);
  }

  /** The address of a database, as the superuser. */
  url(database?: string): string {
    return databaseUrl(this.port, this.password, database);
  }

  async stop(): Promise<void> {
    await this.program.stop();
    removePostgres(this.directory);
    rmSync(this.directory.path, { recursive: true });
  }
}
