/** A proxy between our programs and a server, whose connections can be cut and slowed down. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A connection through the proxy: what the program holds, and what the server holds. */
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
    return (this.server.address() as AddressInfo).port;
  }

  /** Breaks all connections and takes no new ones. */
  refuse(): void {
    this.refuses = true;
    this.breakAll();
  }

  /** Lets nothing through, without a word: what is sent arrives when the silence is over. */
  silence(): void {
    this.isSilent = true;
    for (const pair of this.pairs) pair.forEach((socket) => socket.pause());
  }

  /** Lets everything through so much later. */
  slow(delayMs: number): void {
    this.delayMs = delayMs;
  }

  /** All is well again. */
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

  /** Passes on what comes, in its order, each piece as late as it was slow when it came. */
  private relay(from: Socket, to: Socket, pair: Pair): void {
    const waiting: (() => void)[] = [];
    let lastDue = 0;
    const later = (act: () => void): void => {
      const now = performance.now();
      lastDue = Math.max(lastDue, now + this.delayMs);
      if (lastDue <= now && waiting.length === 0) return act();
      waiting.push(act);
      // Whichever timer comes first: what waits longest is next.
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

/** The other side notices when its own connection ends. */
function ignore(): void {}
