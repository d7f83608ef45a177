/** Connections whose clients do not read their responses. They would hold memory forever. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The time after which a connection that accepts none of its waiting bytes is destroyed: `stalledMs`, or `pipelinedMs` if the client
 * has sent further requests. A large read waits for its turn for 30 s, so connections that read nothing close within 45 s.
 */
const STALL = { stalledMs: 30_000, pipelinedMs: 12_000, checkEveryMs: 1_000 };

export type StallLimits = typeof STALL;

/** Node's counters of a connection: bytes handed to the operating system, and bytes that it has not accepted. */
interface SocketHandle {
  bytesWritten: number;
  writeQueueSize: number;
}

/**
 * Destroys each connection whose waiting bytes the operating system has not accepted for the time limit. A connection without a
 * response has no waiting bytes. `isPipelined`: whether requests of the connection wait behind another.
 */
export function dropStalled(
  server: Server,
  isPipelined: (socket: Socket) => boolean,
  { stalledMs, pipelinedMs, checkEveryMs }: StallLimits = STALL,
): void {
  const waiting = new Map<Socket, { accepted: number; since: number }>();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      waiting.delete(socket);
    });
  });
  const limitOf = (socket: Socket) => (isPipelined(socket) ? pipelinedMs : stalledMs);
  const check = () => {
    const now = performance.now();
    for (const socket of sockets) {
      const accepted = bytesAccepted(socket);
      const before = waiting.get(socket);
      if (socket.writableLength === 0) waiting.delete(socket);
      else if (before?.accepted !== accepted) waiting.set(socket, { accepted, since: now });
      else if (now - before.since >= limitOf(socket)) socket.destroy();
    }
  };
  const checks = setInterval(check, checkEveryMs).unref();
  server.once('close', () => clearInterval(checks));
}

/** Bytes that the operating system has accepted. Only Node's internal handle counts a partly accepted write. */
function bytesAccepted(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: SocketHandle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}
