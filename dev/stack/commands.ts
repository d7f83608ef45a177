/** Running the commands of others that take long: they are silent, so what is awaited is said. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const HEARTBEAT_MS = 15_000;

export type Say = (line: string) => void;

/** Runs a command for `what`. What it calls an error, or its last line, tells what went wrong. */
export async function run(
  what: string,
  [command, ...args]: [string, ...string[]],
  env: NodeJS.ProcessEnv,
  say: Say,
): Promise<void> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = tellEverySoOften(what, say);
  try {
    const [errors, [code]] = await Promise.all([
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    const lines = errors.trim().split('\n');
    if (code !== 0)
      throw new Error(lines.find((line) => /^error/i.test(line)) || lines.at(-1) || `${command} failed`);
  } finally {
    stop();
  }
}

/** Says how long it has been, until what it returns is called. */
export function tellEverySoOften(what: string, say: Say): () => void {
  const began = Date.now();
  const seconds = (): number => Math.round((Date.now() - began) / 1000);
  const heartbeat = setInterval(() => say(`${what}: still at it, ${seconds()} s ...`), HEARTBEAT_MS);
  return () => clearInterval(heartbeat);
}

/** Whether a command runs and ends well. */
export async function succeeds(command: string, args: string[], env = process.env): Promise<boolean> {
  return promisify(execFile)(command, args, { env }).then(
    () => true,
    () => false,
  );
}
