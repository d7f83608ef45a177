/** The event loop of another Node process of this machine, by V8's inspector. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';
import { until } from '../testbed/waiting';

/** Where a process lists itself after SIGUSR1. */
const LIST = 'http://127.0.0.1:9229/json/list';
/** The process stops listening so long after its response, because that waits for open connections. */
const CLOSES_AFTER_MS = 200;

interface Answer {
  result: { result: { value: unknown } };
}

export class Inspector {
  private constructor(private readonly socket: WebSocket) {}

  /** Makes the process listen for inspectors, and connects. Only one process at a time can listen. */
  static async attach(pid: number): Promise<Inspector> {
    process.kill(pid, 'SIGUSR1');
    const url = await until('an inspector', async () => {
      const listed = await fetch(LIST).catch(() => undefined);
      return ((await listed?.json()) as { webSocketDebuggerUrl: string }[] | undefined)?.[0]?.webSocketDebuggerUrl;
    });
    const socket = new WebSocket(url);
    await once(socket, 'open');
    const inspector = new Inspector(socket);
    const found = await inspector.evaluate('process.pid');
    if (found === pid) return inspector;
    socket.close();
    throw new Error(`Another process (${String(found)}) listens for inspectors: end that first.`);
  }

  /** The longest turn of the event loop during the work, in milliseconds. */
  async longestTurn(work: () => Promise<unknown>): Promise<number> {
    await this.evaluate(
      `benchDelay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 1 }); benchDelay.enable()`,
    );
    await work();
    return Number(await this.evaluate('benchDelay.disable(); benchDelay.max / 1e6'));
  }

  /** Makes the process stop listening. */
  async close(): Promise<void> {
    await this.evaluate(
      `void setTimeout(() => process.getBuiltinModule('node:inspector').close(), ${CLOSES_AFTER_MS})`,
    );
    this.socket.close();
    await sleep(2 * CLOSES_AFTER_MS);
  }

  /** The value of the expression. */
  private async evaluate(expression: string): Promise<unknown> {
    this.socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
    const [{ data }] = (await once(this.socket, 'message')) as [{ data: unknown }];
    return (JSON.parse(String(data)) as Answer).result.result.value;
  }
}
