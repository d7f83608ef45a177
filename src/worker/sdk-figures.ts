/** The SDK's own figures: told at a port that only this process knows, and passed on beside ours. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

const PATIENCE_MS = 1_000;

/** An address of this machine that nothing listens at. */
export async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

/** What the SDK tells at its address; nothing where it does not answer soon. */
export async function sdkFigures(address: string): Promise<string> {
  try {
    const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}
