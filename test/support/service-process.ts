/** An additional process of the service, because deployments run several. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from '../../dev/stack/ports';
import { ROOT } from '../../dev/stack/run-directory';
import { environmentBeside } from '../../dev/stack/settings';
import { loadStack, stackDirectory } from '../../dev/testbed/loaded-stack';

export interface ServiceProcess {
  pid: number;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Waits until the process logs this sentence. */
  logs(sentence: string): Promise<void>;
}

export interface ApiProcess extends ServiceProcess {
  url: string;
}

/** Starts an API with the settings of the stack under test and these overrides. Returns once it is ready. */
export async function startApiProcess(settings: NodeJS.ProcessEnv = {}): Promise<ApiProcess> {
  const { API_PORT: port, API_METRICS_PORT } = await freePorts();
  const ports = { API_PORT: String(port), API_METRICS_PORT: String(API_METRICS_PORT) };
  const process = await start('src/api/main.js', { ...settings, ...ports }, 'API ready');
  return { ...process, url: `http://127.0.0.1:${port}` };
}

/** Starts an operators' process in the same way. */
export async function startOperatorsProcess(settings: NodeJS.ProcessEnv = {}): Promise<ApiProcess> {
  const { OPS_PORT: port } = await freePorts();
  const process = await start(
    'src/operators/server/main.js',
    { ...settings, OPS_PORT: String(port) },
    'operators ready',
  );
  return { ...process, url: `http://127.0.0.1:${port}` };
}

/** Starts a worker in the same way. */
export async function startWorkerProcess(settings: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
  const { METRICS_PORT: port } = await freePorts();
  return start('src/worker/main.js', { ...settings, METRICS_PORT: String(port) }, 'worker ready');
}

/** The environment of the processes of the stack under test. */
export function serviceEnvironment(): NodeJS.ProcessEnv {
  return environmentBeside(loadStack(), stackDirectory());
}

/** Returns once the process has logged this message. */
async function start(script: string, settings: NodeJS.ProcessEnv, sentence: string): Promise<ServiceProcess> {
  const env = { ...serviceEnvironment(), LOG_LEVEL: 'info', ...settings };
  const child = spawn(process.execPath, [join(ROOT, 'dist', script)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await said(child, sentence);
  const end = (signal: NodeJS.Signals) => async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  const logs = (later: string) => said(child, later);
  return { pid: child.pid as number, stop: end('SIGTERM'), kill: end('SIGKILL'), logs };
}

async function said({ stdout }: ChildProcess, sentence: string): Promise<void> {
  if (!stdout) throw new Error('The process has no output');
  const lines = createInterface({ input: stdout });
  for await (const line of lines) {
    if (line.includes(sentence)) {
      lines.close();
      stdout.resume();
      return;
    }
  }
  throw new Error(`The process ended before it logged "${sentence}"`);
}
