/** The ops CLI as operators start it: a separate process, on the stack under test. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../dev/stack/run-directory';
import { wordsOf, type Typed } from './command-words';
import { stackDirectory } from '../../dev/testbed/loaded-stack';

export interface ToolRun {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs a command in a separate process, for commands that load some of their modules on demand. */
export function runTool(...command: Typed): Promise<ToolRun> {
  return runProgram('dist/dev/stack/ops.js', ...wordsOf(command));
}

/** Runs a program of the build on the stack under test. */
export function runProgram(script: string, ...words: (string | number)[]): Promise<ToolRun> {
  const env = { ...process.env, RUN_DIR: stackDirectory().path };
  const program = [join(ROOT, script), ...words.map(String)];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, program, { env }, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? 0, stdout, stderr }),
    );
  });
}
