/** A proxy between programs and a server, whose connections can be cut and slowed down. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { listeningPort } from '../../../src/process/listening-port';

/** A connection through the proxy: the program's side and the server's side. */
type Pair = readonly [near: Socket, far: Socket];

export class TcpProxy {
  private readonly server: Server;
  private readonly pairs = new Set<Pair>();
  private refuses = false;
  private isSilent = false;
  private delayMs = 0;

  private constructor(private readonly targetPort: number) {
    this.server = createServer((near) => this.accept(near));
  }

  /** A proxy on a free port of this machine, in front of the port of a server. */
  static async before(targetPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetPort);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return listeningPort(this.server);
  }

  /** Breaks all connections and accepts no new ones. */
  refuse(): void {
    this.refuses = true;
    this.breakAll();
  }

  /** Holds all data back without closing connections. It arrives after `restore`. */
  silence(): void {
    this.isSilent = true;
    for (const pair of this.pairs) pair.forEach((socket) => socket.pause());
  }

  /** Delays all data by this time. */
  slow(delayMs: number): void {
    this.delayMs = delayMs;
  }

  /** Ends all faults. */
  restore(): void {
    this.refuses = false;
    this.isSilent = false;
    this.delayMs = 0;
    for (const pair of this.pairs) pair.forEach((socket) => socket.resume());
  }

  close(): void {
    this.server.close();
    this.breakAll();
  }

  private accept(near: Socket): void {
    if (this.refuses) return void near.on('error', ignore).destroy();
    const far = connect({ port: this.targetPort, host: '127.0.0.1' });
    const pair: Pair = [near.setNoDelay(), far.setNoDelay()];
    this.pairs.add(pair);
    this.relay(near, far, pair);
    this.relay(far, near, pair);
    if (this.isSilent) pair.forEach((socket) => socket.pause());
  }

  /** Forwards data in order. Each piece has the delay that applied when it arrived. */
  private relay(from: Socket, to: Socket, pair: Pair): void {
    const waiting: (() => void)[] = [];
    let lastDue = 0;
    const later = (act: () => void): void => {
      const now = performance.now();
      lastDue = Math.max(lastDue, now + this.delayMs);
      if (lastDue <= now && waiting.length === 0) return act();
      waiting.push(act);
      // Whichever timer fires first, the oldest piece is next.
      setTimeout(() => waiting.shift()?.(), lastDue - now);
    };
    const give = (chunk: Buffer): void => {
      if (to.destroyed || to.write(chunk)) return;
      from.pause();
      to.once('drain', () => this.isSilent || from.resume());
    };
    from.on('data', (chunk: Buffer) => later(() => give(chunk)));
    from.on('end', () => later(() => to.end()));
    from.on('error', ignore);
    from.on('close', () => {
      this.pairs.delete(pair);
      later(() => to.destroy());
    });
  }

  private breakAll(): void {
    for (const pair of this.pairs) pair.forEach((socket) => socket.resetAndDestroy());
    this.pairs.clear();
  }
}

/** Errors are ignored here, because the other side sees its own connection close. */
function ignore(): void {}
