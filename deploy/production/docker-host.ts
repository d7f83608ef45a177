/**
 * Stands in for a Docker host: `NativeEngine` runs the containers, and a program `docker` hands its words over. As with Docker,
 * containers continue if `docker` is killed.
 */
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { parseEnv } from 'node:util';
import { messageOf } from '../../dev/stack/problem';
import { ROOT, type RunDirectory } from '../../dev/stack/run-directory';
import { readProject, type ComposeProject } from './compose-file';
import type { DockerCall, DockerReply } from './docker';
import { parseDocker } from './docker-words';
import { runTo, type NativeEngine } from './native-engine';

export class DockerHost {
  private constructor(
    private readonly server: Server,
    /** What the scripts need to find the program `docker`, and it this host. */
    readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Writes the program `docker` into `bin` of the directory. */
  static async start(engine: NativeEngine, directory: RunDirectory): Promise<DockerHost> {
    const program = join(ROOT, 'dist/deploy/production/docker.js');
    const script = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
    writeFileSync(join(directory.file('bin'), 'docker'), script, { mode: 0o755 });
    const socket = directory.file('docker.sock');
    rmSync(socket, { force: true });
    const server = createServer((client) => void serve(engine, client));
    server.listen(socket);
    await once(server, 'listening');
    const path = `${directory.file('bin')}:${process.env['PATH']}`;
    return new DockerHost(server, { PATH: path, HOME: process.env['HOME'], DOCKER_SOCKET: socket });
  }

  stop(): void {
    this.server.close();
  }
}

/** The project in the folder, as compose finds it with this environment. */
export function projectAt(folder: string, environment: NodeJS.Dict<string>, name?: string): ComposeProject {
  const variables = { ...parseEnv(readFileSync(join(folder, '.env'), 'utf8')), ...environment };
  const files = (variables['COMPOSE_FILE'] ?? 'docker-compose.yml').split(':');
  const texts = files.map((file) => readFileSync(resolve(folder, file), 'utf8'));
  const project = readProject(texts, variables);
  return { ...project, name: name ?? project.name ?? basename(folder) };
}

async function serve(engine: NativeEngine, client: Socket): Promise<void> {
  // A killed `docker` reads no more.
  client.on('error', () => undefined);
  const reply = (one: DockerReply): void => void (client.writable && client.write(`${JSON.stringify(one)}\n`));
  const to = (stream: 'out' | 'err') =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        reply({ [stream]: chunk.toString() });
        done();
      },
    });
  try {
    const [line] = (await once(createInterface(client), 'line')) as [string];
    reply({ code: await carryOut(engine, JSON.parse(line) as DockerCall, to('out'), to('err')) });
  } catch (error) {
    reply({ err: `${messageOf(error)}\n` });
    reply({ code: 1 });
  }
  client.end();
}

/** Returns the exit code. */
async function carryOut(
  engine: NativeEngine,
  { words, folder, environment, input }: DockerCall,
  out: Writable,
  err: Writable,
): Promise<number> {
  const { project: name, name: command, flags, rest } = parseDocker(words);
  if (command === 'ls') {
    out.write(engine.projects.map((running) => `${running}\n`).join(''));
    return 0;
  }
  const project = projectAt(folder, environment, name);
  const [service = '', ...inside] = rest;
  const options = { withDependencies: !flags.has('--no-deps'), recreates: !flags.has('--no-recreate') };
  switch (command) {
    case 'up':
      await engine.up(project, rest, options);
      return 0;
    case 'stop':
    case 'rm':
      await engine.stop(project, rest.length > 0 ? rest : undefined);
      return 0;
    case 'run':
      return runTo(out, err, await engine.job(project, service, inside));
    case 'exec':
      return runTo(out, err, engine.inContainer(project, service, inside), input);
  }
}
