/**
 * How the services of compose files run on this machine without containers: each with its own command, environment and health
 * check. Only addresses, ports and folders differ from those in containers.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { succeeds, type Say } from '../../dev/stack/commands';
import { freePorts } from '../../dev/stack/ports';
import { Problem } from '../../dev/stack/problem';
import type { ProgramSpec } from '../../dev/stack/program';
import { reach, statusAt } from '../../dev/stack/readiness';
import { ROOT, type RunDirectory } from '../../dev/stack/run-directory';
import { temporalBinary } from '../../dev/stack/temporal';
import type { ComposeProject, ComposeService } from './compose-file';
import { temporalPrograms, type TemporalPrograms } from './temporal-programs';

/** The ports of the containers. Those of the server's parts are its defaults. */
const containerPorts = [
  5432, 5433, 7233, 7243, 7234, 7235, 7239, 6933, 6934, 6935, 6939, 3000, 3001, 4010, 2525, 8025, 8080, 9464, 9465,
  9466,
];
/** On these ports the workers of each release answer in their containers. Here each project has its own. */
const portsOfWorkers = [9464, 9466];
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
/** The ports that the images choose, by service. */
const portsOfImages: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  temporal: temporalPorts,
  'temporal-ui': { TEMPORAL_UI_PORT: 8080 },
};

type Ports = ReadonlyMap<number, number>;

/** A command of a service on this machine. */
export type NativeCommand = Pick<ProgramSpec, 'command' | 'args' | 'env'> & { cwd: string };

/** Where the services find their files. `releases`: the folder of each release, by the tag of its image. */
export interface NativeFolders {
  directory: RunDirectory;
  project: string;
  releases: Readonly<Record<string, string>>;
}

export class NativeServices {
  private readonly ports = new Map<string, Ports>();

  private constructor(
    readonly folders: NativeFolders,
    private readonly first: Ports,
    private readonly temporal: TemporalPrograms,
  ) {}

  /** Builds Temporal's server and UI in the versions of the project, unless an earlier run did, and draws ports. */
  static async prepare(folders: NativeFolders, { services }: ComposeProject, say: Say): Promise<NativeServices> {
    const versionOf = (name: string) => services[name]?.image.split(':')[1] ?? '';
    const versions = { server: versionOf('temporal'), ui: versionOf('temporal-ui') };
    const temporal = await temporalPrograms(versions, say);
    await linkPrograms(folders.directory, say);
    return new NativeServices(folders, await drawnPorts(containerPorts), temporal);
  }

  /** The port on this machine of a port that the containers of the installation publish or call. */
  portOf(container: number): number {
    return portIn(this.first, container);
  }

  /** The ports of the Temporal server that take calls. */
  get callablePorts(): number[] {
    return Object.entries(temporalPorts).flatMap(([setting, port]) =>
      setting.includes('MEMBERSHIP') ? [] : [this.portOf(port)],
    );
  }

  /** The service with the addresses, ports and folders of this machine. `project`: another one than the installation's. */
  async here(service: ComposeService, project = ''): Promise<ComposeService> {
    if (project !== '' && !this.ports.has(project))
      this.ports.set(project, new Map([...this.first, ...(await drawnPorts(portsOfWorkers))]));
    return this.translated(service, this.ports.get(project) ?? this.first);
  }

  /** How to run the service, or other words in its place, which `here` has returned. */
  commandOf(name: string, service: ComposeService, words = this.wordsOf(service)): NativeCommand {
    const cwd = this.folderOf(service.image);
    const [program = '', ...args] = words;
    return { command: programNamed(program, cwd), args, env: this.environmentOf(name, service), cwd };
  }

  /** Its health check. This machine may have no `nc` and no `wget`. */
  isReady({ image, healthcheck }: ComposeService): () => Promise<boolean> {
    const [, probe = '', ...rest] = healthcheck?.test ?? [];
    const last = rest.at(-1) ?? '';
    if (probe === 'nc') return () => reach(Number(last)).then(() => true);
    if (probe === 'wget') return async () => (await statusAt(last)) === 200;
    return () => succeeds(programNamed(probe, this.folderOf(image)), rest);
  }

  /** Images of others have no folder here. */
  private folderOf(image: string): string {
    const [name = '', tag = ''] = image.split(':');
    if (!name.startsWith('digital-goods-ordering-service')) return ROOT;
    const folder = this.folders.releases[tag];
    if (folder === undefined) throw new Problem(`No such image: ${image}`);
    return folder;
  }

  /** The environment from compose, and the PATH to this process's Node and the programs of the images. */
  private environmentOf(name: string, { environment }: ComposeService): NodeJS.ProcessEnv {
    const { directory } = this.folders;
    const node = dirname(process.execPath);
    const path = [...this.temporal.folders, directory.file('bin'), node, process.env['PATH']].join(delimiter);
    const ports = Object.entries(portsOfImages[name] ?? {}).map(([setting, port]): [string, string] => [
      setting,
      String(this.portOf(port)),
    ]);
    return { PATH: path, ...environment, ...Object.fromEntries(ports) };
  }

  /** Without words of its own, a service has the last command in the entrypoint of its image. */
  private wordsOf({ image, entrypoint, command }: ComposeService): string[] {
    const ui = ['ui-server', '--root', this.temporal.uiRoot, '--env', 'docker', 'start'];
    const ofImage = image.startsWith('temporalio/ui:') ? ui : ['temporal-server', 'start'];
    const words = entrypoint ?? command ?? ofImage;
    return typeof words === 'string' ? words.split(' ') : words;
  }

  private translated(service: ComposeService, ports: Ports): ComposeService {
    const { directory, project } = this.folders;
    const { image, ...rest } = service;
    const certificates = /\/(certificates\/\w+):/.exec(JSON.stringify(rest.volumes ?? []))?.[1] ?? '';
    const text = JSON.stringify(rest)
      .replace(new RegExp(`\\b(${containerPorts.join('|')})\\b`, 'g'), (port) => String(portIn(ports, Number(port))))
      .replace(/(?<=[@/"])[a-z-]+(?=:\d{4,5}\b)/g, '127.0.0.1')
      .replace('"POSTGRES_SEEDS":"temporal-postgres"', '"POSTGRES_SEEDS":"127.0.0.1"')
      .replaceAll('0.0.0.0', '127.0.0.1')
      .replaceAll('"./', `"${project}/`)
      .replace(/"\/temporal-config\//g, `"${project}/temporal-config/`)
      .replace(/"\/certificates\//g, `"${directory.file(certificates)}/`)
      .replace(/"\/backups\//g, `"${directory.file('backups')}/`)
      .replace(/"\/state\b/g, `"${directory.path}`);
    return { ...(JSON.parse(text) as Omit<ComposeService, 'image'>), image };
  }
}

function portIn(ports: Ports, container: number): number {
  const port = ports.get(container);
  if (port === undefined) throw new Error(`No local port is known for port ${container}`);
  return port;
}

async function drawnPorts(containers: readonly number[]): Promise<Ports> {
  const drawn = new Set<number>();
  while (drawn.size < containers.length) for (const port of Object.values(await freePorts())) drawn.add(port);
  const free = [...drawn];
  return new Map(containers.map((port, index) => [port, free[index] as number]));
}

/** Installs the programs of images that the scripts call: the Temporal CLI, and `pg_basebackup` in the version of the server. */
async function linkPrograms(directory: RunDirectory, say: Say): Promise<void> {
  const binary = await temporalBinary(say);
  mkdirSync(directory.file('bin'));
  if (binary !== 'temporal') symlinkSync(binary, join(directory.file('bin'), 'temporal'));
  const backup = join(ROOT, 'dist/dev/testbed/base-backup.js');
  const script = `#!/bin/sh\nexec "${process.execPath}" "${backup}" "$@"\n`;
  writeFileSync(join(directory.file('bin'), 'pg_basebackup'), script, { mode: 0o755 });
}

/** The command of the image is that of its release. */
export function programNamed(name: string, folder: string): string {
  return name === 'service' ? join(folder, 'deploy/service') : name;
}

/** Runs the command. Returns its output. Throws a message with the end of its output if it fails. */
export async function outputOf(name: string, { command, args, ...options }: NativeCommand): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { ...options, maxBuffer: 16 * 1024 * 1024 })).stdout;
  } catch (error) {
    throw new Problem(`${name} failed: ${(error as Error).message}`);
  }
}
