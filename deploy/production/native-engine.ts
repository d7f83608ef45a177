/** Starts, replaces and stops the services of compose projects as Docker does, as processes of this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { succeeds, type Say } from '../../dev/stack/commands';
import { postgresSpec, removePostgres, SUPERUSER } from '../../dev/stack/postgres';
import { Problem } from '../../dev/stack/problem';
import { Program, type ProgramSpec } from '../../dev/stack/program';
import { RunDirectory } from '../../dev/stack/run-directory';
import type { ComposeProject, ComposeService } from './compose-file';
import { outputOf, programNamed, type NativeCommand, type NativeServices } from './native-services';

/** A running service. `digest` changes with everything that makes Docker replace its container. */
interface Running {
  project: string;
  digest: string;
  program: Program;
}

/** `recreates`: whether a service with changes is replaced. */
interface UpOptions {
  withDependencies?: boolean;
  recreates?: boolean;
}

export class NativeEngine {
  private readonly running = new Map<string, Running>();
  /** The last work on each service. The next one waits for it. */
  private readonly turns = new Map<string, Promise<unknown>>();

  /** `installation`: the name of the project whose ports are published. */
  constructor(
    private readonly native: NativeServices,
    private readonly installation: string | undefined,
    private readonly say: Say,
  ) {}

  /** The processes by service. Those of other projects than the installation have its name in front. */
  get pids(): Record<string, number> {
    return Object.fromEntries([...this.running].map(([key, { program }]) => [key, program.pid ?? 0]));
  }

  /** The projects with running services. */
  get projects(): string[] {
    return [...new Set(Array.from(this.running.values(), ({ project }) => project))];
  }

  /** Returns when jobs have ended and other services are healthy. Throws a message if one fails. */
  async up(project: ComposeProject, names: readonly string[], options: UpOptions = {}): Promise<void> {
    const { withDependencies = true, recreates = true } = options;
    const wanted = withDependencies ? inOrder(project.services, names) : names;
    for (const name of wanted) {
      await this.inTurn(this.keyOf(project, name), () => this.start(project, name, recreates));
      this.say(`${name} is ready.`);
    }
  }

  /** Stops the services of the project, or only these. */
  async stop(project: ComposeProject, names: readonly string[] = Object.keys(project.services)): Promise<void> {
    for (const name of names) {
      const key = this.keyOf(project, name);
      await this.inTurn(key, () => this.remove(key));
    }
  }

  /** Deletes the data of a stopped service of PostgreSQL. */
  removeData(name: string): void {
    removePostgres(clusterDirectory(this.native.folders.directory, name));
  }

  /** Stops everything in reverse order of the start. */
  async stopAll(): Promise<void> {
    for (const key of [...this.running.keys()].reverse()) await this.inTurn(key, () => this.remove(key));
  }

  /** The command of a job, with other words for its program if some are given. */
  async job(project: ComposeProject, name: string, words: readonly string[] = []): Promise<NativeCommand> {
    const service = await this.here(project, name);
    const replaced = words.length > 0 ? [...(service.entrypoint ?? []), ...words] : undefined;
    return this.native.commandOf(name, service, replaced);
  }

  /** Runs words in the container of a service. */
  inContainer(project: ComposeProject, name: string, [command = '', ...args]: readonly string[]): NativeCommand {
    const found = this.running.get(this.keyOf(project, name));
    if (!found) throw new Problem(`service "${name}" is not running`);
    const { env, cwd = '/' } = found.program.spec;
    return { command: programNamed(command, cwd), args, env, cwd };
  }

  private async inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.turns.get(key) ?? Promise.resolve()).then(work);
    this.turns.set(
      key,
      result.catch(() => undefined),
    );
    return result;
  }

  private async start(project: ComposeProject, name: string, recreates: boolean): Promise<void> {
    const service = await this.here(project, name);
    if (service.restart !== 'unless-stopped') return void (await outputOf(name, this.native.commandOf(name, service)));
    const key = this.keyOf(project, name);
    const digest = JSON.stringify(service);
    const found = this.running.get(key);
    if (found && (!recreates || found.digest === digest)) return;
    await this.remove(key);
    const spec = await this.specOf(key, name, service);
    const program = new Program(spec, { changed: () => undefined, said: this.say });
    this.running.set(key, { project: project.name ?? '', digest, program });
    await program.start().catch((error: unknown) => {
      this.running.delete(key);
      throw error;
    });
    if (isPostgres(service)) await this.createRoles(service);
  }

  private async remove(key: string): Promise<void> {
    await this.running.get(key)?.program.stop();
    this.running.delete(key);
  }

  private async specOf(key: string, name: string, service: ComposeService): Promise<ProgramSpec> {
    const log = this.native.folders.directory.log(key.replace('/', '-'));
    if (!isPostgres(service))
      return { name: key, log, ...this.native.commandOf(name, service), isReady: this.native.isReady(service) };
    const { port, password, login } = this.clusterOf(service);
    const spec = await postgresSpec(clusterDirectory(this.native.folders.directory, name), port, password);
    const { env } = this.native.commandOf(name, service, ['postgres']);
    const path = [dirname(spec.command), env['PATH']].join(delimiter);
    // For the programs that an operator runs in the container.
    return { ...spec, name: key, log, env: { ...spec.env, ...env, ...login, PATH: path } };
  }

  /** Does the work of the image: runs the mounted script, which creates the roles. */
  private async createRoles(service: ComposeService): Promise<void> {
    if (!(await succeeds('psql', ['--version'])))
      throw new Problem('psql is not installed, which the script of the roles needs (Debian: postgresql-client).');
    const script = service.volumes?.find((volume) => volume.includes('initdb.d'))?.split(':')[0] ?? '';
    const { command, args, env, cwd } = this.native.commandOf('roles', service, ['sh', script]);
    await outputOf('roles', { command, args, cwd, env: { ...env, ...this.clusterOf(service).login } });
  }

  /** Where the cluster listens, and the login of its superuser. */
  private clusterOf({ environment = {} }: ComposeService) {
    const { PGPORT: port = String(this.native.portOf(5432)), POSTGRES_PASSWORD: password = '' } = environment;
    const login = { PGHOST: '127.0.0.1', PGPORT: port, PGUSER: SUPERUSER, PGPASSWORD: password };
    return { port: Number(port), password, login };
  }

  private keyOf({ name }: ComposeProject, service: string): string {
    return name === this.installation ? service : `${name}/${service}`;
  }

  private here(project: ComposeProject, name: string): Promise<ComposeService> {
    const service = project.services[name];
    if (!service) throw new Problem(`no such service: ${name}`);
    return this.native.here(service, project.name === this.installation ? '' : project.name);
  }
}

/** Runs the command with this input, writes its output as it comes, and returns its exit code. */
export async function runTo(
  out: Writable,
  err: Writable,
  { command, args, ...options }: NativeCommand,
  input = '',
): Promise<number> {
  const child = spawn(command, args, { ...options, stdio: 'pipe' });
  // A command may read less.
  child.stdin.on('error', () => undefined).end(input);
  child.stdout.pipe(out, { end: false });
  child.stderr.pipe(err, { end: false });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

const isPostgres = ({ image }: ComposeService): boolean => image.startsWith('postgres:');

/** The folder of the cluster of a service. That of the service's own database is where the tests look for it. */
function clusterDirectory(directory: RunDirectory, name: string): RunDirectory {
  return name === 'postgres' ? directory : new RunDirectory(directory.file(name));
}

/** Deletes the clusters of an earlier run. */
export function removeClusters(directory: RunDirectory): void {
  for (const name of ['postgres', 'temporal-postgres']) removePostgres(clusterDirectory(directory, name));
}

/** The services, each after its dependencies. */
function inOrder(services: ComposeProject['services'], names: readonly string[]): string[] {
  const ordered = new Set<string>();
  const add = (name: string): void => {
    Object.keys(services[name]?.depends_on ?? {}).forEach(add);
    ordered.add(name);
  };
  names.forEach(add);
  return [...ordered];
}
