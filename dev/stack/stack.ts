/** The whole service on this machine: starts all processes in order and keeps them running. */
import { FAKE_NAMES, FAKES } from './fakes';
import type { Say } from './commands';
import { checkFree, checkUnblocked } from './ports';
import { checkDatabase, postgresSpec, removePostgres } from './postgres';
import { end, recordOf, type ProcessRecord } from './processes';
import { Program, type ProgramSpec } from './program';
import { randomToken, RunDirectory } from './run-directory';
import { seedDemo, servicePrograms, externalServices } from './services';
import { portsNeeded, readSettings, type Settings } from './settings';
import { StartProgress } from './start-progress';
import type { DemoData, RoleUrls, StackFile } from './stack-file';
import { checkTemporal, temporalBinary, temporalSpec } from './temporal';

/** Programs stop before those that they depend on. The programs of one entry stop together. */
const STOP_ORDER = [
  ['api', 'operators'],
  ['worker', 'bulk-worker'],
  ['mail-catcher', 'simulator', ...FAKE_NAMES],
  ['temporal'],
  ['postgres'],
];
const LEFTOVER_LIMIT_MS = 10_000;

/** Schema, roles and demo data, as one part of the start. */
const DATA = 'the database';

const WITHOUT_ROLES =
  'DATABASE_URL: its user may not make roles that can log in, so the service runs as that user, who owns the schema.';

export class Stack {
  private readonly programs = new Map<string, Program>();
  private readonly settings: Settings;
  private demo: DemoData | undefined;
  private stopped: Promise<void> | undefined;
  private roles: RoleUrls | undefined;
  /** Says that a part of the stack is ready. */
  private ready: Say = (part) => this.say(`${part} is ready.`);
  /** Where the local admin signs in at the operators' process, once. */
  signInLink = '';
  /** New in each run, so that only this stack's programs log in as these roles. */
  private readonly rolePasswords = {
    SERVICE_ROLE_PASSWORD: randomToken(),
    OPERATOR_ROLE_PASSWORD: randomToken(),
    RETENTION_ROLE_PASSWORD: randomToken(),
    OPERATOR_IDENTITY_ROLE_PASSWORD: randomToken(),
    MEMBER_IDENTITY_ROLE_PASSWORD: randomToken(),
  };

  private constructor(
    private readonly directory: RunDirectory,
    private readonly inspect: boolean,
    hasFakes: boolean,
    private readonly doneBefore: number,
    private readonly say: (line: string) => void,
  ) {
    this.settings = readSettings(directory, process.env, hasFakes);
  }

  /** Locks the run directory for this process, and ends processes that a killed predecessor left running in it. */
  static async open(options: {
    fresh: boolean;
    inspect: boolean;
    /** Whether the fake suppliers start, too. */
    hasFakes?: boolean;
    /** The share of the start that is done: the build. */
    done?: number;
    say: (line: string) => void;
  }): Promise<Stack> {
    const directory = new RunDirectory();
    directory.lock();
    await endLeftovers(directory);
    if (options.fresh) {
      removePostgres(directory);
      directory.clear();
    }
    const { inspect, hasFakes = false, done = 0, say } = options;
    return new Stack(directory, inspect, hasFakes, done, say);
  }

  /** Starts everything. Returns once all programs are ready. */
  async start(): Promise<StackFile> {
    const { directory, settings } = this;
    const needed = portsNeeded(settings);
    checkUnblocked(settings.ports, needed);
    await checkFree(settings.ports, needed);
    const external = externalServices(directory, settings);
    const progress = new StartProgress(
      [
        ...(settings.ownPostgres ? ['postgres'] : []),
        ...(settings.ownTemporal ? ['temporal'] : []),
        DATA,
        ...[...external, ...this.service()].map(({ name }) => name),
      ],
      this.doneBefore,
      this.say,
    );
    this.ready = (part) => progress.done(part);
    try {
      const [demo] = await Promise.all([
        this.startPostgres().then(() => this.seed()),
        this.startTemporal(),
        this.run(external),
      ]);
      await this.run(this.service());
      this.demo = demo;
    } finally {
      progress.end();
      this.ready = (part) => this.say(`${part} is ready.`);
    }
    this.record();
    return this.describe(this.demo);
  }

  /** Restarts the service's own programs from their present build. */
  async restartService(): Promise<void> {
    await this.seed();
    const service = this.service();
    await Promise.all(service.map(async ({ name }) => this.programs.get(name)?.stop()));
    await this.run(service);
  }

  /** Stops one program until `startProgram`, as for maintenance. */
  async stopProgram(name: string): Promise<void> {
    await this.programOf(name).stop();
  }

  /** Starts a stopped program, optionally with other settings. Returns once it is ready. */
  async startProgram(name: string, settings: NodeJS.ProcessEnv = {}): Promise<void> {
    const { spec } = this.programOf(name);
    await this.run([{ ...spec, env: { ...spec.env, ...settings } }]);
  }

  /** The environment of one program. */
  environmentOf(name: string): NodeJS.ProcessEnv {
    return this.programOf(name).spec.env;
  }

  private programOf(name: string): Program {
    const program = this.programs.get(name);
    if (!program) throw new Error(`The stack has no program "${name}"`);
    return program;
  }

  private service(): ProgramSpec[] {
    return servicePrograms(this.directory, this.settings, { inspect: this.inspect, roles: this.roles });
  }

  /** Schema, roles and demo data, as the owner of the database. */
  private async seed(): Promise<DemoData> {
    const { demo, roles, operator } = await seedDemo(this.directory, {
      ...this.settings.environment,
      ...this.rolePasswords,
      DEMO_SUPPLIERS: this.settings.fakes.map(({ name }) => FAKES[name].catalogue).join(','),
    });
    this.roles = roles;
    this.directory.keepOperatorToken(operator.token);
    this.signInLink = operator.signInLink;
    if (!roles) this.say(WITHOUT_ROLES);
    this.ready(DATA);
    return demo;
  }

  get isStopping(): boolean {
    return this.stopped !== undefined;
  }

  /** Stops everything, dependent programs first. */
  stop(): Promise<void> {
    this.stopped ??= this.stopInOrder();
    return this.stopped;
  }

  private async startPostgres(): Promise<void> {
    const { ownPostgres, addresses, ports, secrets, environment } = this.settings;
    if (!ownPostgres) return checkDatabase(addresses.database_url);
    const { POSTGRES_PORT: port } = ports;
    const { POSTGRES_PASSWORD: password } = secrets;
    // The fault harness steps the clock of the database.
    await this.run([await postgresSpec(this.directory, port, password, { clock: environment['POSTGRES_CLOCK'] })]);
  }

  private async startTemporal(): Promise<void> {
    const { ownTemporal, addresses, ports, environment } = this.settings;
    const { temporal_namespace: namespace } = addresses;
    if (!ownTemporal) return checkTemporal(environment);
    const binary = await temporalBinary(this.say);
    const where = { port: ports.TEMPORAL_PORT, uiPort: ports.TEMPORAL_UI_PORT, namespace };
    await this.run([temporalSpec(this.directory, binary, where)]);
  }

  private async run(specs: ProgramSpec[]): Promise<void> {
    await Promise.all(specs.map((spec) => this.runOne(spec)));
  }

  private async runOne(spec: ProgramSpec): Promise<void> {
    this.throwIfStopping();
    const program = new Program(spec, { changed: () => this.record(), said: this.say });
    this.programs.set(spec.name, program);
    await program.start();
    this.throwIfStopping();
    this.ready(spec.name);
  }

  /** Ends the start if a stop was requested meanwhile. */
  private throwIfStopping(): void {
    if (this.stopped) throw new Error('The stack is stopping.');
  }

  /** Updates the process numbers on disk: in `stack.json`, and for the next start if this process is killed. */
  private record(): void {
    const records: Record<string, ProcessRecord> = {};
    for (const [name, pid] of Object.entries(this.pids())) records[name] = recordOf(pid);
    this.directory.writeJson('pids.json', records);
    if (this.demo && !this.stopped) this.directory.writeJson('stack.json', this.describe(this.demo));
  }

  private describe(demo: DemoData): StackFile {
    return { ...this.settings.addresses, ports: this.settings.ports, pids: this.pids(), ...demo };
  }

  private pids(): Record<string, number> {
    const pids: Record<string, number> = {};
    for (const [name, { pid }] of this.programs) if (pid !== undefined) pids[name] = pid;
    return pids;
  }

  private async stopInOrder(): Promise<void> {
    this.directory.remove('stack.json');
    for (const names of STOP_ORDER) await Promise.all(names.map(async (name) => this.programs.get(name)?.stop()));
    this.directory.unlock();
  }
}

async function endLeftovers(directory: RunDirectory): Promise<void> {
  const records = directory.readJson<Record<string, ProcessRecord>>('pids.json') ?? {};
  const endings = Object.entries(records).map(([name, record]) =>
    // PostgreSQL's "fast shutdown".
    end(record, LEFTOVER_LIMIT_MS, name === 'postgres' ? 'SIGINT' : 'SIGTERM'),
  );
  await Promise.all(endings);
  directory.remove('stack.json');
}
