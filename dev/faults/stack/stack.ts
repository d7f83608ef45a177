/**
 * The stack that is disturbed: one of its own on free ports, with proxies of ours between its programs and
 * what they depend on, a database whose clock can step, and a second worker whose clock is ahead.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { aheadBy, libfaketime, steppingClock, type SteppingClock } from '../../stack/faketime';
import { launchStack, readStackFile, type LaunchedStack } from '../../stack/launch';
import { freePorts } from '../../stack/ports';
import { Program } from '../../stack/program';
import { ROOT, RunDirectory } from '../../stack/run-directory';
import { readSettings } from '../../stack/settings';
import type { StackFile } from '../../stack/stack-file';
import type { Plan } from '../plan/plan';
import type { ProcessName, Server, Side } from '../plan/disturbances';
import { SupplierProxy } from './supplier-proxy';
import { TcpProxy } from './tcp-proxy';

/** Beside the state of `npm start`. */
const RUN_DIR = '.run/faults';

/** How far the clock of the second worker is ahead, in seconds. */
const AHEAD_SECONDS = 30;

type Proxies = Readonly<Record<Side, Readonly<Record<Server, TcpProxy>>>>;

export class DisturbedStack {
  /** Processes that are stopped just now. */
  private readonly frozen = new Set<number>();

  private constructor(
    private readonly launched: LaunchedStack,
    private readonly secondWorker: Program,
    readonly proxies: Proxies,
    readonly supplier: SupplierProxy,
    /** The clock of the database. */
    readonly clock: SteppingClock,
    /** The environment of the operators' tool: it reaches everything without a proxy. */
    readonly operatorEnvironment: NodeJS.ProcessEnv,
  ) {}

  /** Starts everything. Throws a `Problem` if libfaketime is missing. */
  static async start({ maxUnits, chance }: Plan, say: (line: string) => void): Promise<DisturbedStack> {
    const ports = await freePorts();
    const proxies: Proxies = {
      stack: await proxiesBefore(ports),
      'second-worker': await proxiesBefore(ports),
    };
    const supplier = await SupplierProxy.before(`http://127.0.0.1:${ports.SIMULATOR_PORT}`, chance);
    const library = await libfaketime(say);
    const clock = steppingClock(library);
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
      ...connections(proxies.stack),
      RUN_DIR,
      SIMULATOR_URL: supplier.url,
      SIMULATOR_MAX_UNITS: String(maxUnits),
      POSTGRES_CLOCK: clock.folder,
      LOG_LEVEL: 'warn',
    };
    // These would be shared with another stack.
    delete env['DATABASE_URL'];
    delete env['TEMPORAL_ADDRESS'];
    const launched = await launchStack(env, ['--fresh']);
    const stack = readStackFile(launched.file);
    const { environment } = readSettings(new RunDirectory(RUN_DIR), env);
    const ofSecondWorker = {
      ...env,
      ...connections(proxies['second-worker']),
      ...aheadBy(AHEAD_SECONDS, library),
    };
    const secondWorker = await workerAhead(ofSecondWorker, say);
    await secondWorker.start();
    return new DisturbedStack(launched, secondWorker, proxies, supplier, clock, {
      ...environment,
      DATABASE_URL: stack.database_url,
      TEMPORAL_ADDRESS: stack.temporal_address,
      SIMULATOR_URL: stack.simulator_url,
    });
  }

  /** Where everything of it is at this moment. */
  get file(): StackFile {
    return readStackFile(this.launched.file);
  }

  /** Kills a process without a word of warning. It is started again by whoever watches over it. */
  kill(name: ProcessName): void {
    const pid = this.pidOf(name);
    if (pid !== undefined) send(pid, 'SIGKILL');
  }

  /** Stops a process as if its machine had no time for it. Returns what lets it go on. */
  freeze(name: ProcessName): () => void {
    const pid = this.pidOf(name);
    const pids = pid === undefined ? [] : name === 'postgres' ? [pid, ...childrenOf(pid)] : [pid];
    for (const each of pids) {
      this.frozen.add(each);
      send(each, 'SIGSTOP');
    }
    return () => this.thaw(pids);
  }

  /** Lets everything go on and everything through. */
  release(): void {
    this.thaw([...this.frozen]);
    this.clock.step(0);
    for (const side of Object.values(this.proxies)) Object.values(side).forEach((proxy) => proxy.restore());
  }

  async stop(): Promise<void> {
    this.release();
    await this.secondWorker.stop();
    await this.launched.stop();
    this.supplier.close();
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
  return {
    postgres: await TcpProxy.before(ports.POSTGRES_PORT),
    temporal: await TcpProxy.before(ports.TEMPORAL_PORT),
  };
}

/** What makes programs look for the two servers at the proxies. */
function connections({ postgres, temporal }: Record<Server, TcpProxy>): NodeJS.ProcessEnv {
  return { POSTGRES_PROXY_PORT: String(postgres.port), TEMPORAL_PROXY_PORT: String(temporal.port) };
}

async function workerAhead(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<Program> {
  const directory = new RunDirectory(RUN_DIR);
  const { environment } = readSettings(directory, env);
  const { METRICS_PORT: metricsPort } = await freePorts();
  let isReady = false;
  return new Program(
    {
      name: 'second-worker',
      command: process.execPath,
      args: ['--enable-source-maps', join(ROOT, 'dist/src/worker/main.js')],
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

/** PostgreSQL serves each connection by a process of its own. */
function childrenOf(parent: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([pid, ppid]) => (ppid === parent && pid !== undefined ? [pid] : []));
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
