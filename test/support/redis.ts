/** A separate Redis for a test, if this machine has the program. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePorts } from '../../dev/stack/ports';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
if (!isInstalled) console.warn('redis-server is not installed. The tests that need it are skipped.');

/** `describe` if Redis is installed. Otherwise skips the tests and prints the reason. */
export const describeWithRedis = isInstalled ? describe : describe.skip;

export class Redis {
  private child: ChildProcess | undefined;

  private constructor(private readonly port: number) {}

  /** Starts an empty Redis on a free port. */
  static async start(): Promise<Redis> {
    const redis = new Redis((await freePorts()).API_PORT);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again on the same port, empty. */
  async start(): Promise<void> {
    const place = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const child = spawn('redis-server', place, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.child = child;
    for await (const line of child.stdout) {
      if (String(line).includes('Ready to accept connections')) return;
    }
    throw new Error('redis-server did not start');
  }

  /** Kills it with SIGKILL. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Blocks this whole process, without a turn of its event loop, until Redis holds so many calls under the key. */
  blockUntilCounted(key: string, calls: number): void {
    const args = ['-p', String(this.port), 'zcard', key];
    while (Number(spawnSync('redis-cli', args).stdout) < calls);
  }

  /** Freezes it: it keeps its connections and answers nothing. */
  hang(): void {
    this.child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.child?.kill('SIGCONT');
  }
}
