/** A stack of one test file's own, for what no other test would survive: killed processes, outages. */
import { setTimeout as sleep } from 'node:timers/promises';
import { launchStack, readStackFile } from '../../dev/stack/launch';
import { freePorts } from '../../dev/stack/ports';
import type { StackFile } from '../../dev/stack/stack-file';
import { until } from './waiting';

export interface OwnStack {
  /** The stack as its `stack.json` describes it at this moment. */
  now(): StackFile;
  stop(): Promise<void>;
}

/** Starts it under a name of its own, and makes it the stack of everything in `test/support` for this test file. */
export async function startOwnStack(name: string): Promise<OwnStack> {
  const env: NodeJS.ProcessEnv = { ...process.env, RUN_DIR: `.run/test/${name}` };
  for (const [setting, port] of Object.entries(await freePorts())) env[setting] = String(port);
  // These would be shared with another stack.
  delete env['DATABASE_URL'];
  delete env['TEMPORAL_ADDRESS'];
  const launched = await launchStack(env, ['--fresh'], true);
  process.env['STACK_FILE'] = launched.file;
  return { now: () => readStackFile(launched.file), stop: () => launched.stop() };
}

/** Kills a process of the stack without a word of warning. Returns once the stack has begun it anew. */
export async function kill(stack: OwnStack, name: string): Promise<void> {
  const pid = stack.now().pids[name];
  if (pid === undefined) throw new Error(`The stack has no process "${name}"`);
  process.kill(pid, 'SIGKILL');
  await until(`${name} started again`, async () => {
    const next = stack.now().pids[name];
    return next !== undefined && next !== pid ? next : undefined;
  });
}

/** Stops a process for so many seconds as if its machine had no time for it, and lets it go on. */
export async function freeze(stack: OwnStack, name: string, seconds: number): Promise<void> {
  const pid = stack.now().pids[name] as number;
  process.kill(pid, 'SIGSTOP');
  await sleep(seconds * 1_000);
  process.kill(pid, 'SIGCONT');
}

/** Lets the supplier answer everything with 503 for so many seconds. */
export async function outage(stack: OwnStack, seconds: number): Promise<void> {
  await fetch(`${stack.now().simulator_url}/control/outage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seconds }),
  });
}

/** Waits until the API answers that it is ready: it has started, and reaches PostgreSQL and Temporal. */
export async function ready(stack: OwnStack): Promise<void> {
  await until('readiness', async () => {
    const response = await fetch(`${stack.now().api_url}/ready`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return true;
    await sleep(100);
    return undefined;
  });
}
