/** A stack for a single test file, whose killed processes and outages would break other tests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { callControl } from '../../dev/stack/controls';
import { separateEnvironment, launchStack, readStackFile } from '../../dev/stack/launch';
import type { StackFile } from '../../dev/stack/stack-file';
import { until } from '../../dev/testbed/waiting';

export interface OwnStack {
  /** The current content of the stack's `stack.json`. */
  now(): StackFile;
  stop(): Promise<void>;
}

/** Starts the stack under a unique name. All of `test/support` then uses it in this test file. */
export async function startOwnStack(name: string): Promise<OwnStack> {
  const launched = await launchStack(await separateEnvironment(`.run/test/${name}`), ['--fresh'], true);
  process.env['STACK_FILE'] = launched.file;
  return { now: () => readStackFile(launched.file), stop: () => launched.stop() };
}

/** Kills a process of the stack with SIGKILL. Returns once the stack has restarted it. */
export async function kill(stack: OwnStack, name: string): Promise<void> {
  const pid = stack.now().pids[name];
  if (pid === undefined) throw new Error(`The stack has no process "${name}"`);
  process.kill(pid, 'SIGKILL');
  await until(`${name} started again`, async () => {
    const next = stack.now().pids[name];
    return next !== undefined && next !== pid ? next : undefined;
  });
}

/** Freezes a process for this many seconds, like a machine without free CPU. */
export async function freeze(stack: OwnStack, name: string, seconds: number): Promise<void> {
  const pid = stack.now().pids[name] as number;
  process.kill(pid, 'SIGSTOP');
  await sleep(seconds * 1_000);
  process.kill(pid, 'SIGCONT');
}

/** Makes the supplier answer every call with 503 for this many seconds. */
export async function outage(stack: OwnStack, seconds: number): Promise<void> {
  await callControl(stack.now().simulator_url, 'POST', 'outage', { seconds });
}

/** Waits until the API is ready: it has started, and reaches PostgreSQL and Temporal. */
export async function ready(stack: OwnStack): Promise<void> {
  await until('readiness', async () => {
    const response = await fetch(`${stack.now().api_url}/ready`).catch(() => undefined);
    await response?.body?.cancel();
    return response?.ok;
  });
}
