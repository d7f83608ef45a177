/** An HTTP server on a free port of this machine. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { listeningPort } from '../../src/process/listening-port';

/** A running server. */
export interface ServedApp {
  url: string;
  server: Server;
  /** Stops the server and closes open connections. */
  close: () => Promise<void>;
}

export async function serve(app: RequestListener): Promise<ServedApp> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    url: `http://127.0.0.1:${listeningPort(server)}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
