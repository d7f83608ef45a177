/** Inspects another Node process of this machine with V8's inspector: its heap and its CPU profile. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';
import { freePorts } from '../stack/ports';

/** The port on which a process listens after SIGUSR1. */
const DEFAULT_PORT = 9229;
const PATIENCE_MS = 10_000;
/** See `inTheProcess`. */
const BETWEEN_MS = 200;

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { message: string };
}

/** Sends a command of the inspector's protocol and returns its result. */
type Send = <Result>(method: string, params?: Record<string, unknown>) => Promise<Result>;

/** One thread of the process. */
export interface Thread {
  /** `main`, or the title of a worker thread. */
  name: string;
  send: Send;
}

export class Inspector {
  private readonly waiting = new Map<string, (message: Message) => void>();
  private readonly threadIds: { sessionId: string; title: string }[] = [];
  private lastId = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => this.receive(JSON.parse(String(data)) as Message, ''));
  }

  /** Makes the process listen for inspectors on a free port, so that the default port stays free, and connects. */
  static async attach(pid: number): Promise<Inspector> {
    process.kill(pid, 'SIGUSR1');
    const first = await Inspector.connect(DEFAULT_PORT);
    const { API_PORT: port } = await freePorts();
    const found = await first.evaluate<number>('process.pid');
    if (found !== pid) {
      first.socket.close();
      throw new Error(
        `Port ${DEFAULT_PORT} belongs to another inspected process (${found}): end that first.`,
      );
    }
    await first.evaluate(inTheProcess('i.close()', `i.open(${port}, '127.0.0.1')`));
    first.socket.close();
    const inspector = await Inspector.connect(port);
    await inspector.send('NodeWorker.enable', { waitForDebuggerOnStart: false });
    return inspector;
  }

  /** The main thread and its worker threads, if any. */
  get threads(): Thread[] {
    const main: Thread = { name: 'main', send: (method, params) => this.send(method, params) };
    return [
      main,
      ...this.threadIds.map(({ sessionId, title }): Thread => ({
        name: title,
        send: (method, params) => this.send(method, params, sessionId),
      })),
    ];
  }

  /** Makes the process stop listening. */
  async close(): Promise<void> {
    const closed = once(this.socket, 'close');
    // The next signal reopens the last port, which must be the default port again.
    await this.evaluate(inTheProcess('i.close()', `i.open(${DEFAULT_PORT}, '127.0.0.1')`, 'i.close()'));
    this.socket.close();
    await closed;
    // Until the three are done.
    await sleep(4 * BETWEEN_MS);
  }

  /** The value of the expression on the main thread. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const { result } = await this.send<{ result: { value: Value } }>('Runtime.evaluate', { expression });
    return result.value;
  }

  private static async connect(port: number): Promise<Inspector> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        const response = await fetch(`http://127.0.0.1:${port}/json/list`);
        const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
        const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
        await once(socket, 'open');
        return new Inspector(socket);
      } catch (error) {
        if (Date.now() > deadline) throw new Error(`No inspector at port ${port}`, { cause: error });
        await sleep(100);
      }
    }
  }

  /** The longest turn of the main thread's event loop during the work, in milliseconds. */
  async longestTurn(work: () => Promise<unknown>): Promise<number> {
    await this.evaluate(
      `benchDelay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 1 }); benchDelay.enable()`,
    );
    await work();
    return this.evaluate<number>('benchDelay.disable(); benchDelay.max / 1e6');
  }

  private async send<Result>(
    method: string,
    params: Record<string, unknown> = {},
    sessionId = '',
  ): Promise<Result> {
    const message = { id: ++this.lastId, method, params };
    const answer = new Promise<Message>((resolve) => this.waiting.set(`${sessionId}:${message.id}`, resolve));
    if (sessionId === '') this.socket.send(JSON.stringify(message));
    else await this.send('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify(message) });
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as Result;
  }

  private receive(message: Message, sessionId: string): void {
    const { id, method, params } = message;
    if (id !== undefined) this.waiting.get(`${sessionId}:${id}`)?.(message);
    if (method === 'NodeWorker.attachedToWorker') {
      const { sessionId: attached, workerInfo } = params as {
        sessionId: string;
        workerInfo: { title: string };
      };
      this.threadIds.push({ sessionId: attached, title: workerInfo.title });
    }
    if (method === 'NodeWorker.receivedMessageFromWorker') {
      const { sessionId: from, message: text } = params as { sessionId: string; message: string };
      this.receive(JSON.parse(text) as Message, from);
    }
  }
}

/**
 * Statements that the process runs in sequence after its response. Errors do not end the process. It waits between them,
 * because opening an inspector while another one closes sometimes ends the process.
 */
function inTheProcess(...statements: string[]): string {
  const later = (statement: string, turn: number) =>
    `setTimeout(() => { try { ${statement} } catch {} }, ${(turn + 1) * BETWEEN_MS});`;
  return `{ const i = process.getBuiltinModule('node:inspector'); ${statements.map(later).join(' ')} }`;
}
