/** Starts a stack as a separate process for tests, the demo and benchmarks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePorts, portVariables } from './ports';
import { messageOf, Problem } from './problem';
import { ROOT, RunDirectory } from './run-directory';
import type { StackFile } from './stack-file';

export interface LaunchedStack {
  /** The path of its `stack.json`. */
  file: string;
  stop(): Promise<void>;
}

/**
 * Starts a stack and waits until it is ready. It ends at the latest with this process. `isQuiet`: prints only problems, no
 * progress and no addresses.
 */
export async function launchStack(
  env: NodeJS.ProcessEnv,
  args: string[] = [],
  isQuiet = false,
): Promise<LaunchedStack> {
  const directory = new RunDirectory(env['RUN_DIR']);
  const child = spawn(process.execPath, [join(ROOT, 'dist/dev/stack/main.js'), ...args], {
    env,
    cwd: ROOT,
    // Standard error, so that its output does not mix with the caller's.
    stdio: ['ignore', isQuiet ? 'ignore' : 2, 2, 'ipc'],
  });
  const exit = once(child, 'exit');
  const ready = await Promise.race([once(child, 'message').then(() => true), exit.then(() => false)]);
  if (!ready) throw new Error('The stack did not start: see above.');
  return {
    file: directory.file('stack.json'),
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** Returns the environment for a separate stack: it uses this run directory, free ports, and its own PostgreSQL and Temporal. */
export async function separateEnvironment(runDirectory: string): Promise<NodeJS.ProcessEnv> {
  // Servers that the environment names would be shared with another stack.
  const { DATABASE_URL: _database, TEMPORAL_ADDRESS: _temporal, ...environment } = process.env;
  return { ...environment, ...portVariables(await freePorts()), RUN_DIR: runDirectory };
}

/** The `stack.json` of a ready stack in the run directory; undefined if none runs. */
export function runningStack(): StackFile | undefined {
  const directory = new RunDirectory();
  return directory.holder() && directory.readJson<StackFile>('stack.json');
}

/** Runs `work` on the running stack, or on one started for it. Ends the process with one sentence if it fails. */
export async function withStack(work: (stack: StackFile) => Promise<void>): Promise<void> {
  try {
    const running = runningStack();
    if (running) return await work(running);
    const own = await launchStack(process.env);
    try {
      await work(readStackFile(own.file));
    } finally {
      await own.stop();
    }
  } catch (error) {
    console.error(messageOf(error));
    process.exit(1);
  }
}

/** Reads a `stack.json`. Throws one sentence if the file is missing. */
export function readStackFile(file: string): StackFile {
  if (!existsSync(file)) {
    throw new Problem(
      `There is no stack file ${resolve(file)}: start a stack with npm start, or unset STACK_FILE and let the tests start one of their own.`,
    );
  }
  return JSON.parse(readFileSync(file, 'utf8')) as StackFile;
}
