/**
 * `npm run prove:upgrade`: runs this checkout and a synthetic next release on one schema, as during a rollout, and proves
 * that nothing is lost between them; then upgrades an installation of docker compose from one to the other with its scripts, and
 * one of Kubernetes by the steps of its page.
 * With `-- <commit>` it runs that commit and this checkout on one schema. docs/developers/migrations.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ApiClient } from '../../dev/stack/api-client';
import { run, type Say, exitCodeOf } from '../../dev/stack/commands';
import { readStackFile, separateEnvironment } from '../../dev/stack/launch';
import { freePorts, portVariables, type PortName } from '../../dev/stack/ports';
import { query } from '../../dev/stack/postgres';
import { messageOf, Problem } from '../../dev/stack/problem';
import { Program } from '../../dev/stack/program';
import { ROOT, RunDirectory } from '../../dev/stack/run-directory';
import { environmentOf, readSettings, type ProgramName } from '../../dev/stack/settings';
import type { RoleUrls, Scenario, StackFile } from '../../dev/stack/stack-file';
import { proveCluster } from './cluster';
import { furtherLogins } from './further-logins';
import { entriesOfNextRelease, versionOf, writeNextRelease } from './next-release';
import { order, orderOnce, OrderRequests } from './order-traffic';
import { proveReleaseScripts } from './release-scripts';

/** Next to the state of `npm start`. */
const RUN_DIR = '.run/upgrade';
const CHECKOUT = '.run/previous';
const NEXT = '.run/next';
/** These wait for an operator. */
const parked = ['voucher_needs_operator', 'topup_supplier_blocked', 'voucher_held'];

const say: Say = (line) => console.log(line);

/** The commit, built in a separate folder. */
async function checkOut(commit: string, folder: string): Promise<void> {
  const git = (...args: string[]) => run('git', ['git', '-C', ROOT, ...args], process.env, say);
  await git('worktree', 'prune');
  const isThere = existsSync(join(folder, '.git'));
  const added = isThere
    ? git('-C', folder, 'checkout', '--quiet', '--detach', commit)
    : git('worktree', 'add', '--detach', folder, commit);
  await added.catch((error: unknown) => {
    throw new Problem(`${commit} cannot be checked out: ${messageOf(error)}`);
  });
  const lockOf = (project: string) => readFileSync(join(project, 'package-lock.json'), 'utf8');
  const packages = join(folder, 'node_modules');
  // A link of an earlier run to this checkout's packages, which npm would empty.
  if (lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(packages);
  if (lockOf(folder) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), packages);
  else await run('npm ci', ['npm', '--prefix', folder, 'ci', '--no-audit', '--no-fund'], process.env, say);
  await build(folder);
}

async function build(folder: string): Promise<void> {
  await run('build', [process.execPath, join(folder, 'dev/scripts/build.mjs'), 'service'], process.env, say);
}

/** The stack of the previous release, started by its own launcher. */
class PreviousStack {
  private constructor(
    private readonly child: ReturnType<typeof spawn>,
    readonly file: StackFile,
  ) {}

  static async start(folder: string, env: NodeJS.ProcessEnv): Promise<PreviousStack> {
    const child = spawn(process.execPath, [join(folder, 'dist/dev/stack/main.js'), '--fresh'], {
      env,
      cwd: folder,
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    const isReady = await Promise.race([
      once(child, 'message').then(() => true),
      once(child, 'exit').then(() => false),
    ]);
    if (!isReady) throw new Problem('The previous release did not start: see above.');
    return new PreviousStack(child, readStackFile(join(env['RUN_DIR'] ?? '', 'stack.json')));
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}

/** The ports of the newer release, and its addresses. */
async function otherPorts(): Promise<NodeJS.ProcessEnv> {
  const ports = await freePorts();
  return { ...portVariables(ports), OPS_URL: `http://127.0.0.1:${ports.OPS_PORT}` };
}

/** API, operators' process and workers of the newer release, each as its role, in addition to those of the previous one. */
async function startBeside(
  { folder, env }: Release,
  roles: RoleUrls,
  directory: RunDirectory,
): Promise<{ apiUrl: string; programs: Program[] }> {
  const at = (port: PortName) => `http://127.0.0.1:${env[port]}`;
  const apiUrl = at('API_PORT');
  const answers = (url: string) => async () => (await fetch(url)).ok;
  const program = (name: ProgramName, readyUrl: string): Program =>
    new Program(
      {
        name: `new-${name}`,
        command: join(folder, 'deploy/service'),
        args: [name],
        env: environmentOf(name, env, roles),
        cwd: folder,
        log: directory.log(`new-${name}`),
        isReady: answers(readyUrl),
      },
      { changed: () => undefined, said: say },
    );
  const programs = [
    program('api', `${apiUrl}/ready`),
    program('operators', `${at('OPS_PORT')}/health`),
    program('worker', `${at('METRICS_PORT')}/metrics`),
    program('bulk-worker', `${at('BULK_METRICS_PORT')}/metrics`),
  ];
  await Promise.all(programs.map((each) => each.start()));
  return { apiUrl, programs };
}

/** A release: its build folder, and the environment of its programs. */
interface Release {
  folder: string;
  env: NodeJS.ProcessEnv;
}

/** How the release runs its ops CLI. An image without the command `service` starts its programs by their paths. */
function opsCommand(folder: string): [string, ...string[]] {
  const command = join(folder, 'deploy/service');
  return existsSync(command) ? [command, 'ops'] : [process.execPath, join(folder, 'dist/src/ops-cli/main.js')];
}

/** Runs the ops CLI of the release, at its own operators' process. Throws a message if it reports findings. */
async function tool({ folder, env }: Release, ...words: string[]): Promise<void> {
  const [command, ...args] = opsCommand(folder);
  const child = spawn(command, [...args, ...words], { cwd: folder, env, stdio: 'inherit' });
  const code = await exitCodeOf(child);
  if (code !== 0) throw new Problem(`${words.join(' ')} found something wrong: see above.`);
}

/** Orders every scenario at each session, and reads each order at the next session. Returns the faults. */
async function orderAll(
  scenarios: readonly Scenario[],
  sessions: readonly ApiClient[],
  requests: OrderRequests,
): Promise<string[]> {
  const faults: (string | undefined)[] = [];
  const instant = scenarios.filter(({ initial_status: begin }) => begin === 'DELIVERED');
  if (sessions.length > 1) for (const scenario of instant) faults.push(await orderOnce(scenario, sessions));
  const orders = scenarios.flatMap((scenario) =>
    sessions.map((placedAt, index) =>
      order(scenario, { placedAt, readAt: sessions[(index + 1) % sessions.length] ?? placedAt }, requests),
    ),
  );
  return [...faults, ...(await Promise.all(orders))].filter((fault) => fault !== undefined);
}

/**
 * The entries of the attention list, which should be empty: workflows of one release that the other cannot continue.
 * `OrderRequests` judges the rejected order requests. The sandbox of a commit before 0022-no-circle-of-rates has a circle of rates.
 */
async function listed(databaseUrl: string): Promise<string[]> {
  const entries = await query<{ kind: string; reason: string }>(
    databaseUrl,
    "SELECT kind, reason FROM attention WHERE cleared_at IS NULL AND kind NOT IN ('ORDERS_REJECTED', 'RATES_CIRCLE')",
  );
  return entries.map(({ kind, reason }) => `${kind}: ${reason}`);
}

/**
 * Orders go to the release from now on. Its own ops CLI promotes it: that of a newer release may need the newer schema.
 */
async function promote(release: Release): Promise<void> {
  await tool(release, 'deploy', 'promote', release.env['DEPLOYMENT_VERSION'] ?? '');
}

function versioned(version: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, DEPLOYMENT_VERSION: version };
}

/** A fault if the functions of the newer release were not in use. */
async function unwritten(databaseUrl: string, statement: string): Promise<string[]> {
  const [found] = await query<{ entries: number }>(databaseUrl, statement);
  return found?.entries ? [] : ['No entry of the ledger was posted by the function of the next release'];
}

/** The folders of the two releases, and a statement that counts what only the newer one writes, if there is one. */
interface Upgrade {
  previous: string;
  next: string;
  written?: string;
}

async function prove({ previous: folder, next, written }: Upgrade, directory: RunDirectory): Promise<void> {
  const env = await separateEnvironment(directory.path);
  const previous = await PreviousStack.start(folder, versioned('previous', env));
  let beside: Program[] = [];
  try {
    const { file } = previous;
    const settings = {
      ...readSettings(directory, env).environment,
      DATABASE_URL: file.database_url,
      OPS_TOKEN: directory.operatorToken(),
    };
    const before: Release = { folder, env: versioned('previous', settings) };
    const newer: Release = { folder: next, env: { ...versioned('next', settings), ...(await otherPorts()) } };
    const scenarios = file.scenarios.filter(({ name, headers }) => !parked.includes(name) && !headers);
    const load = file.clients['load'];
    if (!load) throw new Problem('The previous release has no client "load".');
    await promote(before);
    const requests = new OrderRequests();
    const client = new ApiClient(file.api_url, load);
    const old = await client.at(file.api_url);

    say('Orders at the previous release during the schema change ...');
    const underWay = orderAll(scenarios, [old], requests);
    await tool(newer, 'migrate');
    const { apiUrl, programs } = await startBeside(newer, await furtherLogins(file.database_url), directory);
    beside = programs;
    say('Orders at both releases concurrently ...');
    const atBoth = [old, await client.at(apiUrl)];
    const faults = [...(await orderAll(scenarios, atBoth, requests)), ...(await underWay)];
    say('The same with the promoted new worker and logins at the new API ...');
    await promote(newer);
    const fresh = new ApiClient(apiUrl, load);
    const atBothAgain = [await fresh.at(apiUrl), await fresh.at(file.api_url)];
    faults.push(...(await orderAll(scenarios, atBothAgain, requests)));
    faults.push(...requests.faults, ...(await listed(file.database_url)));
    if (written !== undefined) faults.push(...(await unwritten(file.database_url, written)));
    if (faults.length > 0) throw new Problem(`Faults were found:\n  ${faults.join('\n  ')}`);
    say('Operators at both releases ...');
    for (const release of [before, newer]) {
      const wallet = String(load.wallets[0]?.id);
      const reference = `upgrade-${release.env['DEPLOYMENT_VERSION']}`;
      await tool(release, 'wallets', 'fund', wallet, '1', '--reference', reference, '--yes');
      await tool(release, 'ledger', 'verify');
      await tool(release, 'reconcile', '--dry-run');
    }
    say(`${scenarios.length * 5} orders and more succeeded at both releases on one schema.`);
  } finally {
    await Promise.all(beside.map((program) => program.stop()));
    await previous.stop();
  }
}

async function releases(commit: string | undefined): Promise<Upgrade> {
  if (commit === undefined) {
    const next = join(ROOT, NEXT);
    say('Building the next release ...');
    writeNextRelease(next);
    await build(next);
    return { previous: ROOT, next, written: entriesOfNextRelease };
  }
  if (!existsSync(join(ROOT, '.git'))) throw new Problem(`This is not a git checkout, so ${commit} does not exist.`);
  const previous = join(ROOT, CHECKOUT);
  say(`Building ${commit} ...`);
  await checkOut(commit, previous);
  return { previous, next: ROOT };
}

async function main([commit]: string[]): Promise<void> {
  const upgrade = await releases(commit);
  await prove(upgrade, new RunDirectory(RUN_DIR));
  // The scripts tell releases apart by their versions, which commits of one release have in common.
  if (commit !== undefined) return;
  const [previous, next] = [upgrade.previous, upgrade.next].map((folder) => ({ version: versionOf(folder), folder }));
  if (!previous || !next) return;
  await proveReleaseScripts(previous, next, say);
  await proveCluster(previous, next, say);
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  },
);
