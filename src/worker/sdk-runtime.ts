/** The runtime of the Temporal SDK: its messages go to our log, and our metrics server serves its metrics. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { listeningPort } from '../process/listening-port';

const METRICS_TIMEOUT_MS = 1_000;

const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Installs the runtime. Returns a function that reads its metrics (latencies, slots, failures); '' if that fails. */
export async function installSdkRuntime(log: Logger): Promise<() => Promise<string>> {
  const bindAddress = await freeAddress();
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
      const { error, ...details } = meta ?? {};
      log[levels[level]]({ ...details, ...(error !== undefined && { err: error }) }, message);
    }),
    telemetryOptions: {
      // Without this option, the native core writes to standard error, and not as JSON.
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
      metrics: { prometheus: { bindAddress } },
    },
  });
  return () => readMetrics(`http://${bindAddress}/metrics`);
}

/** A local address that no process listens on. */
async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = listeningPort(server);
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

async function readMetrics(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}
