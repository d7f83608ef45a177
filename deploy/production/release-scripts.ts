/**
 * Proves `deploy/upgrade.sh`, `rollback.sh` and `workers.sh` while clients order: an installation starts with one release, the upgrade is
 * killed after each of its steps and repeated, rolled back, and completed. Then Temporal loses its data. `DockerHost` stands in for
 * Docker.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodeOf, type Say } from '../../dev/stack/commands';
import { callControl } from '../../dev/stack/controls';
import { databaseUrl, query } from '../../dev/stack/postgres';
import { Problem } from '../../dev/stack/problem';
import { ROOT, RunDirectory } from '../../dev/stack/run-directory';
import type { DemoClient, StackFile } from '../../dev/stack/stack-file';
import type { ComposeProject } from './compose-file';
import { DockerHost, projectAt } from './docker-host';
import { commandsOfItem } from './documented-commands';
import { NativeEngine, removeClusters } from './native-engine';
import { NativeServices, outputOf } from './native-services';
import { madeVariables, readDemo } from './native-stack';
import { sentenceAbout, SteadyOrders } from './steady-orders';

/** Next to the state of `npm start`. */
const RUN_DIR = '.run/releases';
/** What an installation has of a release, besides its image. */
const files = ['docker-compose.yml', 'deploy', 'temporal-config'];

/** The settings of an operator, except that this installation sells test goods. */
const settings = `
COMPOSE_FILE=docker-compose.yml:deploy/production/compose.yml:sandbox.yml
OPS_URL=http://127.0.0.1:3001
CONSOLE_URL=http://127.0.0.1:3000
SMTP_URL=smtp://mail-catcher:2525
MAIL_FROM=Goods <orders@goods.example>
`;
const sandbox = `
x-settings: &settings
  SERVICE_MODE: sandbox
  SIMULATOR_URL: http://simulator:4010
  SIMULATOR_SECRET: \${SIMULATOR_SECRET}
services:
  migrate: { environment: { SERVICE_MODE: sandbox } }
  ops: { environment: *settings }
  api: { environment: *settings }
  operators: { environment: { <<: *settings, OPS_SECOND_FACTOR: optional } }
  worker: { environment: *settings }
  bulk-worker: { environment: *settings }
`;

/** How an operator runs a command in a container of its own. */
const runs = ['run', '--rm', '--no-TTY', '--no-deps'];
/** Milliseconds in which the clients order before Temporal loses its data. */
const ORDERING_MS = 3_000;
/** `reconcile` leaves out orders that are younger than a minute, because their workflows may be about to start. */
const YOUNG_MS = 61_000;

/** The page and heading of what an operator does then. */
const lostTemporal = ['docs/operators/runbook.md', '### Temporal lost its data'] as const;
const newMachine = ['docs/operators/production.md', '### On a new machine'] as const;

const openOrdersStatement = 'SELECT count(*)::integer AS open FROM orders WHERE completed_at IS NULL';

type Seeded = { load: DemoClient } & Pick<StackFile, 'scenarios'>;

/** A release: its version, and the folder of its build. */
export interface Release {
  version: string;
  folder: string;
}

/** Throws a message if a client's orders suffered. */
export async function proveReleaseScripts(previous: Release, next: Release, say: Say): Promise<void> {
  const installation = await Installation.prepare([previous, next], say);
  const began = performance.now();
  const stop = (): void => void installation.stop().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(signal, stop);
  try {
    await installation.script('upgrade', previous.version);
    const seeded = await installation.seed(previous.version);
    const orders = installation.newOrders(seeded);
    orders.begin();
    say('Clients order all the time. The upgrade is killed after each of its steps, and repeated ...');
    for (let step = 2; step <= 9; step++)
      await installation.script('upgrade', next.version, { killAtStep: step, answer: step > 8 ? '\n' : '' });
    say('It is rolled back, killed and repeated ...');
    await installation.script('rollback', previous.version, { killAtStep: 4 });
    await installation.script('rollback', previous.version);
    await installation.script('workers', next.version);
    say('It is completed ...');
    await installation.script('upgrade', next.version, { answer: '\n' });
    say('It is rolled back after the workers have stopped ...');
    await installation.script('rollback', previous.version);
    await orders.end();
    installation.proveBackups();
    say(`Interruptions: ${orders.interruptions.map(sentenceAbout).join('\n  ') || 'none'}`);
    const faults = [...orders.longInterruptions, ...(await installation.faults(orders))];
    if (faults.length > 0) throw new Problem(`Faults were found:\n  ${faults.join('\n  ')}`);
    await installation.proveLossOfTemporal(previous.version, seeded);
    const away = orders.interruptions.filter(({ isAway }) => isAway).map(({ seconds }) => seconds);
    say(
      `${orders.count} orders ended in time, and nothing was bought twice. While the only API was replaced, order requests ` +
        `failed for at most ${Math.max(...away).toFixed(1)} s. ${Math.round((performance.now() - began) / 1_000)} s in all.`,
    );
  } finally {
    await installation.stop();
  }
}

class Installation {
  private orders: SteadyOrders | undefined;

  private constructor(
    private readonly directory: RunDirectory,
    private readonly native: NativeServices,
    private readonly engine: NativeEngine,
    private readonly host: DockerHost,
    private readonly password: string,
    private readonly versions: readonly string[],
    private readonly say: Say,
  ) {}

  /** An installation as its operator prepares it. `releases`: those that have images. */
  static async prepare(releases: readonly Release[], say: Say): Promise<Installation> {
    const directory = new RunDirectory(RUN_DIR);
    directory.lock();
    removeClusters(directory);
    directory.clear();
    for (const file of files) cpSync(join(ROOT, file), directory.file(file), { recursive: true });
    const { POSTGRES_PASSWORD: password = '' } = await madeVariables(directory);
    appendFileSync(directory.file('.env'), settings);
    writeFileSync(directory.file('sandbox.yml'), sandbox);
    for (const folder of ['wal', 'base', 'requests'])
      mkdirSync(directory.file(`backups/${folder}`), { recursive: true });
    const images = Object.fromEntries(releases.map(({ version, folder }) => [version, folder]));
    const project = projectAt(directory.path, { DEPLOYMENT_VERSION: releases[0]?.version });
    const folders = { directory, project: directory.path, releases: images };
    const native = await NativeServices.prepare(folders, project, say);
    const engine = new NativeEngine(native, project.name, () => undefined);
    await engine.up(project, ['simulator', 'mail-catcher'], { withDependencies: false });
    const host = await DockerHost.start(engine, directory);
    const versions = releases.map(({ version }) => version);
    return new Installation(directory, native, engine, host, password, versions, say);
  }

  async stop(): Promise<void> {
    await this.orders?.end();
    this.host.stop();
    await this.engine.stopAll();
    this.directory.unlock();
  }

  /** Fills the sandbox. Returns its client "load" with what it orders. */
  async seed(version: string): Promise<Seeded> {
    const seeded = readDemo(await outputOf('seed', await this.engine.job(this.projectOf(version), 'seed')));
    const { clients, scenarios, operator } = seeded;
    // The account of the backup.
    appendFileSync(this.directory.file('.env'), `OPS_TOKEN=${operator.token}\n`);
    const { load } = clients;
    if (!load) throw new Problem('The sandbox has no client "load".');
    return { load, scenarios };
  }

  newOrders({ load, scenarios }: Seeded): SteadyOrders {
    this.orders = new SteadyOrders(`http://127.0.0.1:${this.native.portOf(3000)}`, load, scenarios);
    return this.orders;
  }

  private get databaseUrl(): string {
    return databaseUrl(this.native.portOf(5432), this.password);
  }

  private get simulatorUrl(): string {
    return `http://127.0.0.1:${this.native.portOf(4010)}`;
  }

  private projectOf(version: string): ComposeProject {
    return projectAt(this.directory.path, { DEPLOYMENT_VERSION: version });
  }

  /**
   * Runs the script with what a person answers. `killAtStep`: kills it with its `docker` as it begins this step. Throws a message if
   * it fails otherwise, or names a way back that leads to no other release.
   */
  async script(name: string, version: string, { killAtStep = 0, answer = '' } = {}): Promise<void> {
    const child = spawn(this.directory.file(`deploy/${name}.sh`), [version], {
      cwd: '/',
      env: { ...this.host.environment, OPS_OPERATOR: 'proof' },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const ended = exitCodeOf(child);
    const output: string[] = [];
    const astray: string[] = [];
    createInterface(child.stderr).on('line', (line) => output.push(line));
    const lines = createInterface(child.stdout).on('line', (line) => {
      output.push(line);
      const [, target] = /^ {4}To go back: deploy\/(?:upgrade|rollback)\.sh (.+)\.$/.exec(line) ?? [];
      if (target !== undefined && (target === version || !this.versions.includes(target))) astray.push(line);
      const [, step] = /^(\d)\/\d /.exec(line) ?? [];
      if (step === undefined) return;
      if (this.orders) this.orders.during = `${name} ${version}, ${line}`;
      if (Number(step) === killAtStep) process.kill(-(child.pid as number), 'SIGKILL');
    });
    // A killed script waits for its person.
    if (killAtStep === 0 || answer !== '') child.stdin.end(answer);
    const code = await ended;
    lines.close();
    const isKilled = killAtStep > 0 && code === null;
    this.say(`${name}.sh ${version}: ${isKilled ? `killed at step ${killAtStep}` : `exit code ${code}`}`);
    if (killAtStep > 0 ? !isKilled : code !== 0)
      throw new Problem(`deploy/${name}.sh ${version} ended with ${code}:\n  ${output.join('\n  ')}`);
    if (astray.length > 0) throw new Problem(`deploy/${name}.sh ${version} leads nowhere:\n  ${astray.join('\n  ')}`);
  }

  /** Throws a message unless the upgrades left a complete base backup and the requests about recipients. */
  proveBackups(): void {
    const backups = (path: string) => this.directory.file(`backups/${path}`);
    const isComplete = readdirSync(backups('base')).some((name) => existsSync(backups(`base/${name}/backup_manifest`)));
    if (!isComplete) throw new Problem('deploy/backup.sh left no complete base backup.');
    if (!Array.isArray(JSON.parse(readFileSync(backups('requests/requests.json'), 'utf8'))))
      throw new Problem('deploy/backup.sh left no requests about recipients.');
  }

  /**
   * Deletes Temporal's database while orders wait for their supplier, and follows docs/operators/runbook.md#temporal-lost-its-data.
   * Throws a message unless the orders end, each bought once.
   */
  async proveLossOfTemporal(version: string, seeded: Seeded): Promise<void> {
    const outage = (seconds: number) => callControl(this.simulatorUrl, 'POST', 'outage', { seconds });
    const beganAt = performance.now();
    await outage(3_600);
    const orders = this.newOrders(seeded);
    // An eSIM would be answered after a minute.
    orders.begin(['voucher', 'topup']);
    await sleep(ORDERING_MS);
    await orders.end();
    await this.follow(version, lostTemporal, '- docker compose:');
    const [found] = await query<{ open: number }>(this.databaseUrl, openOrdersStatement);
    if (!found?.open) throw new Problem('No order was open when Temporal lost its data, so this proves nothing.');
    await this.follow(version, newMachine, '3. ');
    await this.follow(version, lostTemporal, '2. ');
    await outage(0);
    await sleep(YOUNG_MS);
    // It exits with 1 if it starts orders again. Maintenance may have started them before.
    await this.docker([...runs, 'ops', 'reconcile'], [0, 1]);
    const seconds = (performance.now() - beganAt) / 1_000;
    const faults = await this.faults(orders, seconds);
    if (faults.length > 0) throw new Problem(`After the loss of Temporal:\n  ${faults.join('\n  ')}`);
    this.say(`Temporal lost its data. The ${found.open} open orders went on within ${seconds.toFixed(0)} s.`);
  }

  /** Runs the commands of an item of a page for this release. */
  private async follow(version: string, [page, heading]: readonly [string, string], start: string): Promise<void> {
    for (const command of commandsOfItem(page, heading, start)) await this.runDocumented(command, version);
  }

  /** Runs a command of docker, or of the service's command line. */
  private async runDocumented(command: string, version: string): Promise<void> {
    const { name } = this.projectOf(version);
    const [, volume] = new RegExp(`^docker volume rm ${name}_(\\S+)$`).exec(command) ?? [];
    if (volume !== undefined) return this.engine.removeData(volume);
    const [, words] = /^docker compose (.+)$/.exec(command) ?? [];
    // No terminal reads the output here.
    if (words !== undefined) return this.docker(words.replace('run --rm', 'run --rm --no-TTY').split(' '));
    return this.docker([...runs, 'ops', ...command.replace('<release>', version).split(' ')]);
  }

  /** Runs `docker compose` in the folder of the installation. Throws a message unless it ends with such an exit code. */
  private async docker(words: readonly string[], expected: readonly (number | null)[] = [0]): Promise<void> {
    const options = { cwd: this.directory.path, env: this.host.environment, stdio: 'inherit' } as const;
    const code = await exitCodeOf(spawn('docker', ['compose', ...words], options));
    if (!expected.includes(code)) throw new Problem(`docker compose ${words.join(' ')} ended with ${code}: see above.`);
  }

  async faults(orders: SteadyOrders, outageS = 0): Promise<string[]> {
    return orders.faults(this.databaseUrl, this.simulatorUrl, outageS);
  }
}
