/** One more API process beside those of a stack, as a deployment has several. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { freePorts } from '../../stack/ports';
import { ROOT, RunDirectory } from '../../stack/run-directory';
import { readSettings } from '../../stack/settings';
import { loadStack } from './stack';
import { until } from './waiting';

export interface ApiProcess {
  url: string;
  stop(): Promise<void>;
}

/** Starts it with the settings of the stack under test, changed by those given; returns once it is ready. */
export async function startApiProcess(settings: NodeJS.ProcessEnv): Promise<ApiProcess> {
  const stack = loadStack();
  const port = (await freePorts()).API_PORT;
  const directory = new RunDirectory(dirname(process.env['STACK_FILE'] ?? ''));
  const env = {
    ...readSettings(directory, process.env).environment,
    DATABASE_URL: stack.database_url,
    TEMPORAL_ADDRESS: stack.temporal_address,
    TEMPORAL_NAMESPACE: stack.temporal_namespace,
    SIMULATOR_URL: stack.supplier_url,
    ...settings,
    API_PORT: String(port),
  };
  const child = spawn(process.execPath, [join(ROOT, 'dist/src/api/main.js')], { env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await until('the API to be ready', async () => {
    const answer = await fetch(`${url}/ready`).catch(() => undefined);
    return answer?.ok || undefined;
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
