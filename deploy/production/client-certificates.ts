/** The certificates that the Temporal server of `docker-compose.yml` demands: a proof, and a way around them for tests. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect, type ConnectionOptions } from 'node:tls';
import { Problem } from '../../dev/stack/problem';
import { listeningPort } from '../../src/process/listening-port';

/** What one side of a connection presents, and whom it trusts. */
type Certificates = Pick<ConnectionOptions, 'ca' | 'cert' | 'key'>;

/** The certificates of a folder that `dev/scripts/make-certificates.mjs` wrote. */
export function certificatesIn(folder: string): Record<'ca' | 'cert' | 'key', Buffer> {
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  return { ca: read('ca.crt'), cert: read('tls.crt'), key: read('tls.key') };
}

/** Throws a message unless each port accepts our certificates, and neither none nor those of another authority. */
export async function proveClientCertificates(
  ports: readonly number[],
  ours: Required<Certificates>,
  strangers: Required<Certificates>,
): Promise<void> {
  for (const port of ports) {
    if (!(await isAccepted(port, ours))) throw new Problem(`Port ${port} of Temporal rejects our client certificate.`);
    for (const [what, { ca }, presented] of [
      ['no client certificate', ours, {}],
      ['a client certificate of another authority', ours, { cert: strangers.cert, key: strangers.key }],
    ] as const) {
      if (await isAccepted(port, { ca, ...presented })) throw new Problem(`Port ${port} of Temporal accepts ${what}.`);
    }
  }
}

/** Whether the server accepts the connection. With TLS 1.3, a client would learn of a rejection only after its first bytes. */
async function isAccepted(port: number, certificates: Certificates): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port, maxVersion: 'TLSv1.2', ...certificates });
  try {
    await once(socket, 'secureConnect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Opens a port of this machine that leads to the server's port with our certificates, for programs without any. Returns it. */
export async function openTunnel(port: number, ours: Required<Certificates>): Promise<number> {
  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port, ALPNProtocols: ['h2'], ...ours });
    client.pipe(upstream).pipe(client);
    for (const end of [client, upstream])
      end.on('error', () => undefined).on('close', () => [client, upstream].forEach((one) => one.destroy()));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return listeningPort(server);
}
