/** The sandbox of `docker-compose.yml` without containers, for tests and measurements. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import type { Say } from '../../dev/stack/commands';
import { databaseUrl } from '../../dev/stack/postgres';
import { ROOT, RunDirectory } from '../../dev/stack/run-directory';
import type { DemoData, LocalOperator, StackFile } from '../../dev/stack/stack-file';
import { certificatesIn, openTunnel, proveClientCertificates } from './client-certificates';
import { readProject, type ComposeProject } from './compose-file';
import { NativeEngine } from './native-engine';
import { NativeServices, outputOf, type NativeCommand } from './native-services';

const run = promisify(execFile);

export class NativeStack {
  private readonly engine: NativeEngine;
  private tunnelPort = 0;

  private constructor(
    private readonly directory: RunDirectory,
    private readonly variables: NodeJS.Dict<string>,
    private readonly project: ComposeProject,
    private readonly native: NativeServices,
    private readonly say: Say,
  ) {
    this.engine = new NativeEngine(native, project.name, say);
  }

  /** Prepares it in a run directory, with the secrets of `dev/scripts/make-env.mjs` and webhooks to this machine. */
  static async prepare(directory: RunDirectory, say: Say): Promise<NativeStack> {
    const variables = { ...(await madeVariables(directory)), WEBHOOKS_ALLOW_LOOPBACK: 'true' };
    const project = readProject([readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8')], variables);
    const folders = { directory, project: ROOT, releases: { sandbox: ROOT } };
    const native = await NativeServices.prepare(folders, project, say);
    return new NativeStack(directory, variables, project, native, say);
  }

  /** Stops everything in reverse order of the start. */
  async stop(): Promise<void> {
    this.directory.remove('stack.json');
    await this.engine.stopAll();
  }

  /** Starts everything with new state. Returns when all programs are ready and `stack.json` is written. */
  async start(): Promise<void> {
    // A service with a profile starts only if an operator calls it.
    const names = Object.entries(this.project.services).flatMap(([name, { profiles }]) => (profiles ? [] : [name]));
    await this.engine.up(
      this.project,
      names.filter((name) => name !== 'seed'),
    );
    const { operator, ...demo } = readDemo(await outputOf('seed', await this.engine.job(this.project, 'seed')));
    this.tunnelPort = await openTunnel(this.native.portOf(7233), this.clientCertificates());
    this.directory.keepOperatorToken(operator.token);
    this.describe(demo);
  }

  /** The command of a service, with the addresses of this stack. */
  commandOf(name: string): Promise<NativeCommand> {
    return this.engine.job(this.project, name);
  }

  /** How to run the Temporal UI and the operators' process before it, and where Temporal takes calls without TLS. */
  async commandsOfTemporalUi() {
    return {
      temporalAddress: `127.0.0.1:${this.tunnelPort}`,
      ui: await this.commandOf('temporal-ui'),
      operators: await this.commandOf('operators'),
    };
  }

  /** Throws a message unless each port of the Temporal server that takes calls demands the client certificate of this installation. */
  async proveClientCertificates(): Promise<void> {
    const stranger = new RunDirectory(this.directory.file('stranger'));
    await run(process.execPath, [join(ROOT, 'dev/scripts/make-certificates.mjs')], { cwd: stranger.path });
    const ports = this.native.callablePorts;
    await proveClientCertificates(ports, this.clientCertificates(), certificatesIn(clientFolder(stranger)));
    this.say(`${ports.length} ports of Temporal demand the client certificate of this installation.`);
  }

  private clientCertificates() {
    return certificatesIn(clientFolder(this.directory));
  }

  private secret(name: string): string {
    return this.variables[name] ?? '';
  }

  /** Writes the stack's files for the tests: `stack.json`, and its secrets. */
  private describe(demo: DemoData): void {
    const local = (port: number): string => `http://127.0.0.1:${this.native.portOf(port)}`;
    this.directory.writeJson('secrets.json', {
      SECRET_KEYS: this.secret('SECRET_KEYS'),
      SIMULATOR_SECRET: this.secret('SIMULATOR_SECRET'),
      POSTGRES_PASSWORD: this.secret('POSTGRES_PASSWORD'),
      OPS_IDENTITY_SECRET: this.secret('OPS_IDENTITY_SECRET'),
      MEMBER_IDENTITY_SECRET: this.secret('MEMBER_IDENTITY_SECRET'),
    });
    const stack: StackFile = {
      api_url: local(3000),
      ops_url: local(3001),
      database_url: databaseUrl(this.native.portOf(5432), this.secret('POSTGRES_PASSWORD')),
      // The tests have no client certificate.
      temporal_address: `127.0.0.1:${this.tunnelPort}`,
      temporal_namespace: 'default',
      temporal_ui_url: `${local(8080)}/temporal`,
      simulator_url: local(4010),
      supplier_url: local(4010),
      mailbox_url: local(8025),
      metrics_url: `${local(9464)}/metrics`,
      api_metrics_url: `${local(9465)}/metrics`,
      bulk_metrics_url: `${local(9466)}/metrics`,
      codec_url: `${local(3001)}/temporal/codec`,
      pids: this.engine.pids,
      ...demo,
    };
    this.directory.writeJson('stack.json', stack);
  }
}

const clientFolder = (directory: RunDirectory): string => directory.file('certificates/client');

/** The demo data that the job `seed` has printed. */
export function readDemo(output: string): DemoData & { operator: LocalOperator } {
  return JSON.parse(/^\{[^]*?^\}/m.exec(output)?.[0] ?? '') as DemoData & { operator: LocalOperator };
}

/** The secrets of an installation, created as by operators. */
export async function madeVariables(directory: RunDirectory): Promise<NodeJS.Dict<string>> {
  await run(process.execPath, [join(ROOT, 'dev/scripts/make-env.mjs')], { cwd: directory.path });
  return parseEnv(readFileSync(directory.file('.env'), 'utf8'));
}
