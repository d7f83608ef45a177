import type { Server } from 'node:net';

/** The port on which the server listens. Throws if it listens on none. */
export function listeningPort(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server listens on no port');
  return address.port;
}
