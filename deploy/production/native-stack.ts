/**
 * Runs `docker-compose.yml` on this machine without containers: each service with its own command, environment, order and
 * health check. Only addresses, ports and folders differ from those in containers. The Temporal UI is left out.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { succeeds, type Say } from '../../dev/stack/commands';
import { freePorts } from '../../dev/stack/ports';
import { databaseUrl, postgresSpec, removePostgres } from '../../dev/stack/postgres';
import { messageOf, Problem } from '../../dev/stack/problem';
import { Program } from '../../dev/stack/program';
import { ROOT, RunDirectory } from '../../dev/stack/run-directory';
import type { DemoData, LocalOperator, StackFile } from '../../dev/stack/stack-file';
import { reach } from '../../dev/stack/readiness';
import { temporalBinary } from '../../dev/stack/temporal';
import { certificatesIn, openTunnel, proveClientCertificates } from './client-certificates';
import { readCompose, type ComposeService } from './compose-file';
import { temporalServer, type TemporalServer } from './temporal-server';

const run = promisify(execFile);

/** The ports of the containers. Those of the server's parts are its defaults. */
const containerPorts = [
  5432, 5433, 7233, 7243, 7234, 7235, 7239, 6933, 6934, 6935, 6939, 3000, 3001, 4010, 2525, 8025, 8233, 9464,
  9465, 9466,
];
/** The listening parts of the Temporal server, by the settings of their ports. */
const temporalPorts = {
  FRONTEND_GRPC_PORT: 7233,
  FRONTEND_HTTP_PORT: 7243,
  HISTORY_GRPC_PORT: 7234,
  MATCHING_GRPC_PORT: 7235,
  WORKER_GRPC_PORT: 7239,
  FRONTEND_MEMBERSHIP_PORT: 6933,
  HISTORY_MEMBERSHIP_PORT: 6934,
  MATCHING_MEMBERSHIP_PORT: 6935,
  WORKER_MEMBERSHIP_PORT: 6939,
};
/** Services whose image has no replacement here. */
const LEFT_OUT = ['temporal-ui'];

export class NativeStack {
  private readonly programs = new Map<string, Program>();
  private tunnelPort = 0;

  private constructor(
    private readonly directory: RunDirectory,
    private readonly variables: NodeJS.Dict<string>,
    private readonly services: Readonly<Record<string, ComposeService>>,
    private readonly ports: ReadonlyMap<number, number>,
    private readonly temporal: TemporalServer,
    private readonly say: Say,
  ) {}

  /** Prepares it in a run directory, with the secrets of `dev/scripts/make-env.mjs` and webhooks to this machine. */
  static async prepare(directory: RunDirectory, say: Say): Promise<NativeStack> {
    const variables = await madeVariables(directory);
    const ports = await drawnPorts();
    const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
    const services = readCompose(text, variables);
    const version = services['temporal']?.image.split(':')[1] ?? '';
    const temporal = await temporalServer(version, say);
    await linkCommandLine(directory, say);
    return new NativeStack(directory, variables, services, ports, temporal, say);
  }

  /** Stops everything in reverse order of the start. */
  async stop(): Promise<void> {
    this.directory.remove('stack.json');
    for (const program of [...this.programs.values()].reverse()) await program.stop();
  }

  /** Starts everything with new state. Returns when all programs are ready and `stack.json` is written. */
  async start(): Promise<void> {
    let demo: DemoData & { operator?: LocalOperator } = { clients: {}, scenarios: [] };
    for (const name of inOrder(this.services)) {
      // A service with a profile starts only if an operator calls it.
      if (LEFT_OUT.includes(name) || this.services[name]?.profiles) continue;
      const service = this.here(this.services[name] as ComposeService);
      if (service.image.startsWith('postgres:')) await this.startPostgres(name, service);
      else if (service.restart === 'unless-stopped') await this.startLasting(name, service);
      else {
        const output = await this.runJob(name, service);
        if (name === 'seed')
          demo = JSON.parse(/^\{[^]*?^\}/m.exec(output)?.[0] ?? '') as DemoData & { operator: LocalOperator };
      }
      this.say(`${name} is ready.`);
    }
    this.tunnelPort = await openTunnel(this.portOf(7233), this.clientCertificates());
    const { operator, ...data } = demo;
    if (operator) this.directory.keepOperatorToken(operator.token);
    this.describe(data);
  }

  /** Throws a message unless each port of the Temporal server that takes calls demands the client certificate of this installation. */
  async proveClientCertificates(): Promise<void> {
    const stranger = new RunDirectory(this.directory.file('stranger'));
    await run(process.execPath, [join(ROOT, 'dev/scripts/make-certificates.mjs')], { cwd: stranger.path });
    const ports = Object.entries(temporalPorts).flatMap(([setting, port]) =>
      setting.includes('MEMBERSHIP') ? [] : [this.portOf(port)],
    );
    await proveClientCertificates(ports, this.clientCertificates(), certificatesIn(clientFolder(stranger)));
    this.say(`${ports.length} ports of Temporal demand the client certificate of this installation.`);
  }

  private clientCertificates() {
    return certificatesIn(clientFolder(this.directory));
  }

  /** Does the work of the image: creates a cluster with the roles of the mounted script. */
  private async startPostgres(
    name: string,
    { environment = {}, volumes = [] }: ComposeService,
  ): Promise<void> {
    const port = Number(environment['PGPORT'] ?? this.portOf(5432));
    const password = this.secret('POSTGRES_PASSWORD');
    const spec = await postgresSpec(clusterDirectory(this.directory, name), port, password);
    await this.runProgram({ ...spec, name, log: this.directory.log(name) });
    if (!(await succeeds('psql', ['--version']))) {
      throw new Problem(
        'psql is not installed, which the script of the roles needs (Debian: postgresql-client).',
      );
    }
    const login = { PGHOST: '127.0.0.1', PGPORT: String(port), PGPASSWORD: password };
    const script = volumes.find((volume) => volume.includes('initdb.d'))?.split(':')[0] ?? '';
    await this.runJob('roles', {
      image: '',
      entrypoint: ['sh', script],
      environment: { ...environment, ...login },
    });
  }

  private async startLasting(name: string, service: ComposeService): Promise<void> {
    const [command, ...args] = commandOf(service);
    const [, probe = '', ...rest] = service.healthcheck?.test ?? [];
    await this.runProgram({
      name,
      command,
      args,
      env: this.environmentOf(name, service),
      cwd: ROOT,
      log: this.directory.log(name),
      // This machine may have no `nc`.
      isReady: () =>
        probe === 'nc' ? reach(Number(rest.at(-1))).then(() => true) : succeeds(programNamed(probe), rest),
    });
  }

  private async runProgram(spec: Program['spec']): Promise<void> {
    const program = new Program(spec, { changed: () => undefined, said: this.say });
    this.programs.set(spec.name, program);
    await program.start();
  }

  /** The output of the job. Throws a message with the end of the output if it fails. */
  private async runJob(name: string, service: ComposeService): Promise<string> {
    const [command, ...args] = commandOf(service);
    try {
      const options = { env: this.environmentOf(name, service), cwd: ROOT, maxBuffer: 16 * 1024 * 1024 };
      return (await run(command, args, options)).stdout;
    } catch (error) {
      throw new Problem(`${name} failed: ${messageOf(error)}`);
    }
  }

  /** The environment from compose and from the image, and the PATH to this process's Node and the programs of the images. */
  private environmentOf(name: string, { image, environment }: ComposeService): NodeJS.ProcessEnv {
    const node = dirname(process.execPath);
    const path = [this.temporal.programs, this.directory.file('bin'), node, process.env['PATH']].join(
      delimiter,
    );
    const ofImage = image === 'digital-goods-ordering-service' ? { NODE_ENV: 'production' } : {};
    const schema: NodeJS.ProcessEnv =
      name === 'temporal-schema' ? { TEMPORAL_SCHEMA_DIRECTORY: this.temporal.schema } : {};
    const ofTemporal = Object.entries(name === 'temporal' ? temporalPorts : {}).map(
      ([setting, port]): [string, string] => [setting, String(this.portOf(port))],
    );
    return { PATH: path, ...ofImage, ...environment, ...schema, ...Object.fromEntries(ofTemporal) };
  }

  /** Translates the containers' addresses, ports and folders to those of this machine. */
  private here(service: ComposeService): ComposeService {
    const { image, ...rest } = service;
    const certificates = /\/(certificates\/\w+):/.exec(JSON.stringify(rest.volumes ?? []))?.[1] ?? '';
    const text = JSON.stringify(rest)
      .replace(new RegExp(`\\b(${containerPorts.join('|')})\\b`, 'g'), (port) =>
        String(this.portOf(Number(port))),
      )
      .replace(/(?<=[@/"])[a-z-]+(?=:\d{4,5}\b)/g, '127.0.0.1')
      .replace(/"(SQL_HOST|POSTGRES_SEEDS)":"temporal-postgres"/g, '"$1":"127.0.0.1"')
      .replaceAll('0.0.0.0', '127.0.0.1')
      .replaceAll('"./', `"${ROOT}/`)
      .replace(/"\/temporal-config\//g, `"${ROOT}/temporal-config/`)
      .replace(/"\/certificates\//g, `"${this.directory.file(certificates)}/`)
      .replace(/"\/state\b/g, `"${this.directory.path}`);
    return { ...(JSON.parse(text) as Omit<ComposeService, 'image'>), image };
  }

  private portOf(container: number): number {
    const port = this.ports.get(container);
    if (port === undefined) throw new Error(`No local port is known for port ${container}`);
    return port;
  }

  private secret(name: string): string {
    return this.variables[name] ?? '';
  }

  /** Writes the stack's files for the tests: `stack.json`, and its secrets. */
  private describe(demo: DemoData): void {
    const local = (port: number): string => `http://127.0.0.1:${this.portOf(port)}`;
    this.directory.writeJson('secrets.json', {
      SECRET_KEYS: this.secret('SECRET_KEYS'),
      SIMULATOR_SECRET: this.secret('SIMULATOR_SECRET'),
      POSTGRES_PASSWORD: this.secret('POSTGRES_PASSWORD'),
      OPS_IDENTITY_SECRET: this.secret('OPS_IDENTITY_SECRET'),
      MEMBER_IDENTITY_SECRET: this.secret('MEMBER_IDENTITY_SECRET'),
    });
    const pids = [...this.programs].map(([name, { pid = 0 }]): [string, number] => [name, pid]);
    const stack: StackFile = {
      api_url: local(3000),
      ops_url: local(3001),
      database_url: databaseUrl(this.portOf(5432), this.secret('POSTGRES_PASSWORD')),
      // The tests have no client certificate.
      temporal_address: `127.0.0.1:${this.tunnelPort}`,
      temporal_namespace: 'default',
      temporal_ui_url: `${local(8233)}/temporal`,
      simulator_url: local(4010),
      supplier_url: local(4010),
      mailbox_url: local(8025),
      metrics_url: `${local(9464)}/metrics`,
      api_metrics_url: `${local(9465)}/metrics`,
      bulk_metrics_url: `${local(9466)}/metrics`,
      codec_url: `${local(3001)}/temporal/codec`,
      pids: Object.fromEntries(pids),
      ...demo,
    };
    this.directory.writeJson('stack.json', stack);
  }
}

const clientFolder = (directory: RunDirectory): string => directory.file('certificates/client');

/** The folder of the cluster of a service. That of the service's own database is where the tests look for it. */
function clusterDirectory(directory: RunDirectory, name: string): RunDirectory {
  return name === 'postgres' ? directory : new RunDirectory(directory.file(name));
}

/** Deletes the clusters of an earlier run. */
export function removeClusters(directory: RunDirectory): void {
  for (const name of ['postgres', 'temporal-postgres']) removePostgres(clusterDirectory(directory, name));
}

/** The secrets of an installation, created as by operators. Tests receive webhooks on this machine. */
async function madeVariables(directory: RunDirectory): Promise<NodeJS.Dict<string>> {
  await run(process.execPath, [join(ROOT, 'dev/scripts/make-env.mjs')], { cwd: directory.path });
  return { ...parseEnv(readFileSync(directory.file('.env'), 'utf8')), WEBHOOKS_ALLOW_LOOPBACK: 'true' };
}

async function drawnPorts(): Promise<ReadonlyMap<number, number>> {
  const drawn = new Set<number>();
  while (drawn.size < containerPorts.length)
    for (const port of Object.values(await freePorts())) drawn.add(port);
  const free = [...drawn];
  return new Map(containerPorts.map((port, index) => [port, free[index] as number]));
}

/** Installs the command line of the tools' image for the scripts. */
async function linkCommandLine(directory: RunDirectory, say: Say): Promise<void> {
  const binary = await temporalBinary(say);
  mkdirSync(directory.file('bin'));
  if (binary !== 'temporal') symlinkSync(binary, join(directory.file('bin'), 'temporal'));
}

/** The services, each after its dependencies. */
function inOrder(services: Readonly<Record<string, ComposeService>>): string[] {
  const ordered = new Set<string>();
  const add = (name: string): void => {
    Object.keys(services[name]?.depends_on ?? {}).forEach(add);
    ordered.add(name);
  };
  Object.keys(services).forEach(add);
  return [...ordered];
}

function commandOf({ entrypoint, command }: ComposeService): [string, ...string[]] {
  // The last command in the entrypoint of the server's image.
  const words = entrypoint ?? command ?? ['temporal-server', 'start'];
  const [program = '', ...args] = typeof words === 'string' ? words.split(' ') : words;
  return [programNamed(program), ...args];
}

/** The command of the image is that of this checkout. */
function programNamed(name: string): string {
  return name === 'service' ? join(ROOT, 'deploy/service') : name;
}
