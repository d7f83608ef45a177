/** Runs long commands, which are silent, and reports their progress. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const HEARTBEAT_MS = 15_000;

export type Say = (line: string) => void;

/** Runs a command for `what`. Throws its first error message, or its last line. */
export async function run(
  what: string,
  [command, ...args]: [string, ...string[]],
  env: NodeJS.ProcessEnv,
  say: Say,
): Promise<void> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = reportProgress(what, say);
  try {
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number | null]>]);
    const lines = errors.trim().split('\n');
    if (code !== 0) throw new Error(lines.find((line) => /^error/i.test(line)) || lines.at(-1) || `${command} failed`);
  } finally {
    stop();
  }
}

/** Reports the elapsed time at intervals. Returns the function that ends the reports. */
export function reportProgress(what: string, say: Say): () => void {
  const began = Date.now();
  const seconds = (): number => Math.round((Date.now() - began) / 1000);
  const heartbeat = setInterval(() => say(`${what}: still running after ${seconds()} s ...`), HEARTBEAT_MS);
  return () => clearInterval(heartbeat);
}

/** Whether a command succeeds. */
export async function succeeds(command: string, args: string[]): Promise<boolean> {
  return promisify(execFile)(command, args).then(
    () => true,
    () => false,
  );
}

/** The exit code of the process once it ends; null after a signal. Throws if it cannot be started. */
export function exitCodeOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
}
