/**
 * Proves the steps for Kubernetes of docs/operators: installs the example, upgrades it while clients order, rolls it back and upgrades
 * it again, in the order of the pages. No cluster is here: the programs run as processes, with the environment of the built manifests.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Say } from '../../dev/stack/commands';
import { databaseUrl } from '../../dev/stack/postgres';
import { Problem } from '../../dev/stack/problem';
import { ROOT, RunDirectory } from '../../dev/stack/run-directory';
import { readProject, type ComposeProject } from './compose-file';
import { kubernetesTools } from './kubernetes-tools';
import { Manifests, type Secrets } from './manifests';
import { NativeEngine, removeClusters } from './native-engine';
import { NativeServices, outputOf } from './native-services';
import { madeVariables, readDemo } from './native-stack';
import type { Release } from './release-scripts';
import { sentenceAbout, SteadyOrders } from './steady-orders';

/** Next to the state of `npm start`. */
const RUN_DIR = '.run/cluster';
const NAME = 'digital-goods';
/** The servers and other machines that an installation has besides its manifests. */
const surroundings = ['postgres', 'temporal-namespace', 'simulator', 'mail-catcher'];

/** What the installation sets in its copy of the example, except that it sells test goods, without TLS for browsers. */
const settings: Readonly<Record<string, string>> = {
  SERVICE_MODE: 'sandbox',
  TEMPORAL_ADDRESS: 'temporal:7233',
  OPS_URL: 'http://127.0.0.1:3001',
  CONSOLE_URL: 'http://127.0.0.1:3000',
  TRUSTED_PROXIES: '',
  UNENCRYPTED_CONNECTIONS: '',
};

/** Throws a message if a step fails or a client's orders suffer. */
export async function proveCluster(first: Release, second: Release, say: Say): Promise<void> {
  const cluster = await Cluster.prepare([first, second], say);
  const [previous, next] = [first.version, second.version];
  const stop = (): void => void cluster.stop().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(signal, stop);
  try {
    await cluster.nameRelease(previous);
    await cluster.applyPreparation(previous);
    await cluster.applyWorkers(previous);
    await cluster.ops('deploy', 'promote', previous);
    await cluster.applyService();
    await cluster.inviteAdmin();
    const orders = await cluster.startOrders();
    await cluster.nameRelease(next);
    await cluster.applyPreparation(next);
    await cluster.ops('replay', '--since', '1d', '--no-orders');
    await cluster.applyWorkers(next);
    await cluster.ops('deploy', 'promote', next);
    await cluster.applyService();
    await cluster.ops('deploy', 'status');
    await cluster.ops('deploy', 'promote', previous);
    await cluster.nameRelease(previous);
    await cluster.applyService();
    await cluster.nameRelease(next);
    await cluster.ops('deploy', 'promote', next);
    await cluster.applyService();
    await cluster.ops('deploy', 'drain', previous);
    await cluster.deleteWorkers(previous);
    await orders.end();
    say(`Interruptions: ${orders.interruptions.map(sentenceAbout).join('\n  ') || 'none'}`);
    const faults = await cluster.faults(orders);
    if (faults.length > 0) throw new Problem(`Faults were found:\n  ${faults.join('\n  ')}`);
    say(`The steps for Kubernetes install, upgrade and roll back: ${orders.count} orders ended in time.`);
  } finally {
    await cluster.stop();
  }
}

class Cluster {
  private orders: SteadyOrders | undefined;
  private service: Manifests;

  private constructor(
    private readonly directory: RunDirectory,
    private readonly project: ComposeProject,
    private readonly native: NativeServices,
    private readonly engine: NativeEngine,
    private readonly secrets: Secrets,
    private readonly password: string,
    private readonly kustomize: (folder: string) => Promise<string>,
    private readonly say: Say,
  ) {
    this.service = new Manifests('', secrets);
  }

  /** A cluster with what an installation needs, and a copy of the example. */
  static async prepare(releases: readonly Release[], say: Say): Promise<Cluster> {
    const { kustomize } = await kubernetesTools();
    const directory = new RunDirectory(RUN_DIR);
    directory.lock();
    removeClusters(directory);
    directory.clear();
    const variables = await madeVariables(directory);
    cpSync(join(ROOT, 'deploy/kubernetes'), directory.file('kubernetes'), { recursive: true });
    const copy = directory.file('kubernetes/goods');
    cpSync(directory.file('kubernetes/example'), copy, { recursive: true });
    edit(join(copy, 'service/settings.env'), (text) =>
      Object.entries(settings).reduce(
        (edited, [name, value]) => edited.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`),
        text,
      ),
    );
    mkdirSync(directory.file('keys'));
    writeFileSync(directory.file('keys/secret-keys'), variables['SECRET_KEYS'] ?? '');
    const project = { ...readProject([readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8')], variables), name: NAME };
    const images = Object.fromEntries(releases.map(({ version, folder }) => [version, folder]));
    const folders = { directory, project: ROOT, releases: { sandbox: ROOT, ...images } };
    const native = await NativeServices.prepare(folders, project, say);
    const engine = new NativeEngine(native, NAME, () => undefined);
    await engine.up(project, surroundings);
    const secrets = secretsOf(project, directory);
    const { POSTGRES_PASSWORD: password = '' } = variables;
    return new Cluster(directory, project, native, engine, secrets, password, kustomize, say);
  }

  async stop(): Promise<void> {
    await this.orders?.end();
    await this.engine.stopAll();
    this.directory.unlock();
  }

  /** The copy of `service` names the release in its three places. */
  async nameRelease(version: string): Promise<void> {
    this.step(`name ${version} in service`);
    const folder = this.directory.file('kubernetes/goods/service');
    edit(join(folder, 'kustomization.yaml'), (text) => withRelease(text, version));
    this.service = new Manifests(await this.kustomize(folder), this.secrets);
  }

  async applyPreparation(version: string): Promise<void> {
    this.step(`apply the preparation of ${version}`);
    const jobs = Object.keys(this.service.services(['Job'], 'preparation'));
    if (jobs.join() !== `migrate-${hyphenated(version)}`) throw new Problem(`The jobs are: ${jobs.join()}`);
    for (const job of jobs) await outputOf(job, await this.engine.job(this.installation(), job));
  }

  /** A copy of the folder for each release. */
  async applyWorkers(version: string): Promise<void> {
    this.step(`apply the workers of ${version}`);
    const project = await this.workers(version);
    await this.engine.up(project, Object.keys(project.services), { withDependencies: false });
  }

  async deleteWorkers(version: string): Promise<void> {
    this.step(`delete the workers of ${version}`);
    await this.engine.stop(await this.workers(version));
  }

  /** As `deploy/kubernetes/ops.sh` does, with the image that `service` names. */
  async ops(...words: string[]): Promise<void> {
    this.step(`ops.sh ${words.join(' ')}`);
    if (!('ops' in this.service.services(['CronJob'], 'preparation')))
      throw new Problem('The preparation has no template of local commands.');
    const all = ['--operator', 'proof', ...words];
    await outputOf('ops', await this.engine.job(this.installation(), 'ops', all));
  }

  async applyService(): Promise<void> {
    this.step('apply service');
    const names = Object.keys(this.service.services(['Deployment']));
    await this.engine.up(this.installation(), names, { withDependencies: false });
  }

  async inviteAdmin(): Promise<void> {
    this.step('invite the first admin');
    const words = ['service', 'ops', 'invite-admin', 'ada@goods.example', '--name', 'Ada', '--operator', 'proof'];
    await outputOf('invite-admin', this.engine.inContainer(this.installation(), 'operators', words));
  }

  async startOrders(): Promise<SteadyOrders> {
    const seeded = readDemo(await outputOf('seed', await this.engine.job(this.project, 'seed')));
    const { load } = seeded.clients;
    if (!load) throw new Problem('The sandbox has no client "load".');
    this.orders = new SteadyOrders(`http://127.0.0.1:${this.native.portOf(3000)}`, load, seeded.scenarios);
    this.orders.begin();
    return this.orders;
  }

  async faults(orders: SteadyOrders): Promise<string[]> {
    const faults = await orders.faults(
      databaseUrl(this.native.portOf(5432), this.password),
      `http://127.0.0.1:${this.native.portOf(4010)}`,
    );
    return [...faults, ...orders.longInterruptions];
  }

  private step(what: string): void {
    this.say(`  ${what}`);
    if (this.orders) this.orders.during = what;
  }

  /** The namespace with what `service` describes. */
  private installation(): ComposeProject {
    return { name: NAME, services: this.service.services(['Deployment', 'Job', 'CronJob']) };
  }

  private async workers(version: string): Promise<ComposeProject> {
    const folder = this.directory.file(`kubernetes/goods/worker-${hyphenated(version)}`);
    cpSync(this.directory.file('kubernetes/goods/worker'), folder, { recursive: true });
    edit(join(folder, 'kustomization.yaml'), (text) => withRelease(text, version));
    const manifests = new Manifests(await this.kustomize(folder), this.secrets, this.service);
    return { name: `workers-${hyphenated(version)}`, services: manifests.services(['Deployment']) };
  }
}

/** The secrets of the page, from what docker compose gives to its services. */
function secretsOf({ services }: ComposeProject, directory: RunDirectory): Secrets {
  const of = (service: string, setting: string) => services[service]?.environment?.[setting] ?? '';
  return {
    values: {
      'digital-goods-database': {
        'owner-url': of('migrate', 'DATABASE_URL'),
        'service-url': of('api', 'DATABASE_URL'),
        'operator-url': of('operators', 'DATABASE_URL'),
        'operator-identity-url': of('operators', 'OPS_IDENTITY_DATABASE_URL'),
        'member-identity-url': of('api', 'MEMBER_IDENTITY_DATABASE_URL'),
        'retention-url': of('worker', 'RETENTION_DATABASE_URL'),
      },
      'digital-goods-suppliers': {
        SIMULATOR_URL: of('api', 'SIMULATOR_URL'),
        SIMULATOR_SECRET: of('api', 'SIMULATOR_SECRET'),
      },
      'digital-goods-mail': { 'smtp-url': of('api', 'SMTP_URL') },
      'digital-goods-operators': { 'identity-secret': of('operators', 'OPS_IDENTITY_SECRET') },
      'digital-goods-members': { 'identity-secret': of('api', 'MEMBER_IDENTITY_SECRET') },
    },
    folders: {
      '/run/secrets/digital-goods': directory.file('keys'),
      '/run/secrets/temporal': directory.file('certificates/client'),
    },
  };
}

const hyphenated = (version: string) => version.replaceAll('.', '-');

function withRelease(kustomization: string, version: string): string {
  return kustomization
    .replace(/(?<=newTag: |version: )[\d.]+\b/g, version)
    .replace(/(?<=nameSuffix: -|migrate-)[\d-]+\b/g, hyphenated(version));
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
