/** The Temporal dev server, kept in a file and set up as this service needs it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { loadConfig, type TemporalSettings } from '../../src/config';
import { messageOf, Problem } from './problem';
import type { ProgramSpec } from './program';
import { environmentOf } from './program-environment';
import { ROOT, type RunDirectory } from './run-directory';

/** Where the dev server listens, and where its Web UI finds the codec server. */
export interface TemporalAddresses {
  port: number;
  uiPort: number;
  namespace: string;
  codecUrl: string;
}

/** How to run the dev server. */
export function temporalSpec(
  directory: RunDirectory,
  binary: string,
  addresses: TemporalAddresses,
): ProgramSpec {
  const { port, uiPort, namespace, codecUrl } = addresses;
  const options = {
    '--ip': '127.0.0.1',
    '--port': String(port),
    '--ui-port': String(uiPort),
    '--namespace': namespace,
    '--db-filename': directory.file('temporal.db'),
    // Nothing is lost when the process is killed, only when the machine loses its power.
    '--sqlite-pragma': 'synchronous=off',
    '--ui-codec-endpoint': codecUrl,
    '--log-level': 'warn',
  };
  return {
    name: 'temporal',
    command: binary,
    args: ['server', 'start-dev', ...Object.entries(options).flat(), ...dynamicConfig()],
    env: environmentOf('temporal', process.env),
    log: directory.log('temporal'),
    isReady: () => answers({ address: `127.0.0.1:${port}`, namespace }).then(() => true),
  };
}

/** Says in one sentence why a server cannot be used, if it cannot. */
export async function checkTemporal(environment: NodeJS.ProcessEnv): Promise<void> {
  const { temporal } = loadConfig(environment);
  const { address, namespace } = temporal;
  if (!/^\S+:\d+$/.test(address)) throw new Problem('TEMPORAL_ADDRESS must look like host:7233.');
  try {
    await answers(temporal);
  } catch (error) {
    throw new Problem(
      `TEMPORAL_ADDRESS: namespace ${namespace} at ${address} does not answer: ${messageOf(error)}.`,
    );
  }
}

async function answers({ namespace, ...options }: TemporalSettings): Promise<void> {
  const connection = await Connection.connect({ ...options, connectTimeout: 3_000 });
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } finally {
    await connection.close();
  }
}

/** The settings of `temporal-config/dynamicconfig`, as the dev server takes them. */
function dynamicConfig(): string[] {
  const yaml = readFileSync(join(ROOT, 'temporal-config', 'dynamicconfig', 'service.yaml'), 'utf8');
  const settings = yaml.matchAll(/^([\w.]+):\n +- value: (.+)$/gm);
  return [...settings].flatMap(([, key, value]) => ['--dynamic-config-value', `${key}=${value}`]);
}
