/** Whether a started program answers. */
import { once } from 'node:events';
import { connect } from 'node:net';

const LIMIT_MS = 3_000;

/** Rejects until the port of this machine accepts connections. */
export async function reach(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}

/** The status with which a program of this machine answers. Rejects while nothing listens at its port, or after 3 s. */
export async function statusAt(url: string): Promise<number> {
  // `fetch` would take ten times the CPU to be refused, and starting programs refuse a thousand calls.
  await reach(Number(new URL(url).port));
  const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) });
  await response.body?.cancel();
  return response.status;
}
