/**
 * The stack for disturbances: a separate one on free ports, with proxies between its programs and their dependencies, a
 * database whose clock can step, and a second worker whose clock is ahead.
 */
import { spawnSync } from 'node:child_process';
import { aheadBy, libfaketime, steppingClock, type SteppingClock } from '../../stack/faketime';
import { launchStack, readStackFile, separateEnvironment, type LaunchedStack } from '../../stack/launch';
import { freePorts, readPorts, type Ports } from '../../stack/ports';
import { Program } from '../../stack/program';
import { ROOT, RunDirectory } from '../../stack/run-directory';
import { nodeArguments } from '../../stack/services';
import { environmentBeside, readSettings } from '../../stack/settings';
import type { StackFile } from '../../stack/stack-file';
import { FAKE_NAMES, portNameOf, proxyPortNameOf } from '../../stack/fakes';
import type { Plan } from '../plan/plan';
import type { ProcessName, Server, Side } from '../plan/disturbance';
import type { SupplierName } from '../plan/suppliers';
import { openRateFeed, type RateFeed } from './rate-feed';
import { SupplierProxy, type Descriptions } from './supplier-proxy';
import { referencesIn } from './supplier-calls';
import { TcpProxy } from './tcp-proxy';

/** Next to the state of `npm start`. */
const RUN_DIR = process.env['RUN_DIR'] ?? '.run/faults';

/** The offset of the second worker's clock, in seconds. */
const AHEAD_SECONDS = 30;

type Proxies = Readonly<Record<Side, Readonly<Record<Server, TcpProxy>>>>;

export class DisturbedStack {
  /** Frozen processes. */
  private readonly frozen = new Set<number>();

  private constructor(
    private readonly launched: LaunchedStack,
    private readonly secondWorker: Program,
    readonly proxies: Proxies,
    /** In front of the simulator, and of each fake if any runs. */
    private readonly suppliers: ReadonlyMap<SupplierName, SupplierProxy>,
    private readonly rates: RateFeed,
    /** The clock of the database. */
    readonly clock: SteppingClock,
    /** The environment of the ops CLI, which bypasses the proxies. */
    readonly operatorEnvironment: NodeJS.ProcessEnv,
  ) {}

  /** Starts everything. Throws a `Problem` if libfaketime is missing. */
  static async start(plan: Plan, say: (line: string) => void): Promise<DisturbedStack> {
    const { maxUnits, suppliers: hasFakes } = plan;
    const own = await separateEnvironment(RUN_DIR);
    const ports = readPorts(own);
    const proxies: Proxies = { stack: await proxiesBefore(ports), 'second-worker': await proxiesBefore(ports) };
    const suppliers = await supplierProxies(plan, ports);
    const library = await libfaketime(say);
    const clock = steppingClock(library);
    const rates = await openRateFeed();
    const direct: NodeJS.ProcessEnv = {
      ...own,
      RATE_FEED_URL: rates.url,
      SIMULATOR_MAX_UNITS: String(maxUnits),
      POSTGRES_CLOCK: clock.folder,
      LOG_LEVEL: 'warn',
    };
    const env = { ...direct, ...connections(proxies.stack), ...supplierConnections(suppliers) };
    const launched = await launchStack(env, ['--fresh', ...(hasFakes ? ['--suppliers'] : [])]);
    const stack = readStackFile(launched.file);
    const ofSecondWorker = { ...env, ...connections(proxies['second-worker']), ...aheadBy(AHEAD_SECONDS, library) };
    const secondWorker = await workerAhead(ofSecondWorker, hasFakes, say);
    await secondWorker.start();
    return new DisturbedStack(launched, secondWorker, proxies, suppliers, rates, clock, {
      ...environmentBeside(stack, new RunDirectory(RUN_DIR), direct),
      SIMULATOR_URL: stack.simulator_url,
    });
  }

  /** The current addresses of the stack. */
  get file(): StackFile {
    return readStackFile(this.launched.file);
  }

  supplier(name: SupplierName): SupplierProxy {
    const proxy = this.suppliers.get(name);
    if (!proxy) throw new Error(`The stack has no supplier ${name}`);
    return proxy;
  }

  /** What the proxies of the suppliers counted. */
  supplierFaults(): [name: string, done: number][] {
    return [...this.suppliers].flatMap(([name, { done }]) =>
      [...done].map(([fault, calls]): [string, number] => [`${name} ${fault}`, calls]),
    );
  }

  /** The references of purchases that a supplier itself answered, whatever the service saw. */
  answeredPurchases(): ReadonlySet<string> {
    return new Set([...this.suppliers.values()].flatMap(({ answered }) => [...answered]));
  }

  /** What the supplier's responses said about a purchase; undefined if none described it. */
  described(supplier: SupplierName, reference: string): Descriptions | undefined {
    const [known = ''] = referencesIn(reference);
    return this.suppliers.get(supplier)?.described.get(known);
  }

  /** Kills a process with SIGKILL. Its supervisor restarts it. */
  kill(name: ProcessName): void {
    const pid = this.pidOf(name);
    if (pid !== undefined) send(pid, 'SIGKILL');
  }

  /** Freezes a process, like a machine without free CPU. Returns the function that resumes it. */
  freeze(name: ProcessName): () => void {
    const pid = this.pidOf(name);
    const pids = pid === undefined ? [] : name === 'postgres' ? [pid, ...childrenOf(pid)] : [pid];
    for (const each of pids) {
      this.frozen.add(each);
      send(each, 'SIGSTOP');
    }
    return () => this.thaw(pids);
  }

  /** Resumes all processes and restores all connections. */
  release(): void {
    this.thaw([...this.frozen]);
    this.clock.step(0);
    for (const side of Object.values(this.proxies)) Object.values(side).forEach((proxy) => proxy.restore());
  }

  async stop(): Promise<void> {
    this.release();
    await this.secondWorker.stop();
    await this.launched.stop();
    for (const proxy of this.suppliers.values()) proxy.close();
    this.rates.close();
    this.clock.remove();
    for (const side of Object.values(this.proxies)) Object.values(side).forEach((proxy) => proxy.close());
  }

  private thaw(pids: readonly number[]): void {
    for (const pid of pids) {
      this.frozen.delete(pid);
      send(pid, 'SIGCONT');
    }
  }

  private pidOf(name: ProcessName): number | undefined {
    return name === 'second-worker' ? this.secondWorker.pid : this.file.pids[name];
  }
}

async function proxiesBefore(ports: {
  POSTGRES_PORT: number;
  TEMPORAL_PORT: number;
}): Promise<Record<Server, TcpProxy>> {
  return { postgres: await TcpProxy.before(ports.POSTGRES_PORT), temporal: await TcpProxy.before(ports.TEMPORAL_PORT) };
}

async function supplierProxies({ chance, suppliers }: Plan, ports: Ports): Promise<Map<SupplierName, SupplierProxy>> {
  const names: SupplierName[] = ['simulator', ...(suppliers ? FAKE_NAMES : [])];
  // No outgoing connection takes such a port while its proxy cannot be reached.
  const own = await freePorts();
  const proxies = new Map<SupplierName, SupplierProxy>();
  for (const [index, name] of names.entries()) {
    const port = name === 'simulator' ? 'SIMULATOR_PORT' : portNameOf(name);
    const target = `http://127.0.0.1:${ports[port]}`;
    proxies.set(name, await SupplierProxy.before(name, target, own[port], chance + index));
  }
  return proxies;
}

/** The settings that send the service to the proxies of the suppliers. */
function supplierConnections(proxies: ReadonlyMap<SupplierName, SupplierProxy>): NodeJS.ProcessEnv {
  const settings = [...proxies].map(([name, { url, port }]) =>
    name === 'simulator' ? ['SIMULATOR_URL', url] : [proxyPortNameOf(name), String(port)],
  );
  return Object.fromEntries(settings) as NodeJS.ProcessEnv;
}

/** The settings that send programs to the proxies of the two servers. */
function connections({ postgres, temporal }: Record<Server, TcpProxy>): NodeJS.ProcessEnv {
  return { POSTGRES_PROXY_PORT: String(postgres.port), TEMPORAL_PROXY_PORT: String(temporal.port) };
}

async function workerAhead(env: NodeJS.ProcessEnv, hasFakes: boolean, say: (line: string) => void): Promise<Program> {
  const directory = new RunDirectory(RUN_DIR);
  const { environment } = readSettings(directory, env, hasFakes);
  const { METRICS_PORT: metricsPort } = await freePorts();
  let isReady = false;
  return new Program(
    {
      name: 'second-worker',
      command: process.execPath,
      args: nodeArguments('src/worker/main.js'),
      env: { ...environment, METRICS_PORT: String(metricsPort) },
      cwd: ROOT,
      log: directory.log('second-worker'),
      isReady: async () => {
        if (isReady) return true;
        const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
        await response.body?.cancel();
        return (isReady = response.ok);
      },
    },
    { changed: () => undefined, said: say },
  );
}

/** PostgreSQL serves each connection with a separate process. */
function childrenOf(parent: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([pid, ppid]) => (ppid === parent && pid !== undefined ? [pid] : []));
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}
