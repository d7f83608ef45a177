/** The simulator as one thing that is started and stopped. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app';
import { Store } from './store';
import { Controls } from './controls';
import type { Purchase } from './purchases';
import { createPusher } from './pushes';

const timerSlackMs = 5;

export interface SimulatorOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Bearer token of the buyer and key of the pushes. */
  secret: string;
  /** The journal: JSON lines, made when missing. That of the controls lies beside it, as `<name>.controls`. */
  stateFile: string;
  latencyMs: number;
  /** Multiplies the delays of the scenarios. */
  timeScale: number;
  /** The most units one purchase may hold. */
  maxUnits: number;
  /** Where changes are pushed to; nowhere without it. */
  callbackUrl?: string | undefined;
}

export interface Simulator {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the simulator with the purchases of its journal. Rejects when it cannot listen. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  // Listening first makes the port the lock on the journal: a second simulator never touches it.
  const server = await listen(options);
  const store = new Store(options.stateFile, options.timeScale);
  const controls = new Controls(`${options.stateFile}.controls`);
  const push = createPusher(options.callbackUrl, options.secret);

  function pushEnd(purchase: Purchase): void {
    const waitMs = purchase.endsAt - Date.now();
    if (waitMs <= 0) return;
    const pushIt = (): void => push({ type: 'purchase', reference: purchase.reference });
    // A timer may fire a millisecond early; asked then, the purchase would still be pending.
    setTimeout(pushIt, waitMs + timerSlackMs).unref();
  }

  store.find().forEach(pushEnd);
  server.on('request', createApp({ ...options, store, controls, push, onPurchase: pushEnd }));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}`,
    async close() {
      await closeServer(server);
      store.close();
      controls.close();
    },
  };
}

function listen({ host, port }: SimulatorOptions): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(port, host, () => resolve(server));
  });
}

/** Unanswered calls are cut: some scenarios never answer. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
